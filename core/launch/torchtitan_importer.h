// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/importers.h"

#include <vector>

namespace meshwright {

int torchtitan_likeness(const LaunchFile &file);
/// Reads the TOML of v0.2.2 and earlier, the JSON that save_config_file writes on main, or a command line with
/// --section.key words. Options of an accompanying script override those of the file.
Imported import_torchtitan(const std::vector<LaunchFile> &files, const Library &library);

} // namespace meshwright

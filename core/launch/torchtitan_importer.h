// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/importers.h"

#include <vector>

namespace meshwright {

int torchtitan_likeness(const LaunchFile &file);
/// TOML of v0.2.2 and before, the JSON that main's save_config_file writes, or a command line with --section.key words.
/// Options of a script that came with the file override it.
Imported import_torchtitan(const std::vector<LaunchFile> &files, const Library &library);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/importers.h"

#include <vector>

namespace meshwright {

int torchtitan_likeness(const LaunchFile &file);
/// Imports torchtitan's TOML of v0.2.2 and before, the JSON written by save_config_file on main, or a command line with
/// --section.key words. Options of a script given with the file override it.
Imported import_torchtitan(const std::vector<LaunchFile> &files, const Library &library);

} // namespace meshwright

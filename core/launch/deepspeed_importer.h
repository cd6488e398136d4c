// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/importers.h"

#include <vector>

namespace meshwright {

/// How likely the file is a DeepSpeed JSON or a script that starts a program with one, from 0 to 100.
int deepspeed_run_likeness(const LaunchFile &file);
/// Imports a DeepSpeed JSON, alone or with the script or configuration of the program that uses it. A script may also
/// write its JSON itself.
Imported import_deepspeed(const std::vector<LaunchFile> &files, const Library &library);

} // namespace meshwright

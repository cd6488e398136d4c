// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/importers.h"

#include <vector>

namespace meshwright {

/// How surely a file is DeepSpeed's JSON, or a script that starts a program with one.
int deepspeed_run_likeness(const LaunchFile &file);
/// DeepSpeed's JSON, alone or beside the script or configuration of the program that it works for; a script may write
/// its JSON itself.
Imported import_deepspeed(const std::vector<LaunchFile> &files, const Library &library);

} // namespace meshwright

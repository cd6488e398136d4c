// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/importers.h"

#include <vector>

namespace meshwright {

/// DeepSpeed's JSON, alone or beside the script or configuration of the program that it works for.
Imported import_deepspeed(const std::vector<LaunchFile> &files, const Library &library);

} // namespace meshwright

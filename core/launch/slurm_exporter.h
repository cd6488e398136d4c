// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/exporters.h"

namespace meshwright {

/// Exports "run.sbatch" and the files that it starts. These are the target's files for the plan's software, or
/// Megatron-LM's files if that software has no target.
LaunchExport export_slurm(const Result &result, const Library &library);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/exporters.h"

namespace meshwright {

/// "run.sbatch" and the files that it starts: written by the target for the plan's software, or by Megatron-LM's target
/// if there is none.
LaunchExport export_slurm(const Result &result, const Library &library);

} // namespace meshwright

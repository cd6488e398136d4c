// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/exporters.h"

namespace meshwright {

/// "run.sbatch" and the files that it starts: those of the target for the plan's software, or Megatron-LM's if no
/// target is for this software.
LaunchExport export_slurm(const Result &result, const Library &library);

} // namespace meshwright

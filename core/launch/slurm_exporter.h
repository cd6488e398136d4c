// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/exporters.h"

namespace meshwright {

/// "run.sbatch" and what it starts: the files of the target that the plan's software is, or Megatron-LM's where the
/// software is none of the targets.
LaunchExport export_slurm(const Result &result, const Library &library);

} // namespace meshwright

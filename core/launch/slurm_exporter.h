// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/exporters.h"

namespace meshwright {

/// "run.sbatch" and the files that it runs, from the exporter for the plan's software, or Megatron-LM's if there is
/// none.
LaunchExport export_slurm(const Result &result, const Library &library);

} // namespace meshwright

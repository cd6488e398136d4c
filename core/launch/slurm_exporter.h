// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/exporters.h"

namespace meshwright {

/// Exports "run.sbatch" and the files that it starts: those of the target for the plan's software, or those of
/// Megatron-LM if there is no such target.
LaunchExport export_slurm(const Result &result, const Library &library);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/exporters.h"

namespace meshwright {

/// Exports "run.sbatch" and the files that it runs. They come from the exporter for the plan's software, or from
/// Megatron-LM's exporter if there is none.
LaunchExport export_slurm(const Result &result, const Library &library);

} // namespace meshwright

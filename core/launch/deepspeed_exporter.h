// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/exporters.h"

namespace meshwright {

/// Exports DeepSpeed's "ds_config.json", "train.sh" with the matching options of Megatron-DeepSpeed, and "run.sbatch".
LaunchExport export_deepspeed(const Result &result, const Library &library);

} // namespace meshwright

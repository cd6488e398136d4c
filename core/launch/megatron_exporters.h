// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/exporters.h"

namespace meshwright {

/// Exports "train.sh" with Megatron-LM's options, and "run.sbatch".
LaunchExport export_megatron(const Result &result, const Library &library);

/// Exports "overrides.yaml" for Megatron-Bridge's vanilla GPT recipe, "train.py" that applies it, "train.sh" and
/// "run.sbatch".
LaunchExport export_megatron_bridge(const Result &result, const Library &library);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/exporters.h"

namespace meshwright {

/// Exports "accelerate.yaml", "train.sh" that runs Hugging Face's Trainer with it, the model's "config.json", and
/// "run.sbatch".
LaunchExport export_accelerate(const Result &result, const Library &library);

} // namespace meshwright

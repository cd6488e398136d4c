// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/exporters.h"

namespace meshwright {

/// Exports "accelerate.yaml", the model's "config.json", "train.sh" and "run.sbatch". The script "train.sh" runs
/// Hugging Face's Trainer with the first two files.
LaunchExport export_accelerate(const Result &result, const Library &library);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/exporters.h"

namespace meshwright {

/// Exports "train.toml" for torchtitan v0.2.2 (the last release that reads TOML), "meshwright_model.py" for sizes
/// without a flavor, "train.sh" and "run.sbatch".
LaunchExport export_torchtitan(const Result &result, const Library &library);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/exporters.h"

namespace meshwright {

/// Exports nanotron's "config.yaml", "train.sh" and "run.sbatch".
LaunchExport export_nanotron(const Result &result, const Library &library);

} // namespace meshwright

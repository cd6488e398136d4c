// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/exporters.h"
#include "launch/torchtitan_target.h"

#include <optional>

namespace meshwright {

/// Writes "meshwright_model.py", which adds a flavor with the plan's sizes to a family of torchtitan, because a TOML
/// file names only family and flavor. Empty if torchtitan has the flavor itself.
std::optional<ExportFile> torchtitan_model_file(const TorchtitanTarget &target);

} // namespace meshwright

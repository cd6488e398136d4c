// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "advise/changes.h"

#include <optional>
#include <stop_token>
#include <vector>

namespace meshwright {

/// The closest plans that the software supports, if it does not support this plan. Only unsupported settings are
/// changed. The plans are valid but not evaluated.
std::vector<Change> software_changes(const Plan &plan);

/// A warning, with evaluated fixes, that the plan's software cannot run it. Returns nothing if it can.
std::optional<Diagnostic> software_warning(const Result &result, const std::stop_token &stop);

} // namespace meshwright

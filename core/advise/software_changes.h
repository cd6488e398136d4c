// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "advise/changes.h"

#include <optional>
#include <stop_token>
#include <vector>

namespace meshwright {

/// The nearest plans that the plan's software can run, if it cannot run this one: each changes only what the software
/// does not support. Valid, but not evaluated.
std::vector<Change> software_changes(const Plan &plan);

/// A warning that the plan's software cannot run it, with evaluated fixes; nothing if it can.
std::optional<Diagnostic> software_warning(const Result &result, const std::stop_token &stop);

} // namespace meshwright

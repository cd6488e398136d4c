// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "search/training_advisor.h"

#include <optional>
#include <stop_token>
#include <string_view>
#include <vector>

namespace meshwright {

/// The plan with another value of a slider ("tensor", "context", "pipeline", "chunks", "expert", "micro_sequences",
/// "zero_stage"); data parallelism takes the remaining accelerators. Empty if the degrees do not divide the site.
std::optional<Change> with_slider(const Plan &plan, std::string_view field, std::int64_t value);

Attempt evaluated_attempt(const Change &change, const Result &result);

/// Effects of the next valid value of each slider, up and down. Sliders that cannot move are omitted.
std::vector<SliderStep> slider_steps(const Result &result, const std::stop_token &stop);

} // namespace meshwright

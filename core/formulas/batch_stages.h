// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

namespace meshwright {

/// A part of a run with a constant batch size.
struct BatchStage {
    double batch_tokens = 0;
    double first_token = 0; ///< tokens trained before it
    double steps = 0;
};

/// Stages of a batch size that doubles at given numbers of trained tokens. A stage ends with the first step that
/// reaches its number, because steps are never divided. Stages that the run does not reach have no steps.
/// @param doubling_tokens in ascending order; otherwise there are no stages
std::vector<BatchStage> batch_stages(double start_batch, double tokens, std::span<const double> doubling_tokens);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

namespace meshwright {

struct BatchStage {
    double batch_tokens = 0;
    double first_token = 0; ///< tokens trained before this stage
    double steps = 0;
};

/// Stages of a run whose batch size doubles at given numbers of trained tokens. A stage ends after the first step that
/// reaches its token count, because a step is never split between stages. Stages after the end of the run have no
/// steps.
/// @param doubling_tokens in ascending order; otherwise there are no stages
std::vector<BatchStage> batch_stages(double start_batch, double tokens, std::span<const double> doubling_tokens);

} // namespace meshwright

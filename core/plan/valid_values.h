// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace meshwright {

/// Divisors of n in ascending order. @pre 1 <= n <= 10^9
std::vector<std::int64_t> divisors(std::int64_t n);
/// At most `most` divisors of n, those nearest to `value` by ratio first.
std::vector<std::int64_t> nearest_divisors(std::int64_t n, std::int64_t value, std::size_t most);

/// Explains why `tensor` does not divide a layer's dimensions; empty if it does.
std::string tensor_problem(const Model &model, const Block &block, std::int64_t tensor);
/// Maximum number of routed experts per layer; 0 for a dense model.
std::int64_t routed_experts(const Model &model);
/// Hidden size of one routed expert; 1 for a dense model.
std::int64_t expert_width(const Model &model);

/// Valid values of one field, nearest to the current value first. The rest of the plan is fixed, except the
/// data-parallel degree, which is recomputed from the number of accelerators.
std::vector<std::int64_t> valid_tensor(const Plan &plan, std::size_t most);
std::vector<std::int64_t> valid_pipeline(const Plan &plan, std::size_t most);
std::vector<std::int64_t> valid_expert(const Plan &plan, std::size_t most);

/// All valid values of a field in ascending order, for a slider. The rest of the plan is fixed, except the
/// data-parallel degree, which is recomputed. Includes the numbers of stages and chunks of the plan's own pipeline
/// layout, even where an even split would leave stages or chunks empty.
std::vector<std::int64_t> tensor_stops(const Plan &plan);
std::vector<std::int64_t> context_stops(const Plan &plan);
std::vector<std::int64_t> pipeline_stops(const Plan &plan);
std::vector<std::int64_t> chunk_stops(const Plan &plan);
std::vector<std::int64_t> expert_stops(const Plan &plan);
std::vector<std::int64_t> micro_sequence_stops(const Plan &plan);

/// Number of microbatches per interleaving group. If the plan does not set it, this is the smallest number for which
/// every group has at least as many microbatches as there are stages.
std::int64_t interleaving_group(const Plan &plan);
std::int64_t interleaving_group(std::int64_t stages, std::int64_t microbatches);

struct ScheduleProblem {
    std::string code;
    std::string message;
    std::string expected;
    std::vector<std::string> fields;
    std::vector<std::pair<std::string, std::string>> fixes; ///< title and merge patch of each fix
};
std::vector<ScheduleProblem> schedule_problems(const Plan &plan);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace meshwright {

/// The divisors of n in ascending order, for n from 1 to 10^9.
std::vector<std::int64_t> divisors(std::int64_t n);
/// At most `most` divisors of n, beginning with those nearest to `value` by ratio.
std::vector<std::int64_t> nearest_divisors(std::int64_t n, std::int64_t value, std::size_t most);

/// Message that explains why `tensor` does not divide the sizes of a layer; empty if it does.
std::string tensor_problem(const Model &model, const Block &block, std::int64_t tensor);
/// Maximum number of routed experts in a layer; 0 for a dense model.
std::int64_t routed_experts(const Model &model);
/// Hidden size of one routed expert; 1 for a dense model.
std::int64_t expert_width(const Model &model);

/// Valid values of one field for the rest of the plan, beginning with those nearest to the current value. `data` is
/// derived.
std::vector<std::int64_t> valid_tensor(const Plan &plan, std::size_t most);
std::vector<std::int64_t> valid_pipeline(const Plan &plan, std::size_t most);
std::vector<std::int64_t> valid_expert(const Plan &plan, std::size_t most);

/// All valid values of a field for a slider, in ascending order; the rest of the plan is fixed, and `data` is derived.
/// Includes the stages and chunks of the plan's own pipeline layout, even if an even split would leave some of them
/// empty.
std::vector<std::int64_t> tensor_stops(const Plan &plan);
std::vector<std::int64_t> context_stops(const Plan &plan);
std::vector<std::int64_t> pipeline_stops(const Plan &plan);
std::vector<std::int64_t> chunk_stops(const Plan &plan);
std::vector<std::int64_t> expert_stops(const Plan &plan);
std::vector<std::int64_t> micro_sequence_stops(const Plan &plan);

/// Number of microbatches per interleaving group. If the plan does not set it: the smallest number, from the
/// number of stages up, that leaves no group with fewer microbatches than stages.
std::int64_t interleaving_group(const Plan &plan);
/// The interleaving group if the plan sets none.
std::int64_t interleaving_group(std::int64_t stages, std::int64_t microbatches);

/// A requirement of the plan's schedule that the plan violates.
struct ScheduleProblem {
    std::string code;
    std::string message;
    std::string expected;
    std::vector<std::string> fields;
    std::vector<std::pair<std::string, std::string>> fixes; ///< titles and merge patches of fixes
};
std::vector<ScheduleProblem> schedule_problems(const Plan &plan);

} // namespace meshwright

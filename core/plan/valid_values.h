// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace meshwright {

/// Divisors of n, ascending; n from 1 to 10^9.
std::vector<std::int64_t> divisors(std::int64_t n);
/// At most `most` divisors of n, nearest to `value` by ratio first.
std::vector<std::int64_t> nearest_divisors(std::int64_t n, std::int64_t value, std::size_t most);

/// Message that says why `tensor` does not divide the sizes of a layer; empty if it does.
std::string tensor_problem(const Model &model, const Block &block, std::int64_t tensor);
/// Maximum number of routed experts of a layer, 0 for a dense model.
std::int64_t routed_experts(const Model &model);
/// Hidden size of one routed expert; 1 for a dense model.
std::int64_t expert_width(const Model &model);

/// Values of one field that are valid with the rest of the plan, nearest to the current one first. `data` is derived.
std::vector<std::int64_t> valid_tensor(const Plan &plan, std::size_t most);
std::vector<std::int64_t> valid_pipeline(const Plan &plan, std::size_t most);
std::vector<std::int64_t> valid_expert(const Plan &plan, std::size_t most);

/// All valid values of a field for a slider, ascending; the rest of the plan is fixed and `data` derived. Includes the
/// stages and chunks of the plan's own pipeline layout, even if an even split would leave some empty.
std::vector<std::int64_t> tensor_stops(const Plan &plan);
std::vector<std::int64_t> context_stops(const Plan &plan);
std::vector<std::int64_t> pipeline_stops(const Plan &plan);
std::vector<std::int64_t> chunk_stops(const Plan &plan);
std::vector<std::int64_t> expert_stops(const Plan &plan);
std::vector<std::int64_t> micro_sequence_stops(const Plan &plan);

/// Microbatches per interleaving group: as given, or the smallest group size that leaves the last group complete or at
/// least as large as the pipeline degree.
std::int64_t interleaving_group(const Plan &plan);
/// The interleaving group if the plan gives none.
std::int64_t interleaving_group(std::int64_t stages, std::int64_t microbatches);

/// A requirement of the plan's schedule that the plan violates.
struct ScheduleProblem {
    std::string code;
    std::string message;
    std::string expected;
    std::vector<std::string> fields;
    std::vector<std::pair<std::string, std::string>> fixes; ///< title, merge patch
};
std::vector<ScheduleProblem> schedule_problems(const Plan &plan);

} // namespace meshwright

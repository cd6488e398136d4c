// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace meshwright {

/// All divisors of n, ascending; n from 1 to 10^9.
std::vector<std::int64_t> divisors(std::int64_t n);
/// The `most` divisors of n that are nearest to `value` by ratio, nearest first.
std::vector<std::int64_t> nearest_divisors(std::int64_t n, std::int64_t value, std::size_t most);

/// Why `tensor` does not divide the widths of this kind of layer, in words; empty where it does.
std::string tensor_problem(const Model &model, const Block &block, std::int64_t tensor);
/// Routed experts of the model's widest mixture, 0 for a dense model.
std::int64_t routed_experts(const Model &model);
/// Width of one routed expert; 1 for a dense model.
std::int64_t expert_width(const Model &model);

/// Values of one field that the rest of the plan admits, nearest to the present one first. `data` is taken as derived.
std::vector<std::int64_t> valid_tensor(const Plan &plan, std::size_t most);
std::vector<std::int64_t> valid_pipeline(const Plan &plan, std::size_t most);
std::vector<std::int64_t> valid_expert(const Plan &plan, std::size_t most);

/// All values that a slider of the field may stop at, ascending; what else the plan says is held fixed, `data` derived.
/// Stages and chunks that the plan lays out itself are among them, also where an even spread would leave some empty.
std::vector<std::int64_t> tensor_stops(const Plan &plan);
std::vector<std::int64_t> context_stops(const Plan &plan);
std::vector<std::int64_t> pipeline_stops(const Plan &plan);
std::vector<std::int64_t> chunk_stops(const Plan &plan);
std::vector<std::int64_t> expert_stops(const Plan &plan);
std::vector<std::int64_t> micro_sequence_stops(const Plan &plan);

/// Microbatches that interleaving takes together: as given, or the fewest of which the last group is whole or no
/// smaller than the pipeline.
std::int64_t interleaving_group(const Plan &plan);
/// The same where none is given.
std::int64_t interleaving_group(std::int64_t stages, std::int64_t microbatches);

/// A condition of the plan's schedule that it breaks.
struct ScheduleProblem {
    std::string code;
    std::string message;
    std::string expected;
    std::vector<std::string> fields;
    std::vector<std::pair<std::string, std::string>> fixes; ///< title, merge patch
};
std::vector<ScheduleProblem> schedule_problems(const Plan &plan);

} // namespace meshwright

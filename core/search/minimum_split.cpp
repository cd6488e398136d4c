// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/minimum_split.h"

#include "plan/plan_json.h"
#include "plan/valid_values.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace meshwright {

namespace {

bool is_valid(const Plan &plan) {
    const std::vector<Diagnostic> found = check_plan(plan);
    return std::none_of(found.begin(), found.end(), [](const Diagnostic &d) { return d.severity == Severity::error; });
}

} // namespace

bool take_minimum_split(Plan &plan) {
    const std::int64_t total = plan.site_accelerators();
    std::vector<std::pair<std::int64_t, std::int64_t>> splits;
    for (const std::int64_t tensor : divisors(total))
        for (const std::int64_t pipeline : divisors(total / tensor))
            splits.emplace_back(tensor, pipeline);
    std::stable_sort(splits.begin(), splits.end(),
                     [](const auto &a, const auto &b) { return a.first * a.second < b.first * b.second; });
    for (const auto &[tensor, pipeline] : splits) {
        plan.parallelism.tensor = tensor;
        plan.parallelism.pipeline = pipeline;
        plan.parallelism.data = total / (tensor * pipeline);
        if (plan.batch.global_sequences % plan.parallelism.data == 0 && is_valid(plan))
            return true;
    }
    return false;
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/row_reading.h"

#include "evidence/error_statistics.h"
#include "evidence/prediction.h"

#include <fmt/format.h>

#include <algorithm>

namespace meshwright {

namespace {

std::string problem_of(const MeasuredRun &run, const RunPlan &plan) {
    if (!plan.skipped.empty())
        return plan.skipped;
    const std::optional<double> seconds = run.measured_seconds();
    const double bytes = run.peak_memory_bytes.value_or(0);
    if (!seconds && bytes <= 0 && run.ending == Ending::ok)
        return "has neither step time nor peak memory";
    if (seconds && share_of_peak(plan, *seconds, plan.plan.precision.compute) > 1)
        return fmt::format("a step time of {:.4g} s is below what the GPUs' peak allows; check its unit", *seconds);
    if (is_stalled(run, plan))
        return fmt::format("a step time of {:.4g} s means under 2% of the GPUs' peak; check its unit", *seconds);
    if (bytes > plan.plan.cluster.accelerator.memory_bytes)
        return fmt::format("peak memory of {:.4g} GB exceeds the GPU's memory; check its unit", bytes / 1e9);
    return {};
}

} // namespace

std::vector<RowReading> rows_as_read(const CsvTable &mapped, std::size_t most, const RunRules &rules,
                                     const Library &library) {
    std::vector<RowReading> rows(std::min(most, mapped.rows.size()));
    std::vector<MeasuredRun> runs;
    std::vector<std::size_t> row_of; // row number of each run; comment rows have no run
    for (std::size_t row = 0; row < rows.size(); ++row) {
        std::vector<MeasuredRun> one = measured_runs({.columns = mapped.columns, .rows = {mapped.rows[row]}});
        if (one.empty()) {
            rows[row].problem = "ignored as a comment because its name starts with #";
            continue;
        }
        runs.push_back(std::move(one.front()));
        row_of.push_back(row);
    }
    std::vector<RunPlan> plans = plans_of(runs, rules, library);
    for (std::size_t i = 0; i < runs.size(); ++i)
        rows[row_of[i]] = {.problem = problem_of(runs[i], plans[i]), .run = runs[i], .plan = plans[i]};
    return rows;
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "calibration/machine_runs.h"

#include "evidence/error_statistics.h"
#include "evidence/prediction.h"
#include "input/diagnostic.h"

#include <fmt/format.h>

#include <cmath>

namespace meshwright {

namespace {

bool is_positive(const std::optional<double> &value) {
    return value && *value > 0 && std::isfinite(*value);
}

std::string name_of(const MeasuredRun &run, std::size_t row) {
    return run.id.empty() ? fmt::format("row {}", row + 1) : run.id.substr(0, 60);
}

std::string useless(const MeasuredRun &row, const RunPlan &plan) {
    if (!plan.skipped.empty())
        return plan.skipped;
    if (!row.measured_seconds() && !is_positive(row.peak_memory_bytes))
        return "neither step time nor peak memory is measured";
    return is_stalled(row, plan) ? "stalled: less than 2% of the peak FLOP/s" : std::string();
}

void check(const MachineRun &run) {
    const std::string place = "/" + run.name;
    if (!is_positive(run.step_seconds) && !is_positive(run.peak_bytes))
        throw InputError(place, "neither step time nor peak memory is measured",
                         "expected a measured step time or peak memory");
    const Accelerator &part = run.plan.cluster.accelerator;
    if (is_positive(run.step_seconds)) {
        const RunPlan plan{.plan = run.plan, .batch_share = run.batch_share, .assumed = {}, .skipped = {}};
        if (const double share = share_of_peak(plan, *run.step_seconds, run.plan.precision.compute); share > 1)
            throw InputError(
                place,
                fmt::format("a step of {:.4g} s is faster than the accelerators' peak allows", *run.step_seconds),
                fmt::format("expected at least {:.4g} s", *run.step_seconds * share));
    }
    if (is_positive(run.peak_bytes) && *run.peak_bytes > part.memory_bytes)
        throw InputError(
            place, fmt::format("peak memory of {:.1f} GB exceeds the accelerator's memory", *run.peak_bytes / 1e9),
            fmt::format("expected at most {:.1f} GB", part.memory_bytes / 1e9));
}

} // namespace

MachineRuns machine_runs(const std::vector<MeasuredRun> &rows, const RunRules &rules, const Library &library) {
    const std::vector<RunPlan> plans = plans_of(rows, rules, library);
    MachineRuns found;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (std::string reason = useless(rows[i], plans[i]); !reason.empty()) {
            found.skipped.push_back({name_of(rows[i], i), std::move(reason)});
            continue;
        }
        found.runs.push_back(
            {.name = name_of(rows[i], i),
             .plan = plans[i].plan,
             .batch_share = plans[i].batch_share,
             .step_seconds = rows[i].measured_seconds(),
             .peak_bytes = is_positive(rows[i].peak_memory_bytes) ? rows[i].peak_memory_bytes : std::nullopt,
             .memory_kind = rows[i].memory_kind});
    }
    return found;
}

void check_machine_runs(const MachineRuns &runs) {
    if (runs.runs.empty()) {
        const std::string why = runs.skipped.empty()
            ? std::string()
            : fmt::format(" ({}: {})", runs.skipped.front().name, runs.skipped.front().reason);
        throw InputError("", "no usable run" + why,
                         "expected at least one run with its configuration and its step time or peak memory");
    }
    if (runs.runs.size() > max_machine_runs)
        throw InputError("", fmt::format("{} runs", runs.runs.size()),
                         fmt::format("expected at most {} runs", max_machine_runs));
    const Accelerator &part = runs.runs.front().plan.cluster.accelerator;
    for (const MachineRun &run : runs.runs) {
        const Accelerator &other = run.plan.cluster.accelerator;
        if (other.name != part.name || other.architecture != part.architecture)
            throw InputError("/" + run.name,
                             fmt::format("ran on {}, but {} ran on {}", other.name, runs.runs.front().name, part.name),
                             "expected runs on one kind of accelerator");
        check(run);
    }
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/run_model.h"

#include "formulas/plan_figures.h"
#include "memory/memory_model.h"

#include <algorithm>

namespace meshwright {

double checkpoint_bytes(const Plan &plan, double parameters) {
    const StateBytes bytes = state_bytes(plan);
    return formula::checkpoint_bytes(parameters, std::max(bytes.weights, bytes_of(plan.precision.weights)),
                                     bytes.master, bytes.moments, 0);
}

Goodput goodput(const Plan &plan, double parameters) {
    const Faults &faults = plan.faults;
    const auto site = static_cast<double>(plan.site_accelerators());
    const bool together = plan.outer.method == OuterMethod::none || plan.outer.method == OuterMethod::data_parallel;
    const double stopping = together ? site * static_cast<double>(plan.cluster.sites) : site;
    Goodput result;
    result.stopping_accelerators = stopping;
    result.mtbf_seconds = formula::job_mtbf(faults.accelerator_mtbf_seconds, stopping);
    result.checkpoint_bytes = checkpoint_bytes(plan, parameters);
    const double rate = faults.checkpoint_bandwidth_bytes_per_second;
    result.stored_seconds = faults.checkpoint_store_bytes_per_second
        ? formula::stored_write_seconds(result.checkpoint_bytes, rate, site, *faults.checkpoint_store_bytes_per_second)
        : formula::checkpoint_write_seconds(result.checkpoint_bytes, rate, site);
    result.write_seconds = formula::blocking_write_seconds(result.stored_seconds, faults.checkpoint_blocking_share);
    result.checkpoint_interval_seconds = faults.checkpoint_interval_seconds
        ? std::max(*faults.checkpoint_interval_seconds, result.stored_seconds)
        : formula::checkpoint_interval(result.mtbf_seconds, result.write_seconds, result.stored_seconds);
    result.share = formula::checkpoint_goodput(result.mtbf_seconds, result.write_seconds,
                                               result.checkpoint_interval_seconds, faults.recovery_seconds);
    return result;
}

} // namespace meshwright

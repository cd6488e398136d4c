// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/run_model.h"

#include "formulas/checkpoints.h"
#include "memory/memory_model.h"

#include <algorithm>

namespace meshwright {

double checkpoint_bytes_per_parameter(const Plan &plan) {
    const StateBytes bytes = state_bytes(plan);
    return std::max(bytes.weights, bytes_of(plan.precision.weights)) + bytes.master + bytes.moments;
}

Goodput goodput(const Plan &plan, double parameters) {
    const Faults &faults = plan.faults;
    const auto site = static_cast<double>(plan.site_accelerators());
    const bool together = plan.outer.method == OuterMethod::none || plan.outer.method == OuterMethod::data_parallel;
    const double stopping = together ? site * static_cast<double>(plan.cluster.sites) : site;
    Goodput result;
    result.mtbf_seconds = formula::job_mtbf(faults.accelerator_mtbf_seconds, stopping);
    result.checkpoint_bytes = parameters * checkpoint_bytes_per_parameter(plan);
    const double write =
        formula::checkpoint_write_seconds(result.checkpoint_bytes, faults.checkpoint_bandwidth_bytes_per_second, site)
        * std::max(1e-3, faults.checkpoint_blocking_share);
    result.checkpoint_interval_seconds =
        faults.checkpoint_interval_seconds.value_or(formula::young_interval(result.mtbf_seconds, write));
    result.share = formula::checkpoint_goodput(result.mtbf_seconds, write, result.checkpoint_interval_seconds,
                                               faults.recovery_seconds);
    return result;
}

} // namespace meshwright

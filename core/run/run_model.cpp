// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/run_model.h"

#include "memory/memory_model.h"

#include <algorithm>
#include <cmath>

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
    result.mtbf_seconds = faults.accelerator_mtbf_seconds / stopping;
    result.checkpoint_bytes = parameters * checkpoint_bytes_per_parameter(plan);
    const double write = result.checkpoint_bytes / (faults.checkpoint_bandwidth_bytes_per_second * site)
        * std::max(1e-3, faults.checkpoint_blocking_share);
    result.checkpoint_interval_seconds =
        faults.checkpoint_interval_seconds.value_or(std::sqrt(2 * write * result.mtbf_seconds));
    const double interval = result.checkpoint_interval_seconds;
    const double waste =
        write / interval + interval / (2 * result.mtbf_seconds) + faults.recovery_seconds / result.mtbf_seconds;
    // First-order waste counts lost time against useful time, so that it may exceed the whole where failures come fast.
    result.share = 1 / (1 + waste);
    return result;
}

double h100_equivalents(double accelerators, double peak_flops_per_second, double equivalent_flops_per_second) {
    return accelerators * peak_flops_per_second / equivalent_flops_per_second;
}

} // namespace meshwright

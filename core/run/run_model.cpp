// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/run_model.h"

#include "cost/placement.h"
#include "formulas/plan_figures.h"
#include "formulas/preset_property.h"
#include "formulas/threshold.h"
#include "memory/memory_model.h"

#include <fmt/format.h>

#include <algorithm>

namespace meshwright {

namespace {

using std::max;
using std::min;

constexpr Quantity time = Quantity::seconds;

template <Number N>
N plan_number(double value, std::string_view name, std::string_view title, Quantity quantity, std::string_view field) {
    return read<N>(value, {Origin::plan, name, title, quantity, field});
}

template <Number N>
N sites(const Plan &plan) {
    return plan_number<N>(static_cast<double>(plan.cluster.sites), "sites", "sites", Quantity::count, "/cluster/sites");
}

/// Time to store a checkpoint.
template <Number N>
N stored_seconds(const Faults &faults, const N &bytes, const N &writers) {
    const N rate = plan_number<N>(faults.checkpoint_bandwidth_bytes_per_second, "bandwidth",
                                  "checkpoint bandwidth per accelerator", Quantity::bytes_per_second,
                                  "/faults/checkpoint_bandwidth_bytes_per_second");
    const N seconds = faults.checkpoint_store_bytes_per_second
        ? formula::stored_write_seconds(bytes, rate, writers,
                                        plan_number<N>(*faults.checkpoint_store_bytes_per_second, "store_bandwidth",
                                                       "bandwidth of the checkpoint store", Quantity::bytes_per_second,
                                                       "/faults/checkpoint_store_bytes_per_second"))
        : formula::checkpoint_write_seconds(bytes, rate, writers);
    return label(seconds, {"write_seconds", "time to write one checkpoint", time});
}

template <Number N>
N interval_seconds(const Faults &faults, const BasicGoodput<N> &good) {
    if (!faults.checkpoint_interval_seconds)
        return formula::checkpoint_interval(good.mtbf_seconds, good.write_seconds, good.stored_seconds);
    return label(
        max(plan_number<N>(*faults.checkpoint_interval_seconds, "wanted", "interval set in the plan", time,
                           "/faults/checkpoint_interval_seconds"),
            good.stored_seconds),
        {"interval_seconds", "time between checkpoints", time, "a checkpoint begins after the previous one is stored"});
}

} // namespace

template <Number N>
N all_accelerators(const Plan &plan) {
    return label(label(site_accelerators<N>(plan), {"site_accelerators", "accelerators per site", Quantity::count})
                     * sites<N>(plan),
                 {"accelerators", "accelerators of all sites", Quantity::count});
}
template double all_accelerators<double>(const Plan &);
template Traced all_accelerators<Traced>(const Plan &);

template <Number N>
N checkpoint_bytes(const Plan &plan, const N &parameters) {
    const BasicStateBytes<N> state = state_bytes<N>(plan);
    const N format = plan_number<N>(bytes_of(plan.precision.weights), "format_bytes", "bytes per weight",
                                    Quantity::bytes, "/precision/weights");
    // FSDP's sharded weights are the master weights, but a checkpoint holds both.
    const N weights = value_of(state.weights) < value_of(format) ? format : state.weights;
    const N variance = read<N>(0,
                               {Origin::plan, "variance_bytes", "bytes per value of the second moment", Quantity::bytes,
                                "/precision/moments", "the plan: included in the bytes of the first moment"});
    return formula::checkpoint_bytes(parameters, weights, state.master, state.moments, variance);
}
template double checkpoint_bytes(const Plan &, const double &);

template <Number N>
BasicGoodput<N> goodput(const Plan &plan, const N &parameters) {
    const Faults &faults = plan.faults;
    const bool together = plan.outer.method == OuterMethod::none || plan.outer.method == OuterMethod::data_parallel;
    const N site = site_accelerators<N>(plan);
    BasicGoodput<N> good;
    good.stopping_accelerators = together ? all_accelerators<N>(plan) : site;
    good.mtbf_seconds =
        label(formula::job_mtbf(plan_number<N>(faults.accelerator_mtbf_seconds, "accelerator_mtbf_seconds",
                                               "mean time between failures of an accelerator", time,
                                               "/faults/accelerator_mtbf_seconds"),
                                good.stopping_accelerators),
              {"mtbf_seconds", "mean time between failures that stop training", time});
    good.checkpoint_bytes = label(checkpoint_bytes(plan, parameters), {"bytes", "checkpoint size", Quantity::bytes});
    good.stored_seconds = stored_seconds(faults, good.checkpoint_bytes, site);
    good.write_seconds =
        label(formula::blocking_write_seconds(good.stored_seconds,
                                              plan_number<N>(faults.checkpoint_blocking_share, "blocking_share",
                                                             "fraction of the write that blocks training",
                                                             Quantity::share, "/faults/checkpoint_blocking_share")),
              {"write_seconds", "time that training stops for one checkpoint", time});
    good.checkpoint_interval_seconds =
        label(interval_seconds(faults, good), {"interval_seconds", "time between checkpoints", time});
    good.share = label(
        formula::checkpoint_goodput(good.mtbf_seconds, good.write_seconds, good.checkpoint_interval_seconds,
                                    plan_number<N>(faults.recovery_seconds, "recovery_seconds",
                                                   "recovery time after a failure", time, "/faults/recovery_seconds")),
        {"goodput", "goodput: fraction of time not lost to failures and checkpoints", Quantity::share});
    return good;
}
template Goodput goodput(const Plan &, const double &);
template BasicGoodput<Traced> goodput(const Plan &, const Traced &);

template <Number N>
BasicRunEstimate<N> run_estimate(const Plan &plan, const RunInputs<N> &inputs) {
    const Run &wanted = plan.run;
    BasicRunEstimate<N> run;
    run.tokens = plan_number<N>(wanted.tokens, "tokens", "tokens of the run", Quantity::tokens, "/run/tokens");
    run.steps = label(formula::site_steps(run.tokens, inputs.step_tokens, sites<N>(plan)),
                      {"steps", "optimizer steps per site", Quantity::count});
    N training = 0;
    if (inputs.round_seconds) {
        run.rounds =
            label(formula::rounds_of_steps(run.steps,
                                           plan_number<N>(static_cast<double>(plan.outer.inner_steps), "inner_steps",
                                                          "inner steps", Quantity::count, "/outer/inner_steps")),
                  {"rounds", "outer rounds"});
        training = formula::all_steps_seconds(run.rounds, *inputs.round_seconds);
    } else {
        training = formula::all_steps_seconds(run.steps, inputs.step_seconds);
    }
    const BasicGoodput<N> good = goodput(plan, inputs.parameters);
    run.goodput = good.share;
    run.seconds =
        label(formula::run_seconds(label(training, {"training_seconds", "time of all steps without failures", time}),
                                   good.share),
              {"seconds", "run time", time});
    run.days = label(formula::days_of_seconds(run.seconds), {"days", "run time in days"});
    const N accelerators = all_accelerators<N>(plan);
    const N watts =
        label(formula::mean_power_watts(
                  accelerator_property<N>(plan.cluster.accelerator, "power_watts", "rated_watts", "rated power",
                                          plan.cluster.accelerator.power_watts, Quantity::watts),
                  plan_number<N>(wanted.power_share, "power_share", "mean power relative to rated power",
                                 Quantity::number, "/run/power_share")),
              {"watts", "mean power per accelerator", Quantity::watts});
    const N effectiveness = plan_number<N>(wanted.power_usage_effectiveness, "pue", "power usage effectiveness (PUE)",
                                           Quantity::number, "/run/power_usage_effectiveness");
    run.accelerator_hours = formula::accelerator_hours(accelerators, run.days);
    run.rental_dollars =
        formula::rental_dollars(accelerators, run.days,
                                plan_number<N>(wanted.rental_dollars_per_accelerator_hour, "price_per_hour",
                                               "rental price of an accelerator-hour", Quantity::dollars_per_hour,
                                               "/run/rental_dollars_per_accelerator_hour"));
    run.energy_joules = formula::energy_joules(accelerators, watts, run.days, effectiveness);
    run.energy_dollars = formula::energy_dollars(
        accelerators, watts, run.days,
        plan_number<N>(wanted.energy_dollars_per_kilowatt_hour, "price_per_kwh", "energy price",
                       Quantity::dollars_per_kilowatt_hour, "/run/energy_dollars_per_kilowatt_hour"),
        effectiveness);
    run.checkpoint_bytes = good.checkpoint_bytes;
    run.checkpoint_interval_seconds = good.checkpoint_interval_seconds;
    run.expected_failures = formula::expected_failures(
        run.seconds,
        plan_number<N>(plan.faults.accelerator_mtbf_seconds, "accelerator_mtbf_seconds",
                       "mean time between failures of an accelerator", time, "/faults/accelerator_mtbf_seconds"),
        accelerators);
    return run;
}
template RunEstimate run_estimate(const Plan &, const RunInputs<double> &);
template BasicRunEstimate<Traced> run_estimate(const Plan &, const RunInputs<Traced> &);

template <Number N>
BasicClusterCompute<N> cluster_compute(const Plan &plan, const Assumptions &assumptions) {
    const Cluster &cluster = plan.cluster;
    const N peak = accelerator_property<N>(cluster.accelerator, "peak_flops_per_second", "peak",
                                           "dense 16-bit peak of an accelerator",
                                           cluster.accelerator.peak(DataType::bf16), Quantity::flops_per_second);
    const N equivalent = constant<N>(ConstantId::h100_equivalent_flops, assumptions[ConstantId::h100_equivalent_flops]);
    const N site = site_accelerators<N>(plan);
    const N node =
        label(min(plan_number<N>(static_cast<double>(cluster.accelerators_per_node), "of_a_node",
                                 "accelerators per node", Quantity::count, "/cluster/accelerators_per_node"),
                  label(site, {"of_a_site", "accelerators per site", Quantity::count})),
              {"accelerators", "accelerators per node", Quantity::count, "a site may be smaller than a node"});
    BasicClusterCompute<N> compute;
    compute.accelerators = all_accelerators<N>(plan);
    compute.node_h100_equivalents = formula::h100_equivalents(node, peak, equivalent);
    compute.site_h100_equivalents = formula::h100_equivalents(site, peak, equivalent);
    compute.total_h100_equivalents = formula::h100_equivalents(compute.accelerators, peak, equivalent);
    compute.threshold_h100_equivalents =
        constant<N>(ConstantId::compute_cluster_threshold, assumptions[ConstantId::compute_cluster_threshold]);
    compute.node_share_of_threshold =
        formula::share_of_threshold(node, peak, equivalent, compute.threshold_h100_equivalents);
    compute.site_share_of_threshold =
        formula::share_of_threshold(site, peak, equivalent, compute.threshold_h100_equivalents);
    return compute;
}
template BasicClusterCompute<double> cluster_compute(const Plan &, const Assumptions &);
template BasicClusterCompute<Traced> cluster_compute(const Plan &, const Assumptions &);

} // namespace meshwright

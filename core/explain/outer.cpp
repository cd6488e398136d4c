// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/context.h"

#include "explain/quantity_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {

/// A figure that comes from the simulation of the outer loop.
Derivation followed(const ExplainContext &context, Labelled what, double value) {
    const Outer &outer = context.plan.outer;
    const Wan &wan = *context.plan.cluster.wan;
    const auto whole = [](const char *name, const char *title, std::int64_t number, const char *field) {
        return plan_field({name, title, Quantity::count}, static_cast<double>(number), field);
    };
    return by_simulation(
        std::move(what), value, "outer_loop",
        "median over simulations, each of all sites, fragments and links; a site stalls if an update arrives after "
        "the overlap ends; Streaming DiLoCo, arXiv 2501.18512",
        {inner_step(context), whole("sites", "sites", context.plan.cluster.sites, "/cluster/sites"),
         whole("inner_steps", "inner steps", outer.inner_steps, "/outer/inner_steps"),
         whole("fragments", "fragments of the model", outer.fragments, "/outer/fragments"),
         whole("overlap_steps", "overlap in steps", outer.overlap_steps, "/outer/overlap_steps"),
         whole("quorum", "number of sites whose updates complete a round", outer.quorum, "/outer/quorum"),
         reference_to("outer_up_bytes_per_round", {"up_bytes", "data uploaded per site and round", Quantity::bytes},
                      context.result.outer->up_bytes_per_round),
         reference_to("outer_down_bytes_per_round",
                      {"down_bytes", "data downloaded per site and round", Quantity::bytes},
                      context.result.outer->down_bytes_per_round),
         plan_field({"uplink", "uplink per site", Quantity::bits_per_second}, wan.uplink_bits_per_second,
                    "/cluster/wan/uplink_bits_per_second"),
         plan_field({"downlink", "downlink per site", Quantity::bits_per_second}, wan.downlink_bits_per_second,
                    "/cluster/wan/downlink_bits_per_second"),
         plan_field({"round_trip", "round-trip time between sites", time}, wan.round_trip_seconds,
                    "/cluster/wan/round_trip_seconds")});
}

/// The closed form if it gives the simulated value, otherwise the simulation. Absent sites, stragglers and unequal
/// links have no closed form.
Derivation agreeing(const ExplainContext &context, Derivation made, double value) {
    if (std::abs(made.value - value) <= 1e-9 * std::abs(value))
        return made;
    return followed(context, {made.name, made.title, made.quantity}, value);
}

/// Bytes sent over the network: the payload for a star; otherwise the payload times the topology's multiplier.
Derivation on_the_wire(const ExplainContext &context, Derivation made, double value) {
    if (std::abs(made.value - value) <= 1e-9 * std::abs(value))
        return made;
    const Labelled what{made.name, made.title, made.quantity};
    return by_simulation(what, value, "topology",
                         "payload that the aggregation topology sends: Patarasuk and Yuan 2009 (ring); Moshpit SGD, "
                         "arXiv 2103.03239 (butterfly)",
                         {named("payload", std::move(made)),
                          plan_field({"sites", "sites", Quantity::count},
                                     static_cast<double>(context.plan.cluster.sites), "/cluster/sites")});
}

Derivation sent(const ExplainContext &context, const char *way, const Wire &wire) {
    const auto field = [way](const char *key) { return fmt::format("/outer/{}/{}", way, key); };
    return by_formula(
        {fmt::format("outer_{}_bytes_per_round", way), fmt::format("bytes that each site {}loads per round", way),
         Quantity::bytes},
        "wire-payload", "bytes",
        {context.trained_parameters(), plan_field({"bits", "bits per value"}, wire.bits, field("bits")),
         plan_field({"density", "fraction of values sent", Quantity::share}, wire.density, field("density")),
         plan_field({"index", "index encoding"}, static_cast<double>(wire.index), field("index")),
         plan_field({"scale_bits", "bits of block scales per value"}, wire.scale_bits, field("scale_bits"))});
}

Derivation load(const ExplainContext &context, const char *way, const char *link, double bytes) {
    return by_formula(
        {fmt::format("outer_{}_load", link), fmt::format("fraction of the round during which the {} is busy", link),
         Quantity::share},
        "round-time", "load",
        {reference_to(fmt::format("outer_{}_bytes_per_round", way),
                      {"bytes", fmt::format("bytes that each site {}loads per round", way), Quantity::bytes}, bytes),
         carried_rate(context, "bits_per_second", link),
         reference_to("outer_round_seconds", {"round_seconds", "time per outer round", time},
                      context.result.outer->round_seconds)});
}

std::vector<Derivation> penalties(const ExplainContext &context) {
    using enum ConstantId;
    const OuterEstimate &outer = *context.result.outer;
    const Outer &plan = context.plan.outer;
    const auto penalty = [&](const char *end, const char *title, double value, ConstantId step_slope) {
        const Labelled what{fmt::format("outer_loss_penalty_{}", end), title, Quantity::share};
        if (value == 0 && (context.plan.cluster.sites < 2 || plan.method == OuterMethod::data_parallel))
            return nothing(
                what, "no loss increase over data-parallel training: one replica, or gradients averaged at every step",
                "/outer/method");
        return by_formula(what, "loss-penalty", end,
                          {context.trained_parameters(),
                           plan_field({"replicas", "sites", Quantity::count},
                                      static_cast<double>(context.plan.cluster.sites), "/cluster/sites"),
                           plan_field({"inner_steps", "inner steps", Quantity::count},
                                      static_cast<double>(plan.inner_steps), "/outer/inner_steps"),
                           context.constant("slope", replica_loss_slope),
                           context.constant("exponent", replica_loss_exponent),
                           context.constant("offset", replica_loss_offset),
                           context.constant(fmt::format("step_slope_{}", end), step_slope)});
    };
    return {penalty("low", "loss increase over data-parallel training, low estimate", outer.loss_penalty_low,
                    inner_steps_loss_low),
            penalty("high", "loss increase over data-parallel training, high estimate", outer.loss_penalty_high,
                    inner_steps_loss_high)};
}

Derivation inner_seconds(const ExplainContext &context) {
    const Outer &plan = context.plan.outer;
    return by_formula({"outer_inner_seconds", "compute time per round", time}, "outer-interval", "seconds",
                      {inner_step(context),
                       plan_field({"inner_steps", "inner steps", Quantity::count},
                                  static_cast<double>(plan.inner_steps), "/outer/inner_steps")});
}

} // namespace

Derivation inner_step(const ExplainContext &context) {
    const std::optional<double> given = context.plan.outer.step_seconds;
    return given ? plan_field({"step_seconds", "inner step time set in the plan", time}, *given, "/outer/step_seconds")
                 : named("step_seconds", context.step_seconds_reference());
}

Derivation carried_rate(const ExplainContext &context, std::string name, const char *way) {
    const Wan &wan = *context.plan.cluster.wan;
    const bool up = std::string_view(way) == "uplink";
    const bool grouped = !wan.groups.empty();
    const std::string place = fmt::format("/cluster/wan/{}{}_bits_per_second", grouped ? "groups/0/" : "", way);
    const double link = grouped
        ? (up ? wan.groups.front().uplink_bits_per_second : wan.groups.front().downlink_bits_per_second)
        : (up ? wan.uplink_bits_per_second : wan.downlink_bits_per_second);
    const double round_trip = grouped ? wan.groups.front().round_trip_seconds : wan.round_trip_seconds;
    Derivation rate =
        plan_field({"link_bits_per_second", fmt::format("{} per site", way), Quantity::bits_per_second}, link, place);
    if (wan.loss_probability <= 0 || round_trip <= 0)
        return named(std::move(name), std::move(rate));
    Derivation tcp = by_formula(
        {"tcp_bits_per_second", "TCP throughput at this packet loss and round-trip time", Quantity::bits_per_second},
        "tcp-throughput", "bits_per_second",
        {plan_field({"round_trip_seconds", "round-trip time between sites", time}, round_trip,
                    grouped ? "/cluster/wan/groups/0/round_trip_seconds" : "/cluster/wan/round_trip_seconds"),
         plan_field({"loss_probability", "packet loss probability"}, wan.loss_probability,
                    "/cluster/wan/loss_probability"),
         published({"segment_bytes", "segment size", Quantity::bytes}, 1460,
                   "IEEE 802.3: 1,500 bytes of payload minus the IP and TCP headers of RFC 791 and RFC 793"),
         plan_field({"streams", "parallel streams", Quantity::count}, static_cast<double>(wan.streams),
                    "/cluster/wan/streams")});
    const double carried = std::min(link, tcp.value);
    return derived({std::move(name), fmt::format("rate of the {}", way), Quantity::bits_per_second}, carried,
                   "min(link_bits_per_second, tcp_bits_per_second)", "the lower of link rate and TCP throughput",
                   {std::move(rate), std::move(tcp)});
}

std::vector<Derivation> explain_outer(const ExplainContext &context) {
    if (!context.result.outer)
        return {};
    const OuterEstimate &outer = *context.result.outer;
    const auto inner = [&](const char *name) {
        return reference_to("outer_inner_seconds", {name, "compute time per round", time}, outer.inner_seconds);
    };
    const auto stall = [&](const char *name) {
        return reference_to("outer_stall_seconds_per_round", {name, "stall time per round", time},
                            outer.stall_seconds_per_round);
    };
    std::vector<Derivation> figures{
        agreeing(context,
                 derived({"outer_utilisation", "compute utilization", Quantity::share},
                         outer.inner_seconds / outer.round_seconds, "inner_seconds / round_seconds", "definition",
                         {inner("inner_seconds"),
                          reference_to("outer_round_seconds", {"round_seconds", "time per round", time},
                                       outer.round_seconds)}),
                 outer.utilisation),
        agreeing(context, inner_seconds(context), outer.inner_seconds),
        followed(context, {"outer_stall_seconds_per_round", "stall time per round", time},
                 outer.stall_seconds_per_round),
        agreeing(context,
                 by_formula({"outer_round_seconds", "time per outer round", time}, "round-time", "seconds",
                            {inner("inner_seconds"), stall("stall_seconds")}),
                 outer.round_seconds),
        on_the_wire(context, sent(context, "up", context.plan.outer.up), outer.up_bytes_per_round),
        on_the_wire(context, sent(context, "down", context.plan.outer.down), outer.down_bytes_per_round),
        agreeing(context, load(context, "up", "uplink", outer.up_bytes_per_round), outer.uplink_load),
        agreeing(context, load(context, "down", "downlink", outer.down_bytes_per_round), outer.downlink_load),
        followed(context, {"outer_staleness_steps", "mean steps from a fragment's release to the merge of its update"},
                 outer.staleness_steps)};
    for (Derivation &penalty : penalties(context))
        figures.push_back(std::move(penalty));
    return figures;
}

std::vector<Derivation> explain_spread(const ExplainContext &context, const OuterRuns &runs) {
    const Percentiles busy = runs.of(&OuterRun::utilisation);
    return {
        followed(context,
                 {"outer_utilisation_p10", "compute utilization, 10th percentile of simulated runs", Quantity::share},
                 busy.p10),
        followed(context,
                 {"outer_utilisation_p90", "compute utilization, 90th percentile of simulated runs", Quantity::share},
                 busy.p90)};
}

} // namespace meshwright

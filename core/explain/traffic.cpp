// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/layers.h"
#include "explain/layout.h"

#include "explain/quantity_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {

Derivation overlap(const ExplainContext &context, double value, const char *field) {
    return context.stack_fact({"overlap", "overlapped fraction", Quantity::share}, value, field);
}

/// Exposed communication of one kind per microbatch.
/// @param value  its time; if it is 0, the node only says that the plan needs no such communication
Derivation traffic_of_layers(const ExplainContext &context, Labelled what, double value, const OneLayer &one_layer) {
    return value == 0 ? nothing(std::move(what), "the plan needs no such communication", "/parallelism")
                      : over_layers(context, std::move(what), "/parallelism/pipeline", one_layer);
}

Derivation microbatch_traffic(const ExplainContext &context, TrafficKind traffic) {
    return traffic_of_layers(
        context, {"seconds", fmt::format("exposed {}-parallel communication of a microbatch", name_of(traffic)), time},
        exposed_of(context.costs.ranks[context.step.rank].cost, traffic).total(),
        [&](const CarriedLayers &layers, const std::string &name) {
            const BasicExposedSeconds<Traced> &exposed = exposed_of(traced_cost_of(context, layers), traffic);
            std::vector<Derivation> passes{exposed_seconds("forward", traffic, "forward", exposed.forward),
                                           exposed_seconds("backward", traffic, "backward", exposed.backward)};
            if (exposed.recompute > 0)
                passes.push_back(exposed_seconds("again", traffic, "recomputed", exposed.recompute));
            return sum_of({name, fmt::format("exposed {}-parallel communication of one layer", name_of(traffic)), time},
                          "sum over the passes of one microbatch", std::move(passes));
        });
}

} // namespace

const char *name_of(TrafficKind traffic) {
    return traffic == TrafficKind::tensor ? "tensor" : traffic == TrafficKind::context ? "context" : "expert";
}

Derivation exposed_seconds(std::string name, TrafficKind traffic, const char *title, const Traced &seconds) {
    Labelled what{std::move(name), fmt::format("exposed {}-parallel communication, {}", name_of(traffic), title), time};
    return seconds.value() == 0
        ? nothing(std::move(what), "the plan needs no such communication", "/parallelism")
        : seconds.derivation(std::move(what), "kernel launches hide the rest of the communication");
}

Derivation microbatch_tensor(const ExplainContext &context) {
    return microbatch_traffic(context, TrafficKind::tensor);
}

Derivation microbatch_context(const ExplainContext &context) {
    return microbatch_traffic(context, TrafficKind::context);
}

Derivation microbatch_expert(const ExplainContext &context) {
    Derivation whole = microbatch_traffic(context, TrafficKind::expert);
    const double all = context.costs.ranks[context.step.rank].cost.expert.total();
    if (all == 0 || !definition_of(context.plan.parallelism.schedule).pairs_passes)
        return whole;
    Derivation forward = whole_pass(context, {"forward", "time of a microbatch's forward pass", time}, true);
    Derivation backward = whole_pass(context, {"backward", "time of a microbatch's backward pass", time}, false);
    const double rest_seconds = forward.value + backward.value - whole.value;
    Derivation rest = derived({"rest_seconds", "time of a microbatch without expert communication", time}, rest_seconds,
                              "forward + backward - expert", "definition",
                              {std::move(forward), std::move(backward), named("expert", whole)});
    return by_formula(
        {"seconds", "exposed expert-parallel communication of a microbatch, with two microbatches in parallel", time},
        "expert-exposed", "paired_seconds",
        {named("exposed_seconds", std::move(whole)),
         overlap(context, context.plan.stack.expert_overlap, "expert_overlap"), std::move(rest)});
}

Derivation expert_of_passes(const ExplainContext &context, ExpertPasses passes) {
    const ExposedSeconds &expert = context.costs.ranks[context.step.rank].cost.expert;
    const bool forward = passes == ExpertPasses::forward;
    return traffic_of_layers(context, {"expert", "exposed expert-parallel communication of one pass", time},
                             forward ? expert.forward : expert.backward + expert.recompute,
                             [&](const CarriedLayers &layers, const std::string &name) {
                                 const BasicExposedSeconds<Traced> &exposed = traced_cost_of(context, layers).expert;
                                 return exposed_seconds(name, TrafficKind::expert, forward ? "forward" : "backward",
                                                        forward ? exposed.forward
                                                                : exposed.backward + exposed.recompute);
                             });
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/layers.h"
#include "explain/layout.h"
#include "step/data_traffic.h"

#include "explain/quantity_names.h"

#include <fmt/format.h>

#include <cmath>

namespace meshwright {

namespace {

BasicRankParameters<Traced> parameters_of_rank(const ExplainContext &context) {
    const RankParameters &parameters = context.costs.ranks[context.step.rank].cost.parameters;
    const auto part = [&](const char *figure, const char *title, double value) {
        return Traced(reference_to(fmt::format("memory_stages_{}_{}", context.step.rank, figure),
                                   {figure, title, Quantity::parameters}, value));
    };
    return {.dense = part("dense_parameters", "dense parameters of the rank", parameters.dense),
            .experts = part("expert_parameters", "routed-expert parameters of the rank", parameters.experts)};
}

BasicDataRings<Traced> traced_rings(const ExplainContext &context) {
    if (context.plan.parallelism.zero_stage == 0)
        return {};
    const BasicNetwork<Traced> &network = context.traced.network();
    return {.dense = network.ring_of(traced_group(context, RankSet::data_shard)),
            .experts = network.ring_of(traced_group(context, RankSet::expert_data_shard)),
            .dense_copies = traced_group(context, RankSet::data_replicas),
            .expert_copies = traced_group(context, RankSet::expert_data_replicas),
            .dense_shards = Traced(dense_shards(context, "dense_shards")),
            .expert_shards = Traced(expert_shards(context, "expert_shards"))};
}

/// A pass of the rank. Two microbatches that run together overlap part of their expert communication.
Derivation pass(const ExplainContext &context, bool forward, double value) {
    const Labelled what{forward ? "forward_seconds" : "backward_seconds",
                        forward ? "time of a microbatch's forward pass" : "time of a microbatch's backward pass", time};
    const LayerCost &cost = context.costs.ranks[context.step.rank].cost;
    const double whole = forward ? cost.whole_forward_seconds() : cost.backward_seconds();
    if (std::abs(value - whole) <= 1e-12 * whole)
        return whole_pass(context, what, forward);
    Derivation paired = microbatch_expert(context);
    Derivation exposed = *paired.find("exposed_seconds");
    Derivation own =
        named("expert", expert_of_passes(context, forward ? ExpertPasses::forward : ExpertPasses::backward));
    return derived(what, value, "pass - (1 - paired / exposed) * expert",
                   "pairing microbatches hides part of the expert communication",
                   {whole_pass(context, {"pass", "time of the pass without this overlap", time}, forward),
                    named("paired", std::move(paired)), named("exposed", std::move(exposed)), std::move(own)});
}

} // namespace

Derivation explain_data(const ExplainContext &context) {
    const Labelled what{"step_data_exposed_seconds", "exposed data-parallel communication", time};
    const DataLoad plain = data_load(context.plan, context.costs.ranks[context.step.rank].cost);
    const BasicDataRings<Traced> rings = traced_rings(context);
    const BasicDataLoad<Traced> load{.parameters = parameters_of_rank(context),
                                     .forward_seconds = Traced(pass(context, true, plain.forward_seconds)),
                                     .backward_seconds = Traced(pass(context, false, plain.backward_seconds))};
    const Traced exposed =
        BasicDataTraffic<Traced>(context.plan, context.traced, rings, load, context.assumed).exposed_seconds();
    return exposed.value() == 0 ? nothing(what, "nothing to exchange with other ranks", "/parallelism/data")
                                : exposed.derivation(what, "exposed communication that occurs once per step");
}

Derivation explain_optimizer(const ExplainContext &context) {
    return optimizer_seconds(context.plan, context.traced, traced_rings(context),
                             Traced(copies_of_stage(context, "copies")), parameters_of_rank(context), context.assumed)
        .derivation({"step_optimizer_seconds", "optimizer step", time},
                    "accelerator and host update one after another");
}

Derivation explain_hop(const ExplainContext &context) {
    const bool scatters = scatters_sends(context.plan);
    const Traced message(
        derived({"bytes", "activations sent by one rank", Quantity::bytes}, sent_bytes(context.plan, context.layers),
                "hidden_bytes / ways",
                "each tensor-parallel rank sends its part if the sequence is sharded or the send is scattered",
                {hidden_bytes(context, "hidden_bytes"),
                 scatters ? named("ways", degree(context, "tensor")) : sequence_ways(context, "ways")}));
    const Labelled hop{"hop", "time of one send between stages", time};
    Derivation send =
        context.traced.network()
            .send_seconds(traced_group(context, RankSet::pipeline), message)
            .derivation(
                scatters ? Labelled{"send_seconds", "time of one send, split across tensor-parallel ranks", time} : hop,
                {});
    if (!scatters)
        return send;
    const Traced gathering = context.traced.network().all_gather_seconds(traced_group(context, RankSet::tensor),
                                                                         Traced(hidden_bytes(context, "bytes")));
    return sum_of(hop, "the receivers all-gather the parts, arXiv 2104.04473, section 4.1",
                  {std::move(send),
                   gathering.derivation({"gather_seconds", "time to all-gather over tensor-parallel ranks", time},
                                        "a single tensor-parallel rank")});
}

} // namespace meshwright

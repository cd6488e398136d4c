// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/layers.h"
#include "explain/layout.h"

#include "explain/quantity_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {

/// Number of tensor-parallel parts of a layer. Attention and feed-forward count as one part if they run in parallel.
double split_parts(const Block &block) {
    const auto *experts = std::get_if<Experts>(&block.transform);
    const bool has_mixer = !std::holds_alternative<Nothing>(block.mixer);
    const bool split =
        std::holds_alternative<FeedForward>(block.transform) || (experts != nullptr && experts->shared_hidden > 0);
    return (has_mixer ? 1 : 0) + (split && !(block.parallel && has_mixer) ? 1 : 0);
}

/// Exposed fraction of a layer's communication if the layer is launch-bound: links keep transferring while the device
/// waits for the host.
Derivation attended_fraction(const ExplainContext &context, std::size_t index, Pass pass,
                             std::vector<Derivation> traffic) {
    Derivation without = layer_kernels(context, index, pass, "without");
    Derivation all = sum_of({"traffic", "time of all communication of the layer", time},
                            "tensor-parallel plus expert-parallel communication", std::move(traffic));
    std::vector<Derivation> parts{sum_of({"kernel_seconds", "time of kernels and communication", time},
                                         "kernels and communication run one after another",
                                         {named("kernels", *without.find("kernel_seconds")), all})};
    for (const char *const host : {"launch_seconds", "wait_seconds"})
        if (const Derivation *part = without.find(host))
            parts.push_back(named(host, *part));
    Derivation with = by_formula({"with", "time of kernels and communication, limited by launches", time},
                                 "launch-bound-layer", "seconds", std::move(parts));
    const double share = (with.value - without.value) / all.value;
    return derived({"seen", "exposed fraction of the communication in a launch-bound layer", Quantity::share}, share,
                   "(with - without) / traffic", "time of the launch-bound layer with and without the communication",
                   {std::move(with), std::move(without), std::move(all)});
}

Derivation overlap(const ExplainContext &context, double value, const char *field) {
    return context.stack_fact({"overlap", "overlapped fraction", Quantity::share}, value, field);
}

/// Exposed tensor-parallel communication of a layer that is not launch-bound.
Derivation tensor_traffic(const ExplainContext &context, const Block &block, Pass pass) {
    const PlannedGroup group = planned_group(context, RankSet::tensor);
    Derivation parts =
        model_fact({"parts", "tensor-parallel blocks of the layer"}, split_parts(block), "the model's shape");
    if (!context.plan.parallelism.sequence_parallel)
        return by_formula({"tensor", "exposed time of all-reduces", time}, "tensor-exposed", "reduced_seconds",
                          {std::move(parts),
                           reduce_seconds(context, {"reduce_seconds", "time of one all-reduce", time}, group,
                                          hidden_bytes(context, "bytes"))});
    std::vector<Derivation> inputs{std::move(parts),
                                   gather_seconds(context,
                                                  {"gather_seconds", "time of one all-gather or reduce-scatter", time},
                                                  group, hidden_bytes(context, "bytes")),
                                   overlap(context, context.plan.stack.tensor_overlap, "tensor_overlap")};
    if (context.plan.stack.copies_gathered_sequences && group.ranks.members > 1)
        inputs.push_back(by_formula({"copy_seconds", "time to reorder a gathered tensor", time}, "tensor-exposed",
                                    "copied_seconds", {hidden_bytes(context, "bytes"), memory_rate(context)}));
    return by_formula({"tensor", "exposed time of all-gathers and reduce-scatters", time}, "tensor-exposed",
                      pass == Pass::forward ? "forward_seconds" : "backward_seconds", std::move(inputs));
}

/// Bytes of the token copies that a rank sends to experts.
Derivation distributed_bytes(const ExplainContext &context, const Experts &experts) {
    const RankShape &shape = context.layers.shape();
    const auto copies = static_cast<double>(experts.experts_per_token);
    return derived({"bytes", "bytes of the token copies sent by a rank", bytes},
                   hidden_state_bytes(shape, context.plan.model) / shape.expert_ways * copies,
                   "hidden_bytes / ways * copies", "every token goes to all of its experts",
                   {hidden_bytes(context, "hidden_bytes"), sequence_ways(context, "ways"),
                    shape_fact("copies", "experts per token", experts.experts_per_token)});
}

/// Exposed expert-parallel communication of a layer that is not launch-bound.
Derivation expert_traffic(const ExplainContext &context, const Block &block) {
    const auto *experts = std::get_if<Experts>(&block.transform);
    const Labelled what{"expert", "exposed time of dispatch and combine", time};
    if (experts == nullptr)
        return model_fact(what, 0, "no experts in this layer");
    const RankShape &shape = context.layers.shape();
    const Network &network = context.layers.network();
    const auto copies = static_cast<double>(experts->experts_per_token);
    const PlannedGroup group = planned_group(context, RankSet::expert);
    const double sent = hidden_state_bytes(shape, context.plan.model) / shape.expert_ways * copies;
    const double dispatch = network.all_to_all_seconds(group, sent, copies);
    Labelled dispatched{"dispatch_seconds", "time of the all-to-all of tokens to their experts", time};
    const Network::DispatchTiers tiers = network.dispatch_tiers(group);
    Derivation way = dispatch == 0
        ? nothing(dispatched, "every rank holds all experts", "/parallelism/expert")
        : by_formula(
            dispatched, "expert-dispatch", "seconds",
            {members_in_tier(context, group, 0, "inside"), nodes_of(context, group, "nodes"),
             distributed_bytes(context, *experts),
             shape_fact("copies", "experts per token", experts->experts_per_token),
             sustained_bandwidth(context, network.tiers_of(group).front(), 0),
             hardware_fact({"network_bandwidth", "bandwidth per rank between nodes", Quantity::bytes_per_second},
                           tiers.network_bandwidth, "the cluster", "/cluster/tiers"),
             context.constant("efficiency", ConstantId::all_to_all_efficiency),
             collective_base(context, group, false)});
    const PlannedGroup tensor = planned_group(context, RankSet::expert_tensor);
    const Labelled gathered{"gather_seconds", "time of the all-gather for expert tensor parallelism", time};
    Derivation gather = tensor.ranks.members <= 1
        ? nothing(gathered, "experts are not split", "/parallelism/expert_tensor")
        : gather_seconds(context, gathered, tensor,
                         product_of({"bytes", "bytes of the tokens of all ranks that share an expert", bytes},
                                    "sum over the ranks that share an expert",
                                    {named("sent", distributed_bytes(context, *experts)),
                                     plan_field({"expert_tensor", "ranks that share an expert", count},
                                                shape.expert_tensor, "/parallelism/expert_tensor")}));
    return by_formula(
        what, "expert-exposed", "seconds",
        {std::move(way), std::move(gather), overlap(context, context.plan.stack.expert_overlap, "expert_overlap")});
}

/// Compute that overlaps with the ring: attention's own kernels, and time spent waiting for the host.
Derivation overlapped_with_ring(const ExplainContext &context, std::size_t index, Pass pass, bool again) {
    const Block &block = context.plan.model.blocks[index];
    std::vector<Derivation> parts;
    std::string formula;
    for (const TracedOperation &operation : context.traced_layers[index].operations)
        if (operation.module == Module::core_attention)
            for (const Pass each : {Pass::forward, Pass::input_gradient, Pass::weight_gradient})
                if ((each == Pass::forward) == (pass == Pass::forward) && of_pass(operation.seconds, each) > 0)
                    parts.push_back(operation_seconds(context, &block, operation, each));
    number_repeats(parts);
    for (const Derivation &part : parts)
        formula += (formula.empty() ? "" : " + ") + part.name;
    Derivation launched =
        again ? layer_again(context, {index, true, 1}, "launched") : layer_kernels(context, index, pass, "launched");
    Derivation kernels = named("kernels", *launched.find("kernel_seconds"));
    formula += (formula.empty() ? "" : " + ") + std::string("launched - kernels");
    double value = launched.value - kernels.value;
    for (const Derivation &part : parts)
        value += part.value;
    parts.push_back(std::move(launched));
    parts.push_back(std::move(kernels));
    return derived({"attention_seconds", "attention kernel time plus host wait time", time}, value, std::move(formula),
                   "the ring exchange overlaps with attention kernels and host waits", std::move(parts));
}

/// Time to pass keys and values around the ring, minus the attention that overlaps with it.
Derivation ring_pass(const ExplainContext &context, std::size_t index, Pass pass, std::string name, bool again) {
    const Block &block = context.plan.model.blocks[index];
    const Plan &plan = context.plan;
    const RankShape &shape = context.layers.shape();
    const Labelled what{std::move(name), "exposed time to pass keys and values around the ring", time};
    const auto positions = [&](const char *to) {
        return product_of({to, "tokens of a microbatch before they are split across ranks", count}, "definition",
                          {plan_field({"micro_sequences", "sequences per microbatch", count},
                                      static_cast<double>(plan.batch.micro_sequences), "/batch/micro_sequences"),
                           plan_field({"sequence", "tokens per sequence", count},
                                      static_cast<double>(plan.batch.sequence_length), "/batch/sequence_length")});
    };
    const auto element = [&] { return wide_element_bytes(context, "element_bytes"); };
    const auto exchange = [&](Derivation tensor) {
        return gather_seconds(context, {"exchange_seconds", "time of the all-gather of keys and values", time},
                              planned_group(context, RankSet::context), std::move(tensor));
    };
    if (const auto *latent = std::get_if<LatentAttention>(&block.mixer))
        return by_formula(
            what, "ring-exposed", "latent_seconds",
            {exchange(by_formula({"bytes", "bytes of the latents of all ranks", bytes}, "saved-activation", "bytes",
                                 {positions("rows"),
                                  shape_fact("width", "dimensions of latent and rotary key",
                                             latent->key_value_rank + latent->rope_head_dim),
                                  element()})),
             model_fact({"passes", "number of exchanges of latents: 1 in the forward pass, 2 in the backward pass"},
                        pass == Pass::forward ? 1 : 2, "the backward pass also sends the latents' gradients")});
    const auto &attention = std::get<Attention>(block.mixer);
    Derivation keys = by_formula(
        {"bytes", "bytes of the keys and values of all ranks", bytes}, "ring-exposed", "bytes",
        {positions("tokens"),
         shape_fact("kv_width", "key-value heads times head dimension", attention.kv_heads * attention.head_dim),
         element(),
         derived({"ways", "ranks that split the key-value heads", count},
                 std::min(shape.tensor, static_cast<double>(attention.kv_heads)), "min(tensor, kv_heads)",
                 "key-value heads are replicated if there are fewer than ranks",
                 {degree(context, "tensor"), shape_fact("kv_heads", "key-value heads", attention.kv_heads)})});
    return by_formula(what, "ring-exposed", pass == Pass::forward ? "forward_seconds" : "backward_seconds",
                      {exchange(std::move(keys)), overlapped_with_ring(context, index, pass, again)});
}

/// Exposed communication of one kind per microbatch.
/// @param value  its time; if it is 0, the node only says that the plan needs no such communication
Derivation traffic_of_layers(const ExplainContext &context, Labelled what, double value, const OneLayer &one_layer) {
    return value == 0 ? nothing(std::move(what), "the plan needs no such communication", "/parallelism")
                      : over_layers(context, std::move(what), "/parallelism/pipeline", one_layer);
}

/// Inputs for a layer's communication: forward, backward, and the communication repeated by recomputation. Inputs that
/// are 0 are left out.
Derivation passes_of(const ExplainContext &context, std::size_t index, TrafficKind traffic, const LayerCost &cost,
                     const std::string &name) {
    const ExposedSeconds &exposed = exposed_of(cost, traffic);
    std::vector<Derivation> passes{
        traffic_pass(context, index, traffic, Pass::forward, "forward", exposed.forward),
        traffic_pass(context, index, traffic, Pass::input_gradient, "backward", exposed.backward)};
    if (exposed.recompute > 0)
        passes.push_back(traffic_again(context, index, traffic, "again", exposed.recompute));
    return sum_of({name, fmt::format("exposed {} communication of one layer", name_of(traffic)), time},
                  "sum over the passes of one microbatch", std::move(passes));
}

Derivation microbatch_traffic(const ExplainContext &context, TrafficKind traffic) {
    return traffic_of_layers(
        context, {"seconds", fmt::format("exposed {} communication of a microbatch", name_of(traffic)), time},
        exposed_of(context.costs.ranks[context.step.rank].cost, traffic).total(),
        [&](const CarriedLayers &layers, const std::string &name) {
            return passes_of(context, layers.block, traffic, cost_of(context, layers), name);
        });
}

} // namespace

const char *name_of(TrafficKind traffic) {
    return traffic == TrafficKind::tensor ? "tensor" : traffic == TrafficKind::context ? "context" : "expert";
}

const ExposedSeconds &exposed_of(const LayerCost &cost, TrafficKind traffic) {
    return traffic == TrafficKind::tensor ? cost.tensor : traffic == TrafficKind::context ? cost.context : cost.expert;
}

Derivation traffic_pass(const ExplainContext &context, std::size_t index, TrafficKind traffic, Pass pass,
                        std::string name, double value) {
    const Block &block = context.plan.model.blocks[index];
    if (value == 0)
        return nothing({std::move(name), pass == Pass::forward ? "forward" : "backward", time},
                       "the plan needs no such communication", "/parallelism");
    if (traffic == TrafficKind::context)
        return ring_pass(context, index, pass, std::move(name), false);
    std::vector<Derivation> all{tensor_traffic(context, block, pass), expert_traffic(context, block)};
    Derivation own = all[traffic == TrafficKind::tensor ? 0 : 1];
    if (std::abs(own.value - value) <= 1e-12 * value)
        return named(std::move(name), std::move(own));
    return product_of({std::move(name), pass == Pass::forward ? "forward" : "backward", time},
                      "kernel launches hide the rest of the communication",
                      {std::move(own), attended_fraction(context, index, pass, std::move(all))});
}

Derivation traffic_again(const ExplainContext &context, std::size_t index, TrafficKind traffic, std::string name,
                         double value) {
    return traffic == TrafficKind::context
        ? ring_pass(context, index, Pass::forward, std::move(name), true)
        : traffic_pass(context, index, traffic, Pass::forward, std::move(name), value);
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
        {"seconds", "exposed expert communication of a microbatch, with two microbatches in parallel", time},
        "expert-exposed", "paired_seconds",
        {named("exposed_seconds", std::move(whole)),
         overlap(context, context.plan.stack.expert_overlap, "expert_overlap"), std::move(rest)});
}

Derivation expert_of_passes(const ExplainContext &context, ExpertPasses passes) {
    const ExposedSeconds &expert = context.costs.ranks[context.step.rank].cost.expert;
    const bool forward = passes == ExpertPasses::forward;
    return traffic_of_layers(
        context, {"expert", "exposed expert communication of one pass", time},
        forward ? expert.forward : expert.backward + expert.recompute,
        [&](const CarriedLayers &layers, const std::string &name) {
            const std::size_t index = layers.block;
            const ExposedSeconds &exposed = cost_of(context, layers).expert;
            if (forward)
                return traffic_pass(context, index, TrafficKind::expert, Pass::forward, name, exposed.forward);
            std::vector<Derivation> both{
                traffic_pass(context, index, TrafficKind::expert, Pass::input_gradient, "backward", exposed.backward)};
            if (exposed.recompute > 0)
                both.push_back(traffic_again(context, index, TrafficKind::expert, "again", exposed.recompute));
            return sum_of({name, "exposed expert communication of one layer's backward pass", time},
                          "sum over the passes of one microbatch", std::move(both));
        });
}

} // namespace meshwright

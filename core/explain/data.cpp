// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/layers.h"
#include "explain/layout.h"

#include "explain/quantity_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {

class DataExplanation {
public:
    explicit DataExplanation(const ExplainContext &context)
        : m_context(context)
        , m_plan(context.plan)
        , m_parts(data_parts(context.plan, context.layers, context.costs, context.assumed, context.step.rank)) { }

    Derivation take() const {
        const Labelled what{"step_data_exposed_seconds", "exposed data-parallel communication", time};
        if (m_parts.reduce + m_parts.gather == 0)
            return nothing(what, no_traffic, "/parallelism/data");
        switch (m_plan.parallelism.zero_stage) {
        case 0:
            return named(what.name, overlapped("reduce", reduce(), window("backward")));
        case 1:
            return sum_of(what, "exposed communication that occurs once per step",
                          {overlapped_with_backward("reduce", window("backward")), weights_after_update("gather")});
        case 2:
            return by_formula(what, "data-exposed", "step_seconds",
                              {reductions(), overlapped_with_backward("each_seconds", reduction_window()),
                               weights_after_update("once_seconds")});
        default:
            if (keeps_gathered_weights(m_plan))
                return sum_of(what, "exposed communication that occurs once per step",
                              {sharded("gather", "forward", gather(), {weights_carried()}),
                               sharded("reduce", "backward", reduce(), {gradients_carried()})});
            return by_formula(what, "data-exposed", "step_seconds",
                              {named("times", m_context.microbatches()),
                               sum_of({"each_seconds", "exposed communication per microbatch", time},
                                      "sum over the forward and backward passes",
                                      {sharded("forward_pass", "forward", gather(), {weights_carried()}),
                                       adds_gradients_up(m_plan) ? backward_alone("backward_pass")
                                                                 : backward_with_gradients("backward_pass")}),
                               reduced_last("once_seconds")});
        }
    }

private:
    static constexpr const char *no_traffic = "nothing to exchange with other ranks";

    /// Bytes to send for the parameters of one kind: dense weights or routed experts.
    Derivation sent(bool dense, const char *name, const Derivation &each, double shards) const {
        const RankParameters &parameters = m_context.costs.ranks[m_context.step.rank].cost.parameters;
        const char *const figure = dense ? "dense_parameters" : "expert_parameters";
        std::vector<Derivation> factors{
            reference_to(fmt::format("memory_stages_{}_{}", m_context.step.rank, figure),
                         {"parameters", dense ? "dense parameters of the rank" : "routed-expert parameters of the rank",
                          Quantity::parameters},
                         dense ? parameters.dense : parameters.experts),
            named("each", each)};
        Derivation all = product_of({name, "bytes of all of the rank's parameters", Quantity::bytes}, "definition",
                                    std::move(factors));
        if (shards <= 1)
            return all;
        const double value = all.value / shards;
        return derived({name, "bytes of one shard", Quantity::bytes}, value, "all / shards",
                       "each rank holds one shard",
                       {named("all", std::move(all)),
                        dense ? dense_shards(m_context, "shards") : expert_shards(m_context, "shards")});
    }
    /// Number of collectives for one kind of traffic.
    Derivation pieces(Derivation bytes) const {
        const double bucket = m_plan.stack.bucket_bytes;
        const double value = std::max(1.0, std::ceil(bytes.value / bucket));
        return derived({"pieces", "number of collectives, one per bucket", count}, value,
                       "max(1, ceil(bytes / bucket))", "gradients are reduced bucket by bucket",
                       {named("bytes", std::move(bytes)),
                        m_context.stack_fact({"bucket", "bucket size", Quantity::bytes}, bucket, "bucket_bytes")});
    }
    struct Kind {
        bool dense;
        const char *name;
        double shards;
        RankSet all;
        RankSet sharing; ///< the ranks that together hold all shards
        RankSet replicas; ///< the ranks that hold the same shard
    };
    std::vector<Kind> kinds() const {
        const ShardGroups shards = shard_groups_of(m_plan);
        return {{true, "dense", shards.dense, RankSet::data, RankSet::data_shard, RankSet::data_replicas},
                {false, "experts", shards.experts, RankSet::expert_data, RankSet::expert_data_shard,
                 RankSet::expert_data_replicas}};
    }
    Derivation gathered(const Kind &kind, const std::string &name, const Derivation &each, bool at_once) const {
        return gather_seconds(m_context, {name, "time of the collectives over data-parallel ranks", time},
                              planned_group(m_context, kind.sharing), sent(kind.dense, "bytes", each, 1),
                              at_once ? software_fact({"pieces", "number of collectives", count}, 1,
                                                      "this stack gathers updated weights in one collective")
                                      : pieces(sent(kind.dense, "bytes", each, 1)));
    }
    Derivation gradient_bytes() const {
        return format_bytes({"format_bytes", "bytes per gradient", Quantity::bytes}, m_plan.precision.gradients,
                            "/precision/gradients");
    }
    Derivation reduce() const {
        const Derivation each = gradient_bytes();
        std::vector<Derivation> parts;
        for (const Kind &kind : kinds()) {
            if (m_plan.parallelism.zero_stage == 0) {
                parts.push_back(reduce_seconds(m_context, {kind.name, "all-reduce", time},
                                               planned_group(m_context, kind.all), sent(kind.dense, "bytes", each, 1),
                                               pieces(sent(kind.dense, "bytes", each, 1))));
                continue;
            }
            parts.push_back(gathered(kind, kind.name, each, false));
            parts.push_back(reduce_seconds(
                m_context,
                {fmt::format("{}_copies", kind.name), "time of the all-reduce over replicas of a shard", time},
                planned_group(m_context, kind.replicas), sent(kind.dense, "bytes", each, kind.shards),
                pieces(sent(kind.dense, "bytes", each, kind.shards))));
        }
        return sum_of({"traffic_seconds", "time to reduce all gradients", time},
                      "the collectives run one after another", std::move(parts));
    }
    Derivation gather() const {
        std::vector<Derivation> parts;
        const bool at_once = m_plan.parallelism.zero_stage < 3 && m_plan.stack.gathers_weights_at_once;
        if (m_plan.parallelism.zero_stage > 0)
            for (const Kind &kind : kinds())
                parts.push_back(gathered(kind, kind.name, sent_weight_bytes(m_context, "each"), at_once));
        const Labelled what{"traffic_seconds", "time to gather all weights", time};
        return parts.empty() ? nothing(what, no_traffic, "/parallelism/zero_stage")
                             : sum_of(what, "the collectives run one after another", std::move(parts));
    }
    Derivation both() const {
        return sum_of({"traffic_seconds", "time to gather weights and reduce gradients", time},
                      "both run in the backward pass", {named("weights", gather()), named("gradients", reduce())});
    }
    Derivation pass(const std::string &which, std::string name) const {
        const bool forward = which == "forward";
        const Labelled what{std::move(name),
                            forward ? "time of a microbatch's forward pass" : "time of a microbatch's backward pass",
                            time};
        const LayerCost &cost = m_context.costs.ranks[m_context.step.rank].cost;
        const double whole = forward ? cost.whole_forward_seconds() : cost.backward_seconds();
        const double value = forward ? m_parts.forward : m_parts.backward;
        if (std::abs(value - whole) <= 1e-12 * whole)
            return whole_pass(m_context, what, forward);
        // Two microbatches that run together overlap part of their expert communication.
        Derivation paired = microbatch_expert(m_context);
        Derivation exposed = *paired.find("exposed_seconds");
        Derivation own =
            named("expert", expert_of_passes(m_context, forward ? ExpertPasses::forward : ExpertPasses::backward));
        return derived(what, value, "pass - (1 - paired / exposed) * expert",
                       "pairing microbatches hides part of the expert communication",
                       {whole_pass(m_context, {"pass", "time of the pass without this overlap", time}, forward),
                        named("paired", std::move(paired)), named("exposed", std::move(exposed)), std::move(own)});
    }
    Derivation window(const std::string &which) const {
        const Labelled what{"window_seconds", "compute time that can overlap with the communication", time};
        if (m_plan.layer_chunks() > 1)
            return by_formula(what, "traffic-window", "chunked_seconds",
                              {pass(which, "pass_seconds"), m_context.microbatches(),
                               plan_field({"stages", "pipeline stages", count},
                                          static_cast<double>(m_plan.parallelism.pipeline), "/parallelism/pipeline")});
        return by_formula(
            what, "traffic-window", "seconds",
            {pass(which, "pass_seconds"), m_context.constant("share", ConstantId::gradient_window_share)});
    }
    Derivation backward_alone(std::string name) const {
        return sharded(std::move(name), "backward", gather(), {weights_carried()});
    }
    Derivation backward_with_gradients(std::string name) const {
        return sharded(std::move(name), "backward", both(), {weights_carried(), gradients_carried()});
    }
    /// Time that gradient reduction adds to the last backward pass if full gradients accumulate until then.
    Derivation reduced_last(std::string name) const {
        const Labelled what{std::move(name), "exposed communication that occurs once per step", time};
        if (!adds_gradients_up(m_plan))
            return nothing(what, "all states are sharded", "/parallelism/zero_stage");
        Derivation with = backward_with_gradients("with");
        Derivation without = backward_alone("without");
        const double value = with.value - without.value;
        return derived(what, value, "with - without",
                       "this stack reduces gradients only in the last microbatch's backward pass",
                       {std::move(with), std::move(without)});
    }
    Derivation reductions() const {
        const std::int64_t in_a_row = microbatches_a_reduction(m_plan);
        const Labelled what{"times", "gradient reductions per step", count};
        const Labelled row{"in_a_row", "microbatches per gradient reduction", count};
        if (in_a_row == 1)
            return named("times", m_context.microbatches());
        if (adds_gradients_up(m_plan) || definition_of(m_plan.parallelism.schedule).forward_first)
            return by_formula(what, "data-exposed", "reductions",
                              {m_context.microbatches(), named(row.name, m_context.microbatches())});
        const bool is_set = m_plan.parallelism.group.has_value();
        const double group = static_cast<double>(m_plan.parallelism.group.value_or(m_plan.parallelism.pipeline));
        Derivation round = plan_field({"round", is_set ? "interleaving group" : "pipeline stages", count}, group,
                                      is_set ? "/parallelism/group" : "/parallelism/pipeline");
        return by_formula(
            what, "data-exposed", "reductions",
            {m_context.microbatches(),
             derived(row, static_cast<double>(in_a_row), "min(round, microbatches)",
                     "microbatches of one interleaving group", {std::move(round), m_context.microbatches()})});
    }
    Derivation reduction_window() const {
        if (microbatches_a_reduction(m_plan) > 1)
            return window("backward");
        return by_formula(
            {"window_seconds", "compute time that can overlap with the communication", time}, "traffic-window",
            "reduction_seconds",
            {pass("backward", "backward_seconds"), pass("forward", "forward_seconds"), window("backward")});
    }
    /// Exposed part of communication that overlaps with a pass. If the stack does not overlap this communication, all
    /// of it is exposed.
    Derivation overlapped(std::string name, Derivation traffic, Derivation overlap_window) const {
        const Labelled what{std::move(name), traffic.title, time};
        const double whole = traffic.value;
        if (!m_plan.stack.data_overlap)
            return derived(what, whole, "traffic_seconds",
                           "this stack does not overlap this communication with compute", {std::move(traffic)});
        return by_formula(
            what, "data-exposed", "seconds",
            {std::move(traffic), std::move(overlap_window),
             m_context.stack_fact(
                 {"exposed_share", "fraction of the communication that is always exposed", Quantity::share},
                 m_plan.stack.data_exposed_share, "data_exposed_share")});
    }
    static Derivation not_overlapped(std::string name, Derivation traffic, const char *why) {
        const Labelled what{std::move(name), traffic.title, time};
        const double whole = traffic.value;
        return derived(what, whole, "traffic_seconds", why, {std::move(traffic)});
    }
    Derivation overlapped_with_backward(std::string name, Derivation overlap_window) const {
        if (m_plan.stack.overlaps_gradient_scatter || !m_plan.stack.data_overlap)
            return overlapped(std::move(name), reduce(), std::move(overlap_window));
        return not_overlapped(std::move(name), reduce(), "this stack reduce-scatters gradients without overlap");
    }
    Derivation weights_after_update(std::string name) const {
        if (m_plan.stack.overlaps_weight_gather || !m_plan.stack.data_overlap)
            return overlapped(std::move(name), gather(), window("forward"));
        return not_overlapped(std::move(name), gather(), "this stack gathers updated weights without overlap");
    }
    Derivation weights_carried() const {
        return product_of({"weights", "weights", Quantity::bytes}, "all of the rank's layers",
                          {all_parameters(), named("each", sent_weight_bytes(m_context, "each"))});
    }
    Derivation gradients_carried() const {
        return product_of({"gradients", "gradients", Quantity::bytes}, "all of the rank's layers",
                          {all_parameters(), named("each", gradient_bytes())});
    }
    Derivation all_parameters() const {
        const RankParameters &parameters = m_context.costs.ranks[m_context.step.rank].cost.parameters;
        const auto part = [&](const char *figure, const char *title, double value) {
            return reference_to(fmt::format("memory_stages_{}_{}", m_context.step.rank, figure),
                                {figure, title, Quantity::parameters}, value);
        };
        return sum_of({"parameters", "parameters of the rank", Quantity::parameters},
                      "dense parameters plus routed experts",
                      {part("dense_parameters", "dense parameters", parameters.dense),
                       part("expert_parameters", "routed-expert parameters", parameters.experts)});
    }
    Derivation busy_links(const Derivation &traffic, std::vector<Derivation> carried) const {
        const Network::TierLinks links = m_context.layers.network().tiers_of({.members = 1}).front();
        return by_formula({"busy_seconds", "time for which the communication occupies intra-node links", time},
                          "data-exposed", "busy_links_seconds",
                          {traffic,
                           sum_of({"bytes", "bytes carried", Quantity::bytes}, "definition", std::move(carried)),
                           sustained_bandwidth(m_context, links, 0)});
    }
    Derivation sharded(std::string name, const std::string &which, Derivation traffic,
                       std::vector<Derivation> carried) const {
        const double layers = std::max(
            1.0, static_cast<double>(m_plan.model.layer_count()) / static_cast<double>(m_plan.parallelism.pipeline));
        const Labelled what{std::move(name), traffic.title, time};
        Derivation busy = busy_links(traffic, std::move(carried));
        return by_formula(
            what, "data-exposed", "sharded_seconds",
            {pass(which, "pass_seconds"), std::move(traffic), std::move(busy),
             derived({"layers", "layers per stage", count}, layers, "max(1, layers_of_model / pipeline)", "definition",
                     {model_fact({"layers_of_model", "layers of the model", count},
                                 static_cast<double>(m_plan.model.layer_count()), "the model's shape"),
                      degree(m_context, "pipeline")}),
             m_context.stack_fact({"exposed_share",
                                   "exposed communication as a fraction of the shorter of compute and communication",
                                   Quantity::share},
                                  m_plan.stack.sharded_exposed_share, "sharded_exposed_share")});
    }

    const ExplainContext &m_context;
    const Plan &m_plan;
    DataParts m_parts;
};

Derivation updated_parameters(const ExplainContext &context) {
    const RankParameters &parameters = context.costs.ranks[context.step.rank].cost.parameters;
    const Labelled what{"parameters", "parameters that the rank updates", Quantity::parameters};
    const auto part = [&](const char *name, const char *title, double value, const char *figure) {
        return reference_to(fmt::format("memory_stages_{}_{}", context.step.rank, figure),
                            {name, title, Quantity::parameters}, value);
    };
    std::vector<Derivation> inputs{
        part("dense", "dense parameters of the rank", parameters.dense, "dense_parameters"),
        part("experts", "routed-expert parameters of the rank", parameters.experts, "expert_parameters")};
    if (context.plan.parallelism.zero_stage < 1)
        return sum_of(what, "every rank updates all of its parameters", std::move(inputs));
    inputs.push_back(dense_shards(context, "dense_shards"));
    inputs.push_back(expert_shards(context, "expert_shards"));
    inputs.push_back(copies_of_stage(context, "copies"));
    return by_formula(what, "optimizer-time", "updated", std::move(inputs));
}

/// Time of the all-reduces of gradient norm and loss, for which all accelerators wait.
Derivation step_sums(const ExplainContext &context) {
    return by_formula(
        {"sums_seconds", "time to all-reduce the gradient norm, then the loss", time}, "optimizer-time",
        "summed_seconds",
        {reduce_seconds(context, {"reduce_seconds", "time to all-reduce one number over all accelerators", time},
                        planned_group(context, RankSet::site),
                        software_fact({"bytes", "one number in FP32", Quantity::bytes}, summed_number_bytes,
                                      "norms and losses are summed in FP32"))});
}

} // namespace

Derivation explain_data(const ExplainContext &context) {
    return DataExplanation(context).take();
}

Derivation explain_optimizer(const ExplainContext &context) {
    const Device &device = context.layers.device();
    const double offloaded = context.plan.offload.optimizer;
    const auto updated = [&](const char *where, double share, const char *formula) {
        Derivation all = named("updated", updated_parameters(context));
        const double value = all.value * share;
        return derived({"parameters", where, Quantity::parameters}, value, formula,
                       "split by location of the optimizer states",
                       {std::move(all),
                        plan_field({"offloaded", "fraction of optimizer states in host memory", Quantity::share},
                                   offloaded, "/offload/optimizer")});
    };
    const bool splits = offloaded > 0;
    Derivation own = by_formula(
        {splits ? "own" : "step_optimizer_seconds", splits ? "update time on the accelerator" : "optimizer step", time},
        "optimizer-time", "seconds",
        {splits ? updated("parameters updated on the accelerator", 1 - offloaded, "updated * (1 - offloaded)")
                : updated_parameters(context),
         context.constant("bytes_per_parameter", ConstantId::optimizer_bytes_per_parameter), memory_rate(context),
         device.kernel_gap_seconds() == 0 ? software_fact({"gap", "idle time between kernels", time}, 0,
                                                          "this stack has no idle time between kernels")
                                          : context.constant("gap", ConstantId::kernel_gap_seconds),
         context.stack_fact({"software_seconds", "software overhead per step", time}, context.plan.stack.step_seconds,
                            "step_seconds"),
         step_sums(context)});
    if (!splits)
        return own;
    return sum_of({"step_optimizer_seconds", "optimizer step", time}, "accelerator and host update one after another",
                  {std::move(own),
                   host_update(context, updated("parameters updated on the host", offloaded, "updated * offloaded"))});
}

Derivation explain_hop(const ExplainContext &context) {
    const Network &network = context.layers.network();
    const PlannedGroup line = planned_group(context, RankSet::pipeline);
    const auto boundaries = static_cast<double>(line.ranks.members - 1);
    const bool scatters = scatters_sends(context.plan);
    const auto message = [&] {
        return derived({"bytes", "activations sent by one rank", Quantity::bytes},
                       sent_bytes(context.plan, context.layers), "hidden_bytes / ways",
                       "each tensor-parallel rank sends its part if the sequence is sharded or the send is scattered",
                       {hidden_bytes(context, "hidden_bytes"),
                        scatters ? named("ways", degree(context, "tensor")) : sequence_ways(context, "ways")});
    };
    std::vector<Derivation> tiers;
    double left = boundaries; // stage boundaries that cross a domain boundary in every tier processed so far
    const std::vector<Network::TierLinks> links = network.tiers_of(line);
    for (std::size_t i = 0; i < links.size(); ++i) {
        const double outside = std::ceil(static_cast<double>(line.ranks.members) / links[i].within) - 1;
        if (left > outside)
            tiers.push_back(by_formula(
                {tier_name(context, i), "contribution of the tier to the mean send time", time}, "stage-send",
                "tier_seconds",
                {derived({"crossing", "stage boundaries that cross the tier", count}, left - outside,
                         "ceil(pipeline / inside) - ceil(pipeline / within)", "from the placement of the stages",
                         {degree(context, "pipeline"), members_inside(context, line, i, "inside"),
                          members_in_tier(context, line, i, "within")}),
                 derived({"boundaries", "stage boundaries", count}, boundaries, "pipeline - 1", "definition",
                         {degree(context, "pipeline")}),
                 message(), sustained_bandwidth(context, links[i], i)}));
        left = outside;
    }
    number_repeats(tiers);
    const Labelled hop{"hop", "time of one send between stages", time};
    Derivation send = by_formula(
        scatters ? Labelled{"send_seconds", "time of one send, split across tensor-parallel ranks", time} : hop,
        "stage-send", "seconds",
        {sum_of({"wire_seconds", "time on the wire, averaged over stage boundaries", time}, "sum over tiers",
                std::move(tiers)),
         context.constant("factor", ConstantId::pipeline_send_factor),
         context.constant("base_seconds", ConstantId::pipeline_send_seconds)});
    if (!scatters)
        return send;
    return sum_of(hop, "the receivers all-gather the parts, arXiv 2104.04473, section 4.1",
                  {std::move(send),
                   gather_seconds(context, {"gather_seconds", "time to all-gather over tensor-parallel ranks", time},
                                  planned_group(context, RankSet::tensor), hidden_bytes(context, "bytes"))});
}

} // namespace meshwright

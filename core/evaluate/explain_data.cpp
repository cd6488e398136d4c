// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/explain_layers.h"
#include "evaluate/explain_layout.h"

#include "evaluate/quantity_names.h"

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
        const Labelled what{"step_data_exposed_seconds", "data-parallel traffic, exposed", time};
        if (m_parts.reduce + m_parts.gather == 0)
            return nothing(what, no_traffic, "/parallelism/data");
        switch (m_plan.parallelism.zero_stage) {
        case 0:
            return named(what.name, beside("reduce", reduce(), window("backward")));
        case 1:
            return sum_of(what, "once a step",
                          {beside_backward("reduce", window("backward")), weights_behind_update("gather")});
        case 2:
            return by_formula(what, "data-exposed", "step_seconds",
                              {reductions(), beside_backward("each_seconds", reduction_window()),
                               weights_behind_update("once_seconds")});
        default:
            if (keeps_gathered_weights(m_plan))
                return sum_of(what, "once a step",
                              {sharded("gather", "forward", gather(), {weights_carried()}),
                               sharded("reduce", "backward", reduce(), {gradients_carried()})});
            return by_formula(what, "data-exposed", "step_seconds",
                              {named("times", m_context.microbatches()),
                               sum_of({"each_seconds", "seen at every microbatch", time}, "forward and backward",
                                      {sharded("forward_pass", "forward", gather(), {weights_carried()}),
                                       adds_gradients_up(m_plan) ? backward_alone("backward_pass")
                                                                 : backward_with_gradients("backward_pass")}),
                               reduced_last("once_seconds")});
        }
    }

private:
    static constexpr const char *no_traffic = "nobody shares it";

    /// What is sent for each parameter of one kind: of dense weights or of routed experts.
    Derivation sent(bool dense, const char *name, const Derivation &each, double shards) const {
        const RankParameters &parameters = m_context.costs.ranks[m_context.step.rank].cost.parameters;
        const char *const figure = dense ? "dense_parameters" : "expert_parameters";
        std::vector<Derivation> factors{
            reference_to(fmt::format("memory_stages_{}_{}", m_context.step.rank, figure),
                         {"parameters", dense ? "dense parameters of the rank" : "routed-expert parameters of it",
                          Quantity::parameters},
                         dense ? parameters.dense : parameters.experts),
            named("each", each)};
        Derivation all = product_of({name, "of all its parameters", Quantity::bytes}, "definition", std::move(factors));
        if (shards <= 1)
            return all;
        const double value = all.value / shards;
        return derived({name, "of one share", Quantity::bytes}, value, "all / shards", "each rank keeps a share",
                       {named("all", std::move(all)),
                        dense ? dense_shards(m_context, "shards") : expert_shards(m_context, "shards")});
    }
    /// Collectives that one kind of traffic is cut into.
    Derivation pieces(Derivation bytes) const {
        const double bucket = m_plan.stack.bucket_bytes;
        const double value = std::max(1.0, std::ceil(bytes.value / bucket));
        return derived(
            {"pieces", "collectives that carry it", count}, value, "max(1, ceil(bytes / bucket))",
            "gradients are reduced bucket by bucket",
            {named("bytes", std::move(bytes)),
             m_context.stack_fact({"bucket", "of one collective", Quantity::bytes}, bucket, "bucket_bytes")});
    }
    struct Kind {
        bool dense;
        const char *name;
        Group group;
        double shards;
    };
    std::vector<Kind> kinds() const {
        const Groups &groups = m_context.layers.groups();
        const ShardGroups shards = shard_groups_of(m_plan);
        return {{true, "dense", groups.data, shards.dense}, {false, "experts", groups.expert_data, shards.experts}};
    }
    Derivation gathered(const Kind &kind, const std::string &name, const Derivation &each, bool at_once) const {
        Group group = kind.group;
        group.members = static_cast<std::int64_t>(kind.shards);
        return gather_seconds(m_context, {name, "among the ranks that share it", time}, group,
                              sent(kind.dense, "bytes", each, 1),
                              at_once ? software_fact({"pieces", "collectives that carry it", count}, 1,
                                                      "this stack gathers updated weights at once")
                                      : pieces(sent(kind.dense, "bytes", each, 1)));
    }
    /// Bytes of one value on its way, in its format or at most so many.
    Derivation on_the_way(DataType type, const char *field, double most) const {
        Derivation format = format_bytes({"format_bytes", "bytes of one of them", Quantity::bytes}, type, field);
        if (format.value <= most)
            return format;
        return derived({"each", "bytes of one of them on its way", Quantity::bytes}, most,
                       fmt::format("min({:g}, format_bytes)", most), "no wider format is sent", {std::move(format)});
    }

    Derivation reduce() const {
        const Derivation each = on_the_way(m_plan.precision.gradients, "/precision/gradients", 4);
        std::vector<Derivation> parts;
        for (const Kind &kind : kinds()) {
            if (m_plan.parallelism.zero_stage == 0) {
                parts.push_back(reduce_seconds(m_context, {kind.name, "all-reduced", time}, kind.group,
                                               sent(kind.dense, "bytes", each, 1),
                                               pieces(sent(kind.dense, "bytes", each, 1))));
                continue;
            }
            parts.push_back(gathered(kind, kind.name, each, false));
            const auto members = static_cast<std::int64_t>(kind.shards);
            const Group copies{.members = kind.group.members / members, .stride = kind.group.stride * members};
            parts.push_back(reduce_seconds(
                m_context, {fmt::format("{}_copies", kind.name), "summed over copies of a share", time}, copies,
                sent(kind.dense, "bytes", each, kind.shards), pieces(sent(kind.dense, "bytes", each, kind.shards))));
        }
        return sum_of({"traffic_seconds", "reducing all gradients", time}, "one after the other", std::move(parts));
    }
    Derivation gather() const {
        std::vector<Derivation> parts;
        const bool at_once = m_plan.parallelism.zero_stage < 3 && m_plan.stack.gathers_weights_at_once;
        if (m_plan.parallelism.zero_stage > 0)
            for (const Kind &kind : kinds())
                parts.push_back(
                    gathered(kind, kind.name, on_the_way(m_plan.precision.weights, "/precision/weights", 2), at_once));
        const Labelled what{"traffic_seconds", "gathering all weights", time};
        return parts.empty() ? nothing(what, no_traffic, "/parallelism/zero_stage")
                             : sum_of(what, "one after the other", std::move(parts));
    }
    Derivation both() const {
        return sum_of({"traffic_seconds", "gathering weights and reducing gradients", time},
                      "both in the backward pass", {named("weights", gather()), named("gradients", reduce())});
    }
    Derivation pass(const std::string &which, std::string name) const {
        const bool forward = which == "forward";
        const Labelled what{std::move(name), forward ? "forward pass of a microbatch" : "backward pass of a microbatch",
                            time};
        const LayerCost &cost = m_context.costs.ranks[m_context.step.rank].cost;
        const double whole = forward ? cost.whole_forward_seconds() : cost.backward_seconds();
        const double value = forward ? m_parts.forward : m_parts.backward;
        if (std::abs(value - whole) <= 1e-12 * whole)
            return whole_pass(m_context, what, forward);
        // Two microbatches side by side hide a share of their expert traffic.
        Derivation paired = microbatch_expert(m_context);
        Derivation seen = *paired.find("exposed_seconds");
        Derivation own =
            named("expert", expert_of_passes(m_context, forward ? ExpertPasses::forward : ExpertPasses::backward));
        return derived(what, value, "pass - (1 - paired / seen) * expert", "what pairing hides is not waited for",
                       {whole_pass(m_context, {"pass", "the whole pass", time}, forward),
                        named("paired", std::move(paired)), named("seen", std::move(seen)), std::move(own)});
    }
    Derivation window(const std::string &which) const {
        const Labelled what{"window_seconds", "work that it hides behind", time};
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
    /// What the reduction adds to the last backward pass, where gradients add up whole until then.
    Derivation reduced_last(std::string name) const {
        const Labelled what{std::move(name), "seen once a step", time};
        if (!adds_gradients_up(m_plan))
            return nothing(what, "everything is sharded", "/parallelism/zero_stage");
        Derivation with = backward_with_gradients("with");
        Derivation without = backward_alone("without");
        const double value = with.value - without.value;
        return derived(what, value, "with - without", "this stack reduces gradients with the last microbatch alone",
                       {std::move(with), std::move(without)});
    }
    /// How often a step reduces gradients.
    Derivation reductions() const {
        const std::int64_t in_a_row = microbatches_a_reduction(m_plan);
        const Labelled what{"times", "reductions of gradients in a step", count};
        const Labelled row{"in_a_row", "microbatches that one chunk runs in a row", count};
        if (in_a_row == 1)
            return named("times", m_context.microbatches());
        if (adds_gradients_up(m_plan) || definition_of(m_plan.parallelism.schedule).forward_first)
            return by_formula(what, "data-exposed", "reductions",
                              {m_context.microbatches(), named(row.name, m_context.microbatches())});
        const bool is_set = m_plan.parallelism.group.has_value();
        const double group = static_cast<double>(m_plan.parallelism.group.value_or(m_plan.parallelism.pipeline));
        Derivation round = plan_field({"round", is_set ? "interleaving group" : "pipeline stages", count}, group,
                                      is_set ? "/parallelism/group" : "/parallelism/pipeline");
        return by_formula(what, "data-exposed", "reductions",
                          {m_context.microbatches(),
                           derived(row, static_cast<double>(in_a_row), "min(round, microbatches)",
                                   "a round of interleaving", {std::move(round), m_context.microbatches()})});
    }
    Derivation reduction_window() const {
        if (microbatches_a_reduction(m_plan) > 1)
            return window("backward");
        return by_formula(
            {"window_seconds", "work that it hides behind", time}, "traffic-window", "reduction_seconds",
            {pass("backward", "backward_seconds"), pass("forward", "forward_seconds"), window("backward")});
    }
    /// What is seen of traffic beside a pass; all of it where the stack overlaps none.
    Derivation beside(std::string name, Derivation traffic, Derivation hidden_behind) const {
        const Labelled what{std::move(name), traffic.title, time};
        const double whole = traffic.value;
        if (!m_plan.stack.data_overlap)
            return derived(what, whole, "traffic_seconds", "this stack overlaps none of it", {std::move(traffic)});
        return by_formula(what, "data-exposed", "seconds",
                          {std::move(traffic), std::move(hidden_behind),
                           m_context.stack_fact({"exposed_share", "seen in any case", Quantity::share},
                                                m_plan.stack.data_exposed_share, "data_exposed_share")});
    }
    static Derivation in_plain_sight(std::string name, Derivation traffic, const char *why) {
        const Labelled what{std::move(name), traffic.title, time};
        const double whole = traffic.value;
        return derived(what, whole, "traffic_seconds", why, {std::move(traffic)});
    }
    Derivation beside_backward(std::string name, Derivation hidden_behind) const {
        if (m_plan.stack.overlaps_gradient_scatter || !m_plan.stack.data_overlap)
            return beside(std::move(name), reduce(), std::move(hidden_behind));
        return in_plain_sight(std::move(name), reduce(), "this stack scatters shares of gradients in plain sight");
    }
    Derivation weights_behind_update(std::string name) const {
        if (m_plan.stack.overlaps_weight_gather || !m_plan.stack.data_overlap)
            return beside(std::move(name), gather(), window("forward"));
        return in_plain_sight(std::move(name), gather(), "this stack's update waits for them");
    }
    Derivation weights_carried() const {
        return product_of(
            {"weights", "weights", Quantity::bytes}, "all of the rank's layers",
            {all_parameters(), named("each", on_the_way(m_plan.precision.weights, "/precision/weights", 2))});
    }
    Derivation gradients_carried() const {
        return product_of(
            {"gradients", "gradients", Quantity::bytes}, "all of the rank's layers",
            {all_parameters(), named("each", on_the_way(m_plan.precision.gradients, "/precision/gradients", 4))});
    }
    Derivation all_parameters() const {
        const RankParameters &parameters = m_context.costs.ranks[m_context.step.rank].cost.parameters;
        const auto part = [&](const char *figure, const char *title, double value) {
            return reference_to(fmt::format("memory_stages_{}_{}", m_context.step.rank, figure),
                                {figure, title, Quantity::parameters}, value);
        };
        return sum_of({"parameters", "parameters of the rank", Quantity::parameters}, "of both kinds",
                      {part("dense_parameters", "dense parameters", parameters.dense),
                       part("expert_parameters", "routed-expert parameters", parameters.experts)});
    }
    Derivation busy_links(const Derivation &traffic, std::vector<Derivation> carried) const {
        const Network::TierLinks links = m_context.layers.network().tiers_of({.members = 1}).front();
        return by_formula(
            {"busy_seconds", "that it keeps links inside a server busy", time}, "data-exposed", "busy_links_seconds",
            {traffic, sum_of({"bytes", "that it carries", Quantity::bytes}, "definition", std::move(carried)),
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
             derived({"layers", "layers of a stage", count}, layers, "max(1, layers_of_model / pipeline)", "definition",
                     {model_fact({"layers_of_model", "layers of the model", count},
                                 static_cast<double>(m_plan.model.layer_count()), "the model's shape"),
                      degree(m_context, "pipeline")}),
             m_context.stack_fact({"exposed_share", "seen of the smaller of both", Quantity::share},
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
        part("experts", "routed-expert parameters of it", parameters.experts, "expert_parameters")};
    if (context.plan.parallelism.zero_stage < 1)
        return sum_of(what, "every rank updates all of its own", std::move(inputs));
    inputs.push_back(dense_shards(context, "dense_shards"));
    inputs.push_back(expert_shards(context, "expert_shards"));
    inputs.push_back(copies_of_stage(context, "copies"));
    return by_formula(what, "optimizer-time", "updated", std::move(inputs));
}

/// The norm of gradients and the loss, which everybody waits for.
Derivation step_sums(const ExplainContext &context) {
    const Group all{.members = context.plan.site_accelerators(), .stride = 1};
    return by_formula({"sums_seconds", "summing the norm of gradients and the loss", time}, "optimizer-time",
                      "summed_seconds",
                      {reduce_seconds(context, {"reduce_seconds", "one number over all accelerators", time}, all,
                                      software_fact({"bytes", "a number in FP32", Quantity::bytes}, summed_number_bytes,
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
        return derived(
            {"parameters", where, Quantity::parameters}, value, formula, "where their states lie",
            {std::move(all),
             plan_field({"offloaded", "share in host memory", Quantity::share}, offloaded, "/offload/optimizer")});
    };
    const bool splits = offloaded > 0;
    Derivation own = by_formula(
        {splits ? "own" : "step_optimizer_seconds", splits ? "on the accelerator" : "optimizer", time},
        "optimizer-time", "seconds",
        {splits ? updated("that the accelerator updates", 1 - offloaded, "updated * (1 - offloaded)")
                : updated_parameters(context),
         context.constant("bytes_per_parameter", ConstantId::optimizer_bytes_per_parameter), memory_rate(context),
         device.kernel_gap_seconds() == 0
             ? software_fact({"gap", "gap between kernels", time}, 0, "this stack launches for free")
             : context.constant("gap", ConstantId::kernel_gap_seconds),
         context.stack_fact({"software_seconds", "what the software does once a step", time},
                            context.plan.stack.step_seconds, "step_seconds"),
         step_sums(context)});
    if (!splits)
        return own;
    return sum_of(
        {"step_optimizer_seconds", "optimizer", time}, "one after the other",
        {std::move(own), host_update(context, updated("that the host updates", offloaded, "updated * offloaded"))});
}

Derivation explain_hop(const ExplainContext &context) {
    const Network &network = context.layers.network();
    const Group line{.members = context.plan.parallelism.pipeline, .stride = context.layers.groups().pipeline_stride};
    const auto boundaries = static_cast<double>(line.members - 1);
    const bool scatters = scatters_sends(context.plan);
    const auto message = [&] {
        return derived({"bytes", "activations that one rank sends", Quantity::bytes},
                       sent_bytes(context.plan, context.layers), "hidden_bytes / ways",
                       "each tensor-parallel rank its share where the sequence is sharded, or what is sent scattered",
                       {hidden_bytes(context, "hidden_bytes"),
                        scatters ? named("ways", degree(context, "tensor")) : sequence_ways(context, "ways")});
    };
    std::vector<Derivation> tiers;
    double left = boundaries; // that no tier so far holds inside
    const std::vector<Network::TierLinks> links = network.tiers_of(line);
    for (std::size_t i = 0; i < links.size(); ++i) {
        const double outside = std::ceil(static_cast<double>(line.members) / links[i].within) - 1;
        if (left > outside)
            tiers.push_back(by_formula(
                {tier_name(context, i), "part of the tier", time}, "stage-send", "tier_seconds",
                {derived({"crossing", "boundaries that cross it", count}, left - outside,
                         "ceil(pipeline / inside) - ceil(pipeline / within)", "where the placement puts the stages",
                         {degree(context, "pipeline"), members_inside(context, line, i, "inside"),
                          members_held(context, line, i, "within")}),
                 derived({"boundaries", "boundaries between stages", count}, boundaries, "pipeline - 1", "definition",
                         {degree(context, "pipeline")}),
                 message(), sustained_bandwidth(context, links[i], i)}));
        left = outside;
    }
    number_repeats(tiers);
    const Labelled hop{"hop", "one send between stages", time};
    Derivation send =
        by_formula(scatters ? Labelled{"send_seconds", "shares on their way", time} : hop, "stage-send", "seconds",
                   {sum_of({"wire_seconds", "mean time on the wire over the pipeline's boundaries", time},
                           "tier by tier", std::move(tiers)),
                    context.constant("factor", ConstantId::pipeline_send_factor),
                    context.constant("base_seconds", ConstantId::pipeline_send_seconds)});
    if (!scatters)
        return send;
    return sum_of(hop, "the receivers gather the shares, arXiv 2104.04473, section 4.1",
                  {std::move(send),
                   gather_seconds(context, {"gather_seconds", "gathered over tensor-parallel ranks", time},
                                  context.layers.groups().tensor, hidden_bytes(context, "bytes"))});
}

} // namespace meshwright

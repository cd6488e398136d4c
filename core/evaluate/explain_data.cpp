// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/explain_layers.h"

#include <algorithm>

namespace meshwright {

namespace {

constexpr Quantity time = Quantity::seconds;
constexpr Quantity count = Quantity::count;

class DataExplanation {
public:
    explicit DataExplanation(const ExplainContext &context)
        : m_context(context)
        , m_plan(context.plan)
        , m_parts(data_parts(context.plan, context.layers, context.costs, context.assumed, context.step.rank)) { }

    Derivation take() const {
        const Labelled what{"step_data_exposed_seconds", "data-parallel traffic, exposed", time};
        if (m_parts.reduce + m_parts.gather == 0)
            return plan_field(what, 0, "/parallelism/data");
        switch (m_plan.parallelism.zero_stage) {
        case 0:
            return named(what.name, beside("reduce", reduce(), window("backward")));
        case 1:
            return sum_of(
                what, "once a step",
                {beside("reduce", reduce(), window("backward")), beside("gather", gather(), window("forward"))});
        case 2:
            return by_formula(what, "data-exposed", "step_seconds",
                              {m_context.microbatches(), beside("each_seconds", reduce(), reduction_window()),
                               beside("once_seconds", gather(), window("forward"))});
        default:
            return by_formula(
                what, "data-exposed", "step_seconds",
                {m_context.microbatches(),
                 sum_of({"each_seconds", "seen at every microbatch", time}, "forward and backward",
                        {sharded("forward_pass", "forward", gather()), sharded("backward_pass", "backward", both())}),
                 counted({"once_seconds", "seen once a step", time}, 0, "nothing more")});
        }
    }

private:
    Derivation reduce() const {
        return counted({"traffic_seconds", "reducing all gradients", time}, m_parts.reduce,
                       "collectives of dense and of expert gradients over the tiers: formulas tiers-all-reduce and "
                       "tiers-all-gather",
                       "/parallelism/data");
    }
    Derivation gather() const {
        return counted({"traffic_seconds", "gathering all weights", time}, m_parts.gather,
                       "all-gathers of dense and of expert weights over the tiers: formula tiers-all-gather",
                       "/parallelism/data");
    }
    Derivation both() const {
        return sum_of({"traffic_seconds", "gathering weights and reducing gradients", time},
                      "both in the backward pass", {named("weights", gather()), named("gradients", reduce())});
    }
    Derivation pass(const std::string &which, std::string name) const {
        const bool forward = which == "forward";
        return counted(
            {std::move(name), forward ? "forward pass of a microbatch" : "backward pass of a microbatch", time},
            forward ? m_parts.forward : m_parts.backward, "computing and seen traffic of the busiest rank",
            "/parallelism/pipeline");
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
    Derivation reduction_window() const {
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
    Derivation sharded(std::string name, const std::string &which, Derivation traffic) const {
        const double layers = std::max(
            1.0, static_cast<double>(m_plan.model.layer_count()) / static_cast<double>(m_plan.parallelism.pipeline));
        const Labelled what{std::move(name), traffic.title, time};
        return by_formula(
            what, "data-exposed", "sharded_seconds",
            {pass(which, "pass_seconds"), std::move(traffic),
             counted({"layers", "layers of a stage", count}, layers, "layers over stages", "/parallelism/pipeline"),
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
    const auto part = [](const char *name, const char *title, double value, const char *field) {
        return counted({name, title, Quantity::parameters}, value, "weights of its layers", field);
    };
    std::vector<Derivation> inputs{
        part("dense", "dense parameters of the rank", parameters.dense, "/parallelism/tensor"),
        part("experts", "routed-expert parameters of it", parameters.experts, "/parallelism/expert")};
    if (context.plan.parallelism.zero_stage < 1)
        return sum_of(what, "every rank updates all of its own", std::move(inputs));
    const ShardGroups shards = shard_groups_of(context.plan);
    inputs.push_back(counted({"dense_shards", "ranks that share dense states", count}, shards.dense,
                             "groups of the layout", "/parallelism/data"));
    inputs.push_back(counted({"expert_shards", "ranks that share expert states", count}, shards.experts,
                             "groups of the layout", "/parallelism/expert"));
    inputs.push_back(counted({"copies", "ranks of a pipeline that hold the stage", count}, stage_copies(context.plan),
                             "the schedule", "/parallelism/schedule"));
    return by_formula(what, "optimizer-time", "updated", std::move(inputs));
}

} // namespace

Derivation explain_data(const ExplainContext &context) {
    return DataExplanation(context).take();
}

Derivation explain_optimizer(const ExplainContext &context) {
    const Device &device = context.layers.device();
    return by_formula(
        {"step_optimizer_seconds", "optimizer", time}, "optimizer-time", "seconds",
        {updated_parameters(context),
         context.constant("bytes_per_parameter", ConstantId::optimizer_bytes_per_parameter),
         by_formula({"memory_rate", "sustained memory bandwidth", Quantity::bytes_per_second}, "sustained-bandwidth",
                    "memory_rate",
                    {context.accelerator_fact({"bandwidth", "memory bandwidth", Quantity::bytes_per_second},
                                              context.plan.cluster.accelerator.memory_bandwidth_bytes_per_second,
                                              "memory_bandwidth_bytes_per_second"),
                     context.constant("efficiency", ConstantId::memory_bandwidth_efficiency)}),
         software_fact({"gap", "gap between kernels", time}, device.kernel_gap_seconds(), "constant kernel-gap"),
         context.stack_fact({"software_seconds", "what the software does once a step", time},
                            context.plan.stack.step_seconds, "step_seconds")});
}

Derivation explain_hop(const ExplainContext &context) {
    const Labelled what{"hop", "one send between stages", time};
    const double factor = context.assumed[ConstantId::pipeline_send_factor];
    const double wire = context.shape.hop / factor - context.assumed[ConstantId::pipeline_send_seconds];
    return by_formula(
        what, "stage-send", "seconds",
        {counted({"wire_seconds", "mean time on the wire over the pipeline's boundaries", time}, wire,
                 "activations of a microbatch over the tiers that its boundaries cross", "/cluster/tiers"),
         context.constant("factor", ConstantId::pipeline_send_factor),
         context.constant("base_seconds", ConstantId::pipeline_send_seconds)});
}

} // namespace meshwright

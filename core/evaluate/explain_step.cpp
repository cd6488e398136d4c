// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/explain_layers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {

constexpr Quantity time = Quantity::seconds;
constexpr Quantity count = Quantity::count;

bool both_directions(const Plan &plan) {
    return plan.parallelism.schedule == Schedule::dualpipe || plan.parallelism.schedule == Schedule::chimera;
}

Derivation straggler(const ExplainContext &context) {
    return by_formula(
        {"factor", "waiting for the slowest of many"}, "straggler", "factor",
        {context.constant("loss_per_doubling", ConstantId::straggler_per_doubling), context.site_accelerators()});
}

/// A term that every microbatch pays.
Derivation term(const ExplainContext &context, const char *name, const char *title, Derivation seconds,
                std::vector<Derivation> factor = {}) {
    std::vector<Derivation> inputs{context.microbatches(), std::move(seconds)};
    for (Derivation &one : factor)
        inputs.push_back(std::move(one));
    return by_formula({name, title, time}, "microbatches-of-a-step", "step_seconds", std::move(inputs));
}

std::vector<Derivation> shape_inputs(const ExplainContext &context) {
    const PipelineShape &shape = context.shape;
    const auto pass = [](const char *name, const char *title, double value) {
        return counted({name, title, time}, value, "mean over the other ranks: what this one waits for",
                       "/parallelism/pipeline");
    };
    return {
        plan_field({"stages", "pipeline stages", count}, static_cast<double>(shape.stages), "/parallelism/pipeline"),
        context.microbatches(),
        plan_field({"chunks", "chunks a rank, or slices", count}, static_cast<double>(shape.chunks),
                   "/parallelism/chunks"),
        pass("forward", "forward pass of a microbatch", shape.forward),
        pass("input_gradient", "its gradients by inputs, with what is recomputed and seen", shape.input_gradient),
        pass("weight_gradient", "its gradients by weights", shape.weight_gradient),
        pass("backward", "its whole backward pass", shape.input_gradient + shape.weight_gradient)};
}

const char *bubble_formula(Schedule schedule) {
    switch (schedule) {
    case Schedule::zb_h1:
    case Schedule::zb_1p:
        return "zb-h1-bubble";
    case Schedule::zb_h2:
        return "zb-h2-bubble";
    case Schedule::zb_2p:
        return "zb-2p-bubble";
    case Schedule::interleaved_zb:
        return "interleaved-zb-bubble";
    case Schedule::zb_v:
        return "zb-v-bubble";
    case Schedule::v_half:
        return "v-half-bubble";
    case Schedule::v_min:
        return "v-min-bubble";
    case Schedule::dualpipe:
        return "dualpipe-bubble";
    case Schedule::dualpipe_v:
        return "dualpipe-v-bubble";
    case Schedule::chimera:
        return "chimera-bubble";
    default:
        return "fill-bubble";
    }
}

Derivation bubble(const ExplainContext &context) {
    const Labelled what{"step_bubble_seconds", "pipeline bubble", time};
    if (context.shape.stages <= 1)
        return plan_field(what, 0, "/parallelism/pipeline");
    std::vector<Derivation> inputs = shape_inputs(context);
    const Schedule schedule = context.plan.parallelism.schedule;
    if (schedule == Schedule::gpipe || schedule == Schedule::one_f_one_b)
        for (Derivation &input : inputs)
            if (input.name == "chunks")
                input.value = 1;
    return by_formula(what, bubble_formula(schedule), "bubble_seconds", std::move(inputs));
}

Derivation sends(const ExplainContext &context) {
    const Labelled what{"step_pipeline_exposed_seconds", "sends between stages, exposed", time};
    if (context.shape.stages <= 1)
        return plan_field(what, 0, "/parallelism/pipeline");
    std::vector<Derivation> inputs = shape_inputs(context);
    inputs.push_back(explain_hop(context));
    const Schedule schedule = context.plan.parallelism.schedule;
    if (schedule == Schedule::one_f_one_b)
        return by_formula(what, "pipeline-sends", "seconds", std::move(inputs));
    if (schedule == Schedule::interleaved && !context.plan.stack.overlaps_pipeline_sends)
        return by_formula(what, "schedule-sends", "chunked_seconds", std::move(inputs));
    const bool once = schedule == Schedule::gpipe || schedule == Schedule::zb_h1 || schedule == Schedule::zb_1p
        || schedule == Schedule::zb_h2 || schedule == Schedule::zb_2p || both_directions(context.plan);
    if (once)
        for (Derivation &input : inputs)
            if (input.name == "chunks")
                input.value = 1;
    const bool twice = schedule == Schedule::zb_h1 || schedule == Schedule::zb_1p;
    inputs.push_back(counted({"hops", "times that the line of stages is crossed"}, twice ? 4 : 2,
                             fmt::format("schedule {}", name_of(schedule)), "/parallelism/schedule"));
    return by_formula(what, "schedule-sends", "seconds", std::move(inputs));
}

/// Embedding, head, loss and prediction modules on the rank.
Derivation ends(double value) {
    return counted({"ends", "embedding, LM head, loss and prediction modules", time}, value,
                   "on the ranks that hold them: their matrix multiplies and memory-bound kernels", "/model");
}

} // namespace

std::map<std::size_t, PassedLayers> layers_passed(const ExplainContext &context) {
    std::vector<std::size_t> order;
    for (const LayerRun &run : context.plan.model.layers)
        order.insert(order.end(), static_cast<std::size_t>(run.count), static_cast<std::size_t>(run.block));
    const Recompute &recompute = context.plan.recompute;
    const double directions =
        both_directions(context.plan) && context.costs.ranks[context.step.rank].stages.size() > 1 ? 2 : 1;
    std::map<std::size_t, PassedLayers> counts;
    for (const std::int64_t s : context.costs.ranks[context.step.rank].stages) {
        const StageCost &stage = context.costs.stages[static_cast<std::size_t>(s)];
        for (std::int64_t i = 0; i < stage.layers; ++i) {
            const bool again = recompute.mode == RecomputeMode::full
                || (recompute.mode == RecomputeMode::layers && i < recompute.layers);
            PassedLayers &passed = counts[order[static_cast<std::size_t>(stage.first_layer + i)]];
            (again ? passed.recomputed : passed.stored) += 1 / directions;
        }
    }
    return counts;
}

Derivation microbatch_compute(const ExplainContext &context) {
    const RankCost &rank = context.costs.ranks[context.step.rank];
    std::vector<Derivation> inputs;
    std::string formula;
    double explained = 0;
    for (const auto &[index, passed] : layers_passed(context)) {
        Derivation layer = layer_compute(context, index);
        Derivation layers =
            counted({layer.name + "s", "how many of them a microbatch passes on the busiest rank", count},
                    passed.stored + passed.recomputed, "layout of layers over stages", "/parallelism/pipeline");
        explained += layer.value * layers.value;
        formula += (formula.empty() ? "" : " + ") + layers.name + " * " + layer.name;
        inputs.push_back(std::move(layers));
        inputs.push_back(std::move(layer));
    }
    inputs.push_back(ends(rank.cost.compute_seconds() - explained));
    formula += (formula.empty() ? "" : " + ") + std::string("ends");
    return derived({"seconds", "compute of one microbatch on the busiest rank", time}, rank.cost.compute_seconds(),
                   std::move(formula), "sum over the rank's layers", std::move(inputs));
}

Derivation microbatch_recompute(const ExplainContext &context) {
    const double all = context.costs.ranks[context.step.rank].cost.recompute_seconds;
    const Labelled what{"seconds", "forward work done again for a microbatch", time};
    if (all == 0)
        return plan_field(what, 0, "/recompute/mode");
    std::vector<Derivation> inputs;
    std::string formula;
    double explained = 0;
    for (const auto &[index, passed] : layers_passed(context))
        for (const bool whole : {true, false}) {
            const double times = whole ? passed.recomputed : passed.stored;
            const BlockCost &cost = context.layers.of_block(index);
            const double seconds = (whole ? cost.recomputed : cost.stored).recompute_seconds;
            if (times == 0 || seconds == 0)
                continue;
            const std::string name = name_of_block(context.plan.model, index) + (whole ? "" : "_part");
            explained += times * seconds;
            formula += fmt::format("{}{}s * {}", formula.empty() ? "" : " + ", name, name);
            inputs.push_back(counted({name + "s", "how many of them a microbatch passes on the busiest rank", count},
                                     times, "layout of layers over stages", "/recompute"));
            inputs.push_back(
                counted({name, whole ? "one layer's forward pass again" : "operations of a layer again", time}, seconds,
                        whole ? "its kernels, bound by their launches, less what stopping early leaves out"
                              : "the operations that the plan recomputes",
                        "/recompute"));
        }
    if (all - explained > 1e-12 * all) {
        inputs.push_back(
            counted({"modules", "prediction modules", time}, all - explained, "layers like the model's own", "/model"));
        formula += (formula.empty() ? "" : " + ") + std::string("modules");
    }
    return derived(what, all, std::move(formula), "sum over the rank's layers", std::move(inputs));
}

std::vector<Derivation> explain_step(const ExplainContext &context) {
    const auto part = [&](const char *figure, const char *name, const char *title, StepTerm which) {
        return reference_to(figure, {name, title, time}, context.result.step.term(which));
    };
    std::vector<Derivation> figures{
        sum_of({"step_seconds", "time of one step", time}, "the terms add up",
               {part("step_compute_seconds", "compute", "compute", StepTerm::compute),
                part("step_recompute_seconds", "recompute", "recomputation", StepTerm::recompute),
                part("step_bubble_seconds", "bubble", "pipeline bubble", StepTerm::bubble),
                part("step_tensor_exposed_seconds", "tensor", "tensor traffic, exposed", StepTerm::tensor),
                part("step_context_exposed_seconds", "context", "context traffic, exposed", StepTerm::context),
                part("step_expert_exposed_seconds", "expert", "expert traffic, exposed", StepTerm::expert),
                part("step_pipeline_exposed_seconds", "pipeline", "sends between stages, exposed", StepTerm::pipeline),
                part("step_data_exposed_seconds", "data", "data-parallel traffic, exposed", StepTerm::data),
                part("step_optimizer_seconds", "optimizer", "optimizer", StepTerm::optimizer)})};
    figures.push_back(
        term(context, "step_compute_seconds", "compute", microbatch_compute(context), {straggler(context)}));
    figures.push_back(
        term(context, "step_recompute_seconds", "recomputation", microbatch_recompute(context), {straggler(context)}));
    figures.push_back(bubble(context));
    figures.push_back(
        term(context, "step_tensor_exposed_seconds", "tensor traffic, exposed", microbatch_tensor(context)));
    figures.push_back(
        term(context, "step_context_exposed_seconds", "context traffic, exposed", microbatch_context(context)));
    figures.push_back(
        term(context, "step_expert_exposed_seconds", "expert traffic, exposed", microbatch_expert(context)));
    figures.push_back(sends(context));
    figures.push_back(explain_data(context));
    figures.push_back(explain_optimizer(context));
    return figures;
}

} // namespace meshwright

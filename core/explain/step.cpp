// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/layers.h"
#include "explain/layout.h"

#include "explain/quantity_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace meshwright {

namespace {

Derivation straggler(const ExplainContext &context) {
    return by_formula(
        {"factor", "slowdown from waiting for the slowest accelerator"}, "straggler", "factor",
        {context.constant("loss_per_doubling", ConstantId::straggler_per_doubling), context.site_accelerators()});
}

/// A term of the step time that is a sum over the microbatches.
Derivation term(const ExplainContext &context, const char *name, const char *title, Derivation seconds,
                std::vector<Derivation> factor = {}) {
    std::vector<Derivation> inputs{context.microbatches(), std::move(seconds)};
    for (Derivation &one : factor)
        inputs.push_back(std::move(one));
    return by_formula({name, title, time}, "microbatches-of-a-step", "step_seconds", std::move(inputs));
}

} // namespace

std::vector<Derivation> schedule_inputs(const ExplainContext &context) {
    const PipelineShape &shape = context.shape;
    const std::size_t ranks = context.costs.ranks.size();
    std::vector<std::size_t> others;
    for (std::size_t r = 0; r < ranks; ++r)
        if (r != context.step.rank || ranks == 1)
            others.push_back(r);
    const auto mean = [&](const char *name, const char *title, Pass pass) {
        Derivation all = carried_pass(context, {"all", "sum over the other ranks", time}, others, pass);
        const double value = all.value / static_cast<double>(others.size());
        return derived({name, title, time}, value, "all / ranks",
                       "average over the other ranks, because this rank waits for them",
                       {std::move(all),
                        derived({"ranks", "number of ranks in the pipeline besides this one", count},
                                static_cast<double>(others.size()), "max(1, pipeline - 1)",
                                "all pipeline stages but one", {degree(context, "pipeline")})});
    };
    Derivation forward = mean("forward", "time of a microbatch's forward pass", Pass::forward);
    Derivation input = mean("input_gradient",
                            "time of a microbatch's input gradients, including recomputation and exposed communication",
                            Pass::input_gradient);
    Derivation weight = mean("weight_gradient", "time of a microbatch's weight gradients", Pass::weight_gradient);
    Derivation backward = sum_of({"backward", "time of a microbatch's whole backward pass", time},
                                 "input gradients plus weight gradients", {input, weight});
    return {
        plan_field({"stages", "pipeline stages", count}, static_cast<double>(shape.stages), "/parallelism/pipeline"),
        context.microbatches(),
        plan_field({"chunks", "chunks per rank, or slices per sequence", count}, static_cast<double>(shape.chunks),
                   "/parallelism/chunks"),
        std::move(forward),
        std::move(input),
        std::move(weight),
        std::move(backward)};
}

namespace {

/// Sets the number of chunks to 1 in the inputs of closed forms that treat a rank's chunks as one.
void take_chunks_as_one(std::vector<Derivation> &inputs) {
    for (Derivation &input : inputs)
        if (input.name == "chunks")
            input.value = 1;
}

} // namespace

Derivation closed_form_bubble(const ExplainContext &context, Labelled what) {
    std::vector<Derivation> inputs = schedule_inputs(context);
    const ScheduleDefinition &definition = definition_of(context.plan.parallelism.schedule);
    if (definition.chunks == ChunkCount::one)
        take_chunks_as_one(inputs);
    return by_formula(std::move(what), definition.forms.bubble_formula, "bubble_seconds", std::move(inputs));
}

Derivation closed_form_sends(const ExplainContext &context, Labelled what) {
    std::vector<Derivation> inputs = schedule_inputs(context);
    inputs.push_back(explain_hop(context));
    const SendForm &form = definition_of(context.plan.parallelism.schedule).forms.sends;
    if (form.waits == SendForm::Waits::neighbours)
        return by_formula(std::move(what), "pipeline-sends", "seconds", std::move(inputs));
    if (form.waits == SendForm::Waits::chunks && !context.plan.stack.overlaps_pipeline_sends)
        return by_formula(std::move(what), "schedule-sends", "chunked_seconds", std::move(inputs));
    if (!form.through_chunks)
        take_chunks_as_one(inputs);
    inputs.push_back(derived({"hops", "traversals of the pipeline"}, static_cast<double>(form.crossings),
                             fmt::format("{} ? 4 : 2", schedules_that([](const ScheduleDefinition &each) {
                                             return each.forms.sends.crossings == 4;
                                         })),
                             "zero bubble, arXiv 2401.10241: ZB-H1's drain traverses the pipeline two more times",
                             {schedule_field(context)}));
    return by_formula(std::move(what), "schedule-sends", "seconds", std::move(inputs));
}

namespace {

Derivation bubble(const ExplainContext &context) {
    Labelled what{"step_bubble_seconds", "pipeline bubble", time};
    if (context.shape.stages <= 1)
        return nothing(std::move(what), "a single stage", "/parallelism/pipeline");
    return context.is_executed() ? executed_figure(context, std::move(what), context.step.bubble)
                                 : closed_form_bubble(context, std::move(what));
}

Derivation exposed_sends(const ExplainContext &context) {
    Labelled what{"step_pipeline_exposed_seconds", "exposed sends between stages", time};
    if (context.shape.stages <= 1)
        return nothing(std::move(what), "a single stage", "/parallelism/pipeline");
    return context.is_executed() ? executed_figure(context, std::move(what), context.step.pipeline)
                                 : closed_form_sends(context, std::move(what));
}

} // namespace

std::vector<CarriedLayers> layers_passed(const ExplainContext &context) {
    const RankCost &rank = context.costs.ranks[context.step.rank];
    std::vector<CarriedLayers> layers = layers_of_rank(context, rank.stages);
    if (both_directions(context.plan) && rank.stages.size() > 1)
        for (CarriedLayers &each : layers)
            each.count /= 2;
    return layers;
}

double modules_passed(const ExplainContext &context) {
    const RankCost &rank = context.costs.ranks[context.step.rank];
    const bool holds = std::any_of(rank.stages.begin(), rank.stages.end(), [&](std::int64_t s) {
        return context.costs.stages[static_cast<std::size_t>(s)].holds_head;
    });
    const double each = both_directions(context.plan) && rank.stages.size() > 1 ? 0.5 : 1;
    return holds ? each * static_cast<double>(context.plan.model.mtp_layers) : 0;
}

Derivation microbatch_compute(const ExplainContext &context) {
    // Number of layers of each block, whether or not they are recomputed.
    std::map<std::size_t, double> passed;
    for (const CarriedLayers &layers : layers_passed(context))
        passed[layers.block] += layers.count;
    std::vector<Derivation> inputs;
    std::string formula;
    double value = 0;
    for (const auto &[block, times] : passed) {
        Derivation layer = layer_compute(context, block);
        Derivation layers = counted(
            {layer.name + "s", "layers of this kind that a microbatch passes through on the busiest rank", count},
            times, "layers are assigned to the stages in model order", "/parallelism/pipeline");
        value += layer.value * layers.value;
        formula += (formula.empty() ? "" : " + ") + layers.name + " * " + layer.name;
        inputs.push_back(std::move(layers));
        inputs.push_back(std::move(layer));
    }
    inputs.push_back(ends_compute(context));
    value += inputs.back().value;
    formula += (formula.empty() ? "" : " + ") + inputs.back().name;
    return derived({"seconds", "compute time of one microbatch on the busiest rank", time}, value, std::move(formula),
                   "sum over the rank's layers", std::move(inputs));
}

Derivation microbatch_recompute(const ExplainContext &context) {
    const Labelled what{"seconds", "recomputation time per microbatch", time};
    if (context.costs.ranks[context.step.rank].cost.recompute_seconds == 0)
        return nothing(what, "nothing is recomputed", "/recompute/mode");
    return over_layers(context, what, "/recompute",
                       [&](const CarriedLayers &layers, const std::string &name) -> std::optional<Derivation> {
                           if (cost_of(context, layers).recompute_seconds == 0)
                               return std::nullopt;
                           return layer_again(context, layers, name);
                       });
}

std::vector<Derivation> explain_step(const ExplainContext &context) {
    const auto part = [&](const char *figure, const char *name, const char *title, StepTerm which) {
        return reference_to(figure, {name, title, time}, context.result.step.term(which));
    };
    std::vector<Derivation> figures{sum_of(
        {"step_seconds", "step time", time}, "sum of the terms",
        {part("step_compute_seconds", "compute", "compute", StepTerm::compute),
         part("step_recompute_seconds", "recompute", "recomputation", StepTerm::recompute),
         part("step_bubble_seconds", "bubble", "pipeline bubble", StepTerm::bubble),
         part("step_tensor_exposed_seconds", "tensor", "exposed tensor-parallel communication", StepTerm::tensor),
         part("step_context_exposed_seconds", "context", "exposed context-parallel communication", StepTerm::context),
         part("step_expert_exposed_seconds", "expert", "exposed expert-parallel communication", StepTerm::expert),
         part("step_pipeline_exposed_seconds", "pipeline", "exposed sends between stages", StepTerm::pipeline),
         part("step_data_exposed_seconds", "data", "exposed data-parallel communication", StepTerm::data),
         part("step_optimizer_seconds", "optimizer", "optimizer step", StepTerm::optimizer)})};
    const double copies = context.step.copies;
    Derivation compute = term(context, copies > 0 ? "passes" : "step_compute_seconds",
                              copies > 0 ? "forward and backward passes of the rank's layers" : "compute",
                              microbatch_compute(context), {straggler(context)});
    if (copies > 0) {
        const Labelled waiting{"step_detail_copies_seconds", "waiting for activations in host memory", time};
        compute = sum_of({"step_compute_seconds", "compute", time}, "including waits for host memory",
                         {std::move(compute), reference_to(waiting.name, {"copies", waiting.title, time}, copies)});
        figures.push_back(term(context, "step_detail_copies_seconds", "waiting for activations in host memory",
                               microbatch_copies(context)));
    }
    figures.push_back(std::move(compute));
    figures.push_back(
        term(context, "step_recompute_seconds", "recomputation", microbatch_recompute(context), {straggler(context)}));
    figures.push_back(bubble(context));
    figures.push_back(term(context, "step_tensor_exposed_seconds", "exposed tensor-parallel communication",
                           microbatch_tensor(context)));
    figures.push_back(term(context, "step_context_exposed_seconds", "exposed context-parallel communication",
                           microbatch_context(context)));
    figures.push_back(term(context, "step_expert_exposed_seconds", "exposed expert-parallel communication",
                           microbatch_expert(context)));
    figures.push_back(exposed_sends(context));
    // The data-parallel and optimizer terms may be those of another rank.
    std::optional<ExplainContext> apart;
    if (context.step.apart_rank != context.step.rank)
        apart.emplace(context).step.rank = context.step.apart_rank;
    for (auto term_of_rank : {explain_data, explain_optimizer})
        figures.push_back(term_of_rank(apart ? *apart : context));
    return figures;
}

} // namespace meshwright

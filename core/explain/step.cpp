// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/step.h"

#include "explain/quantity_names.h"

#include <fmt/format.h>

#include <algorithm>

namespace meshwright {

std::vector<Derivation> schedule_inputs(const ExplainContext &context) {
    const PipelineShape &shape = context.shape;
    const BasicMeanPasses<Traced> mean = mean_passes(context.plan, context.rank_costs.of_others(context.step.rank));
    const Derivation input = mean.input_gradient.derivation(
        {"input_gradient", "time of a microbatch's input gradients, including recomputation and exposed communication",
         time},
        {});
    const Derivation weight =
        mean.weight_gradient.derivation({"weight_gradient", "time of a microbatch's weight gradients", time}, {});
    Derivation backward = sum_of({"backward", "time of a microbatch's whole backward pass", time},
                                 "input gradients plus weight gradients", {input, weight});
    return {
        plan_field({"stages", "pipeline stages", count}, static_cast<double>(shape.stages), "/parallelism/pipeline"),
        context.microbatches(),
        plan_field({"chunks", "chunks per rank, or slices per sequence", count}, static_cast<double>(shape.chunks),
                   "/parallelism/chunks"),
        mean.forward.derivation({"forward", "time of a microbatch's forward pass", time}, {}),
        input,
        weight,
        std::move(backward)};
}

namespace {

/// Sets the number of chunks to 1 in the inputs of closed forms that treat a rank's chunks as one.
void take_chunks_as_one(std::vector<Derivation> &inputs) {
    for (Derivation &input : inputs)
        if (input.name == "chunks")
            input.value = 1;
}

/// Text of a condition on the symbol `schedule`: true for the schedules whose sends traverse the pipeline four times.
std::string crosses_four_times() {
    std::vector<std::string> places;
    for (const Schedule each : all_schedules())
        if (definition_of(each).forms.sends.crossings == 4)
            places.push_back(fmt::format("schedule == {}", static_cast<int>(each)));
    return places.empty() ? "0" : fmt::format("{}", fmt::join(places, " || "));
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
                             fmt::format("{} ? 4 : 2", crosses_four_times()),
                             "zero bubble, arXiv 2401.10241: ZB-H1's drain traverses the pipeline two more times",
                             {context.schedule()}));
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

namespace {

/// A term of the step time, or a statement that it is 0.
Derivation term(Labelled what, const Traced &seconds, const char *why_none, const char *field) {
    return seconds.value() == 0 ? nothing(std::move(what), why_none, field) : seconds.derivation(std::move(what), {});
}

} // namespace

std::vector<Derivation> explain_passes(const ExplainContext &context) {
    return context.rank_costs.figures();
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
    const BasicStepSeconds<Traced> passes =
        passes_of_rank(context.plan, context.rank_costs.of_rank(context.step.rank),
                       straggler_of<Traced>(context.plan, context.assumed), pairing_of(context.plan));
    if (passes.copies > 0)
        figures.push_back(passes.copies.derivation(
            {"step_detail_copies_seconds", "waiting for activations in host memory", time}, {}));
    figures.push_back(
        passes.compute.derivation({"step_compute_seconds", "compute", time}, "including waits for host memory"));
    const auto add = [&](const char *name, const char *title, const Traced &seconds, const char *why_none,
                         const char *field) {
        figures.push_back(term({name, title, time}, seconds, why_none, field));
    };
    constexpr const char *no_traffic = "no exposed communication of this kind";
    add("step_recompute_seconds", "recomputation", passes.recompute, "nothing is recomputed", "/recompute/mode");
    figures.push_back(bubble(context));
    add("step_tensor_exposed_seconds", "exposed tensor-parallel communication", passes.tensor, no_traffic,
        "/parallelism/tensor");
    add("step_context_exposed_seconds", "exposed context-parallel communication", passes.context, no_traffic,
        "/parallelism/context");
    add("step_expert_exposed_seconds", "exposed expert-parallel communication", passes.expert, no_traffic,
        "/parallelism/expert");
    figures.push_back(exposed_sends(context));
    for (Derivation &figure : explain_data(context))
        figures.push_back(std::move(figure));
    return figures;
}

} // namespace meshwright

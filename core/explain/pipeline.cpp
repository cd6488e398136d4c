// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/step.h"
#include "plan/valid_values.h"

#include "explain/quantity_names.h"

#include <fmt/format.h>

namespace meshwright {

namespace {

Derivation term(const char *figure, const char *name, const char *title, double value) {
    return reference_to(figure, {name, title, time}, value);
}

Derivation sends(const ExplainContext &context) {
    return term("step_pipeline_exposed_seconds", "send_seconds", "sends between stages", context.step.pipeline);
}

Derivation idle(const ExplainContext &context) {
    Labelled what{"idle_seconds", "idle time of the busiest rank within the makespan", time};
    if (context.is_executed())
        return executed_figure(context, std::move(what), context.step.idle);
    return by_formula(
        std::move(what), "pipeline-idle", "idle",
        {term("step_bubble_seconds", "bubble_seconds", "pipeline bubble", context.step.bubble), sends(context)});
}

std::vector<Derivation> span_inputs(const ExplainContext &context) {
    std::vector<Derivation> inputs = schedule_inputs(context);
    inputs.insert(inputs.begin(), context.schedule());
    return inputs;
}

Derivation span_idle(const ExplainContext &context) {
    Labelled what{"span_idle_seconds", "idle time within the busiest rank's span", time};
    if (context.is_executed())
        return executed_figure(context, std::move(what), context.step.span_idle);
    const double inside = context.step.span_idle - context.step.pipeline;
    Derivation bubble = context.step.span_idle == context.step.idle
        ? term("step_bubble_seconds", "bubble_seconds", "pipeline bubble", context.step.bubble)
        : by_simulation({"bubble_seconds", "bubble within the busiest rank's span", time}, inside, "span_bubble",
                        fmt::format("closed form of {}", name_of(context.plan.parallelism.schedule)),
                        span_inputs(context));
    return by_formula(std::move(what), "pipeline-idle", "idle", {std::move(bubble), sends(context)});
}

/// Idle time of all ranks due to one cause. It comes from the simulation, or from closed forms if the pipeline is too
/// long to simulate.
Derivation idle_cause(const ExplainContext &context, const char *name, const char *title, double value) {
    Labelled what{name, title, Quantity::share};
    if (context.plan.parallelism.pipeline == 1)
        return nothing(std::move(what), "a single stage never waits", "/parallelism/pipeline");
    return executed_figure(context, std::move(what), value);
}

std::vector<Derivation> idle_of_all_ranks(const ExplainContext &context) {
    const Pipeline &pipeline = context.result.pipeline;
    const auto cause = [](const char *figure, const char *name, const char *title, double value) {
        return reference_to(figure, {name, title, Quantity::share}, value);
    };
    return {sum_of({"pipeline_idle_of_all_ranks", "idle time of all ranks, divided by ranks times makespan",
                    Quantity::share},
                   "idle time of every rank from the first operation to the last, by cause",
                   {cause("pipeline_idle_warm_up_and_drain", "warm_up_and_drain", "warm-up and drain",
                          pipeline.idle_warm_up_and_drain),
                    cause("pipeline_idle_imbalance", "imbalance", "imbalance", pipeline.idle_imbalance),
                    cause("pipeline_idle_waiting_for_sends", "waiting_for_sends", "waiting for sends",
                          pipeline.idle_waiting_for_sends)}),
            idle_cause(context, "pipeline_idle_warm_up_and_drain",
                       "idle before the first backward pass and after the last forward pass of each rank",
                       pipeline.idle_warm_up_and_drain),
            idle_cause(context, "pipeline_idle_imbalance",
                       "idle between warm-up and drain, waiting for an operation of another rank",
                       pipeline.idle_imbalance),
            idle_cause(context, "pipeline_idle_waiting_for_sends", "idle waiting for a message in transit",
                       pipeline.idle_waiting_for_sends)};
}

/// Makespan by the schedule's closed form: compute and communication of the busiest rank, plus bubble and sends of the
/// average stage.
Derivation closed_form_makespan(const ExplainContext &context) {
    const StepSeconds &step = context.step;
    return sum_of({"pipeline_closed_form_makespan_seconds", "makespan by the schedule's closed form", time},
                  "the busiest rank's compute and communication, plus bubble and sends of the average stage",
                  {term("step_compute_seconds", "compute", "compute", step.compute),
                   term("step_recompute_seconds", "recompute", "recomputation", step.recompute),
                   term("step_tensor_exposed_seconds", "tensor", "tensor-parallel communication", step.tensor),
                   term("step_context_exposed_seconds", "context", "context-parallel communication", step.context),
                   term("step_expert_exposed_seconds", "expert", "expert-parallel communication", step.expert),
                   closed_form_bubble(context, {"bubble", "pipeline bubble", time}),
                   closed_form_sends(context, {"pipeline", "sends between stages", time})});
}

Derivation makespan(const ExplainContext &context) {
    return reference_to("pipeline_makespan_seconds", {"makespan_seconds", "makespan of the pipeline", time},
                        context.result.pipeline.makespan_seconds);
}

Derivation in_flight(const ExplainContext &context, std::size_t rank) {
    const Parallelism &parallelism = context.plan.parallelism;
    const Labelled what{fmt::format("pipeline_in_flight_{}", rank),
                        fmt::format("peak chunks in flight on rank {}", rank), Quantity::count};
    if (context.result.memory.executed)
        return executed_figure(context, what, static_cast<double>(context.result.pipeline.in_flight[rank]), rank);
    Derivation chunks = by_formula(
        {"chunks_in_flight", "chunks in flight, each from its forward pass to its weight gradient", Quantity::count},
        "pipeline-in-flight", "chunks_in_flight",
        {context.schedule(),
         plan_field({"stages", "pipeline stages", Quantity::count}, static_cast<double>(parallelism.pipeline),
                    "/parallelism/pipeline"),
         context.microbatches(),
         plan_field({"chunks", "chunks per rank", Quantity::count}, static_cast<double>(parallelism.chunks),
                    "/parallelism/chunks"),
         plan_field({"group", "microbatches per interleaving group", Quantity::count},
                    static_cast<double>(interleaving_group(context.plan)),
                    parallelism.group ? "/parallelism/group" : "/parallelism/pipeline"),
         counted({"rank", "rank in the pipeline"}, static_cast<double>(rank), "index of the rank in the pipeline",
                 "/parallelism/pipeline")});
    return derived(what, static_cast<double>(context.result.pipeline.in_flight[rank]), "max(1, chunks_in_flight)",
                   "a rank holds at least the chunk that it runs", {std::move(chunks)});
}

} // namespace

std::vector<Derivation> explain_pipeline(const ExplainContext &context) {
    const auto share = [&](const char *name, const char *title, const char *result, std::vector<Derivation> inputs) {
        return by_formula({name, title, Quantity::share}, "pipeline-idle", result, std::move(inputs));
    };
    std::vector<Derivation> figures{
        share("pipeline_bubble_of_ideal", "bubble: idle time relative to ideal time", "of_ideal",
              {idle(context), makespan(context)}),
        share("pipeline_bubble_of_total", "bubble: idle time relative to total time", "of_total",
              {idle(context), makespan(context)}),
        share("pipeline_bubble_of_span", "bubble: idle time relative to the busiest rank's span", "of_span",
              {idle(context), makespan(context), span_idle(context)}),
        sum_of({"pipeline_makespan_seconds", "makespan of the pipeline", time},
               "the step without data-parallel communication and optimizer",
               {term("step_compute_seconds", "compute", "compute", context.step.compute),
                term("step_recompute_seconds", "recompute", "recomputation", context.step.recompute),
                term("step_bubble_seconds", "bubble", "pipeline bubble", context.step.bubble),
                term("step_tensor_exposed_seconds", "tensor", "tensor-parallel communication", context.step.tensor),
                term("step_context_exposed_seconds", "context", "context-parallel communication", context.step.context),
                term("step_expert_exposed_seconds", "expert", "expert-parallel communication", context.step.expert),
                term("step_pipeline_exposed_seconds", "pipeline", "sends between stages", context.step.pipeline)})};
    for (Derivation &figure : idle_of_all_ranks(context))
        figures.push_back(std::move(figure));
    if (context.is_executed())
        figures.push_back(closed_form_makespan(context));
    for (std::size_t rank = 0; rank < context.result.pipeline.in_flight.size(); ++rank)
        figures.push_back(in_flight(context, rank));
    const BasicLayerCost<Traced> &rank = context.rank_costs.of_rank(context.step.rank);
    figures.push_back(rank.whole_forward_seconds().derivation(
        {"pipeline_forward_seconds", "time of a microbatch's forward pass on the busiest rank", time},
        "compute, exposed communication and waits"));
    figures.push_back(rank.backward_seconds().derivation(
        {"pipeline_backward_seconds", "time of a microbatch's backward pass on the busiest rank", time},
        "gradients, recomputation, exposed communication and waits"));
    return figures;
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/step.h"

#include "explain/quantity_names.h"

#include <fmt/format.h>

#include <algorithm>

namespace meshwright {

namespace {

class ScheduleExplanation {
public:
    ScheduleExplanation(const ExplainContext &context, const PlanPipeline &pipeline)
        : m_context(context)
        , m_pipeline(pipeline)
        , m_timeline(pipeline.timeline) { }

    std::vector<Derivation> take() {
        times();
        idle();
        causes();
        for (std::size_t rank = 0; rank < m_timeline.peak_bytes.size(); ++rank)
            memory_of(rank);
        most("peak_bytes", "peak memory over all ranks", bytes);
        most("in_flight", "peak chunks in flight over all ranks", count);
        return std::move(m_figures);
    }

private:
    static std::string name(const char *figure) { return fmt::format("schedule_{}", figure); }
    static std::string name(std::size_t rank, const char *figure) {
        return fmt::format("schedule_ranks_{}_{}", rank, figure);
    }
    const Derivation &figure(const std::string &named) const {
        return *std::find_if(m_figures.begin(), m_figures.end(),
                             [&](const Derivation &each) { return each.name == named; });
    }
    Derivation reference(const std::string &to, const char *as) const {
        const Derivation &made = figure(to);
        return reference_to(to, {as, made.title, made.quantity}, made.value);
    }

    Derivation executed(Labelled what, double value) const {
        return executed_figure(m_context, std::move(what), value);
    }

    void times() {
        m_figures.push_back(executed({name("ideal_seconds"), "busy time of the busiest rank", time}, m_timeline.ideal));
        m_figures.push_back(
            executed({name("idle_seconds"), "idle time of the busiest rank until the last rank ends", time},
                     m_timeline.makespan - m_timeline.ideal));
        m_figures.push_back(
            executed({name("span_seconds"), "longest time of a rank from its first operation to its last", time},
                     m_timeline.span));
        m_figures.push_back(
            sum_of({name("makespan_seconds"), "makespan of the simulated pipeline", time},
                   "busy and idle time of the busiest rank",
                   {reference(name("ideal_seconds"), "ideal"), reference(name("idle_seconds"), "idle")}));
        share("bubble_of_ideal", "bubble: idle time relative to ideal time", m_timeline.bubble_of_ideal(),
              "idle / ideal", {reference(name("idle_seconds"), "idle"), reference(name("ideal_seconds"), "ideal")});
        share("bubble_of_total", "bubble: idle time relative to total time", m_timeline.bubble_of_total(),
              "idle / makespan",
              {reference(name("idle_seconds"), "idle"), reference(name("makespan_seconds"), "makespan")});
        share("bubble_of_span", "bubble: idle time relative to the longest span of a rank", m_timeline.bubble_of_span(),
              "(span - ideal) / span",
              {reference(name("span_seconds"), "span"), reference(name("ideal_seconds"), "ideal")});
    }

    /// Idle time of all ranks by cause, as the timeline draws it.
    void idle() {
        const IdleShares &shares = m_pipeline.idle;
        const auto cause = [this](const char *figure, const char *title, double value) {
            m_figures.push_back(executed({name(figure), title, Quantity::share}, value));
        };
        cause("idle_warm_up_and_drain",
              "idle before the first backward pass and after the last forward pass of each rank",
              shares.warm_up_and_drain);
        cause("idle_imbalance", "idle between warm-up and drain, waiting for an operation of another rank",
              shares.imbalance);
        cause("idle_waiting_for_sends", "idle waiting for a message in transit", shares.sends);
        m_figures.push_back(sum_of(
            {name("idle_of_all_ranks"), "idle time of all ranks, divided by ranks times makespan", Quantity::share},
            "idle time of every rank from the first operation to the last, by cause",
            {reference(name("idle_warm_up_and_drain"), "warm_up_and_drain"),
             reference(name("idle_imbalance"), "imbalance"),
             reference(name("idle_waiting_for_sends"), "waiting_for_sends")}));
    }

    /// The value of each cause is the time that the step would save without it.
    void causes() {
        const ExposedCauses &exposed = m_pipeline.exposed;
        const auto cause = [this](const char *figure, const char *title, double value) {
            m_figures.push_back(executed({name(figure), title, time}, value));
        };
        cause("exposed_sends_seconds", "exposed sends between stages", exposed.sends);
        cause("exposed_tensor_seconds", "exposed tensor-parallel communication", exposed.tensor);
        cause("exposed_context_seconds", "exposed context-parallel communication", exposed.context);
        cause("exposed_expert_seconds", "exposed expert-parallel communication", exposed.expert);
        cause("exposed_data_seconds", "exposed communication of weights and gradients", exposed.data);
        cause("exposed_recompute_seconds", "exposed recomputation", exposed.recompute);
    }

    void share(const char *figure, const char *title, double value, const char *formula,
               std::vector<Derivation> inputs) {
        m_figures.push_back(derived({name(figure), title, Quantity::share}, value, formula,
                                    "definition, applied to the simulated pipeline", std::move(inputs)));
    }

    void memory_of(std::size_t rank) {
        m_figures.push_back(executed_figure(
            m_context, {name(rank, "in_flight"), fmt::format("peak chunks in flight on rank {}", rank), count},
            m_timeline.peak_in_flight[rank], rank));
        const double resident = m_pipeline.work.resident_bytes[rank];
        m_figures.push_back(resident_of(rank));
        Derivation held = executed_figure(
            m_context,
            {"activations", fmt::format("activations and working memory of rank {} at its peak", rank), bytes},
            m_timeline.peak_bytes[rank] - resident, rank);
        held.inputs.push_back(reference(name(rank, "in_flight"), "in_flight"));
        held.formula.insert(held.formula.size() - 1, ", in_flight");
        m_figures.push_back(
            sum_of({name(rank, "peak_bytes"), fmt::format("memory of rank {} at its peak", rank), bytes},
                   "resident memory, activations and working memory",
                   {reference(name(rank, "resident_bytes"), "resident"), std::move(held)}));
    }

    Derivation resident_of(std::size_t rank) const {
        const StageMemory &stage = m_context.result.memory.stages[rank];
        const auto kind = [&](const char *key, const char *title, double value) {
            return reference_to(fmt::format("memory_stages_{}_{}", rank, key), {key, title, bytes}, value);
        };
        return sum_of({name(rank, "resident_bytes"), fmt::format("resident memory of rank {}", rank), bytes},
                      "all kinds of memory except activations, logits and buffers",
                      {kind("weights_bytes", "weights", stage.weights_bytes),
                       kind("gradients_bytes", "gradients", stage.gradients_bytes),
                       kind("optimizer_bytes", "optimizer states", stage.optimizer_bytes),
                       kind("outer_bytes", "outer state", stage.outer_bytes),
                       kind("runtime_bytes", "CUDA context and NCCL buffers", stage.runtime_bytes)});
    }

    void most(const char *key, const char *title, Quantity quantity) {
        std::vector<Derivation> ranks;
        std::string formula;
        double largest = 0;
        for (std::size_t rank = 0; rank < m_timeline.peak_bytes.size(); ++rank) {
            ranks.push_back(reference(name(rank, key), fmt::format("rank_{}", rank).c_str()));
            formula += (rank == 0 ? "max(" : ", ") + ranks.back().name;
            largest = std::max(largest, ranks.back().value);
        }
        m_figures.push_back(
            derived({name(key), title, quantity}, largest, formula + ")", "maximum over ranks", std::move(ranks)));
    }

    const ExplainContext &m_context;
    const PlanPipeline &m_pipeline;
    const Timeline &m_timeline;
    std::vector<Derivation> m_figures;
};

std::vector<Derivation> what_is_executed(const ExplainContext &context) {
    const Parallelism &parallelism = context.plan.parallelism;
    const Pipeline &result = context.result.pipeline;
    std::vector<Derivation> inputs{
        plan_field({"schedule", "pipeline schedule"}, static_cast<double>(parallelism.schedule),
                   "/parallelism/schedule"),
        plan_field({"stages", "pipeline stages", count}, static_cast<double>(parallelism.pipeline),
                   "/parallelism/pipeline"),
        context.microbatches(),
        plan_field({"chunks", "chunks per rank", count}, static_cast<double>(parallelism.chunks),
                   "/parallelism/chunks"),
        reference_to("pipeline_forward_seconds", {"forward", "time of the forward pass on the busiest rank", time},
                     result.forward_seconds),
        reference_to("pipeline_backward_seconds", {"backward", "time of the backward pass on the busiest rank", time},
                     result.backward_seconds)};
    if (parallelism.pipeline > 1)
        inputs.push_back(explain_hop(context));
    return inputs;
}

Derivation executed_from(const ExplainContext &context, Labelled what, double value, std::vector<Derivation> inputs) {
    std::string source = fmt::format("simulation of {}: every operation starts as soon as its rank is free and its "
                                     "inputs have arrived; each stage has its own times",
                                     definition_of(context.plan.parallelism.schedule).title);
    if (context.order && context.order->shorter) {
        const auto microbatches = [](const OperationOrder &order) { return order.microbatches * order.directions; };
        source += fmt::format("; simulated with {} and {} microbatches and extrapolated",
                              microbatches(*context.order->shorter), microbatches(context.order->order));
    }
    return by_simulation(std::move(what), value, "schedule", std::move(source), std::move(inputs));
}

} // namespace

Derivation executed_figure(const ExplainContext &context, Labelled what, double value) {
    return executed_from(context, std::move(what), value, what_is_executed(context));
}

Derivation executed_figure(const ExplainContext &context, Labelled what, double value, std::size_t rank) {
    std::vector<Derivation> inputs = what_is_executed(context);
    inputs.push_back(counted({"rank", "rank in the pipeline"}, static_cast<double>(rank),
                             "index of the rank in the pipeline", "/parallelism/pipeline"));
    return executed_from(context, std::move(what), value, std::move(inputs));
}

std::vector<Derivation> explain_schedule(const ExplainContext &context, const PlanPipeline &pipeline) {
    return ScheduleExplanation(context, pipeline).take();
}

} // namespace meshwright

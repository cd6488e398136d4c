// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/evaluate.h"

#include "catalog/constants.h"
#include "evaluate/published_comparisons.h"
#include "evaluate/verdict.h"
#include "formulas/batch_and_rates.h"
#include "formulas/plan_figures.h"
#include "formulas/rank_memory.h"
#include "formulas/step_terms.h"
#include "formulas/threshold.h"
#include "input/stop_scope.h"
#include "layers/flops.h"
#include "memory/memory_model.h"
#include "outer/monte_carlo.h"
#include "outer/quality.h"
#include "pipeline/simulation.h"
#include "plan/plan_json.h"
#include "run/run_model.h"
#include "step/executed_pipeline.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace meshwright {

namespace {

/// Fills a result section by section. Each section may use those before it.
class Evaluation {
public:
    Evaluation(const Plan &plan, Depth depth)
        : m_depth(depth)
        , m_assumed(plan.assumptions)
        , m_layers(plan, m_assumed)
        , m_costs(pipeline_costs(plan, m_layers)) {
        m_result.plan = plan;
        end_if_stopped();
        if (depth != Depth::closed_forms)
            m_order = executed_order(plan, m_layers, m_costs);
    }

    Result take() {
        parameters();
        flops();
        memory();
        end_if_stopped();
        step();
        end_if_stopped();
        pipeline();
        end_if_stopped();
        if (m_depth != Depth::executed) {
            outer();
            run();
        }
        cluster();
        verdict();
        if (m_depth >= Depth::comparison)
            m_result.published = published_comparisons(m_result);
        return std::move(m_result);
    }

private:
    Plan &plan() { return m_result.plan; }
    /// The executed order of the pipeline; null if it is not simulated.
    const ExecutedOrder *order() const { return m_order ? &*m_order : nullptr; }

    void parameters() { m_result.parameters = parameters_of(plan().model); }

    void flops() {
        const Batch &batch = plan().batch;
        m_step_tokens = formula::tokens_per_batch(static_cast<double>(batch.global_sequences),
                                                  static_cast<double>(batch.sequence_length));
        const ForwardFlops forward = forward_flops(plan().model, static_cast<double>(batch.sequence_length));
        Flops &flops = m_result.flops;
        flops.per_token = formula::trained_token_flops(forward.matrices, forward.attention);
        flops.per_step = formula::step_flops(flops.per_token, m_step_tokens);
        m_recomputed_per_token = recomputed_flops(plan());
        flops.hardware_per_step = formula::hardware_step_flops(flops.per_step, m_recomputed_per_token, m_step_tokens);
        m_full_attention_per_token = formula::trained_token_flops(forward.matrices, forward.attention_full);
    }

    void memory() {
        Memory &memory = m_result.memory;
        memory.capacity_bytes = plan().cluster.accelerator.memory_bytes;
        const std::vector<RankMemory> ranks = memory_of_ranks(plan(), m_layers, m_costs, m_assumed, order());
        memory.executed = order() != nullptr;
        for (std::size_t r = 0; r < ranks.size(); ++r) {
            const RankMemory &rank = ranks[r];
            StageMemory stage{.stage = static_cast<std::int64_t>(r)};
            for (const std::int64_t s : m_costs.ranks[r].stages)
                stage.layers += m_costs.stages[static_cast<std::size_t>(s)].layers;
            stage.first_layer = m_costs.stages[static_cast<std::size_t>(m_costs.ranks[r].stages.front())].first_layer;
            stage.parameters = m_costs.ranks[r].cost.parameters.total();
            stage.weights_bytes = rank.weights_bytes;
            stage.gradients_bytes = rank.gradients_bytes;
            stage.master_bytes = rank.master_bytes;
            stage.moments_bytes = rank.moments_bytes;
            stage.optimizer_bytes = rank.master_bytes + rank.moments_bytes;
            stage.activations_bytes = rank.activations_bytes;
            stage.logits_bytes = rank.logits_bytes;
            stage.buffers_bytes = rank.buffers_bytes;
            stage.outer_bytes = rank.outer_bytes;
            stage.runtime_bytes = rank.runtime_bytes;
            stage.total_bytes = stage.weights_bytes + stage.gradients_bytes + stage.optimizer_bytes
                + stage.activations_bytes + stage.logits_bytes + stage.buffers_bytes + stage.outer_bytes
                + stage.runtime_bytes;
            stage.peak_operation = rank.peak_operation;
            memory.host_bytes = std::max(memory.host_bytes, rank.host_bytes);
            if (memory.stages.empty() || stage.total_bytes > memory.peak_bytes) {
                memory.peak_bytes = stage.total_bytes;
                memory.peak_stage = stage.stage;
                memory.reserved_bytes = rank.reserved_bytes;
                memory.outside_bytes = rank.outside_bytes;
                memory.peak_operation = stage.peak_operation;
            }
            memory.stages.push_back(std::move(stage));
        }
    }

    void step() {
        const StepSeconds seconds = m_depth == Depth::closed_forms
            ? step_seconds(plan(), m_layers, m_costs, m_assumed)
            : executed_step_seconds(plan(), m_layers, m_costs, m_assumed, order());
        Step &step = m_result.step;
        step.terms = {seconds.compute, seconds.recompute, seconds.bubble, seconds.tensor,   seconds.context,
                      seconds.expert,  seconds.pipeline,  seconds.data,   seconds.optimizer};
        step.copies_seconds = seconds.copies;
        step.seconds = seconds.total();
        m_step_seconds = seconds;
        const auto accelerators = static_cast<double>(plan().site_accelerators());
        const double peak = plan().cluster.accelerator.peak(plan().precision.compute);
        const Flops &flops = m_result.flops;
        step.mfu = formula::utilisation(flops.per_step, accelerators, peak, step.seconds);
        step.hfu = formula::hardware_utilisation(flops.per_step, m_recomputed_per_token * m_step_tokens, step.seconds,
                                                 accelerators, peak);
        step.mfu_6nd =
            formula::step_mfu(m_result.parameters.active, m_step_tokens, accelerators, peak, step.seconds, 6);
        step.mfu_full_attention = formula::utilisation(formula::step_flops(m_full_attention_per_token, m_step_tokens),
                                                       accelerators, peak, step.seconds);
        step.model_flops_per_second_per_accelerator =
            formula::achieved_flops_per_second(flops.per_step, step.seconds, accelerators);
        step.tokens_per_second = formula::tokens_per_second(m_step_tokens, step.seconds);
        step.tokens_per_second_per_accelerator = formula::tokens_per_second_each(step.tokens_per_second, accelerators);
    }

    void pipeline() {
        const PipelineShape shape = pipeline_shape(plan(), m_layers, m_costs, m_step_seconds.rank);
        Pipeline &pipeline = m_result.pipeline;
        pipeline.schedule = plan().parallelism.schedule;
        pipeline.makespan_seconds = m_step_seconds.makespan;
        const double makespan = m_step_seconds.makespan;
        pipeline.closed_form_makespan_seconds = m_step_seconds.closed_form_makespan;
        const double idle = m_step_seconds.idle;
        pipeline.bubble_of_ideal = formula::idle_of_ideal_share(idle, makespan);
        pipeline.bubble_of_total = formula::idle_of_makespan_share(idle, makespan);
        pipeline.bubble_of_span = formula::idle_of_span_share(idle, makespan, m_step_seconds.span_idle);
        if (m_depth >= Depth::comparison) {
            const IdleShares shares = idle_of_ranks(plan(), m_layers, m_costs, m_assumed, order());
            pipeline.idle_of_all_ranks = shares.of_all_ranks();
            pipeline.idle_warm_up_and_drain = shares.warm_up_and_drain;
            pipeline.idle_imbalance = shares.imbalance;
            pipeline.idle_waiting_for_sends = shares.sends;
        }
        pipeline.in_flight = order() != nullptr ? peak_in_flight(*order()) : in_flight(shape);
        const LayerCost &busiest = m_costs.ranks[m_step_seconds.rank].cost;
        pipeline.forward_seconds = busiest.whole_forward_seconds();
        pipeline.backward_seconds = busiest.backward_seconds();
    }

    void outer() {
        const Outer &outer = plan().outer;
        if (outer.method == OuterMethod::none)
            return;
        const double parameters = m_result.parameters.total + m_result.parameters.mtp;
        const double step_seconds = inner_step_seconds(m_result);
        const bool brief = m_depth == Depth::closed_forms || m_depth == Depth::comparison;
        const OuterRun times =
            brief ? brief_run(plan(), parameters, step_seconds) : usual_run(plan(), parameters, step_seconds);
        const LossPenalty penalty = loss_penalty(plan(), parameters);
        m_result.outer = OuterEstimate{.utilisation = times.utilisation,
                                       .inner_seconds = times.inner_seconds,
                                       .stall_seconds_per_round = times.stall_seconds,
                                       .round_seconds = times.round_seconds,
                                       .up_bytes_per_round = times.up_bytes,
                                       .down_bytes_per_round = times.down_bytes,
                                       .uplink_load = times.uplink_load,
                                       .downlink_load = times.downlink_load,
                                       .staleness_steps = times.staleness_steps,
                                       .rounds = 0,
                                       .loss_penalty_low = penalty.low,
                                       .loss_penalty_high = penalty.high};
    }

    void run() {
        RunInputs<double> inputs{.parameters = m_result.parameters.total + m_result.parameters.mtp,
                                 .step_tokens = m_step_tokens,
                                 .step_seconds = m_result.step.seconds};
        if (m_result.outer)
            inputs.round_seconds = m_result.outer->round_seconds;
        m_result.run = run_estimate(plan(), inputs);
        if (m_result.outer)
            m_result.outer->rounds = m_result.run.rounds;
    }

    void cluster() {
        m_result.cluster = {cluster_compute<double>(plan(), m_assumed), {}};
        m_result.cluster.definition =
            filled("arXiv 2511.10783, November 2025, Article II: a covered chip cluster is a set of "
                   "AI chips totaling more than {} ({} dense FP16 each) that are co-located, joined "
                   "by more than {}, or networked to perform workloads together",
                   Sentence{"16 H100-equivalents", "cluster.threshold_h100_equivalents"},
                   Sentence{"990 TFLOP/s", "equivalent_peak"},
                   Sentence{"25 Gbit/s", "outer.definition.joining_bits_per_second"});
    }

    void verdict() {
        Verdict &verdict = m_result.verdict;
        verdict.headroom_bytes = formula::free_bytes(m_result.memory.capacity_bytes, m_result.memory.peak_bytes);
        verdict.fits = verdict.headroom_bytes >= 0;
        verdict.bottleneck = bottleneck_of(m_result);
        if (m_depth >= Depth::comparison)
            verdict.summary = summary_of(m_result);
    }

    Depth m_depth;
    Assumptions m_assumed;
    LayerCosts m_layers;
    PipelineCosts m_costs;
    std::optional<ExecutedOrder> m_order;
    Result m_result;
    StepSeconds m_step_seconds;
    double m_step_tokens = 0;
    double m_recomputed_per_token = 0;
    double m_full_attention_per_token = 0;
};

} // namespace

Result evaluate(const Plan &plan, Depth depth) {
    std::vector<Diagnostic> problems = check_plan(plan);
    if (!problems.empty())
        throw InputError(std::move(problems));
    return evaluate_as_run(plan, depth);
}

Result evaluate_as_run(const Plan &plan, Depth depth) {
    return Evaluation(plan, depth).take();
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/run_plan.h"

#include "catalog/library.h"
#include "catalog/weights.h"
#include "evidence/completed_run.h"
#include "evidence/described_cluster.h"
#include "evidence/described_model.h"
#include "evidence/row_ranges.h"
#include "memory/memory_model.h"
#include "pipeline/stages.h"
#include "plan/valid_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {

std::int64_t degree(const std::optional<double> &said, std::int64_t otherwise = 1) {
    return said && *said >= 1 ? std::llround(std::min(*said, 1e9)) : otherwise;
}

bool holds(const std::string &text, const char *word) {
    return text.find(word) != std::string::npos;
}

/// Whether a plan with assumed values leaves a little memory free.
bool fits(const Plan &plan) {
    constexpr double share = 0.9; // fraction of memory that a plan may fill; the rest is for unmodeled use
    const Assumptions assumptions(plan.assumptions);
    const LayerCosts layers(plan, assumptions);
    return peak_bytes(plan, layers, pipeline_costs(plan, layers), assumptions)
        <= share * plan.cluster.accelerator.memory_bytes;
}

class PlanBuilder {
public:
    PlanBuilder(const MeasuredRun &run, const RunRules &rules, const Library &library)
        : m_run(completed_run(run, rules, library, m_result.assumed))
        , m_taken(rules.assumptions(m_run))
        , m_rules(rules)
        , m_library(library) { }

    RunPlan build() {
        if (std::string problem = number_out_of_range(m_run); !problem.empty())
            return skip(std::move(problem));
        if (!m_run.sequence_length || *m_run.sequence_length < 1)
            return skip("no sequence length");
        const std::optional<Model> model = described_model(m_run, m_library, m_result.assumed);
        if (!model)
            return skip("no model dimensions, and no model of this name is known");
        const std::optional<Cluster> cluster = described_cluster(m_run, m_rules, m_taken, m_library, m_result.assumed);
        if (!cluster)
            return skip(m_run.accelerator.empty() ? "no accelerator"
                                                  : "unknown accelerator: " + m_run.accelerator.substr(0, 60));
        plan().name = m_run.id;
        plan().model = *model;
        plan().cluster = *cluster;
        plan().stack = m_taken.stack;
        plan().stack_id = m_taken.stack_id;
        m_result.assumed.insert(m_result.assumed.end(), m_taken.why.begin(), m_taken.why.end());
        layout();
        if (!m_result.skipped.empty())
            return m_result;
        precision();
        recompute();
        offload();
        batch();
        choose_experts();
        choose_recompute();
        chunks();
        return std::move(m_result);
    }

private:
    Plan &plan() { return m_result.plan; }

    RunPlan &skip(std::string reason) {
        m_result.skipped = std::move(reason);
        return m_result;
    }

    void assume(const char *field, std::int64_t value) {
        m_result.assumed.push_back(fmt::format("{} {}", field, value));
    }

    void layout() {
        Parallelism &parallelism = plan().parallelism;
        const std::int64_t total = plan().site_accelerators();
        if (!m_run.tensor && !m_run.pipeline && !m_run.data && total > plan().cluster.accelerators_per_node) {
            skip("no parallel degrees, although the run uses more than one node");
            return;
        }
        parallelism.tensor = degree(m_run.tensor);
        parallelism.pipeline = degree(m_run.pipeline);
        parallelism.context = degree(m_run.context);
        const std::int64_t others = parallelism.tensor * parallelism.pipeline * parallelism.context;
        parallelism.data = std::max<std::int64_t>(1, total / std::max<std::int64_t>(1, others));
        if (others * parallelism.data != total || others > total) {
            // If the parallel degrees do not divide the number of accelerators, their product replaces it.
            parallelism.data = degree(m_run.data);
            plan().cluster.tiers.back().accelerators = others * parallelism.data;
            m_result.assumed.push_back(
                fmt::format("{} accelerators, the product of the parallel degrees", others * parallelism.data));
        }
        parallelism.expert = degree(m_run.expert);
        const bool has_experts = m_run.experts && *m_run.experts > 1;
        const std::int64_t expert_tensor = m_taken.expert_tensor_follows && has_experts ? parallelism.tensor : 1;
        parallelism.expert_tensor = degree(m_run.expert_tensor, expert_tensor);
        const double ranks = static_cast<double>(parallelism.tensor * parallelism.context * parallelism.data);
        if (static_cast<double>(parallelism.expert * parallelism.expert_tensor) > ranks)
            parallelism.expert_tensor = 1;
        if (!has_experts)
            parallelism.expert = parallelism.expert_tensor = 1;
        // All current frameworks number ranks so that the data-parallel index changes faster than the pipeline stage.
        parallelism.placement = {Dimension::tensor, Dimension::context, Dimension::expert, Dimension::data,
                                 Dimension::pipeline};
        parallelism.sequence_parallel = parallelism.tensor > 1
            && (m_run.sequence_parallel ? *m_run.sequence_parallel > 0
                                        : m_taken.sequence_parallel.value_or(m_run.year >= 2023));
        parallelism.zero_stage = std::clamp<std::int64_t>(
            m_run.zero_stage ? std::llround(std::min(*m_run.zero_stage, 3.0)) : m_taken.zero_stage, 0, 3);
        const std::int64_t group = degree(m_run.shard_group, parallelism.data);
        const bool is_a_name = m_taken.shard_group_is_a_name && group == 2;
        if (group < parallelism.data && parallelism.data % group == 0 && !is_a_name)
            parallelism.shard_group = group;
    }

    void batch() {
        Batch &batch = plan().batch;
        const std::int64_t data = plan().parallelism.data;
        batch.sequence_length = degree(m_run.sequence_length);
        double global = m_run.global_batch.value_or(0);
        if (global < 1) {
            // Maximum ratio of microbatches to pipeline stages; at a higher ratio, the run would more likely have used
            // more replicas.
            constexpr double max_rounds = 32;
            const double tokens = usual_batch_tokens(std::max(1.0, parameters_of(plan().model).total));
            const auto at_once = static_cast<double>(data * degree(m_run.micro_batch));
            const double most = max_rounds * static_cast<double>(plan().parallelism.pipeline);
            global = at_once
                * std::clamp(std::round(tokens / (at_once * static_cast<double>(batch.sequence_length))), 1.0, most);
            assume("global_batch", std::llround(std::min(global, 1e15)));
        } else if (global >= 1e5 && std::fmod(global, static_cast<double>(batch.sequence_length)) == 0) {
            global /= static_cast<double>(batch.sequence_length); // the source gives the batch size in tokens
        }
        const double per_replica = std::max(1.0, std::floor(global / static_cast<double>(data)));
        const std::int64_t said = degree(m_run.micro_batch, usual_micro_batch(per_replica));
        if (said == 0 || static_cast<double>(said) >= per_replica)
            if (const std::int64_t cut = cut_for_pipeline(per_replica); cut > 0) {
                set_micro_batch(cut, global);
                assume("micro_batch", cut);
                return;
            }
        if (said > 0)
            set_micro_batch(std::min<std::int64_t>(said, std::llround(std::min(per_replica, 1e9))), global);
        else
            choose_micro_batch(per_replica, global);
    }

    /// Largest microbatch size with at least as many microbatches as pipeline stages.
    std::int64_t a_stage_each(double per_replica) const {
        const auto stages = static_cast<double>(m_result.plan.parallelism.pipeline);
        return std::max(1LL, std::llround(std::floor(per_replica / stages)));
    }

    /// The software's usual microbatch size, or a smaller one if there would be fewer microbatches than pipeline
    /// stages; 0 if the software has no usual size.
    std::int64_t usual_micro_batch(double per_replica) const {
        return std::min(m_taken.micro_batch, a_stage_each(per_replica));
    }

    /// Microbatch size that the software itself chooses for a pipeline; 0 if the user sets it.
    std::int64_t cut_for_pipeline(double per_replica) const {
        if (m_result.plan.parallelism.pipeline == 1 || m_taken.pipelined_batch == BatchCut::none)
            return 0;
        return m_taken.pipelined_batch == BatchCut::sequences ? 1 : a_stage_each(per_replica);
    }

    void set_micro_batch(std::int64_t sequences, double global) {
        Batch &batch = plan().batch;
        batch.micro_sequences = sequences;
        const auto at_once = static_cast<double>(plan().parallelism.data * sequences);
        const double microbatches = std::max(1.0, std::round(global / at_once));
        batch.global_sequences = std::llround(microbatches * at_once);
        m_result.batch_share = global / static_cast<double>(batch.global_sequences);
    }

    /// The largest power of two that divides the replica's sequences, keeps the pipeline busy, speeds up matmuls (no
    /// gain beyond 8,192 tokens) and fits.
    void choose_micro_batch(double per_replica, double global) {
        constexpr double enough_tokens = 8192;
        constexpr double rounds_of_stage = 8; // microbatches per stage; the bubble is at most 1/8 of the ideal time
        const Parallelism &parallelism = plan().parallelism;
        const double rounds =
            parallelism.pipeline > 1 ? rounds_of_stage * static_cast<double>(parallelism.pipeline) : 1;
        const double tokens =
            static_cast<double>(plan().batch.sequence_length) / static_cast<double>(parallelism.context);
        set_micro_batch(1, global);
        for (std::int64_t wider = 2; static_cast<double>(wider) * tokens <= enough_tokens; wider *= 2) {
            const auto sequences = static_cast<double>(wider);
            if (std::fmod(per_replica, sequences) != 0 || per_replica / sequences < rounds)
                break;
            set_micro_batch(wider, global);
            if (!fits(plan())) {
                set_micro_batch(wider / 2, global);
                break;
            }
        }
        assume("micro_batch", plan().batch.micro_sequences);
    }

    /// Chooses the expert degree: as wide as the scale-up domain, where all-to-alls are cheap, and wider only if memory
    /// requires it.
    void choose_experts() {
        Parallelism &parallelism = plan().parallelism;
        if (m_run.expert || !m_run.experts || *m_run.experts <= 1)
            return;
        const std::int64_t domain = plan().cluster.tiers.front().accelerators;
        const std::int64_t ranks =
            parallelism.tensor * parallelism.context * parallelism.data / parallelism.expert_tensor;
        const auto experts = std::llround(*m_run.experts);
        for (std::int64_t ways = 2; ways <= std::min<std::int64_t>(ranks, experts); ways *= 2)
            if (experts % ways == 0 && ranks % ways == 0
                && (ways * parallelism.expert_tensor <= domain || !fits(plan())))
                parallelism.expert = ways;
        assume("expert", parallelism.expert);
    }

    void chunks() {
        Parallelism &parallelism = plan().parallelism;
        if (parallelism.pipeline <= 1)
            return;
        const std::string schedule = lower_case(m_run.schedule);
        const std::int64_t a_rank = std::max<std::int64_t>(1, layer_slots() / parallelism.pipeline);
        parallelism.chunks = degree(m_run.chunks, 0);
        if (parallelism.chunks == 0) {
            parallelism.chunks = m_taken.chunks_by_layer && schedule != "1f1b" ? finest_chunks(a_rank)
                : schedule == "interleaved"                                    ? fewest_chunks(a_rank)
                                                                               : 1;
            assume("chunks", parallelism.chunks);
        }
        parallelism.chunks = std::min(parallelism.chunks, a_rank);
        parallelism.schedule = parallelism.chunks > 1 ? Schedule::interleaved : Schedule::one_f_one_b;
        for (std::size_t i = 0; i < schedule_names().size(); ++i)
            if (schedule_names()[i] == schedule && schedule != "1f1b" && schedule != "interleaved")
                parallelism.schedule = static_cast<Schedule>(i);
        if (!schedule_problems(plan()).empty())
            parallelism.schedule = parallelism.chunks > 1 ? Schedule::interleaved : Schedule::one_f_one_b;
        if (parallelism.schedule == Schedule::interleaved && !schedule_problems(plan()).empty()) {
            // Megatron requires a whole number of interleaving groups, so a run with an incomplete group was not
            // interleaved.
            parallelism.schedule = Schedule::one_f_one_b;
            parallelism.chunks = 1;
        }
    }

    /// Number of layers to split into stages, plus two if the embedding and the LM head count as layers.
    std::int64_t layer_slots() const {
        const std::int64_t layers = m_result.plan.model.layer_count();
        const std::int64_t stages = m_result.plan.parallelism.pipeline;
        const bool counted = m_taken.ends_count_as_layers && layers % stages != 0 && (layers + 2) % stages == 0;
        return counted ? layers + 2 : layers;
    }

    /// The largest number of chunks, up to 12, that divides the number of layers per rank.
    static std::int64_t finest_chunks(std::int64_t layers_a_rank) {
        constexpr std::int64_t most = 12;
        std::int64_t chunks = std::min(layers_a_rank, most);
        while (layers_a_rank % chunks != 0)
            --chunks;
        return chunks;
    }

    /// The smallest number of chunks, at least two, that divides the number of layers per rank.
    static std::int64_t fewest_chunks(std::int64_t layers_a_rank) {
        std::int64_t chunks = 2;
        while (chunks < layers_a_rank && layers_a_rank % chunks != 0)
            ++chunks;
        return chunks;
    }

    void precision() {
        Precision &precision = plan().precision;
        const std::string words = lower_case(m_run.precision);
        precision.compute = holds(words, "mxfp8") || holds(words, "fp8-mx") ? DataType::mxfp8
            : holds(words, "fp8")                                           ? DataType::fp8
            : holds(words, "fp4")                                           ? DataType::nvfp4
            : holds(words, "tf32")                                          ? DataType::tf32
            : holds(words, "fp32") && !holds(words, "16")                   ? DataType::fp32
            : holds(words, "fp16") || words == "half"                       ? DataType::fp16
                                                                            : DataType::bf16;
        const bool wide = precision.compute == DataType::fp32 || precision.compute == DataType::tf32;
        precision.weights = wide ? DataType::fp32 : DataType::bf16;
        precision.master = wide ? DataType::none : plan().stack.default_master;
        precision.moments = plan().stack.default_moments;
        precision.gradients = wide ? DataType::fp32 : plan().stack.default_gradients;
        const std::string optimizer = lower_case(m_run.optimizer);
        if (holds(optimizer, "fp32 grad"))
            precision.gradients = DataType::fp32;
        else if (holds(optimizer, "fp16 grad") || holds(optimizer, "bf16 grad")
                 || (precision.compute == DataType::fp16 && plan().stack.attention == AttentionKernel::unfused))
            precision.gradients = DataType::bf16;
        if (holds(optimizer, "bf16 adam states"))
            precision.moments = DataType::bf16;
        if (holds(optimizer, "8-bit") || holds(optimizer, "8bit"))
            plan().optimizer.kind = OptimizerKind::adam_8bit;
        else if (holds(optimizer, "sgd"))
            plan().optimizer.kind = OptimizerKind::sgd;
        else if (holds(optimizer, "muon"))
            plan().optimizer.kind = OptimizerKind::muon;
        else if (holds(optimizer, "adafactor"))
            plan().optimizer.kind = OptimizerKind::adafactor;
    }

    void recompute() {
        std::string mode = lower_case(m_run.recompute);
        if (mode.empty()) {
            mode = m_taken.recompute;
            m_result.assumed.push_back("recompute " + mode);
        }
        Recompute &recompute = plan().recompute;
        recompute.mode = mode == "full" ? RecomputeMode::full
            : mode == "selective"       ? RecomputeMode::selective
                                        : RecomputeMode::none;
        if (recompute.mode != RecomputeMode::selective)
            return;
        const std::string detail = lower_case(m_run.recompute_detail);
        const auto add = [&](bool said, const char *module) {
            if (said)
                recompute.modules.emplace_back(module);
        };
        add(holds(detail, "core_attn") || holds(detail, "core attention") || holds(detail, "core_attention"),
            "core_attn");
        add(holds(detail, "layernorm") || holds(detail, "norm,"), "layernorm");
        add(holds(detail, "mla_up") || holds(detail, "mla up"), "mla_up_proj");
        add(holds(detail, "mlp"), "mlp");
        const std::size_t act = detail.find("moe_act");
        add(act != std::string::npos || holds(detail, ", act"), "moe_act");
        const std::size_t moe = detail.find("moe");
        add(moe != std::string::npos && moe != act, "moe");
        if (recompute.modules == std::vector<std::string>{"core_attn"})
            recompute.modules.clear();
        if (!recompute.modules.empty())
            recompute.mode = RecomputeMode::modules;
    }

    /// Assumes full recomputation if the source does not state the recomputation and the run would not fit without it.
    void choose_recompute() {
        RecomputeMode &mode = plan().recompute.mode;
        if (!m_taken.recompute_to_fit || !m_run.recompute.empty() || mode != RecomputeMode::none || fits(plan()))
            return;
        mode = RecomputeMode::full;
        std::replace(m_result.assumed.begin(), m_result.assumed.end(), std::string("recompute none"),
                     std::string("recompute full, so that the run fits"));
    }

    /// Parses "activation offload to CPU of 20 layers".
    void offload() {
        const std::string words = lower_case(m_run.offload);
        if (!holds(words, "activation"))
            return;
        const std::size_t digits = words.find_first_of("0123456789");
        double layers = 0;
        for (std::size_t i = digits; i < words.size() && words[i] >= '0' && words[i] <= '9' && layers < 1e6; ++i)
            layers = 10 * layers + (words[i] - '0');
        if (layers > 0)
            plan().offload.activations =
                std::min(1.0, layers / static_cast<double>(std::max<std::int64_t>(1, plan().model.layer_count())));
    }

    RunPlan m_result;
    const MeasuredRun m_run;
    RunAssumptions m_taken;
    const RunRules &m_rules;
    const Library &m_library;
};

} // namespace

RunPlan plan_of(const MeasuredRun &run, const RunRules &rules, const Library &library) {
    if (std::string problem = number_out_of_range(run); !problem.empty())
        return {.skipped = std::move(problem)};
    return PlanBuilder(run, rules, library).build();
}

} // namespace meshwright

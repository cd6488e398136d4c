// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/accelerate_target.h"

#include "catalog/library.h"
#include "input/diagnostic.h"
#include "launch/accelerate_names.h"
#include "launch/deepspeed_reading.h"
#include "launch/hugging_face_writing.h"
#include "launch/rank_order.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

namespace meshwright {

namespace {

using Words = std::vector<std::string>;

/// Source: src/accelerate/parallelism_config.py and utils/dataclasses.py (FullyShardedDataParallelPlugin,
/// MegatronLMPlugin, DeepSpeedPlugin) at 16cb6eb80dd9.
Capabilities accelerate_can_run(bool with_megatron) {
    Capabilities can;
    can.tensor = true;
    can.sequence_parallel = with_megatron ? SequenceSharding::choice : SequenceSharding::off;
    can.tensor_beyond_kv_heads = with_megatron;
    // With Megatron-LM, _prepare_megatron_lm() in accelerator.py counts context-parallel ranks as data-parallel ones.
    can.context = !with_megatron;
    can.context_multiple = 2;
    can.expert = false;
    can.expert_tensor = ExpertSplit::one;
    can.schedules = with_megatron ? Words{"1f1b"} : Words{};
    can.layout = LayerSplit::equal;
    can.zero_stages = with_megatron ? std::vector<std::int64_t>{0, 1} : std::vector<std::int64_t>{0, 2, 3};
    can.zero_stages_with_pipeline = std::vector<std::int64_t>{0, 1};
    can.unsharded_with_others = with_megatron;
    can.shard_group_stages = with_megatron ? std::vector<std::int64_t>{} : std::vector<std::int64_t>{2, 3};
    can.recompute = with_megatron ? Words{"full"} : Words{"none", "full"};
    can.recompute_modules = Words{};
    can.optimizer_offload = with_megatron ? OffloadShare::nothing : OffloadShare::everything;
    can.activation_offload = OffloadShare::nothing;
    can.compute = with_megatron ? Words{"fp32", "bf16", "fp16"} : Words{"fp32", "bf16", "fp16", "fp8"};
    can.gradients = Words{"fp32"};
    can.master = Words{"fp32", "none"};
    can.moments = Words{"fp32"};
    can.placements = Words{"tensor-context-expert-data-pipeline"};
    can.outer = Words{};
    return can;
}

/// What Accelerate's DeepSpeed plugin supports: the features of DeepSpeed's own stack, except those that need
/// DeepSpeed's JSON.
Capabilities deepspeed_plugin_can_run(Capabilities can) {
    can.tensor = false;
    can.context = false;
    can.expert = false;
    can.schedules = Words{};
    can.shard_group_stages = std::vector<std::int64_t>{};
    can.recompute = Words{"none", "full"};
    can.recompute_modules = Words{};
    can.optimizer_offload = OffloadShare::everything;
    can.activation_offload = OffloadShare::nothing;
    can.moments = Words{"fp32"};
    return can;
}

AccelerateEngine engine_for(const Plan &plan) {
    const Parallelism &parallelism = plan.parallelism;
    if (parallelism.pipeline > 1)
        return AccelerateEngine::megatron;
    const bool only_data = parallelism.tensor * parallelism.context * parallelism.expert == 1;
    return plan.stack.framework == "DeepSpeed" && only_data ? AccelerateEngine::deepspeed : AccelerateEngine::fsdp;
}

Stack software_of(AccelerateEngine engine, const Parallelism &parallelism, const Library &library) {
    const bool with_megatron = engine == AccelerateEngine::megatron;
    if (engine == AccelerateEngine::deepspeed) {
        Stack software = *library.stack(deepspeed_stack);
        software.name = "Accelerate with DeepSpeed";
        software.can_run = deepspeed_plugin_can_run(std::move(software.can_run));
        return software;
    }
    Stack software = *library.stack(with_megatron ? "megatron-core-2025"
                                                  : pytorch_stack(parallelism.tensor > 1 || parallelism.context > 1));
    software.name = with_megatron ? "Accelerate with Megatron-LM" : "Accelerate";
    software.can_run = accelerate_can_run(with_megatron);
    return software;
}

/// Whether everything is stored in BF16, as for a model that the Trainer loads in BF16.
bool is_all_bf16(const Precision &precision) {
    return precision.compute == DataType::bf16 && precision.weights == DataType::bf16
        && precision.gradients == DataType::bf16 && precision.moments == DataType::bf16
        && precision.master == DataType::none;
}

class AccelerateRules {
public:
    AccelerateRules(AccelerateTarget &result, const Plan &planned)
        : m_result(result)
        , m_target(result.target)
        , m_planned(planned)
        , m_plan(result.target.plan) { }

    void apply() {
        m_target.make_attention_uniform("the exported config.json");
        m_target.extend_longest_sequence();
        Parallelism &parallelism = m_plan.parallelism;
        const std::int64_t ranks = parallelism.data * parallelism.context;
        if (m_result.engine == AccelerateEngine::fsdp) {
            const bool alone = ranks == 1 && parallelism.tensor == 1;
            if (alone && std::exchange(parallelism.zero_stage, 0) > 0)
                m_target.lose("a single process has nothing to shard across", "ZeRO 0", {"/parallelism/zero_stage"});
            if (!alone && ranks == 1 && parallelism.zero_stage < 2) {
                m_target.lose(fmt::format("Accelerate supports tensor parallelism only with FSDP, and not ZeRO {}",
                                          parallelism.zero_stage),
                              "ZeRO 3, which shards nothing on a single data-parallel rank",
                              {"/parallelism/zero_stage"});
                parallelism.zero_stage = 3;
            }
            m_result.engine = parallelism.zero_stage == 0 ? AccelerateEngine::replicas : AccelerateEngine::fsdp;
        }
        if (m_result.engine == AccelerateEngine::replicas && m_plan.offload.optimizer > 0) {
            m_plan.offload.optimizer = 0;
            m_target.lose("Accelerate supports offloading only with FSDP or DeepSpeed", "nothing is offloaded",
                          {"/offload/optimizer"});
        }
        if (m_result.engine == AccelerateEngine::megatron)
            megatron();
        groups();
        precision();
        optimizer();
        parallelism.placement = {Dimension::tensor, Dimension::context, Dimension::expert, Dimension::data,
                                 Dimension::pipeline};
        if (!is_in_order(rank_digits(m_planned, m_plan)))
            m_target.lose("Accelerate's launcher numbers ranks node by node, so they cannot be remapped",
                          "the rank order tensor, context, data, pipeline", {"/parallelism/placement"});
        m_plan.offload.outer = Offload{}.outer;
    }

private:
    /// Accelerate's Megatron-LM plugin (utils/dataclasses.py) reads a model's sizes from its config.json, by its type
    /// (parse_gpt2_config, parse_llama_config), and recomputes all layers unless a valid granularity says otherwise;
    /// its default of recompute_num_layers excludes the only other one, "selective".
    void megatron() {
        const ModelShape &shape = m_target.shape;
        const bool is_gpt2 =
            shape.learned_positions && !shape.embedding_norm && !shape.latent.kv_rank && shape.experts.value_or(0) == 0;
        if (!is_gpt2 && !is_llama(shape))
            throw InputError("/parallelism/pipeline",
                             "Accelerate runs a pipeline only with Megatron-LM, for which it does not support this "
                             "type of model",
                             "expected pipeline 1, or a model of the type gpt2 or llama");
        if (*shape.layers % m_plan.parallelism.pipeline != 0)
            throw InputError("/parallelism/pipeline",
                             fmt::format("Accelerate with Megatron-LM does not divide {} layers into {} stages",
                                         *shape.layers, m_plan.parallelism.pipeline),
                             fmt::format("expected a divisor of {}", *shape.layers));
        megatron_defaults();
        if (m_plan.recompute.mode != RecomputeMode::full) {
            m_target.lose("Accelerate with Megatron-LM cannot turn off recomputation", "full", {"/recompute/mode"});
            m_plan.recompute = {.mode = RecomputeMode::full};
        }
    }

    /// Names the parts of the model that Megatron-LM's defaults replace.
    void megatron_defaults() {
        const ModelShape &shape = m_target.shape;
        const std::int64_t head_dim = *shape.hidden / *shape.heads;
        const std::int64_t feed_forward = 4 * *shape.hidden;
        Words defaults;
        const auto replace = [&](bool condition, std::string with) {
            if (condition)
                defaults.push_back(std::move(with));
        };
        replace(shape.kv_heads.value_or(*shape.heads) != *shape.heads, "multi-head attention");
        replace(shape.head_dim.value_or(head_dim) != head_dim, fmt::format("a head dimension of {}", head_dim));
        replace(shape.window.value_or(0) > 0, "full attention");
        replace(shape.query_key_norm, "no query and key norms");
        replace(shape.gated || shape.feed_forward.value_or(feed_forward) != feed_forward,
                fmt::format("feed-forward networks of {} without gates", feed_forward));
        replace(shape.norm != NormKind::layer, "LayerNorm with bias");
        replace(!shape.linear_bias, "biases in linear layers");
        replace(!shape.tied_embeddings, "tied embeddings");
        replace(shape.mtp_layers > 0, "no MTP modules");
        if (!defaults.empty())
            m_target.lose("Accelerate passes only a model's layers, hidden size, heads, vocabulary and positions to "
                          "Megatron-LM",
                          fmt::format("{}", fmt::join(defaults, ", ")), {"/model"});
    }

    void groups() {
        const std::optional<std::int64_t> group = m_target.effective_shard_group();
        Parallelism &parallelism = m_plan.parallelism;
        const std::int64_t ranks = parallelism.data * parallelism.context;
        if (!group || (ranks % *group == 0 && *group % parallelism.context == 0))
            return;
        parallelism.shard_group.reset();
        m_target.lose(fmt::format("Accelerate cannot shard across {} of {} ranks", *group, ranks), "all ranks",
                      {"/parallelism/shard_group"});
    }

    /// FSDP, Megatron-LM and DeepSpeed keep FP32 master weights. Plain replicas keep FP32 weights, which autocast
    /// casts, or store everything in BF16.
    void precision() {
        Precision &precision = m_plan.precision;
        if (m_result.engine == AccelerateEngine::replicas && is_all_bf16(precision))
            return;
        const bool fp32 = precision.compute == DataType::fp32;
        const bool casts = fp32 || m_result.engine == AccelerateEngine::replicas;
        const DataType half = precision.compute == DataType::fp16 ? DataType::fp16 : DataType::bf16;
        m_target.settle(precision.weights, casts ? DataType::fp32 : half, "weights", "/precision/weights");
        m_target.settle(precision.master, casts ? DataType::none : DataType::fp32, "master weights",
                        "/precision/master");
        if (m_result.engine == AccelerateEngine::replicas) {
            m_target.settle(precision.gradients, DataType::fp32, "gradients", "/precision/gradients");
            m_target.settle(precision.moments, DataType::fp32, "moments", "/precision/moments");
        }
        if (m_result.engine == AccelerateEngine::deepspeed) {
            const DataType weights = precision.weights;
            const bool in_fp32 = deepspeed_gradients(name_of(weights), m_plan.parallelism.zero_stage) == "fp32";
            m_target.settle(precision.gradients, in_fp32 ? DataType::fp32 : weights, "gradients",
                            "/precision/gradients");
        }
    }

    void optimizer() {
        if (m_result.engine == AccelerateEngine::megatron)
            m_target.keep_optimizer({OptimizerKind::adamw}, "Accelerate's script for Megatron-LM");
        else
            m_target.keep_optimizer(
                {OptimizerKind::adamw, OptimizerKind::adam_8bit, OptimizerKind::adafactor, OptimizerKind::sgd},
                "the Trainer");
    }

    AccelerateTarget &m_result;
    TargetPlan &m_target;
    const Plan &m_planned;
    Plan &m_plan;
};

} // namespace

AccelerateTarget accelerate_target(const Plan &plan, const Library &library) {
    const AccelerateEngine engine = engine_for(plan);
    Stack software = software_of(engine, plan.parallelism, library);
    if (engine == AccelerateEngine::fsdp && plan.parallelism.zero_stage == 0 && is_all_bf16(plan.precision))
        software.can_run.gradients = software.can_run.moments = Words{"fp32", "bf16"};
    AccelerateTarget result{.target = target_plan(plan, std::move(software)), .engine = engine};
    AccelerateRules(result, plan).apply();
    return result;
}

} // namespace meshwright

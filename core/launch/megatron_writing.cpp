// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/megatron_writing.h"

#include "evaluate/result.h"
#include "launch/layer_options.h"
#include "launch/megatron_names.h"
#include "launch/megatron_target.h"
#include "launch/run_steps.h"
#include "plan/layout.h"
#include "plan/valid_values.h"
#include "quantities/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

class MegatronWriter {
public:
    MegatronWriter(TargetPlan &target, const Result &result)
        : m_target(target)
        , m_plan(target.plan)
        , m_shape(target.shape)
        , m_result(result)
        , m_stack(result.plan.stack) { }

    std::vector<WrittenOption> write() {
        model();
        attention();
        experts();
        degrees();
        stages();
        sharding();
        batch();
        precision();
        recompute();
        offload();
        overlap();
        optimizer();
        run();
        return std::move(m_options);
    }

private:
    /// Adds an option with the plan field that megatron_field() names for it. Options that follow from the plan's
    /// software have no field.
    void add(const char *name, Json value, std::string why = {}) {
        m_options.push_back({.part = m_part,
                             .name = name,
                             .value = std::move(value),
                             .field = std::string(megatron_field(name)),
                             .why = std::move(why)});
    }
    void flag(const char *name, bool condition = true, std::string why = {}) {
        if (condition)
            add(name, true, std::move(why));
    }

    void model() {
        m_part = LaunchPart::model;
        for (auto &[name, value] : layer_options(m_target))
            add(name, std::move(value));
        add("--hidden-size", *m_shape.hidden);
        add("--ffn-hidden-size", m_shape.feed_forward.value_or(4 * *m_shape.hidden));
        flag("--swiglu", m_shape.gated);
        flag("--disable-bias-linear", !m_shape.linear_bias);
        flag("--add-qkv-bias", m_shape.qkv_bias && !m_shape.linear_bias);
        add("--normalization", m_shape.norm == NormKind::rms ? "RMSNorm" : "LayerNorm");
        flag("--untie-embeddings-and-output-weights", !m_shape.tied_embeddings);
        add("--position-embedding-type", m_shape.learned_positions ? "learned_absolute" : "rope");
        add("--max-position-embeddings",
            m_shape.learned_positions.value_or(m_shape.longest_sequence.value_or(m_plan.batch.sequence_length)));
        add("--padded-vocab-size", *m_shape.vocabulary, "the plan's vocabulary size includes the padding");
        if (m_shape.mtp_layers > 0)
            add("--mtp-num-layers", m_shape.mtp_layers);
        if (!m_stack.dropout) {
            const char *const why = "the plan is of software without dropout";
            add("--attention-dropout", 0.0, why);
            add("--hidden-dropout", 0.0, why);
        }
    }

    void delta_net() {
        if (m_shape.has_delta_net.empty())
            return;
        add("--experimental-attention-variant", "gated_delta_net");
        add("--linear-attention-freq", layer_frequency(m_shape.has_delta_net));
        for (auto &[name, size] : delta_net_options(m_shape.delta_net))
            add(name, std::move(size));
    }

    void attention() {
        delta_net();
        add("--num-attention-heads", *m_shape.heads);
        if (m_shape.latent.kv_rank) {
            flag("--multi-latent-attention");
            if (m_shape.latent.query_rank > 0)
                add("--q-lora-rank", m_shape.latent.query_rank);
            add("--kv-lora-rank", *m_shape.latent.kv_rank);
            add("--qk-head-dim", m_shape.latent.nope_head_dim);
            add("--qk-pos-emb-head-dim", m_shape.latent.rope_head_dim);
            add("--v-head-dim", m_shape.latent.value_head_dim);
            flag("--qk-layernorm", true, "norms of the compressed queries and keys");
            return;
        }
        if (const std::int64_t kv_heads = m_shape.kv_heads.value_or(*m_shape.heads); kv_heads != *m_shape.heads) {
            flag("--group-query-attention");
            add("--num-query-groups", kv_heads);
        }
        add("--kv-channels", m_shape.head_dim.value_or(*m_shape.hidden / *m_shape.heads));
        flag("--qk-layernorm", m_shape.query_key_norm);
        if (m_shape.window.value_or(0) > 0)
            add("--window-size", fmt::format("{},0", *m_shape.window));
        if (!m_shape.windowed.empty())
            add("--window-attn-skip-freq", layer_frequency(m_shape.windowed));
    }

    bool has_experts() const { return m_shape.experts.value_or(0) > 0; }

    void experts() {
        if (!has_experts())
            return;
        add("--num-experts", *m_shape.experts);
        add("--moe-router-topk", m_shape.experts_per_token);
        add("--moe-ffn-hidden-size", m_shape.expert_hidden.value_or(*m_shape.feed_forward));
        if (m_shape.expert_latent > 0)
            add("--moe-latent-size", m_shape.expert_latent);
        if (m_shape.shared_hidden > 0)
            add("--moe-shared-expert-intermediate-size", m_shape.shared_hidden);
        flag("--moe-shared-expert-gate", m_shape.shared_gate && m_shape.shared_hidden > 0);
        if (std::find(m_shape.has_experts.begin(), m_shape.has_experts.end(), false) != m_shape.has_experts.end())
            add("--moe-layer-freq", layer_list(m_shape.has_experts));
        if (m_shape.correction_bias) {
            const char *const why = "required by the expert bias";
            flag("--moe-router-enable-expert-bias");
            add("--moe-router-score-function", "sigmoid", why);
            add("--moe-router-load-balancing-type", "seq_aux_loss", why);
        }
        flag("--moe-grouped-gemm", true, "the plan models a rank's experts as one grouped GEMM");
        add("--moe-token-dispatcher-type", "alltoall", "the plan models expert communication as all-to-alls");
        flag("--moe-permute-fusion");
        add("--moe-router-dtype", "fp32");
    }

    void degrees() {
        m_part = LaunchPart::parallelism;
        const Parallelism &parallelism = m_plan.parallelism;
        add("--tensor-model-parallel-size", parallelism.tensor);
        flag("--sequence-parallel", parallelism.sequence_parallel && parallelism.tensor > 1);
        add("--pipeline-model-parallel-size", parallelism.pipeline);
        add("--context-parallel-size", parallelism.context);
        if (parallelism.context > 1)
            add("--cp-comm-type", "p2p", "ring attention, as the plan models it");
        if (has_experts()) {
            add("--expert-model-parallel-size", parallelism.expert);
            add("--expert-tensor-parallel-size", parallelism.expert_tensor, "the default is the tensor-parallel size");
        }
        flag("--use-tp-pp-dp-mapping",
             std::find(parallelism.placement.begin(), parallelism.placement.end(), Dimension::pipeline)
                 < std::find(parallelism.placement.begin(), parallelism.placement.end(), Dimension::data),
             "rank order with pipeline before data; by default, data comes first");
    }

    void stages() {
        const Parallelism &parallelism = m_plan.parallelism;
        if (parallelism.pipeline == 1)
            return;
        const std::vector<std::int64_t> layers = stage_layers(m_plan);
        const bool equal = m_target.hybrid // the layer pattern already contains the stage boundaries
            || std::all_of(layers.begin(), layers.end(), [&](std::int64_t count) { return count == layers.front(); });
        if (!equal) {
            std::vector<LayoutStage> stages;
            for (const std::int64_t count : layers)
                stages.push_back({.layers = count});
            stages.front().embedding = true;
            stages.back().loss = true;
            stages.back().prediction_modules = m_shape.mtp_layers;
            add("--pipeline-model-parallel-layout", write_layout(stages));
        } else if (parallelism.chunks > 1 && !m_target.hybrid) {
            add("--num-virtual-stages-per-pipeline-rank", parallelism.chunks);
        }
        if (const std::int64_t group = interleaving_group(m_plan);
            parallelism.chunks > 1 && group != parallelism.pipeline)
            add("--microbatch-group-size-per-virtual-pipeline-stage", group);
    }

    void sharding() {
        const Parallelism &parallelism = m_plan.parallelism;
        flag("--use-distributed-optimizer", parallelism.zero_stage >= 1);
        if (uses_megatron_fsdp(m_plan)) {
            flag("--use-megatron-fsdp");
            add("--data-parallel-sharding-strategy",
                std::string(megatron_sharding[static_cast<std::size_t>(parallelism.zero_stage)]));
            flag("--no-gradient-accumulation-fusion", true, "FSDP reduces gradients itself");
        }
        if (parallelism.shard_group)
            add("--num-distributed-optimizer-instances",
                parallelism.data * parallelism.context / *parallelism.shard_group,
                fmt::format("data x context = {} ranks in groups of {}", parallelism.data * parallelism.context,
                            *parallelism.shard_group));
    }

    void batch() {
        m_part = LaunchPart::batch;
        add("--seq-length", m_plan.batch.sequence_length);
        add("--micro-batch-size", m_plan.batch.micro_sequences);
        add("--global-batch-size", m_plan.batch.global_sequences,
            fmt::format("microbatch {} x accumulation {} x data parallel {}", m_plan.batch.micro_sequences,
                        m_plan.microbatches(), m_plan.parallelism.data));
    }

    void precision() {
        m_part = LaunchPart::precision;
        const Precision &precision = m_plan.precision;
        const bool fp16 = precision.compute == DataType::fp16;
        flag("--fp16", fp16);
        flag("--bf16", !fp16 && precision.compute != DataType::fp32);
        if (precision.compute == DataType::fp8 || precision.compute == DataType::mxfp8) {
            const bool blocks = precision.compute == DataType::mxfp8;
            add("--fp8-format", blocks ? "e4m3" : "hybrid");
            add("--fp8-recipe", blocks ? "mxfp8" : "tensorwise",
                blocks ? "" : "per-tensor current scaling is assumed; a plan does not state how FP8 is scaled");
            flag("--fp8-param-gather", precision.weights == DataType::fp8);
        }
        if (precision.compute == DataType::nvfp4) {
            add("--fp4-format", "e2m1");
            add("--fp4-recipe", "nvfp4");
        }
        flag("--grad-reduce-in-bf16", precision.gradients == DataType::bf16);
        flag("--accumulate-allreduce-grads-in-fp32", fp16 && precision.gradients == DataType::fp32);
        const bool own_states = precision.moments != DataType::fp32
            || (precision.master != DataType::fp32 && precision.master != DataType::none);
        flag("--use-precision-aware-optimizer", own_states || m_plan.offload.optimizer > 0,
             own_states ? "" : "required by the optimizer in host memory");
        if (precision.master != DataType::fp32 && precision.master != DataType::none)
            add("--main-params-dtype", name_of(precision.master));
        if (precision.moments != DataType::fp32) {
            add("--exp-avg-dtype", name_of(precision.moments));
            add("--exp-avg-sq-dtype", name_of(precision.moments));
        }
    }

    void recompute() {
        m_part = LaunchPart::recompute;
        const Recompute &recompute = m_plan.recompute;
        switch (recompute.mode) {
        case RecomputeMode::none:
            return;
        case RecomputeMode::selective:
        case RecomputeMode::modules:
            add("--recompute-granularity", "selective");
            add("--recompute-modules",
                recompute.mode == RecomputeMode::selective ? Json::array({"core_attn"}) : Json(recompute.modules));
            return;
        case RecomputeMode::full:
            add("--recompute-granularity", "full");
            add("--recompute-method", "uniform");
            add("--recompute-num-layers", 1, "every layer is recomputed from its own input");
            return;
        case RecomputeMode::layers:
            add("--recompute-granularity", "full");
            add("--recompute-method", "block");
            add("--recompute-num-layers", recompute.layers, "the first layers of each virtual stage");
            return;
        }
    }

    bool recomputes(const char *module) const {
        const std::vector<std::string> &modules = m_plan.recompute.modules;
        return std::find(modules.begin(), modules.end(), module) != modules.end();
    }

    void offload() {
        if (m_plan.offload.optimizer > 0) {
            flag("--optimizer-cpu-offload");
            add("--optimizer-offload-fraction", m_plan.offload.optimizer);
            flag("--overlap-cpu-optimizer-d2h-h2d");
        }
        if (m_plan.offload.activations <= 0)
            return;
        flag("--fine-grained-activation-offloading");
        Json modules{"core_attn", "attn_proj", "attn_norm", "mlp_norm", "qkv_linear"};
        if (has_experts() && !recomputes("moe")) {
            modules.push_back("expert_fc1");
            modules.push_back("moe_act");
        }
        add("--offload-modules", std::move(modules), "all modules of this model that can be offloaded");
        add("--activation-offload-fraction", m_plan.offload.activations);
    }

    /// Adds the options for overlap that the plan's stack states.
    void overlap() {
        m_part = LaunchPart::overlap;
        const Parallelism &parallelism = m_plan.parallelism;
        if (parallelism.data * parallelism.context > 1 && m_stack.data_overlap) {
            flag("--overlap-grad-reduce");
            flag("--overlap-param-gather", parallelism.zero_stage >= 1 && m_stack.overlaps_weight_gather);
        }
        if (parallelism.tensor > 1 && m_stack.tensor_overlap > 0) {
            if (parallelism.sequence_parallel)
                flag("--tp-comm-overlap", true,
                     fmt::format("the plan overlaps {} of tensor-parallel communication",
                                 exact_text(m_stack.tensor_overlap, Quantity::share)));
            else
                m_target.lose("without sequence parallelism, no tensor-parallel communication is overlapped", "exposed",
                              {"/stack"});
        }
        if (parallelism.chunks > 1 && !m_stack.overlaps_pipeline_sends) {
            if (parallelism.pipeline > 2)
                flag("--no-overlap-p2p-communication", true, "the plan's software waits for pipeline sends");
            else
                m_target.lose(
                    "the plan's software waits for pipeline sends, but with two stages Megatron always overlaps them",
                    "overlapped sends", {"/stack"});
        }
        if (parallelism.expert > 1)
            expert_overlap();
    }

    void expert_overlap() {
        const bool pairs = definition_of(m_result.plan.parallelism.schedule).pairs_passes;
        if (!pairs && m_stack.expert_overlap <= 0)
            return;
        const Parallelism &parallelism = m_plan.parallelism;
        const RecomputeMode mode = m_plan.recompute.mode;
        const bool keeps_layers = mode != RecomputeMode::full && mode != RecomputeMode::layers && !recomputes("moe");
        // Only GPTModel can interleave the passes of two microbatches.
        if ((parallelism.pipeline == 1 || parallelism.chunks > 1) && keeps_layers && m_shape.mtp_layers <= 1
            && !m_target.hybrid && m_plan.precision.compute != DataType::fp32)
            flag("--overlap-moe-expert-parallel-comm", true, "the plan overlaps part of the all-to-alls");
        else if (m_shape.shared_hidden > 0 && m_shape.expert_latent == 0 && !recomputes("shared_experts"))
            flag("--moe-shared-expert-overlap", true, "the plan overlaps part of the all-to-alls");
        else
            m_target.lose(
                m_target.hybrid
                    ? fmt::format("{} does not overlap the all-to-alls of this hybrid model", m_plan.stack.name)
                    : "the plan overlaps part of the experts' all-to-alls, which Megatron can do only with virtual "
                      "stages and without recomputed layers",
                "exposed all-to-alls", {"/stack"});
    }

    void optimizer() {
        m_part = LaunchPart::optimizer;
        switch (m_plan.optimizer.kind) {
        case OptimizerKind::muon:
            add("--optimizer", "muon");
            return;
        case OptimizerKind::sgd:
            add("--optimizer", "sgd");
            add("--sgd-momentum", m_plan.optimizer.momentum);
            return;
        default:
            add("--optimizer", "adam");
        }
    }

    void run() {
        m_part = LaunchPart::run;
        const RunSteps steps = run_steps(m_plan, m_result);
        add("--train-iters", steps.steps, steps.why_steps);
        m_part = LaunchPart::checkpoint;
        if (steps.save_interval > 0)
            add("--save-interval", steps.save_interval, steps.why_interval);
        if (uses_megatron_fsdp(m_plan))
            add("--ckpt-format", "fsdp_dtensor", "FSDP writes sharded checkpoints");
        else
            add("--ckpt-format", "torch_dist");
        if (m_plan.faults.checkpoint_blocking_share < 1) {
            flag("--async-save");
            flag("--use-persistent-ckpt-worker", true, "required by --async-save");
        }
    }

    TargetPlan &m_target;
    const Plan &m_plan;
    const ModelShape &m_shape;
    const Result &m_result;
    const Stack &m_stack; ///< stack of the evaluated plan; states which communication overlaps
    LaunchPart m_part = LaunchPart::model;
    std::vector<WrittenOption> m_options;
};

} // namespace

std::vector<WrittenOption> megatron_options(TargetPlan &target, const Result &result) {
    return MegatronWriter(target, result).write();
}

} // namespace meshwright

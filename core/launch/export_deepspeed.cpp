// SPDX-License-Identifier: GPL-3.0-or-later
// Exports to DeepSpeed: its JSON, and the options of Megatron-DeepSpeed that go with it.
#include "launch/deepspeed_exporter.h"

#include "evaluate/result.h"
#include "launch/deepspeed_target.h"
#include "launch/export_sbatch.h"
#include "launch/export_text.h"
#include "launch/launch_environment.h"
#include "launch/megatron_names.h"
#include "launch/nested_options.h"
#include "launch/run_steps.h"
#include "launch/torchrun.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::string_view deepspeed_title = "Megatron-DeepSpeed (4efb479d5317)";
constexpr const char *deepspeed_json = "ds_config.json";

ExportFile json_file(const Result &result, const TargetPlan &target) {
    const Plan &plan = target.plan;
    const Stack &stack = result.plan.stack;
    NestedOptions json;
    json.add("train_batch_size", plan.batch.global_sequences, "/batch/global_sequences");
    json.add("train_micro_batch_size_per_gpu", plan.batch.micro_sequences, "/batch/micro_sequences");
    json.add("gradient_accumulation_steps", plan.microbatches(), "/batch/global_sequences", "microbatches per replica");
    if (plan.parallelism.context > 1)
        json.add("sequence_parallel_size", plan.parallelism.context, "/parallelism/context",
                 "context-parallel ranks share sequences, so they do not multiply the batch");
    json.add("steps_per_print", 10);
    json.add("gradient_clipping", 1.0);
    json.add("zero_optimization.stage", plan.parallelism.zero_stage, "/parallelism/zero_stage");
    json.add("zero_optimization.overlap_comm", stack.data_overlap, "/stack");
    json.add("zero_optimization.contiguous_gradients", true);
    if (plan.parallelism.shard_group)
        json.add("zero_optimization.mics_shard_size", *plan.parallelism.shard_group, "/parallelism/shard_group");
    if (plan.offload.optimizer > 0) {
        json.add("zero_optimization.offload_optimizer.device", "cpu", "/offload/optimizer");
        json.add("zero_optimization.offload_optimizer.pin_memory", true, "/offload/optimizer");
    }
    if (plan.precision.compute != DataType::fp32)
        json.add(fmt::format("{}.enabled", name_of(plan.precision.compute)), true, "/precision/compute");
    json.add("data_types.grad_accum_dtype", name_of(plan.precision.gradients), "/precision/gradients");
    if (plan.offload.activations > 0)
        json.add("activation_checkpointing.cpu_checkpointing", true, "/offload/activations");
    json.add("wall_clock_breakdown", false);
    ExportText text;
    json.write_json(text);
    return {.name = deepspeed_json, .lines = std::move(text).take()};
}

/// Megatron-DeepSpeed's options: those of an older Megatron-LM plus DeepSpeed's own.
class DeepSpeedScript {
public:
    DeepSpeedScript(const Result &result, const TargetPlan &target)
        : m_result(result)
        , m_target(target)
        , m_plan(target.plan)
        , m_shape(target.shape)
        , m_steps(run_steps(target.plan, result)) { }

    ExportFile write() {
        m_text.add("#!/bin/bash");
        m_text.head(m_result, deepspeed_title, m_target);
        m_text.blank();
        m_text.add("set -euo pipefail");
        m_text.blank();
        m_text.comment("A plan does not have these values: set them in the environment or here.");
        m_text.add("MEGATRON_PATH=\"${MEGATRON_PATH:-.}\" # checkout of Megatron-DeepSpeed");
        m_text.add("DATA_PATH=\"${DATA_PATH:-data/corpus_text_document}\" # prefix of the preprocessed data");
        m_text.add(
            "TOKENIZER_MODEL=\"${TOKENIZER_MODEL:-}\" # Hugging Face tokenizer; empty: the data consists of token ids");
        m_text.add("CHECKPOINT_PATH=\"${CHECKPOINT_PATH:-checkpoints}\" # on storage that all nodes share");
        m_text.add("LR=\"${LR:-3e-4}\" # peak learning rate: tune it");
        m_text.add("MIN_LR=\"${MIN_LR:-3e-5}\" # final learning rate");
        m_text.blank();
        add_variables(m_text, program_environment(m_target, true));
        m_text.blank();
        m_text.add("ARGS=(");
        model();
        degrees();
        batch();
        state();
        run();
        m_text.add(")");
        m_text.add("if [ -n \"$TOKENIZER_MODEL\" ]; then");
        m_text.add("    ARGS+=(--tokenizer-type HFTokenizer --tokenizer-model \"$TOKENIZER_MODEL\")");
        m_text.add("else");
        m_text.add("    ARGS+=(--tokenizer-type NullTokenizer)");
        m_text.add("fi");
        m_text.blank();
        add_torchrun(m_text, m_plan);
        m_text.add("\"${LAUNCHER[@]}\" \"$MEGATRON_PATH/pretrain_gpt.py\" \"${ARGS[@]}\"");
        return {.name = "train.sh", .lines = std::move(m_text).take()};
    }

private:
    void add(const char *name, const Json &value, std::string why = {}) {
        std::string line = fmt::format("    {}", name);
        for (const std::string &word : shell_words(value))
            line += " " + word;
        if (!why.empty())
            line += " # " + why;
        m_text.add(std::move(line), std::string(megatron_field(name)), std::move(why));
    }
    void flag(const char *name, bool condition = true, std::string why = {}) {
        if (condition)
            add(name, true, std::move(why));
    }

    void model() {
        add("--num-layers", *m_shape.layers);
        add("--hidden-size", *m_shape.hidden);
        add("--num-attention-heads", *m_shape.heads);
        if (const std::int64_t kv_heads = m_shape.kv_heads.value_or(*m_shape.heads); kv_heads != *m_shape.heads)
            add("--num-key-value-heads", kv_heads);
        add("--kv-channels", m_shape.head_dim.value_or(*m_shape.hidden / *m_shape.heads));
        add("--ffn-hidden-size", m_shape.feed_forward.value_or(4 * *m_shape.hidden));
        flag("--swiglu", m_shape.gated);
        flag("--disable-bias-linear", !m_shape.linear_bias);
        add("--normalization", m_shape.norm == NormKind::rms ? "rmsnorm" : "layernorm");
        flag("--untie-embeddings-and-output-weights", !m_shape.tied_embeddings);
        flag("--use-rotary-position-embeddings", !m_shape.learned_positions);
        add("--max-position-embeddings",
            m_shape.learned_positions.value_or(m_shape.longest_sequence.value_or(m_plan.batch.sequence_length)));
        const std::int64_t rows = *m_shape.vocabulary;
        constexpr std::int64_t usual = 128;
        add("--vocab-size", rows);
        add("--make-vocab-size-divisible-by", std::gcd(rows / m_plan.parallelism.tensor, usual),
            "the plan's vocabulary size includes the padding");
        if (!m_result.plan.stack.dropout) {
            add("--attention-dropout", 0.0, "off: the plan's activations include no dropout masks");
            add("--hidden-dropout", 0.0);
        }
        if (m_shape.experts.value_or(0) == 0)
            return;
        add("--num-experts", *m_shape.experts);
        add("--topk", m_shape.experts_per_token);
        const auto first = std::find(m_shape.has_experts.begin(), m_shape.has_experts.end(), true);
        add("--expert-interval", first - m_shape.has_experts.begin() + 1, "every n-th layer has experts");
        add("--moe-expert-parallel-size", m_plan.parallelism.expert);
        flag("--create-moe-param-group", true, "required by DeepSpeed's optimizers");
    }

    void degrees() {
        const Parallelism &parallelism = m_plan.parallelism;
        add("--tensor-model-parallel-size", parallelism.tensor);
        flag("--sequence-parallel", parallelism.sequence_parallel && parallelism.tensor > 1);
        add("--pipeline-model-parallel-size", parallelism.pipeline);
        flag("--no-pipeline-parallel", parallelism.pipeline == 1, "without the pipeline engine");
        if (parallelism.schedule == Schedule::zb_h1) {
            flag("--enable-zbh1-pipeline");
            flag("--enable-zbh1-exact-semantics", true, "every backward pass is split, as in the plan");
        }
        add("--ds-sequence-parallel-size", parallelism.context);
        flag("--deepspeed");
        add("--deepspeed_config", deepspeed_json);
        add("--zero-stage", parallelism.zero_stage);
        flag("--cpu-optimizer", m_plan.offload.optimizer > 0);
    }

    void batch() {
        add("--seq-length", m_plan.batch.sequence_length);
        add("--micro-batch-size", m_plan.batch.micro_sequences);
        add("--global-batch-size", m_plan.batch.global_sequences,
            fmt::format("microbatch {} x accumulation {} x data parallel {}", m_plan.batch.micro_sequences,
                        m_plan.microbatches(), m_plan.parallelism.data));
    }

    void state() {
        const Precision &precision = m_plan.precision;
        flag("--bf16", precision.compute == DataType::bf16);
        flag("--fp16", precision.compute == DataType::fp16);
        flag("--accumulate-allreduce-grads-in-fp32",
             precision.compute == DataType::fp16 && precision.gradients == DataType::fp32);
        switch (m_plan.recompute.mode) {
        case RecomputeMode::full:
            flag("--checkpoint-activations");
            flag("--deepspeed-activation-checkpointing");
            flag("--checkpoint-in-cpu", m_plan.offload.activations > 0);
            break;
        case RecomputeMode::selective:
            add("--recompute-granularity", "selective");
            break;
        case RecomputeMode::layers:
            add("--recompute-granularity", "full");
            add("--recompute-method", "block");
            add("--recompute-num-layers", m_plan.recompute.layers);
            break;
        default:
            break;
        }
        add("--optimizer", m_plan.optimizer.kind == OptimizerKind::sgd ? "sgd" : "adam");
        m_text.add("    --lr \"$LR\" --min-lr \"$MIN_LR\" --lr-decay-style cosine --lr-warmup-fraction 0.01");
        m_text.add("    --weight-decay 0.1 --clip-grad 1.0");
    }

    void run() {
        add("--train-iters", m_steps.steps, m_steps.why_steps);
        m_text.add("    --eval-iters 0 --log-interval 10");
        if (m_steps.save_interval > 0)
            add("--save-interval", m_steps.save_interval, m_steps.why_interval);
        m_text.add("    --save \"$CHECKPOINT_PATH\" --load \"$CHECKPOINT_PATH\"");
        m_text.add("    --data-path \"$DATA_PATH\" --split 99,1,0");
    }

    const Result &m_result;
    const TargetPlan &m_target;
    const Plan &m_plan;
    const ModelShape &m_shape;
    RunSteps m_steps;
    ExportText m_text;
};

} // namespace

LaunchExport export_deepspeed(const Result &result, const Library &library) {
    TargetPlan target = deepspeed_target(result.plan, library);
    target.predict(result);
    LaunchExport written;
    written.files.push_back(json_file(result, target));
    written.files.push_back(DeepSpeedScript(result, target).write());
    written.files.push_back(sbatch_file(result, target, deepspeed_title, true, SlurmTasks::per_accelerator_in_order));
    written.lost = target.lost;
    return written;
}

} // namespace meshwright

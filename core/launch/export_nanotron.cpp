// SPDX-License-Identifier: GPL-3.0-or-later
// Exports to nanotron: a YAML file. nanotron rejects unknown keys and requires many that a plan does not determine.
#include "launch/nanotron_exporter.h"

#include "evaluate/result.h"
#include "launch/export_sbatch.h"
#include "launch/export_text.h"
#include "launch/launch_environment.h"
#include "launch/nanotron_target.h"
#include "launch/nested_options.h"
#include "launch/run_steps.h"
#include "launch/torchrun.h"

#include <algorithm>
#include <string>
#include <utility>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::string_view nanotron_title = "nanotron (2411b022a75f)";

class NanotronWriter {
public:
    NanotronWriter(const NanotronTarget &target, const Result &result)
        : m_model(target.model)
        , m_target(target.target)
        , m_plan(target.target.plan)
        , m_shape(target.target.shape)
        , m_result(result)
        , m_steps(run_steps(m_plan, result)) { }

    ExportFile write() {
        general();
        degrees();
        model();
        batch();
        optimizer();
        ExportText text;
        text.head(m_result, nanotron_title, m_target);
        m_yaml.write_yaml(text);
        text.comment("Plans do not name a dataset, and without one nanotron trains on random tokens. Set yours under "
                     "\"dataset\".");
        for (const char *line : {"data_stages:", "- name: \"training\"", "  start_training_step: 1",
                                 "  data:", "    dataset: null", "    num_loading_workers: 1", "    seed: 42"})
            text.add(line);
        return {.name = "config.yaml", .lines = std::move(text).take()};
    }

private:
    void add(const char *name, Json value, const char *field = "", std::string why = {}) {
        m_yaml.add(name, std::move(value), field, std::move(why));
    }

    void general() {
        add("general.project", "meshwright");
        add("general.run", "run_%date_%jobid");
        add("general.seed", 42);
        add("checkpoints.checkpoints_path", "checkpoints", "",
            "not part of the plan; a path on storage shared by all nodes");
        add("checkpoints.checkpoint_interval", std::max<std::int64_t>(1, m_steps.save_interval),
            "/faults/checkpoint_interval_seconds", m_steps.why_interval);
        add("checkpoints.checkpoints_path_is_shared_file_system", true);
        add("checkpoints.resume_checkpoint_path", nullptr);
        add("logging.iteration_step_info_interval", 10);
    }

    void degrees() {
        const Parallelism &parallelism = m_plan.parallelism;
        add("parallelism.dp", parallelism.data, "/parallelism/data");
        add("parallelism.tp", parallelism.tensor, "/parallelism/tensor");
        add("parallelism.pp", parallelism.pipeline, "/parallelism/pipeline");
        add("parallelism.context_parallel_size", parallelism.context, "/parallelism/context");
        add("parallelism.expert_parallel_size", 1, "/parallelism/expert");
        add("parallelism.pp_engine", parallelism.schedule == Schedule::gpipe ? "afab" : "1f1b",
            "/parallelism/schedule");
        const bool shards = parallelism.sequence_parallel && parallelism.tensor > 1;
        add("parallelism.tp_mode", shards ? "REDUCE_SCATTER" : "ALL_REDUCE", "/parallelism/sequence_parallel");
        add("parallelism.tp_linear_async_communication", shards && m_result.plan.stack.tensor_overlap > 0, "/stack");
        add("parallelism.tp_recompute_allgather", !m_result.plan.stack.keeps_gathered_inputs, "/stack");
        add("parallelism.recompute_layer", m_plan.recompute.mode == RecomputeMode::full, "/recompute/mode");
    }

    void model() {
        const DataType compute = m_plan.precision.compute;
        add("model.dtype",
            compute == DataType::fp32       ? "float32"
                : compute == DataType::fp16 ? "float16"
                                            : "bfloat16",
            "/precision/compute");
        add("model.init_method.std", 0.02);
        add("model.make_vocab_size_divisible_by", 1, "/model/vocabulary");
        const char *const mark = m_model == NanotronModel::qwen2 ? "model.model_config.is_qwen2_config"
                                                                 : "model.model_config.is_llama_config";
        add(mark, true, "/model");
        add("model.model_config.hidden_size", *m_shape.hidden, "/model/hidden");
        add("model.model_config.num_hidden_layers", *m_shape.layers, "/model/layers");
        add("model.model_config.num_attention_heads", *m_shape.heads, "/model/blocks/0/mixer/heads");
        add("model.model_config.num_key_value_heads", m_shape.kv_heads.value_or(*m_shape.heads),
            "/model/blocks/0/mixer/kv_heads");
        add("model.model_config.hidden_act", "silu", "/model/blocks/0/transform/gated");
        add("model.model_config.tie_word_embeddings", m_shape.tied_embeddings, "/model/tied_embeddings");
        add("model.model_config.attention_bias", m_shape.qkv_bias, "/model/blocks/0/mixer/query_key_value_bias");
        add("model.model_config.intermediate_size", m_shape.feed_forward.value_or(4 * *m_shape.hidden),
            "/model/blocks/0/transform/hidden");
        add("model.model_config.vocab_size", *m_shape.vocabulary, "/model/vocabulary");
        add("model.model_config.max_position_embeddings",
            m_shape.longest_sequence.value_or(m_plan.batch.sequence_length), "/model/longest_sequence");
        if (m_shape.window.value_or(0) > 0)
            add("model.model_config.sliding_window_size", *m_shape.window, "/model/blocks/0/mixer/window");
        if (m_plan.parallelism.context > 1) {
            add("model.model_config._attn_implementation", "llama3_ring_attention", "/parallelism/context");
            add("model.model_config.ring_attn_heads_k_stride", 1, "/parallelism/context");
        }
        experts();
        add("tokenizer.tokenizer_name_or_path", "gpt2", "",
            "not part of the plan; set yours (random tokens work with any tokenizer)");
    }

    void experts() {
        if (m_shape.experts.value_or(0) == 0)
            return;
        const char *const field = "/model/blocks/0/transform";
        add("model.model_config.moe_config.num_experts", *m_shape.experts, field);
        add("model.model_config.moe_config.top_k", m_shape.experts_per_token, field);
        add("model.model_config.moe_config.moe_intermediate_size",
            m_shape.expert_hidden.value_or(m_shape.feed_forward.value_or(1)), field);
        add("model.model_config.moe_config.enable_shared_expert", m_shape.shared_hidden > 0, field);
        if (m_shape.shared_hidden > 0)
            add("model.model_config.moe_config.shared_expert_intermediate_size", m_shape.shared_hidden, field);
        Json layers = Json::array();
        for (std::size_t i = 0; i < m_shape.has_experts.size(); ++i)
            if (m_shape.has_experts[i])
                layers.push_back(i);
        if (layers.size() == m_shape.has_experts.size())
            layers = Json::array({-1});
        add("model.model_config.moe_config.layers", std::move(layers), "/model/layers");
    }

    void batch() {
        const Batch &batch = m_plan.batch;
        add("tokens.sequence_length", batch.sequence_length, "/batch/sequence_length");
        add("tokens.micro_batch_size", batch.micro_sequences, "/batch/micro_sequences");
        add("tokens.batch_accumulation_per_replica", m_plan.microbatches(), "/batch/global_sequences",
            "microbatches per replica");
        add("tokens.train_steps", m_steps.steps, "/run/tokens", m_steps.why_steps);
        add("tokens.val_check_interval", -1);
    }

    void optimizer() {
        const bool adam = m_plan.optimizer.kind == OptimizerKind::adamw;
        add("optimizer.optimizer_factory.name", adam ? "adamW" : "sgd", "/optimizer/name");
        if (adam) {
            add("optimizer.optimizer_factory.adam_beta1", 0.9);
            add("optimizer.optimizer_factory.adam_beta2", 0.95);
            add("optimizer.optimizer_factory.adam_eps", 1e-8);
            add("optimizer.optimizer_factory.torch_adam_is_fused", true);
        }
        add("optimizer.zero_stage", m_plan.parallelism.zero_stage, "/parallelism/zero_stage");
        add("optimizer.accumulate_grad_in_fp32", m_plan.precision.gradients == DataType::fp32, "/precision/gradients",
            m_plan.precision.gradients == DataType::fp32 ? "also keeps FP32 master weights" : "");
        add("optimizer.clip_grad", 1.0);
        add("optimizer.weight_decay", 0.1);
        add("optimizer.learning_rate_scheduler.learning_rate", 3e-4, "", "not part of the plan; tune it");
        add("optimizer.learning_rate_scheduler.min_decay_lr", 3e-5);
        add("optimizer.learning_rate_scheduler.lr_warmup_steps", std::max<std::int64_t>(1, m_steps.steps / 100), "",
            "1% of the run");
        add("optimizer.learning_rate_scheduler.lr_warmup_style", "linear");
        add("optimizer.learning_rate_scheduler.lr_decay_style", "cosine");
    }

    NanotronModel m_model;
    const TargetPlan &m_target;
    const Plan &m_plan;
    const ModelShape &m_shape;
    const Result &m_result;
    RunSteps m_steps;
    NestedOptions m_yaml;
};

ExportFile nanotron_script(const Result &result, const TargetPlan &target) {
    ExportText text;
    text.add("#!/bin/bash");
    text.head(result, nanotron_title, target);
    text.blank();
    text.add("set -euo pipefail");
    text.blank();
    text.comment("A plan does not have this value: set it in the environment or here. Data, tokenizer and learning "
                 "rate are in config.yaml.");
    text.add("NANOTRON_PATH=\"${NANOTRON_PATH:-.}\" # checkout of nanotron");
    text.blank();
    text.comment("One queue keeps kernels in launch order, so that communication starts before the GEMM that overlaps "
                 "it; nanotron's tensor parallelism relies on this order.");
    text.add("export CUDA_DEVICE_MAX_CONNECTIONS=\"${CUDA_DEVICE_MAX_CONNECTIONS:-1}\"", "/parallelism/tensor");
    add_variables(text, program_environment(target, false));
    text.blank();
    add_torchrun(text, target.plan);
    text.add("\"${LAUNCHER[@]}\" \"$NANOTRON_PATH/run_train.py\" --config-file config.yaml");
    return {.name = "train.sh", .lines = std::move(text).take()};
}

} // namespace

LaunchExport export_nanotron(const Result &result, const Library &library) {
    NanotronTarget target = nanotron_target(result.plan, library);
    target.target.predict(result);
    LaunchExport written;
    written.files.push_back(NanotronWriter(target, result).write());
    written.files.push_back(nanotron_script(result, target.target));
    written.files.push_back(sbatch_file(result, target.target, nanotron_title, false, SlurmTasks::per_accelerator));
    written.lost = target.target.lost;
    return written;
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
// Exports to Accelerate: its YAML, and the Trainer's arguments for everything that has no field in the YAML.
#include "launch/accelerate_exporter.h"

#include "evaluate/result.h"
#include "launch/accelerate_target.h"
#include "launch/export_sbatch.h"
#include "launch/export_text.h"
#include "launch/hugging_face_writing.h"
#include "launch/launch_environment.h"
#include "launch/nested_options.h"
#include "launch/run_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::string_view accelerate_title = "Accelerate (16cb6eb80dd9) and the Trainer";

const char *distributed_type(AccelerateEngine engine) {
    switch (engine) {
    case AccelerateEngine::replicas:
        return "MULTI_GPU";
    case AccelerateEngine::fsdp:
        return "FSDP";
    case AccelerateEngine::deepspeed:
        return "DEEPSPEED";
    case AccelerateEngine::megatron:
        return "MEGATRON_LM";
    }
    return "NO";
}

class AccelerateWriter {
public:
    AccelerateWriter(const AccelerateTarget &target, const Result &result)
        : m_engine(target.engine)
        , m_target(target.target)
        , m_plan(target.target.plan)
        , m_result(result)
        , m_steps(run_steps(m_plan, result)) { }

    ExportFile yaml() {
        const SiteNodes nodes = nodes_of(m_plan);
        add("compute_environment", "LOCAL_MACHINE");
        add("distributed_type", distributed_type(m_engine), "/parallelism/zero_stage");
        add("num_machines", nodes.nodes, "/cluster/tiers");
        add("num_processes", m_plan.site_accelerators(), "/cluster/tiers", "number of processes on all machines");
        add("machine_rank", 0, "", "train.sh sets it");
        add("main_process_ip", "localhost", "", "train.sh sets it");
        add("main_process_port", 29500);
        add("rdzv_backend", "static");
        add("same_network", true);
        add("main_training_function", "main");
        const DataType compute = m_plan.precision.compute;
        add("mixed_precision", compute == DataType::fp32 ? std::string("no") : name_of(compute), "/precision/compute");
        if (m_engine == AccelerateEngine::fsdp)
            fsdp();
        if (m_engine == AccelerateEngine::deepspeed)
            deepspeed();
        if (m_engine == AccelerateEngine::megatron)
            megatron();
        ExportText text;
        text.head(m_result, accelerate_title, m_target);
        m_yaml.write_yaml(text);
        return {.name = "accelerate.yaml", .lines = std::move(text).take()};
    }

    ExportFile script(bool has_config) {
        m_text.add("#!/bin/bash");
        m_text.head(m_result, accelerate_title, m_target);
        m_text.blank();
        m_text.add("set -euo pipefail");
        m_text.blank();
        m_text.comment("A plan does not have these values: set them in the environment or here.");
        m_text.add(
            fmt::format("SCRIPT=\"${{SCRIPT:-{}}}\" # from the examples of transformers or Accelerate",
                        m_engine == AccelerateEngine::megatron ? "megatron_lm_gpt_pretraining.py" : "run_clm.py"));
        m_text.add(fmt::format("MODEL=\"${{MODEL:-models/{}}}\" # folder {}", model_folder(),
                               has_config                                   ? "for config.json"
                                   : m_engine == AccelerateEngine::megatron ? "for a config.json of the type gpt2"
                                                                            : "or name on the hub, with the model's "
                                                                              "config.json"),
                   "/model");
        m_text.add("TOKENIZER=\"${TOKENIZER:-gpt2}\" # folder or name on the hub");
        m_text.add("DATASET=\"${DATASET:-wikitext}\" DATASET_CONFIG=\"${DATASET_CONFIG:-wikitext-103-raw-v1}\"");
        m_text.add("CHECKPOINT_PATH=\"${CHECKPOINT_PATH:-checkpoints}\" # on storage that all nodes share");
        m_text.add("LR=\"${LR:-3e-4}\" # peak learning rate: tune it");
        m_text.blank();
        add_variables(m_text, program_environment(m_target, m_engine == AccelerateEngine::megatron));
        if (has_config) {
            m_text.add("mkdir -p \"$MODEL\"");
            m_text.add("cp -n config.json \"$MODEL/\"", "/model");
        }
        m_text.blank();
        m_text.add("accelerate launch --config_file accelerate.yaml \\");
        m_text.add("    --machine_rank \"${NODE_RANK:-0}\" --main_process_ip \"${MASTER_ADDR:-localhost}\" \\");
        m_text.add("    --main_process_port \"${MASTER_PORT:-29500}\" \\");
        m_text.add("    \"$SCRIPT\" \\");
        arguments();
        return {.name = "train.sh", .lines = std::move(m_text).take()};
    }

    std::string model_folder() const {
        std::string name;
        for (const char c : m_result.plan.model_id)
            if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.')
                name += c;
        return name.empty() || name.front() == '.' ? "model" : name;
    }

private:
    void add(const char *name, Json value, const char *field = "", std::string why = {}) {
        m_yaml.add(name, std::move(value), field, std::move(why));
    }

    void fsdp() {
        const Parallelism &parallelism = m_plan.parallelism;
        add("fsdp_config.fsdp_version", 2);
        add("fsdp_config.fsdp_reshard_after_forward", parallelism.zero_stage == 3, "/parallelism/zero_stage");
        add("fsdp_config.fsdp_auto_wrap_policy", "TRANSFORMER_BASED_WRAP");
        add("fsdp_config.fsdp_activation_checkpointing", m_plan.recompute.mode == RecomputeMode::full,
            "/recompute/mode");
        add("fsdp_config.fsdp_offload_params", m_plan.offload.optimizer > 0, "/offload/optimizer");
        add("fsdp_config.fsdp_state_dict_type", "SHARDED_STATE_DICT");
        add("fsdp_config.fsdp_cpu_ram_efficient_loading", true);
        const std::int64_t ranks = parallelism.data * parallelism.context;
        const std::int64_t replicas = ranks / parallelism.shard_group.value_or(ranks);
        const char *const field = parallelism.shard_group ? "/parallelism/shard_group" : "/parallelism/data";
        add("parallelism_config.parallelism_config_dp_replicate_size", replicas, field);
        add("parallelism_config.parallelism_config_dp_shard_size", parallelism.data / replicas, field);
        add("parallelism_config.parallelism_config_tp_size", parallelism.tensor, "/parallelism/tensor");
        add("parallelism_config.parallelism_config_cp_size", parallelism.context, "/parallelism/context");
    }

    void deepspeed() {
        const std::int64_t stage = m_plan.parallelism.zero_stage;
        add("deepspeed_config.deepspeed_multinode_launcher", "standard");
        add("deepspeed_config.zero_stage", stage, "/parallelism/zero_stage");
        add("deepspeed_config.gradient_accumulation_steps", m_plan.microbatches(), "/batch/global_sequences",
            "microbatches per replica");
        add("deepspeed_config.gradient_clipping", 1.0);
        add("deepspeed_config.offload_optimizer_device", m_plan.offload.optimizer > 0 ? "cpu" : "none",
            "/offload/optimizer");
        add("deepspeed_config.offload_param_device", "none");
        add("deepspeed_config.zero3_init_flag", stage == 3, "/parallelism/zero_stage");
        add("deepspeed_config.zero3_save_16bit_model", stage == 3, "/parallelism/zero_stage");
    }

    void megatron() {
        const Parallelism &parallelism = m_plan.parallelism;
        add("megatron_lm_config.megatron_lm_tp_degree", parallelism.tensor, "/parallelism/tensor");
        add("megatron_lm_config.megatron_lm_pp_degree", parallelism.pipeline, "/parallelism/pipeline");
        add("megatron_lm_config.megatron_lm_context_parallel_size", parallelism.context, "/parallelism/context",
            "the default is 2");
        add("megatron_lm_config.megatron_lm_num_micro_batches", m_plan.microbatches(), "/batch/global_sequences",
            "microbatches per replica");
        add("megatron_lm_config.megatron_lm_sequence_parallelism",
            parallelism.sequence_parallel && parallelism.tensor > 1, "/parallelism/sequence_parallel");
        add("megatron_lm_config.megatron_lm_recompute_granularity", "full", "/recompute/mode");
        add("megatron_lm_config.megatron_lm_recompute_method", "uniform", "/recompute/mode");
        add("megatron_lm_config.megatron_lm_recompute_num_layers", 1, "/recompute/mode");
        add("megatron_lm_config.megatron_lm_use_rotary_position_embeddings", !m_target.shape.learned_positions,
            "/model/learned_positions");
        add("megatron_lm_config.megatron_lm_use_distributed_optimizer", parallelism.zero_stage >= 1,
            "/parallelism/zero_stage");
        add("megatron_lm_config.megatron_lm_gradient_clipping", 1.0);
    }

    void argument(const std::string &words, std::string field = {}, std::string why = {}) {
        m_text.add("    " + words + " \\", std::move(field), std::move(why));
    }

    void arguments() {
        argument("--config_name \"$MODEL\" --tokenizer_name \"$TOKENIZER\"", "/model");
        argument("--dataset_name \"$DATASET\" --dataset_config_name \"$DATASET_CONFIG\"");
        argument(fmt::format("--block_size {}", m_plan.batch.sequence_length), "/batch/sequence_length");
        argument(fmt::format("--per_device_train_batch_size {}", m_plan.batch.micro_sequences),
                 "/batch/micro_sequences");
        if (m_engine == AccelerateEngine::megatron)
            script_arguments();
        else
            trainer_arguments();
    }

    /// Accelerate's script takes a step with all microbatches for each batch, so it accumulates no gradients itself.
    void script_arguments() {
        argument(fmt::format("--max_train_steps {}", m_steps.steps), "/run/tokens", m_steps.why_steps);
        argument(fmt::format("--learning_rate \"$LR\" --num_warmup_steps {} --weight_decay 0.1", m_steps.steps / 100));
        if (m_steps.save_interval > 0)
            argument(fmt::format("--checkpointing_steps {}", m_steps.save_interval),
                     "/faults/checkpoint_interval_seconds", m_steps.why_interval);
        m_text.add("    --output_dir \"$CHECKPOINT_PATH\"");
    }

    void trainer_arguments() {
        argument("--do_train");
        argument(fmt::format("--gradient_accumulation_steps {}", m_plan.microbatches()), "/batch/global_sequences",
                 "microbatches per replica");
        argument(fmt::format("--max_steps {}", m_steps.steps), "/run/tokens", m_steps.why_steps);
        const bool by_argument = m_engine == AccelerateEngine::replicas || m_engine == AccelerateEngine::deepspeed;
        if (by_argument && m_plan.recompute.mode == RecomputeMode::full)
            argument("--gradient_checkpointing true", "/recompute/mode");
        if (m_engine == AccelerateEngine::replicas && m_plan.precision.weights == DataType::bf16)
            argument("--torch_dtype bfloat16 --bf16 true", "/precision/weights", "everything is stored in BF16");
        const OptimizerKind kind = m_plan.optimizer.kind;
        argument(fmt::format("--optim {}",
                             kind == OptimizerKind::adam_8bit       ? "adamw_bnb_8bit"
                                 : kind == OptimizerKind::adafactor ? "adafactor"
                                 : kind == OptimizerKind::sgd       ? "sgd"
                                                                    : "adamw_torch_fused"),
                 "/optimizer/name");
        argument("--learning_rate \"$LR\" --lr_scheduler_type cosine --warmup_steps 0.01 --weight_decay 0.1");
        if (m_steps.save_interval > 0)
            argument(fmt::format("--save_strategy steps --save_steps {}", m_steps.save_interval),
                     "/faults/checkpoint_interval_seconds", m_steps.why_interval);
        m_text.add("    --output_dir \"$CHECKPOINT_PATH\" --logging_steps 10");
    }

    AccelerateEngine m_engine;
    const TargetPlan &m_target;
    const Plan &m_plan;
    const Result &m_result;
    RunSteps m_steps;
    NestedOptions m_yaml;
    ExportText m_text;
};

} // namespace

LaunchExport export_accelerate(const Result &result, const Library &library) {
    AccelerateTarget target = accelerate_target(result.plan, library);
    target.target.predict(result);
    auto config = hugging_face_config(target.target.shape, *target.target.shape.longest_sequence,
                                      target.engine == AccelerateEngine::replicas
                                          && target.target.plan.precision.weights == DataType::bf16);
    LaunchExport written;
    written.files.push_back(AccelerateWriter(target, result).yaml());
    written.files.push_back(AccelerateWriter(target, result).script(config.has_value()));
    if (config)
        written.files.push_back(std::move(*config));
    written.files.push_back(sbatch_file(result, target.target, accelerate_title,
                                        target.engine == AccelerateEngine::megatron, SlurmTasks::per_node));
    written.lost = target.target.lost;
    return written;
}

} // namespace meshwright

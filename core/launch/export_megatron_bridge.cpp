// SPDX-License-Identifier: GPL-3.0-or-later
// Exports to Megatron-Bridge: YAML overrides of its vanilla GPT recipe. Megatron-LM's options are named as in the
// recipe's ConfigContainer.
#include "launch/megatron_exporters.h"

#include "catalog/library.h"
#include "evaluate/result.h"
#include "launch/export_sbatch.h"
#include "launch/export_text.h"
#include "launch/launch_environment.h"
#include "launch/megatron_names.h"
#include "launch/megatron_target.h"
#include "launch/megatron_writing.h"
#include "launch/nested_options.h"
#include "launch/torchrun.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::string_view bridge_title = "Megatron-Bridge (067f987df03b)";

const char *torch_name(DataType type) {
    switch (type) {
    case DataType::bf16:
        return "torch.bfloat16";
    case DataType::fp16:
        return "torch.float16";
    case DataType::fp8:
        return "torch.uint8";
    default:
        return "torch.float32";
    }
}

constexpr std::string_view gather_overlap = "--overlap-param-gather";

/// Whether Muon shards its states by whole layers. In Megatron-LM --use-distributed-optimizer does so (arguments.py);
/// in Megatron-Bridge only the optimizer name dist_muon does so (training/optim.py), and its recipes then disable the
/// distributed optimizer.
bool shards_layer_wise(const Plan &plan) {
    return plan.optimizer.kind == OptimizerKind::muon && plan.parallelism.zero_stage > 0;
}

/// Megatron-LM's options as fields of a ConfigContainer.
class BridgeFields {
public:
    explicit BridgeFields(const TargetPlan &target)
        : m_plan(target.plan)
        , m_shape(target.shape)
        , m_layer_wise(shards_layer_wise(target.plan)) { }

    NestedOptions of(const std::vector<WrittenOption> &options) {
        precision();
        for (const WrittenOption &option : options)
            translate(option);
        if (m_plan.parallelism.zero_stage == 0)
            for (const std::string_view name :
                 megatron_spellings("--use-distributed-optimizer", MegatronDialect::megatron_bridge))
                add(std::string(name), false, "/parallelism/zero_stage",
                    "the recipe enables the distributed optimizer");
        add("validation.eval_iters", 0, "", "plans do not include evaluation");
        add("scheduler.lr_warmup_iters", 0);
        add("scheduler.lr_warmup_fraction", 0.01);
        return std::move(m_fields);
    }

private:
    void add(std::string name, Json value, std::string field = {}, std::string why = {}) {
        m_fields.add(std::move(name), std::move(value), std::move(field), std::move(why));
    }

    void precision() {
        const Precision &precision = m_plan.precision;
        const bool fp16 = precision.compute == DataType::fp16;
        const bool fp32 = precision.compute == DataType::fp32;
        const std::string field = "/precision/compute";
        add(fmt::format("mixed_precision.{}", fp16 ? "fp16" : fp32 ? "fp32" : "bf16"), true, field);
        if (fp16 || fp32)
            add("mixed_precision.bf16", false, field);
        const char *const weights = torch_name(fp16 ? DataType::fp16 : fp32 ? DataType::fp32 : DataType::bf16);
        add("mixed_precision.params_dtype", weights, "/precision/weights");
        add("mixed_precision.pipeline_dtype", weights, "/precision/weights");
        add("mixed_precision.grad_reduce_in_fp32", precision.gradients == DataType::fp32, "/precision/gradients");
    }

    void translate(const WrittenOption &option) {
        constexpr std::array<std::string_view, 6> said{"--bf16",
                                                       "--fp16",
                                                       "--grad-reduce-in-bf16",
                                                       "--accumulate-allreduce-grads-in-fp32",
                                                       "--group-query-attention",
                                                       "--max-position-embeddings"};
        if (std::find(said.begin(), said.end(), option.name) != said.end())
            return;
        const std::vector<std::string_view> names = megatron_spellings(option.name, MegatronDialect::megatron_bridge);
        if (names.empty())
            return;
        const bool both = option.name == "--use-distributed-optimizer" || option.name == "--use-megatron-fsdp";
        for (std::size_t i = 0; i < (both ? names.size() : 1); ++i)
            add(std::string(names[i]), is_opposite_of_megatron(names[i]) ? Json(false) : value_of(option), option.field,
                option.why);
        if (option.name == "--swiglu")
            add("model.activation_func", "silu", option.field);
        if (option.name == "--seq-length")
            add("dataset.seq_length", option.value, option.field);
        if (option.name == "--padded-vocab-size")
            add("tokenizer.vocab_size", option.value, option.field,
                "used by the tokenizer for mock data, which has no vocabulary");
    }

    static Json list_of(const std::vector<bool> &layers) {
        Json list = Json::array();
        for (const bool layer : layers)
            list.push_back(layer ? 1 : 0);
        return list;
    }

    /// An option's value as YAML: lists are YAML lists, number formats have PyTorch's names.
    Json value_of(const WrittenOption &option) const {
        if (option.name == "--moe-layer-freq")
            return list_of(m_shape.has_experts);
        if (option.name == "--window-attn-skip-freq" && option.value.is_string())
            return list_of(m_shape.windowed);
        if (option.name == "--linear-attention-freq" && option.value.is_string())
            return list_of(m_shape.has_delta_net);
        if (option.name == "--window-size")
            return Json{m_shape.window.value_or(0), 0};
        if (m_layer_wise && (option.name == "--use-distributed-optimizer" || option.name == gather_overlap))
            return false;
        if (m_layer_wise && option.name == "--optimizer")
            return "dist_muon";
        if (option.name == "--main-params-dtype")
            return torch_name(m_plan.precision.master);
        if (option.name == "--exp-avg-dtype" || option.name == "--exp-avg-sq-dtype")
            return torch_name(m_plan.precision.moments);
        return option.value;
    }

    const Plan &m_plan;
    const ModelShape &m_shape;
    const bool m_layer_wise;
    NestedOptions m_fields;
};

ExportFile overrides_file(const Result &result, const TargetPlan &target, const NestedOptions &fields) {
    ExportText text;
    text.head(result, bridge_title, target);
    fields.write_yaml(text);
    return {.name = "overrides.yaml", .lines = std::move(text).take()};
}

ExportFile python_file(const TargetPlan &target) {
    ExportText text;
    text.comment("Applies overrides.yaml, then the command line arguments, to Megatron-Bridge's vanilla recipe.");
    text.add("import sys");
    text.blank();
    const bool hybrid = target.hybrid.has_value();
    const bool latent = !hybrid && target.shape.latent.kv_rank.has_value();
    if (hybrid)
        text.add("from megatron.bridge.models.hybrid.hybrid_provider import HybridModelProvider", "/model/layers");
    if (latent)
        text.add("from megatron.bridge.models.mla_provider import MLAModelProvider", "/model/blocks/0/mixer");
    for (const char *line : {"from megatron.bridge.recipes.gpt import vanilla_gpt_pretrain_config",
                             "from megatron.bridge.training.gpt_step import forward_step",
                             "from megatron.bridge.training.mixed_precision import get_mixed_precision_config",
                             "from megatron.bridge.training.pretrain import pretrain",
                             "from megatron.bridge.training.utils.omegaconf_utils import process_config_with_overrides",
                             "", "config = vanilla_gpt_pretrain_config()"})
        text.add(line);
    if (hybrid)
        text.add("config.model = HybridModelProvider()", "/model/layers");
    if (latent)
        text.add("config.model = MLAModelProvider()", "/model/blocks/0/mixer");
    text.comment("Convert the precision from a name to an object, so that its fields can be overridden.");
    text.add("config.mixed_precision = get_mixed_precision_config(config.mixed_precision)");
    text.add("config = process_config_with_overrides(config, config_filepath=\"overrides.yaml\", "
             "cli_overrides=sys.argv[1:])");
    text.add("pretrain(config=config, forward_step_func=forward_step)");
    return {.name = "train.py", .lines = std::move(text).take()};
}

ExportFile bridge_script(const Result &result, const TargetPlan &target) {
    ExportText text;
    text.add("#!/bin/bash");
    text.head(result, bridge_title, target);
    text.blank();
    text.add("set -euo pipefail");
    text.blank();
    text.comment("A plan does not have these values: set them in the environment or here.");
    text.add("DATA_PATH=\"${DATA_PATH:-}\" # prefix of the preprocessed data; empty: mock data");
    text.add(
        "TOKENIZER_MODEL=\"${TOKENIZER_MODEL:-}\" # folder of a Hugging Face tokenizer; empty: none, for mock data");
    text.add("CHECKPOINT_PATH=\"${CHECKPOINT_PATH:-checkpoints}\" # on storage that all nodes share");
    text.add("LR=\"${LR:-3e-4}\" # peak learning rate: tune it");
    text.add("MIN_LR=\"${MIN_LR:-3e-5}\" # final learning rate");
    const bool rotary = !target.shape.learned_positions;
    if (rotary)
        text.add("ROTARY_BASE=\"${ROTARY_BASE:-10000}\" # RoPE base of the model; 500000 for Llama 3");
    text.blank();
    add_variables(text, program_environment(target, true));
    text.blank();
    text.add("OVERRIDES=(\"optimizer.lr=$LR\" \"optimizer.min_lr=$MIN_LR\"");
    text.add("    \"checkpoint.save=$CHECKPOINT_PATH\" \"checkpoint.load=$CHECKPOINT_PATH\")");
    if (rotary)
        text.add("OVERRIDES+=(\"model.rotary_base=$ROTARY_BASE\")");
    text.add("if [ -n \"$DATA_PATH\" ]; then");
    text.add("    OVERRIDES+=(\"dataset.data_path='$DATA_PATH'\" \"dataset.split='99,1,0'\")");
    text.add("fi");
    text.add("if [ -n \"$TOKENIZER_MODEL\" ]; then");
    text.add("    OVERRIDES+=(tokenizer.tokenizer_type=HuggingFaceTokenizer "
             "\"tokenizer.tokenizer_model=$TOKENIZER_MODEL\")");
    text.add("fi");
    text.blank();
    add_torchrun(text, target.plan);
    text.add("\"${LAUNCHER[@]}\" train.py \"${OVERRIDES[@]}\"");
    return {.name = "train.sh", .lines = std::move(text).take()};
}

} // namespace

LaunchExport export_megatron_bridge(const Result &result, const Library &library) {
    Stack software = *library.stack("megatron-bridge-2025");
    software.name = "Megatron-Bridge";
    TargetPlan target = megatron_bridge_target(result.plan, std::move(software));
    const std::vector<WrittenOption> options = megatron_options(target, result);
    const auto overlaps = [](const WrittenOption &option) { return option.name == gather_overlap; };
    if (shards_layer_wise(target.plan) && std::any_of(options.begin(), options.end(), overlaps))
        target.lose("Megatron-Bridge's recipes with dist_muon do not overlap the all-gather of weights", "exposed",
                    {"/stack"});
    target.predict(result);
    LaunchExport written;
    written.files.push_back(overrides_file(result, target, BridgeFields(target).of(options)));
    written.files.push_back(python_file(target));
    written.files.push_back(bridge_script(result, target));
    written.files.push_back(sbatch_file(result, target, bridge_title, true, SlurmTasks::per_accelerator));
    written.lost = target.lost;
    return written;
}

} // namespace meshwright

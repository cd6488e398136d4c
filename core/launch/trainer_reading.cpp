// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/trainer_reading.h"

#include "launch/accelerate_names.h"
#include "launch/accelerate_reading.h"
#include "launch/deepspeed_document.h"
#include "launch/deepspeed_reading.h"
#include "launch/hub_names.h"
#include "launch/known_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

/// Option names of the sequence length in training programs.
constexpr std::string_view sequence_names = "max_seq_length max_length model_max_length block_size cutoff_len "
                                            "max_seq_len sequence_len seq_length max_source_length";
constexpr std::string_view model_names = "model_name_or_path model_name base_model model_id model config_name";
/// Options of programs that write their own DeepSpeed configuration, and of those that read a JSON.
constexpr std::string_view own_stage = "zero_stage";
constexpr std::string_view json_name = "deepspeed_config";
constexpr std::string_view adapter_names = "use_peft use_lora lora lora_r lora_rank finetuning_type";

} // namespace

TrainerReading::TrainerReading(LaunchPlan &launch, const Library &library)
    : m_launch(launch)
    , m_options(launch.options, {"--", ""})
    , m_library(library) { }

void TrainerReading::read() {
    read_model();
    read_batch();
    read_sharding();
    read_precision();
    read_recompute();
    read_run();
}

void TrainerReading::read_model() {
    if (const auto name = m_options.word(model_names, "/model")) {
        m_launch.model = preset_of_hub_name(*name, m_library);
        if (m_launch.model.empty()) {
            m_launch.model_name = *name;
            m_options.ignore(model_names, "no preset has this model name");
        }
    }
    const auto length = m_options.integer(sequence_names, "/batch/sequence_length");
    if (length && *length >= 1)
        m_launch.set("/batch/sequence_length", *length);
    if (const Json *const adapters = m_options.value(adapter_names);
        adapters != nullptr && value_text(*adapters) != "full" && value_text(*adapters) != "false")
        m_options.ignore(adapter_names, "trains adapters; a plan describes training of all weights");
}

void TrainerReading::read_batch() {
    const std::string_view micro_name = "per_device_train_batch_size";
    const std::int64_t micro = m_options.integer(micro_name, "/batch/micro_sequences").value_or(8);
    if (!m_options.has(micro_name))
        m_launch.options.assume("/batch/micro_sequences", micro, "not set; the Trainer's default applies");
    m_launch.set("/batch/micro_sequences", std::max<std::int64_t>(1, micro));
    const std::string_view accumulation_name = "gradient_accumulation_steps";
    if (const auto steps = m_options.integer(accumulation_name, "/batch/global_sequences"); steps && *steps >= 1) {
        if (m_launch.accumulation && *m_launch.accumulation != *steps)
            m_options.fault(
                accumulation_name,
                fmt::format("{} differs from the {} in the Accelerate file", *steps, *m_launch.accumulation));
        m_launch.accumulation = steps;
    } else if (!m_launch.accumulation && !m_launch.options.has_any_below(deepspeed_prefix)) {
        m_launch.accumulation = 1;
    }
}

void TrainerReading::use_deepspeed() {
    if (m_launch.stack == deepspeed_stack)
        return;
    m_launch.stack = deepspeed_stack;
    m_launch.options.retract("/stack");
    m_launch.options.assume("/stack", m_launch.stack, why_deepspeed_stack);
}

void TrainerReading::set_stage(std::int64_t stage) {
    m_launch.set("/parallelism/zero_stage", stage);
    m_launch.options.retract("/parallelism/zero_stage");
    m_sharded = stage > 0;
}

void TrainerReading::read_sharding() {
    const bool has_json = m_launch.options.has_any_below(deepspeed_prefix);
    const bool json_states = m_launch.options.has(std::string(deepspeed_prefix) + "zero_optimization.stage");
    m_sharded = m_launch.value("/parallelism/zero_stage", 0) > 0 || has_json;
    if (has_json)
        use_deepspeed();
    if (json_states)
        m_launch.options.retract("/parallelism/zero_stage");
    if (const auto stage = m_options.integer(own_stage, "/parallelism/zero_stage"); stage && *stage <= 3) {
        set_stage(std::max<std::int64_t>(0, *stage));
        use_deepspeed();
        if (m_options.flag("offload", "/offload/optimizer").value_or(false))
            m_launch.set("/offload/optimizer", 1.0);
    }
    read_deepspeed_file(has_json);
    const std::vector<std::string> words = m_options.words("fsdp", "/parallelism/zero_stage");
    for (std::string word : words) {
        std::erase(word, ',');
        if (word == "offload") {
            m_launch.set("/offload/optimizer", 1.0);
        } else if (const FsdpStrategy *const strategy = fsdp_strategy(word); strategy != nullptr || word == "true") {
            set_stage(strategy != nullptr ? strategy->zero_stage : 3);
            m_launch.shards_inside_node = strategy != nullptr && strategy->inside_node;
        }
    }
    const auto reshard = m_options.flag("fsdp_config.reshard_after_forward fsdp_config.fsdp_reshard_after_forward",
                                        "/parallelism/zero_stage");
    if (reshard && m_sharded)
        set_stage(*reshard ? 3 : 2);
    if (m_launch.stack.empty()) {
        m_launch.stack = "pytorch-eager-2024";
        m_launch.options.assume("/stack", m_launch.stack, "Hugging Face's Trainer: PyTorch without torch.compile");
    }
    if (m_launch.plan.contains("/parallelism/zero_stage"_json_pointer))
        return;
    m_launch.set("/parallelism/zero_stage", 0);
    if (!json_states)
        m_launch.options.assume("/parallelism/zero_stage", 0,
                                has_json                         ? "not set in the DeepSpeed JSON; its default applies"
                                    : m_options.has("deepspeed") ? "the file names DeepSpeed but not its ZeRO stage"
                                                                 : "the file names neither FSDP nor DeepSpeed");
}

void TrainerReading::read_deepspeed_file(bool has_json) {
    std::string_view name = "deepspeed";
    const auto text_of = [&] {
        const Json *const value = m_options.value(name);
        return value == nullptr || value->is_object() ? std::string() : value_text(*value);
    };
    std::string text = text_of();
    if (m_options.has(json_name) && (text.empty() || text == "true")) {
        m_options.ignore(name, "only enables DeepSpeed; another option names its JSON file");
        name = json_name;
        text = text_of();
    }
    const bool is_off = text.empty() || text == "false" || text == "null" || text == "None";
    const bool names_file = !is_off && text != "true";
    m_options.ignore(name,
                     has_json         ? "the DeepSpeed JSON that came with this file"
                         : is_off     ? "the run does not use DeepSpeed"
                         : names_file ? "a DeepSpeed JSON; import it together with this file"
                                      : "DeepSpeed with a configuration that the program generates");
    if (!is_off)
        use_deepspeed();
    if (!names_file || has_json)
        return;
    const std::int64_t stage = zero_stage_named(text);
    set_stage(stage);
    m_launch.options.assume("/parallelism/zero_stage", stage,
                            "set in the DeepSpeed JSON, to which this file only refers");
}

void TrainerReading::read_precision() {
    const bool bf16 = m_options.flag("bf16", "/precision/compute").value_or(false);
    const bool fp16 = m_options.flag("fp16", "/precision/compute").value_or(false);
    const bool configures = m_options.has(own_stage);
    const std::string loaded =
        (configures ? m_options.lower_word("dtype precision", "/precision/compute")
                    : m_options.lower_word("torch_dtype dtype model_dtype", "/precision/weights"))
            .value_or("");
    if (bf16 && fp16)
        m_options.fault("fp16", "excludes bf16");
    const bool by_accelerate = m_launch.plan.contains("/precision/compute"_json_pointer) && !bf16 && !fp16;
    if (by_accelerate)
        return; // the mixed_precision option of the Accelerate file decides
    const bool deepspeed = m_launch.stack == deepspeed_stack;
    const bool keeps_master = m_sharded || deepspeed;
    const bool half_weights = loaded.find("bfloat16") != std::string::npos || loaded == "bf16";
    const bool fp16_weights = loaded.ends_with("float16") && !half_weights;
    const bool is_open = !m_options.has("bf16 fp16") && loaded.empty();
    const std::string half = bf16 || (half_weights && !fp16) ? "bf16"
        : fp16 || (is_open && configures)                    ? "fp16"
        : keeps_master && (fp16_weights || loaded == "fp16") ? "fp16"
                                                             : "fp32";
    if (is_open && configures)
        m_launch.options.assume("/precision/compute", half,
                                "not set; fp16 is the default of DeepSpeed-Chat and of programs derived from it");
    else if (is_open && !json_enables_half())
        m_launch.options.assume("/precision/compute", half,
                                "neither bf16 nor fp16 is set; the Trainer's default applies");
    m_launch.set("/precision/compute", half);
    if (keeps_master || half == "fp32") {
        m_launch.set("/precision/weights", half);
        m_launch.set("/precision/master", half == "fp32" ? "none" : "fp32");
        m_launch.set("/precision/gradients",
                     deepspeed ? deepspeed_gradients(half, m_launch.value("/parallelism/zero_stage", 0)) : "fp32");
        m_launch.set("/precision/moments", "fp32");
        return;
    }
    // Without sharding, the optimizer updates the weights in the format that they were loaded in.
    const std::string weights = half_weights ? "bf16" : "fp32";
    m_launch.set("/precision/weights", weights);
    m_launch.set("/precision/master", "none");
    m_launch.set("/precision/gradients", weights);
    m_launch.set("/precision/moments", weights);
}

bool TrainerReading::json_enables_half() const {
    constexpr std::string_view names[] = {"bf16.enabled", "bfloat16.enabled", "fp16.enabled"};
    return std::any_of(std::begin(names), std::end(names), [&](std::string_view name) {
        const LaunchOption *const option = m_launch.options.find(std::string(deepspeed_prefix) + std::string(name));
        return option != nullptr && option->value == true;
    });
}

void TrainerReading::read_recompute() {
    const auto stated = m_options.flag("gradient_checkpointing", "/recompute/mode");
    const bool by_fsdp =
        m_options
            .flag("fsdp_config.activation_checkpointing fsdp_config.fsdp_activation_checkpointing", "/recompute/mode")
            .value_or(false);
    if (stated || by_fsdp || !m_launch.plan.contains("recompute"))
        m_launch.set("/recompute/mode", stated.value_or(false) || by_fsdp ? "full" : "none");
}

void TrainerReading::read_run() {
    if (const auto steps = m_options.number("max_steps max_train_steps", "/run/tokens"); steps && *steps > 0)
        m_launch.steps = steps;
    m_options.ignore("num_train_epochs", "the tokens of an epoch depend on the data");
    if (const auto name = m_options.lower_word("optim", "/optimizer/name")) {
        const auto has = [&](std::string_view part) { return name->find(part) != std::string::npos; };
        m_launch.set("/optimizer/name",
                     has("adafactor")                             ? "adafactor"
                         : has("8bit") && has("adam")             ? "adam-8bit"
                         : has("muon")                            ? "muon"
                         : *name == "sgd" || has("optimizer.sgd") ? "sgd"
                                                                  : "adamw");
        if (!has("adafactor") && !has("adam") && !has("muon") && *name != "sgd")
            m_launch.options.assume("/optimizer/name", "adamw",
                                    fmt::format("plans do not support the optimizer {}", *name));
    }
    m_options.ignore("save_steps checkpointing_steps", "counted in steps; a plan's checkpoint interval is in seconds");
}

void TrainerReading::ignore_the_rest() {
    m_launch.options.ignore_rest([&](const LaunchOption &option) {
        std::string name = option.name;
        if (name.starts_with("--")) {
            name.erase(0, 2);
            std::replace(name.begin(), name.end(), '-', '_');
        }
        return is_known_option("hf-trainer", name, m_library) ? why_ignored("hf-trainer", name, m_library)
                                                              : std::string("an option of the training program");
    });
}

} // namespace meshwright

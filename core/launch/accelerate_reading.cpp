// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/accelerate_reading.h"

#include "launch/accelerate_names.h"
#include "launch/deepspeed_document.h"
#include "launch/deepspeed_reading.h"
#include "launch/known_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::int64_t most_processes = 10'000'000;

/// Names of an option: the key in its section, and the key alone, which `accelerate launch` also accepts.
std::string in_section(std::string_view section, std::string_view key) {
    return std::string(section) + "." + std::string(key) + " " + std::string(key);
}

std::string fsdp(std::string_view key) {
    return in_section("fsdp_config", std::string("fsdp_") + std::string(key));
}

} // namespace

const FsdpStrategy *fsdp_strategy(std::string_view name) {
    const auto found = std::find_if(std::begin(fsdp_strategies), std::end(fsdp_strategies), [&](const auto &each) {
        return std::to_string(each.number) == name
            || std::equal(name.begin(), name.end(), each.accelerate.begin(), each.accelerate.end(),
                          [](char a, char b) { return std::toupper(static_cast<unsigned char>(a)) == b; });
    });
    return found == std::end(fsdp_strategies) ? nullptr : &*found;
}

AccelerateReading::AccelerateReading(LaunchPlan &launch, std::vector<std::string> prefixes, const Library &library)
    : m_launch(launch)
    , m_options(launch.options, prefixes)
    , m_prefix(prefixes.back())
    , m_library(library) { }

AccelerateReading::Engine AccelerateReading::engine() {
    const std::string type = m_options.lower_word("distributed_type", "/parallelism/zero_stage").value_or("");
    const auto uses = [&](std::string_view name) {
        return m_options.flag(name, "/parallelism/zero_stage").value_or(false);
    };
    if (type == "deepspeed" || uses("use_deepspeed"))
        return Engine::deepspeed;
    if (type == "fsdp" || uses("use_fsdp"))
        return Engine::fsdp;
    if (type == "megatron_lm" || uses("use_megatron_lm"))
        return Engine::megatron;
    // YAML reads NO without quotes as false.
    return (type == "no" || type == "false") && !uses("multi_gpu") ? Engine::single : Engine::replicas;
}

void AccelerateReading::read() {
    m_engine = engine();
    read_machines();
    read_degrees();
    switch (m_engine) {
    case Engine::fsdp:
        read_fsdp();
        break;
    case Engine::deepspeed:
        read_deepspeed();
        break;
    case Engine::megatron:
        read_megatron();
        break;
    case Engine::single:
    case Engine::replicas:
        m_launch.set("/parallelism/zero_stage", 0);
        break;
    }
    read_precision();
    const bool several_degrees =
        m_launch.value("/parallelism/tensor", 1) > 1 || m_launch.value("/parallelism/context", 1) > 1;
    m_launch.stack = m_engine == Engine::deepspeed ? deepspeed_stack
        : m_engine == Engine::megatron             ? "megatron-core-2025"
                                                   : pytorch_stack(several_degrees);
    m_launch.options.assume("/stack", m_launch.stack,
                            m_engine == Engine::deepspeed      ? "Accelerate with DeepSpeed"
                                : m_engine == Engine::megatron ? "Accelerate with Megatron-LM"
                                : several_degrees              ? "PyTorch's native multi-dimensional parallelism"
                                                  : "PyTorch's native data parallelism, without torch.compile");
}

void AccelerateReading::read_machines() {
    LaunchMachines &machines = m_launch.machines;
    if (m_engine == Engine::single) { // launch.py, simple_launcher: one process, whatever num_processes says
        machines.accelerators = 1;
        machines.per_node = 1;
        m_options.understand("distributed_type", "/cluster/tiers/1/accelerators");
        for (const char *const count : {"num_processes", "num_machines"})
            m_options.ignore(count, "distributed_type NO starts one process");
        return;
    }
    const auto counted = [](std::optional<std::int64_t> value) {
        return value && *value >= 1 && *value <= most_processes ? value : std::nullopt;
    };
    // num_processes counts the processes of all machines together.
    const auto processes = counted(m_options.integer("num_processes", "/cluster/tiers/1/accelerators"));
    const auto nodes = counted(m_options.integer("num_machines", "/cluster/accelerators_per_node"));
    if (processes)
        machines.accelerators = processes;
    if (processes && nodes && *processes % *nodes == 0)
        machines.per_node = *processes / *nodes;
    else if (processes && nodes)
        m_options.fault("num_processes", fmt::format("{} is not a multiple of {} machines", *processes, *nodes));
    if (!processes && nodes)
        machines.nodes = nodes;
}

void AccelerateReading::read_degrees() {
    const auto size = [&](std::string_view name, std::string_view field) {
        const std::string key = fmt::format("parallelism_config_{}_size", name);
        const auto value = m_options.integer(in_section("parallelism_config", key), field);
        m_states_degrees = m_states_degrees || value.has_value();
        return std::clamp<std::int64_t>(value.value_or(1), 1, most_processes);
    };
    const std::int64_t replicas = size("dp_replicate", "/parallelism/data");
    m_shard = size("dp_shard", "/parallelism/data");
    const std::int64_t tensor = size("tp", "/parallelism/tensor");
    const std::int64_t context = size("cp", "/parallelism/context");
    const std::int64_t ulysses = size("sp", "/parallelism/context");
    if (context > 1 && ulysses > 1)
        m_options.fault(in_section("parallelism_config", "parallelism_config_cp_size"),
                        "cannot be combined with parallelism_config_sp_size");
    m_launch.set("/parallelism/tensor", tensor);
    m_launch.set("/parallelism/context", std::max(context, ulysses));
    m_launch.set("/parallelism/sequence_parallel", false);
    m_launch.set("/parallelism/placement", Json{"tensor", "context", "expert", "data", "pipeline"});
    const bool states_data = replicas > 1 || m_shard > 1;
    m_states_degrees = m_states_degrees && (states_data || tensor > 1 || context > 1);
    if (states_data)
        m_launch.data = std::min(replicas * m_shard, most_processes);
    if (replicas > 1 && m_shard * context > 1)
        m_launch.shard_groups = replicas;
    if (replicas > 1 && m_shard == 1 && (tensor > 1 || context > 1))
        m_options.fault(in_section("parallelism_config", "parallelism_config_dp_shard_size"),
                        "expected more than 1 if dp_replicate_size > 1 is combined with tensor or context parallelism");
}

void AccelerateReading::read_fsdp() {
    const std::int64_t version = m_options.integer(fsdp("version"), "/parallelism/zero_stage").value_or(1);
    const std::string strategy_name =
        m_options.word(fsdp("sharding_strategy"), "/parallelism/zero_stage").value_or("FULL_SHARD");
    const auto reshard = m_options.lower_word(fsdp("reshard_after_forward"), "/parallelism/zero_stage");
    std::int64_t stage = 3;
    if (version >= 2) {
        stage = reshard && (*reshard == "false" || *reshard == "no" || *reshard == "shard_grad_op") ? 2 : 3;
        m_options.ignore(fsdp("sharding_strategy"), "applies only with fsdp_version 1");
    } else if (const FsdpStrategy *const strategy = fsdp_strategy(strategy_name)) {
        stage = strategy->zero_stage;
        m_options.ignore(fsdp("reshard_after_forward"), "applies only with fsdp_version 2");
        if (strategy->inside_node)
            m_launch.shards_inside_node = true;
    } else {
        m_options.fault(fsdp("sharding_strategy"),
                        fmt::format("unknown strategy {}; FULL_SHARD is assumed", strategy_name));
    }
    // Without sharding, replicas use distributed data parallelism (DDP).
    const bool sharded =
        !m_states_degrees || m_shard > 1 || m_launch.value("/parallelism/context", 1) > 1 || !m_launch.data;
    m_launch.set("/parallelism/zero_stage", sharded ? stage : 0);
    if (m_options.flag(fsdp("offload_params"), "/offload/optimizer").value_or(false))
        m_launch.set("/offload/optimizer", 1.0);
    if (const auto recomputes = m_options.flag(fsdp("activation_checkpointing"), "/recompute/mode"))
        m_launch.set("/recompute/mode", *recomputes ? "full" : "none");
}

void AccelerateReading::read_deepspeed() {
    const auto key = [](std::string_view name) { return in_section("deepspeed_config", name); };
    const auto stage = m_options.integer(key("zero_stage"), "/parallelism/zero_stage");
    // launch.py: the default is ZeRO stage 2, unless an option or a DeepSpeed JSON sets the stage.
    const bool has_file = m_options.has(key("deepspeed_config_file"));
    if (stage || !has_file)
        m_launch.set("/parallelism/zero_stage", std::clamp<std::int64_t>(stage.value_or(2), 0, 3));
    if (stage && (*stage < 0 || *stage > 3))
        m_options.fault(key("zero_stage"), fmt::format("{} is not a ZeRO stage; expected 0 to 3", *stage));
    if (!stage && !has_file)
        m_launch.options.assume("/parallelism/zero_stage", 2, "not set; Accelerate's default applies");
    // This option is read only under its section, because the Trainer has an option of the same name without a section.
    const auto accumulation =
        m_options.integer("deepspeed_config.gradient_accumulation_steps", "/batch/global_sequences");
    if (accumulation && *accumulation > 0)
        m_launch.accumulation = accumulation;
    const auto device = m_options.lower_word(key("offload_optimizer_device"), "/offload/optimizer");
    if (device && (*device == "cpu" || *device == "nvme"))
        m_launch.set("/offload/optimizer", 1.0);
    m_options.ignore(key("offload_param_device"), "a plan cannot offload weights to host memory");
    const bool is_beside = m_launch.options.has_any_below(deepspeed_prefix);
    m_options.ignore(key("deepspeed_config_file"),
                     is_beside ? "the DeepSpeed JSON that came with this file"
                               : "a DeepSpeed JSON; import it together with this file");
    if (has_file && !stage && !is_beside) {
        m_launch.set("/parallelism/zero_stage", 3);
        m_launch.options.assume("/parallelism/zero_stage", 3,
                                "the DeepSpeed JSON sets it, but was not imported; ZeRO-3 is assumed");
    }
}

void AccelerateReading::read_megatron() {
    const auto key = [](std::string_view name) {
        return in_section("megatron_lm_config", std::string("megatron_lm_") + std::string(name));
    };
    const auto degree = [&](std::string_view name, std::string_view field) {
        const auto value = m_options.integer(key(name), field);
        if (value && *value > 1 && *value <= most_processes)
            m_launch.set(field, *value);
        return value.has_value();
    };
    degree("tp_degree", "/parallelism/tensor");
    degree("pp_degree", "/parallelism/pipeline");
    if (!degree("context_parallel_size", "/parallelism/context")) { // utils/dataclasses.py, MegatronLMPlugin
        m_launch.set("/parallelism/context", 2);
        m_launch.options.assume("/parallelism/context", 2, "not set; Accelerate's default applies");
    }
    for (const char *experts : {"expert_model_parallel_size", "expert_tensor_parallel_size"})
        m_options.ignore(key(experts), "the file does not describe the model's experts");
    m_options.ignore(key("use_rotary_position_embeddings"), "the file does not describe the model");
    const auto microbatches = m_options.integer(key("num_micro_batches"), "/batch/global_sequences");
    if (microbatches && *microbatches > 0)
        m_launch.accumulation = microbatches;
    const bool sequence = m_options.flag(key("sequence_parallelism"), "/parallelism/sequence_parallel").value_or(false);
    m_launch.set("/parallelism/sequence_parallel", sequence && m_launch.value("/parallelism/tensor", 1) > 1);
    const bool shards = m_options.flag(key("use_distributed_optimizer"), "/parallelism/zero_stage").value_or(false);
    m_launch.set("/parallelism/zero_stage", shards ? 1 : 0);
    // utils/dataclasses.py, MegatronLMPlugin: the default is to recompute all layers.
    const auto granularity = m_options.lower_word(key("recompute_granularity"), "/recompute/mode");
    m_options.ignore(key("recompute_activations"), "Accelerate does not pass it to Megatron-LM");
    const std::string mode = granularity.value_or("full");
    if (!granularity)
        m_launch.options.assume("/recompute/mode", mode, "not set; Accelerate's default applies");
    m_launch.set("/recompute/mode", mode == "full" || mode == "selective" ? mode : "none");
    if (mode != "full")
        return;
    const auto layers = m_options.integer(key("recompute_num_layers"), "/recompute/layers");
    if (m_options.lower_word(key("recompute_method"), "/recompute/mode") == "block") {
        m_launch.set("/recompute/mode", "layers");
        m_launch.set("/recompute/layers", layers.value_or(1));
    }
}

void AccelerateReading::read_precision() {
    const auto word = m_options.lower_word("mixed_precision", "/precision/compute");
    if (!word)
        return;
    const bool fp8 = *word == "fp8";
    const std::string half = *word == "bf16" || fp8 ? "bf16" : *word == "fp16" ? "fp16" : "fp32";
    m_launch.set("/precision/compute", fp8 ? std::string("fp8") : half);
    // Without sharding (DDP), weights are stored in FP32 and cast in each operation; the other engines keep an FP32
    // master copy.
    const bool casts = m_engine == Engine::single || m_engine == Engine::replicas || half == "fp32";
    m_launch.set("/precision/weights", casts ? "fp32" : half);
    m_launch.set("/precision/master", casts ? "none" : "fp32");
    m_launch.set("/precision/gradients",
                 m_engine == Engine::deepspeed ? deepspeed_gradients(half, m_launch.value("/parallelism/zero_stage", 0))
                                               : "fp32");
    m_launch.set("/precision/moments", "fp32");
}

void AccelerateReading::ignore_the_rest() {
    for (const LaunchOption *option : m_launch.options.open())
        if (option->name.starts_with(m_prefix))
            m_launch.options.ignore(option->name,
                                    why_ignored("accelerate", option->name.substr(m_prefix.size()), m_library));
}

} // namespace meshwright

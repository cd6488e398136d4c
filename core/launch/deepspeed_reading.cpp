// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/deepspeed_reading.h"

#include "launch/format_names.h"
#include "launch/known_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace meshwright {

namespace {

constexpr std::int64_t most_deepspeed_ranks = 10'000'000;

/// The format that the JSON names (DtypeEnum in runtime/config.py).
std::string deepspeed_format(std::string_view name, const std::string &otherwise) {
    const std::string format = format_named(name);
    return format.empty() ? otherwise : format;
}

} // namespace

std::string deepspeed_gradients(const std::string &weights, std::int64_t zero_stage) {
    return weights == "bf16" && zero_stage == 0 ? "fp32" : weights;
}

DeepSpeedReading::DeepSpeedReading(LaunchPlan &launch, std::string prefix, const DeepSpeedCaller &caller,
                                   const Library &library)
    : m_launch(launch)
    , m_options(launch.options, {prefix})
    , m_prefix(std::move(prefix))
    , m_caller(caller)
    , m_library(library) { }

void DeepSpeedReading::read() {
    if (!is_alone() && !m_caller.fills_auto)
        for (const LaunchOption *option : m_launch.options.open())
            if (option->name.starts_with(m_prefix) && option->value == "auto")
                m_launch.options.fault(
                    option->name,
                    fmt::format("\"auto\" is filled in by Hugging Face's Trainer, not by {}", m_caller.title));
    read_batch();
    read_parallelism();
    read_zero();
    read_offload();
    read_precision();
    read_run();
}

bool DeepSpeedReading::caller_states(std::string_view names) const {
    return !is_alone() && !names.empty() && m_caller.options->has(names);
}

std::optional<std::int64_t> DeepSpeedReading::shared_count(std::string_view option, std::string_view field,
                                                           std::string_view names) {
    const auto value = m_options.integer(option, field);
    if (value && caller_states(names)) {
        const std::int64_t own = std::string_view(field) == "/parallelism/zero_stage"
            ? m_launch.value(field, *value)
            : m_caller.options->integer(names, field).value_or(*value);
        if (own != *value)
            m_options.fault(option,
                            fmt::format("{} differs from {} = {}", *value, m_caller.options->stated(names), own));
        return std::nullopt;
    }
    return value && *value >= 0 ? value : std::nullopt;
}

/// train_batch_size = micro batch x accumulation x data-parallel ranks. Two of these are enough; with the train batch
/// or the micro batch alone, accumulation is 1.
void DeepSpeedReading::read_batch() {
    const auto global = shared_count("train_batch_size", "/batch/global_sequences", m_caller.global_batch);
    const auto micro = shared_count("train_micro_batch_size_per_gpu", "/batch/micro_sequences", m_caller.micro_batch);
    const auto accumulation =
        shared_count("gradient_accumulation_steps", "/batch/global_sequences", m_caller.accumulation);
    if (global && *global > 0)
        m_launch.set("/batch/global_sequences", *global);
    if (micro && *micro > 0)
        m_launch.set("/batch/micro_sequences", *micro);
    if (accumulation && *accumulation > 0)
        m_launch.accumulation = accumulation;
    if (!is_alone())
        return;
    const bool is_open = m_options.has("gradient_accumulation_steps"); // "auto"
    if (!accumulation && !is_open && (global.has_value() != micro.has_value()))
        m_launch.accumulation = 1;
    if (!global && !micro && !m_options.has("train_batch_size") && !m_options.has("train_micro_batch_size_per_gpu")
        && !m_options.has("elasticity.enabled"))
        m_launch.options.fault(m_prefix + "train_batch_size",
                               "expected train_batch_size or train_micro_batch_size_per_gpu");
    if (!global || !micro || !accumulation || *global < 1 || *micro < 1 || *accumulation < 1)
        return;
    // All three are given, so the number of data-parallel ranks follows from them.
    const double at_once = static_cast<double>(*micro) * static_cast<double>(*accumulation);
    const auto ranks = static_cast<std::int64_t>(
        std::min(static_cast<double>(*global) / at_once, static_cast<double>(most_deepspeed_ranks)));
    if (ranks >= 1 && static_cast<double>(ranks) * at_once == static_cast<double>(*global)) {
        m_launch.data = ranks;
        m_launch.options.assume("/parallelism/data", ranks, "train batch / (micro batch x gradient accumulation)");
    } else {
        m_options.fault("train_batch_size",
                        fmt::format("{} is not a multiple of micro batch {} x gradient accumulation {}", *global,
                                    *micro, *accumulation));
    }
}

void DeepSpeedReading::read_parallelism() {
    const auto degree = [&](std::string_view names, std::string_view field) {
        const auto value = m_options.integer(names, field);
        if (value && *value > 1 && *value <= most_deepspeed_ranks && m_launch.value(field, 1) == 1)
            m_launch.set(field, *value);
        else if (value && *value > 1 && m_launch.value(field, 1) != *value)
            m_options.fault(names,
                            fmt::format("{} differs from the training program's {}", *value, m_launch.value(field, 1)));
    };
    degree("tensor_parallel.autotp_size", "/parallelism/tensor"); // 0: off
    degree("sequence_parallel_size", "/parallelism/context"); // Ulysses
    const auto *const stages = m_options.value("pipeline.stages");
    if (stages != nullptr && stages->is_number_integer())
        degree("pipeline.stages", "/parallelism/pipeline");
    if (m_launch.shape.experts.value_or(0) > 0
        && m_options.flag("expert_parallel.enabled", "/parallelism/expert").value_or(false)) {
        degree("expert_parallel.autoep_size", "/parallelism/expert");
        degree("expert_parallel.expert_tensor_parallel_size", "/parallelism/expert_tensor");
    }
    if (is_alone())
        m_launch.set("/parallelism/placement",
                     nlohmann::ordered_json{"tensor", "context", "expert", "data", "pipeline"});
}

void DeepSpeedReading::read_zero() {
    const auto stage = shared_count("zero_optimization.stage", "/parallelism/zero_stage", m_caller.zero_stage);
    if (stage && *stage > 3)
        m_options.fault("zero_optimization.stage", fmt::format("{} is not a ZeRO stage; expected 0 to 3", *stage));
    if (!caller_states(m_caller.zero_stage) && (is_alone() || stage))
        m_launch.set("/parallelism/zero_stage", std::clamp<std::int64_t>(stage.value_or(0), 0, 3));
    const std::int64_t in_effect = m_launch.value("/parallelism/zero_stage", 0);
    const auto group = m_options.integer("zero_optimization.mics_shard_size", "/parallelism/shard_group");
    if (group && *group > 0 && *group <= most_deepspeed_ranks)
        m_launch.set("/parallelism/shard_group", *group); // MiCS: -1 is off
    m_options.ignore("zero_optimization.zero_hpz_partition_size",
                     "keeps a secondary copy of the weights in each node; plans shard all states in the same way");
    if (in_effect >= 2 && m_launch.value("/parallelism/pipeline", 1) > 1)
        m_options.fault("zero_optimization.stage", "the pipeline engine requires ZeRO stage 0 or 1");
}

void DeepSpeedReading::read_offload() {
    const auto device = m_options.lower_word("zero_optimization.offload_optimizer.device", "/offload/optimizer");
    const auto ratio = m_options.number("zero_optimization.offload_optimizer.ratio", "/offload/optimizer");
    const bool older = m_options.flag("zero_optimization.cpu_offload", "/offload/optimizer").value_or(false);
    if (older || (device && (*device == "cpu" || *device == "nvme")))
        m_launch.set("/offload/optimizer", std::clamp(ratio.value_or(1), 0.0, 1.0));
    m_options.ignore("zero_optimization.offload_param.device", "a plan cannot offload weights to host memory");
    if (m_options.flag("activation_checkpointing.cpu_checkpointing", "/offload/activations").value_or(false))
        m_launch.set("/offload/activations", 1.0);
}

void DeepSpeedReading::read_precision() {
    const auto enabled = [&](std::string_view names) {
        const auto *const stated = m_options.value(names);
        const bool automatic = stated != nullptr && *stated == "auto";
        return std::pair(m_options.flag(names, "/precision/compute").value_or(false), automatic);
    };
    const auto [bf16, bf16_auto] = enabled("bf16.enabled bfloat16.enabled");
    const auto [fp16, fp16_auto] = enabled("fp16.enabled");
    const bool cast = m_options.flag("torch_autocast.enabled", "/precision/compute").value_or(false);
    const auto cast_type = m_options.lower_word("torch_autocast.dtype", "/precision/compute");
    if (bf16 && fp16)
        m_options.fault("bf16.enabled bfloat16.enabled", "cannot be combined with fp16.enabled");
    if (caller_states(m_caller.bf16) || caller_states(m_caller.fp16)) {
        const std::string own = m_launch.plan.value("/precision/weights"_json_pointer, std::string("fp32"));
        if ((bf16 && own == "fp16") || (fp16 && !bf16 && own == "bf16"))
            m_options.fault(bf16 ? "bf16.enabled bfloat16.enabled" : "fp16.enabled",
                            fmt::format("the program that uses this JSON trains in {}", own));
        if (m_caller.fills_auto)
            read_states(own);
        return;
    }
    if (!is_alone() && !bf16 && !fp16) { // the precision of the calling program applies
        const auto weights = "/precision/weights"_json_pointer;
        if (m_caller.fills_auto && m_launch.plan.contains(weights))
            read_states(m_launch.plan[weights].get<std::string>());
        return;
    }
    std::string half = bf16 ? "bf16" : fp16 ? "fp16" : "fp32";
    if (!bf16 && !fp16 && (bf16_auto || fp16_auto)) {
        half = bf16_auto ? "bf16" : "fp16";
        m_launch.options.assume("/precision/compute", half,
                                "the DeepSpeed JSON says \"auto\": the training program decides");
    } else if (!bf16 && !fp16 && !cast) {
        m_launch.options.assume("/precision/compute", half, "neither bf16 nor fp16 is enabled");
    }
    m_launch.set("/precision/compute",
                 cast && half == "fp32" ? deepspeed_format(cast_type.value_or("bf16"), "bf16") : half);
    m_launch.set("/precision/weights", half);
    read_states(half);
}

void DeepSpeedReading::read_states(const std::string &half) {
    const auto stated = m_options.lower_word("data_types.grad_accum_dtype", "/precision/gradients");
    m_launch.set(
        "/precision/gradients",
        deepspeed_format(stated.value_or(""), deepspeed_gradients(half, m_launch.value("/parallelism/zero_stage", 0))));
    const bool no_bf16_copy = m_options.flag("bf16.bf16_master_weights_and_grads", "/precision/master").value_or(false);
    const bool no_fp16_copy = m_options.flag("fp16.fp16_master_weights_and_grads", "/precision/master").value_or(false);
    const bool no_copy = no_bf16_copy || no_fp16_copy;
    m_launch.set("/precision/master", no_copy || half == "fp32" ? "none" : "fp32");
    const bool half_states = m_options.flag("bf16.bf16_optimizer_states", "/precision/moments").value_or(false);
    m_launch.set("/precision/moments", half_states ? "bf16" : "fp32");
    if (half_states && !no_copy)
        m_options.fault("bf16.bf16_optimizer_states", "requires bf16_master_weights_and_grads");
    if (no_copy && m_launch.value("/parallelism/zero_stage", 0) == 0)
        m_options.fault("bf16.bf16_master_weights_and_grads fp16.fp16_master_weights_and_grads",
                        "requires ZeRO stage 1, 2 or 3");
}

void DeepSpeedReading::read_run() {
    if (const auto name = m_options.lower_word("optimizer.type", "/optimizer/name")) {
        const bool adam = name->find("adam") != std::string::npos || name->find("lamb") != std::string::npos;
        m_launch.set("/optimizer/name",
                     name->find("muon") != std::string::npos            ? "muon"
                         : name->find("sgd") != std::string::npos       ? "sgd"
                         : name->find("adafactor") != std::string::npos ? "adafactor"
                                                                        : "adamw");
        if (!adam && name->find("muon") == std::string::npos && name->find("sgd") == std::string::npos
            && name->find("adafactor") == std::string::npos)
            m_launch.options.assume("/optimizer/name", "adamw",
                                    fmt::format("plans do not support the optimizer {}", *name));
    }
    // The learning rate decays until the end of the run, so the scheduler's steps are the steps of the run.
    const auto steps = m_options.number("scheduler.params.total_num_steps", "/run/tokens");
    if (steps && *steps > 0 && !m_launch.steps && !m_launch.sequences)
        m_launch.steps = steps;
    if (is_alone()) {
        m_launch.stack = deepspeed_stack;
        m_launch.options.assume("/stack", m_launch.stack,
                                "a DeepSpeed config; the training program that loads it is not known");
        m_launch.options.assume("/recompute/mode", "none", "not in a DeepSpeed config: the training program sets it");
    }
}

void DeepSpeedReading::ignore_the_rest() {
    for (const LaunchOption *option : m_launch.options.open()) {
        if (!option->name.starts_with(m_prefix))
            continue;
        // "prefetch_bucket_size" and "stage3_prefetch_bucket_size" are the same field.
        std::string name = option->name.substr(m_prefix.size());
        constexpr std::string_view section = "zero_optimization.";
        if (name.starts_with(section) && !is_known_option("deepspeed", name, m_library))
            name.insert(section.size(), "stage3_");
        m_launch.options.ignore(option->name, why_ignored("deepspeed", name, m_library, is_false(option->value)));
    }
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/megatron_reading.h"

#include "launch/known_options.h"
#include "launch/megatron_names.h"
#include "launch/other_work.h"

#include <fmt/format.h>

#include <algorithm>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::int64_t most_ranks_of_a_degree = 10'000'000;

} // namespace

MegatronReading::MegatronReading(LaunchPlan &launch, MegatronDialect dialect, const Library &library)
    : m_launch(launch)
    , m_dialect(dialect)
    , m_library(library) { }

std::string MegatronReading::own(std::string_view option) const {
    for (const std::string_view name : megatron_spellings(option, m_dialect))
        if (m_launch.options.has(name))
            return std::string(name);
    return {};
}

std::string MegatronReading::take(std::string_view option) {
    const std::string name = own(option);
    for (const std::string_view other : megatron_spellings(option, m_dialect))
        if (other != name && m_launch.options.has(other)) // the file sets the same field twice, under different names
            m_launch.options.understand(other, megatron_field(option));
    return name;
}

std::optional<std::int64_t> MegatronReading::integer(std::string_view option) {
    const std::string name = take(option);
    return name.empty() ? std::nullopt : m_launch.options.integer(name, megatron_field(option));
}
std::optional<double> MegatronReading::number(std::string_view option) {
    const std::string name = take(option);
    return name.empty() ? std::nullopt : m_launch.options.number(name, megatron_field(option));
}
std::optional<std::string> MegatronReading::word(std::string_view option) {
    const std::string name = take(option);
    return name.empty() ? std::nullopt : m_launch.options.word(name, megatron_field(option));
}
std::string MegatronReading::lower_word(std::string_view option, std::string_view otherwise) {
    std::string text = word(option).value_or(std::string(otherwise));
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
    return text;
}
std::optional<bool> MegatronReading::stated_flag(std::string_view option) {
    const std::string name = take(option);
    if (name.empty())
        return std::nullopt;
    const std::optional<bool> value = m_launch.options.flag(name, megatron_field(option));
    return value && is_opposite_of_megatron(name) ? std::optional(!*value) : value;
}
bool MegatronReading::flag(std::string_view option) {
    return stated_flag(option).value_or(false);
}
std::vector<bool> MegatronReading::flags(std::string_view option) {
    std::vector<bool> values;
    for (const std::string_view name : megatron_spellings(option, m_dialect))
        if (const std::optional<bool> value = m_launch.options.flag(name, megatron_field(option)))
            values.push_back(*value);
    return values;
}

void MegatronReading::leave_to_recipe(std::string_view field, Json value) {
    if (has_recipe())
        m_launch.options.assume(field, std::move(value),
                                "the file does not state it; the recipe may set another value");
}

void MegatronReading::read() {
    const auto ranks = [&](std::string_view option) {
        const bool stated = has(option);
        const auto degree = integer(option);
        if (misses(stated) && option != "--context-parallel-size")
            m_launch.options.assume(megatron_field(option), 1, fmt::format("{} is not given", m_missing));
        else if (!stated)
            leave_to_recipe(megatron_field(option), 1);
        return std::clamp<std::int64_t>(degree.value_or(1), 1, most_ranks_of_a_degree);
    };
    m_tensor = ranks("--tensor-model-parallel-size");
    m_pipeline = ranks("--pipeline-model-parallel-size");
    m_context = ranks("--context-parallel-size");
    read_named_model();
    read_model();
    read_parallelism();
    read_batch();
    read_positions();
    read_zero();
    read_precision();
    check_torch_fsdp();
    read_recompute();
    read_offload();
    read_optimizer();
    read_run();
}

void MegatronReading::read_zero() {
    // Megatron-Bridge enables these for all sections if one section enables them (training/config.py).
    const std::vector<bool> optimizer = flags("--use-distributed-optimizer");
    const std::vector<bool> sharding = flags("--use-megatron-fsdp");
    m_torch_fsdp = flag("--use-torch-fsdp2");
    const bool fsdp = std::find(sharding.begin(), sharding.end(), true) != sharding.end();
    std::int64_t stage = std::find(optimizer.begin(), optimizer.end(), true) != optimizer.end() ? 1 : 0;
    if (const std::string strategy = own("--data-parallel-sharding-strategy"); !strategy.empty() && !fsdp)
        m_launch.options.ignore(strategy, "applies only with --use-megatron-fsdp");
    if (fsdp) {
        const auto strategy = word("--data-parallel-sharding-strategy");
        stage = std::find(std::begin(megatron_sharding), std::end(megatron_sharding) - 1,
                          strategy.value_or("optim_grads_params"))
            - std::begin(megatron_sharding);
        if (has_recipe() && !strategy)
            m_launch.options.assume("/parallelism/zero_stage", stage,
                                    "no sharding strategy is stated; pretraining recipes of Megatron-Bridge start from "
                                    "optim_grads_params, but the recipe may set another");
    } else if (has_recipe() && stage == 0 && !m_torch_fsdp
               && optimizer.size() < megatron_spellings("--use-distributed-optimizer", m_dialect).size()) {
        stage = 1;
        m_launch.options.assume("/parallelism/zero_stage", stage,
                                optimizer.empty()
                                    ? "the file does not state it; recipes enable the distributed optimizer"
                                    : "disabled in one section only; recipes enable the distributed optimizer in the "
                                      "other, which is enough");
    }
    if (m_torch_fsdp)
        stage = flag("--torch-fsdp2-no-reshard-after-forward") ? 2 : 3;
    if (const auto zero = integer("--zero-stage"))
        stage = std::max(stage, std::clamp<std::int64_t>(*zero, 0, 3));
    if (m_dialect == MegatronDialect::nemo) {
        const std::string name = lower_word("--optimizer");
        stage = name.find("distributed") != std::string::npos ? 1 : stage;
    }
    // "dist_muon" shards its states without the distributed optimizer.
    if (lower_word("--optimizer").starts_with("dist_"))
        stage = std::max<std::int64_t>(stage, 1);
    if (misses(stage > 0)) {
        stage = 1;
        m_launch.options.assume("/parallelism/zero_stage", 1,
                                fmt::format("{} is not given; the distributed optimizer is usually on", m_missing));
    }
    m_launch.set("/parallelism/zero_stage", stage);
    if (m_dialect == MegatronDialect::megatron_deepspeed && stage == 0 && m_launch.options.has("--bf16"))
        m_launch.options.assume(
            "/parallelism/zero_stage", 0,
            "stage 0, as stated; however, DeepSpeed's BF16_Optimizer shards optimizer states like ZeRO-1");
    if (const auto instances = integer("--num-distributed-optimizer-instances"); instances && *instances > 1)
        m_launch.shard_groups = instances;
}

/// validate_args() in megatron/training/arguments.py.
void MegatronReading::check_torch_fsdp() {
    if (m_dialect != MegatronDialect::megatron_lm || !m_torch_fsdp)
        return;
    const bool is_fp16 = m_launch.plan.value("/precision/weights"_json_pointer, std::string()) == "fp16";
    const std::pair<bool, const char *> demands[] = {
        {!m_launch.shape.tied_embeddings, "--untie-embeddings-and-output-weights"},
        {m_pipeline == 1, "a pipeline of one stage"},
        {m_launch.value("/parallelism/expert", 1) == 1, "an expert-parallel size of 1"},
        {!flag("--use-distributed-optimizer"), "to be without --use-distributed-optimizer"},
        {flag("--no-gradient-accumulation-fusion"), "--no-gradient-accumulation-fusion"},
        {!is_fp16, "bf16 or fp32, not fp16"},
    };
    for (const auto &[is_met, demand] : demands)
        if (!is_met)
            m_launch.options.fault("--use-torch-fsdp2", fmt::format("needs {}", demand));
}

void MegatronReading::read_batch() {
    auto length = integer("--seq-length");
    std::string_view length_option = "--seq-length";
    if (const auto encoder = integer("--encoder-seq-length"); encoder && !length) {
        length = encoder;
        length_option = "--encoder-seq-length";
    }
    const std::string decoder = own("--decoder-seq-length");
    if (!decoder.empty() && is_encoder_decoder(m_launch, m_library)) {
        m_launch.options.ignore(decoder, "a plan has one sequence length: the encoder's");
    } else if (const auto decoded = integer("--decoder-seq-length")) {
        // examples/multimodal/model.py: --seq-length counts the image tokens, --decoder-seq-length all tokens.
        m_launch.options.ignore(own(length_option), "the vision encoder's length; the plan has the language model's");
        length = decoded;
        length_option = "--decoder-seq-length";
    }
    if (const auto dataset = integer("--dataset-seq-length")) {
        if (length && *length != *dataset && m_dialect == MegatronDialect::megatron_bridge)
            m_launch.options.fault(own("--dataset-seq-length"),
                                   fmt::format("{} differs from the model's {}", *dataset, *length));
        if (!length) {
            length = dataset;
            length_option = "--dataset-seq-length";
        }
    }
    if (length)
        m_launch.set("/batch/sequence_length", *length);
    if (length && m_context > 1 && *length % (2 * m_context) != 0
        && m_dialect != MegatronDialect::megatron_deepspeed) // Ulysses does not split sequences into 2 x CP chunks
        m_launch.options.fault(own(length_option),
                               fmt::format("{} is not a multiple of 2 x context parallel size {}", *length, m_context));
    if (const auto micro = integer("--micro-batch-size"))
        m_launch.set("/batch/micro_sequences", *micro);
    const auto global = integer("--global-batch-size");
    if (global)
        m_launch.set("/batch/global_sequences", *global);
    if (const std::string schedule = own("--step-batch-size-schedule"); !schedule.empty()) {
        const std::vector<std::string> words = m_launch.options.words(schedule, "/batch/global_sequences");
        const std::string steps = words.empty() ? std::string() : words.back();
        if (words.size() > 1 && m_launch.options.find(schedule)->value.is_array())
            m_launch.options.fault(schedule, "the shell splits it into words; expected quotes around it");
        // In "0:384 200B:768 400B:1152" the last batch size applies to most of the run.
        const std::size_t colon = steps.rfind(':');
        const auto batch = colon == std::string::npos ? std::nullopt : spelled_integer(steps.substr(colon + 1));
        if (global)
            m_launch.options.fault(schedule, "conflicts with --global-batch-size, which is used");
        else if (batch && *batch > 0)
            m_launch.set("/batch/global_sequences", *batch);
    }
    if (const std::string ramp = own("--rampup-batch-size"); !ramp.empty())
        m_launch.options.ignore(ramp, "a plan describes the run at its full batch size");
}

void MegatronReading::read_optimizer() {
    if (!has("--optimizer"))
        leave_to_recipe("/optimizer/name", "adamw");
    const std::string name = lower_word("--optimizer", "adam");
    const char *const kind = name.find("muon") != std::string::npos ? "muon"
        : name.find("sgd") != std::string::npos                     ? "sgd"
        : name.find("adafactor") != std::string::npos               ? "adafactor"
                                                                    : "adamw";
    m_launch.set("/optimizer/name", kind);
    if (const auto momentum = number("--sgd-momentum"); momentum && name.find("sgd") != std::string::npos)
        m_launch.set("/optimizer/momentum", std::clamp(*momentum, 0.0, 1.0));
    if (name == "lion" || name == "soap")
        m_launch.options.assume("/optimizer/name", "adamw", fmt::format("plans do not support the optimizer {}", name));
}

void MegatronReading::read_run() {
    if (const auto tokens = number("--train-tokens"); tokens && *tokens > 0)
        m_launch.set("/run/tokens", *tokens);
    if (const auto samples = number("--train-samples"); samples && *samples > 0)
        m_launch.sequences = samples;
    if (const auto steps = number("--train-iters"); steps && *steps > 0)
        m_launch.steps = steps;
    if (flag("--async-save"))
        m_launch.set("/faults/checkpoint_blocking_share", 0);
    if (const std::string interval = own("--save-interval"); !interval.empty())
        m_launch.options.ignore(interval, "counted in steps; a plan's checkpoint interval is in seconds");
}

void MegatronReading::ignore_the_rest() {
    constexpr std::string_view launchers[] = {"megatron-lm", "megatron-deepspeed", "megatron-bridge", "nemo",
                                              "megatron-bridge"};
    const std::string_view launcher = launchers[static_cast<std::size_t>(m_dialect)];
    m_launch.options.ignore_rest([&](const LaunchOption &option) {
        if (m_dialect == MegatronDialect::nemo && !is_known_option(launcher, option.name, m_library))
            return std::string(unknown_effect);
        return why_ignored(launcher, option.name, m_library, is_false(option.value));
    });
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/megatron_reading.h"

#include "launch/known_options.h"
#include "launch/megatron_names.h"

#include <fmt/format.h>

#include <algorithm>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::int64_t most_layers = 100'000;
constexpr std::int64_t most_ranks_of_a_degree = 10'000'000;

/// Megatron's list expressions for layers: "([0]*3+[1]*58)", "[0,1]*12". Empty where it is none.
std::vector<bool> layer_list(const std::string &expression) {
    std::vector<bool> layers;
    std::vector<bool> group;
    std::size_t at = 0;
    const auto skip = [&] {
        while (at < expression.size()
               && (expression[at] == ' ' || expression[at] == '(' || expression[at] == ')' || expression[at] == '+'))
            ++at;
    };
    for (skip(); at < expression.size(); skip()) {
        if (expression[at++] != '[')
            return {};
        group.clear();
        while (at < expression.size() && expression[at] != ']') {
            if (expression[at] == '0' || expression[at] == '1')
                group.push_back(expression[at] == '1');
            else if (expression[at] != ',' && expression[at] != ' ')
                return {};
            ++at;
        }
        ++at;
        std::int64_t times = 1;
        if (at < expression.size() && expression[at] == '*') {
            const std::size_t end = std::min(expression.find_first_not_of("0123456789", at + 1), expression.size());
            const auto read = spelled_integer(expression.substr(at + 1, end - at - 1));
            if (!read || *read < 0 || *read > most_layers)
                return {};
            times = *read;
            at = end;
        }
        for (std::int64_t i = 0; i < times && layers.size() < most_layers; ++i)
            layers.insert(layers.end(), group.begin(), group.end());
    }
    return layers;
}

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
        if (other != name && m_launch.options.has(other)) // the same fact a second time
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

void MegatronReading::read() {
    const auto ranks = [&](std::string_view option) {
        return std::clamp<std::int64_t>(integer(option).value_or(1), 1, most_ranks_of_a_degree);
    };
    m_tensor = ranks("--tensor-model-parallel-size");
    m_pipeline = ranks("--pipeline-model-parallel-size");
    m_context = ranks("--context-parallel-size");
    read_model();
    read_parallelism();
    read_batch();
    read_zero();
    read_precision();
    read_recompute();
    read_offload();
    read_optimizer();
    read_run();
}

void MegatronReading::read_model() {
    ModelShape &shape = m_launch.shape;
    shape.layers = integer("--num-layers");
    if (const auto encoder = integer("--encoder-num-layers"); encoder && !shape.layers)
        shape.layers = encoder;
    read_hybrid_layers();
    shape.hidden = integer("--hidden-size");
    shape.feed_forward = integer("--ffn-hidden-size");
    const bool nemo = m_dialect == MegatronDialect::nemo;
    const std::string activation = nemo ? lower_word("--activation", "gelu") : "";
    shape.gated = flag("--swiglu") | flag("--quick-geglu") | (activation.find("glu") != std::string::npos);
    flag("--squared-relu");
    // Linear layers have biases unless they are switched off.
    shape.linear_bias = !flag("--disable-bias-linear");
    shape.qkv_bias = flag("--add-qkv-bias");
    const std::string normalization = lower_word("--normalization", "layernorm");
    shape.norm = normalization.find("rms") != std::string::npos ? NormKind::rms : NormKind::layer;
    shape.query_key_norm = flag("--qk-layernorm");
    shape.embedding_norm = flag("--embed-layernorm");
    shape.tied_embeddings = !flag("--untie-embeddings-and-output-weights");
    shape.longest_sequence = integer("--max-position-embeddings");
    const bool rotary = flag("--use-rotary-position-embeddings");
    const std::string positions = lower_word("--position-embedding-type", rotary ? "rope" : "learned_absolute");
    if (positions.starts_with("learned") && !rotary && shape.longest_sequence)
        shape.learned_positions = shape.longest_sequence;
    if (!shape.feed_forward && shape.hidden) {
        // megatron/training/arguments.py: 4h, with a gate two thirds of it in multiples of 64.
        shape.feed_forward = shape.gated ? *shape.hidden * 8 / 3 / 64 * 64 : *shape.hidden * 4;
        m_launch.options.assume("/model/blocks/0/transform/hidden", *shape.feed_forward,
                                "left out: the launcher's own default");
    }
    shape.mtp_layers = integer("--mtp-num-layers").value_or(0);
    read_attention();
    read_vocabulary();
    read_experts();
}

void MegatronReading::read_hybrid_layers() {
    auto pattern = word("--hybrid-layer-pattern");
    if (const auto older = word("--hybrid-override-pattern"); older && !pattern)
        pattern = older;
    if (!pattern)
        return;
    std::erase_if(*pattern, [](char c) { return c == '"' || c == '\'' || c == ' '; });
    HybridLayers hybrid{.pattern = pattern->substr(0, pattern->find('/'))};
    hybrid.state_dim = integer("--mamba-state-dim").value_or(hybrid.state_dim);
    hybrid.head_dim = integer("--mamba-head-dim").value_or(hybrid.head_dim);
    hybrid.groups = integer("--mamba-num-groups").value_or(hybrid.groups);
    hybrid.heads = integer("--mamba-num-heads");
    m_hybrid_stages = hybrid_stages(hybrid.pattern);
    m_launch.hybrid = std::move(hybrid);
}

void MegatronReading::read_attention() {
    ModelShape &shape = m_launch.shape;
    shape.heads = integer("--num-attention-heads");
    shape.head_dim = integer("--kv-channels");
    // Query groups count only with their switch; their default of 1 does not mean multi-query attention.
    const bool states_groups = m_dialect == MegatronDialect::nemo || m_dialect == MegatronDialect::megatron_bridge;
    const bool grouped = states_groups || flag("--group-query-attention");
    if (const std::string groups = own("--num-query-groups"); !groups.empty()) {
        if (grouped)
            shape.kv_heads = integer("--num-query-groups");
        else
            m_launch.options.ignore(groups, "in effect only with --group-query-attention");
    } else if (grouped && !states_groups) {
        shape.kv_heads = 1;
    }
    if (const auto kv_heads = integer("--num-key-value-heads"))
        shape.kv_heads = kv_heads;
    if (const std::string window = own("--window-size"); !window.empty()) {
        const std::vector<std::string> words = m_launch.options.words(window, megatron_field("--window-size"));
        if (!words.empty()) {
            std::string first = words.front();
            std::erase_if(first, [](char c) { return c == '(' || c == ',' || c == '['; });
            if (const auto tokens = spelled_integer(first.substr(0, first.find(','))); tokens && *tokens > 0)
                shape.window = tokens;
        }
    }
    for (const char *kind : {"--linear-attention-freq", "--experimental-attention-variant", "--window-attn-skip-freq"})
        if (!own(kind).empty()) {
            m_launch.options.assume("/model/blocks/0/mixer", "the same in all layers",
                                    fmt::format("an import does not tell layers by {}", kind));
            break;
        }
    if (flag("--multi-latent-attention")) {
        shape.latent.kv_rank = integer("--kv-lora-rank").value_or(32);
        shape.latent.query_rank = integer("--q-lora-rank").value_or(0);
        shape.latent.nope_head_dim = integer("--qk-head-dim").value_or(128);
        shape.latent.rope_head_dim = integer("--qk-pos-emb-head-dim").value_or(64);
        shape.latent.value_head_dim = integer("--v-head-dim").value_or(128);
        shape.query_key_norm = false; // norms on the compressed queries and keys belong to latent attention
    }
}

void MegatronReading::read_vocabulary() {
    ModelShape &shape = m_launch.shape;
    const auto size = integer("--vocab-size");
    const auto padded = integer("--padded-vocab-size");
    const auto padded_to = integer("--pad-vocab-size-to"); // bigscience's fork
    const auto multiple = integer("--make-vocab-size-divisible-by").value_or(128);
    const bool as_it_is = flag("--no-pad-vocab-size");
    if (padded || padded_to) {
        shape.vocabulary = padded ? padded : padded_to;
    } else if (size && *size > 0) {
        const std::int64_t rows =
            std::clamp<std::int64_t>(multiple, 1, 1'000'000) * std::min<std::int64_t>(m_tensor, 100'000);
        shape.vocabulary = as_it_is || *size > 1'000'000'000 ? *size : (*size + rows - 1) / rows * rows;
    }
}

void MegatronReading::read_experts() {
    ModelShape &shape = m_launch.shape;
    if (const std::string experts = own("--num-experts"); !experts.empty()) {
        // Megatron-DeepSpeed takes a list, one number for each layer with experts.
        const std::vector<std::string> words = m_launch.options.words(experts, megatron_field("--num-experts"));
        const auto number = words.empty() ? std::nullopt : spelled_integer(words.front());
        const std::int64_t none = m_dialect == MegatronDialect::megatron_deepspeed ? 1 : 0;
        if (number && *number > none)
            shape.experts = number;
    }
    const bool deepspeed = m_dialect == MegatronDialect::megatron_deepspeed;
    shape.experts_per_token = deepspeed ? integer("--topk").value_or(1) : integer("--moe-router-topk").value_or(2);
    shape.expert_hidden = integer("--moe-ffn-hidden-size");
    shape.shared_hidden = integer("--moe-shared-expert-intermediate-size").value_or(0);
    shape.shared_gate = flag("--moe-shared-expert-gate");
    shape.correction_bias = flag("--moe-router-enable-expert-bias");
    if (shape.experts && shape.layers && *shape.layers >= 1 && *shape.layers <= most_layers)
        read_expert_layers(*shape.layers);
}

void MegatronReading::read_expert_layers(std::int64_t layers) {
    std::vector<bool> &has_experts = m_launch.shape.has_experts;
    std::int64_t every = 1;
    if (m_dialect == MegatronDialect::megatron_deepspeed) {
        every = integer("--expert-interval").value_or(2);
        has_experts.assign(static_cast<std::size_t>(layers), false);
        for (std::int64_t i = 0; i < layers && every >= 1; ++i)
            has_experts[static_cast<std::size_t>(i)] = (i + 1) % every == 0;
        return;
    }
    if (const std::string frequency = own("--moe-layer-freq"); !frequency.empty()) {
        const std::string text = value_text(m_launch.options.find(frequency)->value);
        const Json &stated = m_launch.options.find(frequency)->value;
        std::vector<bool> list;
        if (stated.is_array())
            for (const Json &each : stated)
                list.push_back(each.is_number() && each.get<double>() != 0);
        else
            list = layer_list(text);
        if (!list.empty()) {
            if (static_cast<std::int64_t>(list.size()) == layers) {
                m_launch.options.understand(frequency, megatron_field("--moe-layer-freq"));
                has_experts = std::move(list);
            } else {
                m_launch.options.fault(frequency, fmt::format("lists {} layers of {}", list.size(), layers));
            }
            return;
        }
        every = integer("--moe-layer-freq").value_or(1);
    }
    has_experts.assign(static_cast<std::size_t>(layers), true);
    for (std::int64_t i = 0; i < layers && every > 1; ++i)
        has_experts[static_cast<std::size_t>(i)] = i % every == 0;
}

void MegatronReading::read_zero() {
    std::int64_t stage = flag("--use-distributed-optimizer") ? 1 : 0;
    const bool fsdp = flag("--use-megatron-fsdp");
    if (const std::string strategy = own("--data-parallel-sharding-strategy"); !strategy.empty() && !fsdp)
        m_launch.options.ignore(strategy, "in effect only with --use-megatron-fsdp");
    if (fsdp) {
        const char *const usual = m_dialect == MegatronDialect::megatron_bridge ? "no_shard" : "optim_grads_params";
        const std::string strategy = word("--data-parallel-sharding-strategy").value_or(usual);
        stage = std::find(std::begin(megatron_sharding), std::end(megatron_sharding) - 1, strategy)
            - std::begin(megatron_sharding);
    }
    if (flag("--use-torch-fsdp2"))
        stage = flag("--torch-fsdp2-no-reshard-after-forward") ? 2 : 3;
    if (const auto zero = integer("--zero-stage"))
        stage = std::max(stage, std::clamp<std::int64_t>(*zero, 0, 3));
    if (m_dialect == MegatronDialect::nemo) {
        const std::string name = lower_word("--optimizer");
        stage = name.find("distributed") != std::string::npos ? 1 : stage;
    }
    m_launch.set("/parallelism/zero_stage", stage);
    if (m_dialect == MegatronDialect::megatron_deepspeed && stage == 0 && m_launch.options.has("--bf16"))
        m_launch.options.assume(
            "/parallelism/zero_stage", 0,
            "as stated; the optimizer that DeepSpeed uses with bf16 shards its states like stage 1");
    if (const auto instances = integer("--num-distributed-optimizer-instances"); instances && *instances > 1)
        m_launch.shard_groups = instances;
}

void MegatronReading::read_batch() {
    auto length = integer("--seq-length");
    if (const auto encoder = integer("--encoder-seq-length"); encoder && !length)
        length = encoder;
    if (const auto dataset = integer("--dataset-seq-length")) {
        if (length && *length != *dataset && m_dialect == MegatronDialect::megatron_bridge)
            m_launch.options.fault(own("--dataset-seq-length"),
                                   fmt::format("{} differs from the model's {}", *dataset, *length));
        length = length ? length : dataset;
    }
    if (length)
        m_launch.set("/batch/sequence_length", *length);
    if (length && m_context > 1 && *length % (2 * m_context) != 0
        && m_dialect != MegatronDialect::megatron_deepspeed) // Ulysses splits evenly
        m_launch.options.fault(own("--seq-length"),
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
            m_launch.options.fault(schedule, "the shell breaks it into words; expected quotes around it");
        // "0:384 200B:768 400B:1152": the last batch holds for most of the run.
        const std::size_t colon = steps.rfind(':');
        const auto batch = colon == std::string::npos ? std::nullopt : spelled_integer(steps.substr(colon + 1));
        if (global)
            m_launch.options.fault(schedule, "excludes --global-batch-size; the global batch size is taken");
        else if (batch && *batch > 0)
            m_launch.set("/batch/global_sequences", *batch);
    }
    if (const std::string ramp = own("--rampup-batch-size"); !ramp.empty())
        m_launch.options.ignore(ramp, "a plan describes the run at its full batch size");
}

void MegatronReading::read_optimizer() {
    const std::string name = lower_word("--optimizer", "adam");
    const char *const kind = name.find("muon") != std::string::npos ? "muon"
        : name.find("sgd") != std::string::npos                     ? "sgd"
        : name.find("adafactor") != std::string::npos               ? "adafactor"
                                                                    : "adamw";
    m_launch.set("/optimizer/name", kind);
    if (const auto momentum = number("--sgd-momentum"); momentum && name.find("sgd") != std::string::npos)
        m_launch.set("/optimizer/momentum", std::clamp(*momentum, 0.0, 1.0));
    if (name == "lion" || name == "soap")
        m_launch.options.assume("/optimizer/name", "adamw", fmt::format("a plan has no optimizer {}", name));
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
    constexpr std::string_view launchers[] = {"megatron-lm", "megatron-deepspeed", "megatron-bridge", "nemo"};
    const std::string_view launcher = launchers[static_cast<std::size_t>(m_dialect)];
    m_launch.options.ignore_rest([&](const LaunchOption &option) {
        if (m_dialect == MegatronDialect::nemo)
            return std::string("does not change memory, traffic or step time");
        return why_ignored(launcher, option.name, m_library);
    });
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/megatron_reading.h"

#include "input/diagnostic.h"
#include "launch/known_options.h"
#include "launch/megatron_names.h"
#include "plan/layout.h"
#include "plan/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::int64_t most_layers = 100'000;

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
    return text;
}

/// "float32", "torch.bfloat16", "fp8" as a plan spells it; empty for anything else.
std::string data_type(std::string text) {
    text = lower(std::move(text));
    if (text.starts_with("torch."))
        text.erase(0, 6);
    if (text == "fp32" || text == "float32" || text == "float")
        return "fp32";
    if (text == "bf16" || text == "bfloat16")
        return "bf16";
    if (text == "fp16" || text == "float16" || text == "half")
        return "fp16";
    return text == "fp8" || text == "uint8" ? "fp8" : "";
}

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
    if (m_dialect == MegatronDialect::megatron_lm || m_dialect == MegatronDialect::megatron_deepspeed)
        return m_launch.options.has(option) ? std::string(option) : std::string();
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
    m_tensor = std::max<std::int64_t>(1, integer("--tensor-model-parallel-size").value_or(1));
    m_pipeline = std::max<std::int64_t>(1, integer("--pipeline-model-parallel-size").value_or(1));
    m_context = std::max<std::int64_t>(1, integer("--context-parallel-size").value_or(1));
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
    if (const std::string pattern = own("--hybrid-layer-pattern"); !pattern.empty())
        m_launch.options.ignore(
            pattern, "layers of several kinds (Mamba, attention, MLP): a plan takes them from a model preset");
    shape.hidden = integer("--hidden-size");
    shape.feed_forward = integer("--ffn-hidden-size");
    const bool nemo = m_dialect == MegatronDialect::nemo;
    const std::string activation = nemo ? lower(word("--activation").value_or("gelu")) : "";
    shape.gated = flag("--swiglu") | flag("--quick-geglu") | (activation.find("glu") != std::string::npos);
    flag("--squared-relu");
    // Linear layers have biases unless they are switched off.
    shape.linear_bias = !flag("--disable-bias-linear");
    shape.qkv_bias = flag("--add-qkv-bias");
    const std::string normalization = lower(word("--normalization").value_or("layernorm"));
    shape.norm = normalization.find("rms") != std::string::npos ? NormKind::rms : NormKind::layer;
    shape.query_key_norm = flag("--qk-layernorm");
    shape.embedding_norm = flag("--embed-layernorm");
    shape.tied_embeddings = !flag("--untie-embeddings-and-output-weights");
    shape.longest_sequence = integer("--max-position-embeddings");
    const bool rotary = flag("--use-rotary-position-embeddings");
    const std::string positions =
        lower(word("--position-embedding-type").value_or(rotary ? "rope" : "learned_absolute"));
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

void MegatronReading::read_parallelism() {
    m_launch.set("/parallelism/tensor", m_tensor);
    m_launch.set("/parallelism/pipeline", m_pipeline);
    if (const auto ulysses = integer("--ds-sequence-parallel-size"); ulysses && m_context == 1)
        m_context = std::max<std::int64_t>(1, *ulysses);
    m_launch.set("/parallelism/context", m_context);
    std::int64_t expert = std::max<std::int64_t>(1, integer("--expert-model-parallel-size").value_or(1));
    if (const auto older = integer("--moe-expert-parallel-size"); older && *older > 1)
        expert = *older;
    m_launch.set("/parallelism/expert", m_launch.shape.experts ? expert : 1);
    // Left out, tensor parallelism of experts is that of all layers, not 1.
    const auto expert_tensor = integer("--expert-tensor-parallel-size");
    const std::int64_t inherited = m_dialect == MegatronDialect::megatron_deepspeed ? 1 : m_tensor;
    m_launch.set("/parallelism/expert_tensor", m_launch.shape.experts ? expert_tensor.value_or(inherited) : 1);
    if (m_launch.shape.experts && !expert_tensor && inherited > 1)
        m_launch.options.assume("/parallelism/expert_tensor", inherited,
                                "left out: Megatron then takes the tensor-parallel size");
    if (m_launch.shape.experts && m_launch.shape.linear_bias && expert_tensor.value_or(inherited) > 1)
        m_launch.options.fault(
            expert_tensor ? "--expert-tensor-parallel-size" : "--disable-bias-linear",
            "expert layers with biases cannot be tensor parallel; expected --disable-bias-linear or an "
            "expert tensor-parallel size of 1");
    const bool sequence = flag("--sequence-parallel");
    m_launch.set("/parallelism/sequence_parallel", sequence && m_tensor > 1);
    if (sequence && m_tensor == 1 && m_dialect == MegatronDialect::megatron_bridge)
        m_launch.options.fault(own("--sequence-parallel"), "sequence parallelism needs tensor parallelism");
    const bool pipeline_inside = flag("--use-tp-pp-dp-mapping");
    m_launch.set("/parallelism/placement",
                 pipeline_inside ? Json{"tensor", "context", "expert", "pipeline", "data"}
                                 : Json{"tensor", "context", "expert", "data", "pipeline"});
    read_virtual_stages();
}

void MegatronReading::read_virtual_stages() {
    const std::int64_t layers = m_launch.shape.layers.value_or(0);
    std::vector<LayoutStage> stages;
    if (const auto layout = word("--pipeline-model-parallel-layout")) {
        std::string text = *layout;
        std::erase_if(text, [](char c) { return c == '"' || c == '\''; });
        try {
            stages = read_layout(text);
            const auto count = static_cast<std::int64_t>(stages.size());
            if (count % m_pipeline == 0) {
                m_chunks = count / m_pipeline;
                m_launch.set("/parallelism/layout", text);
            } else {
                m_launch.options.fault(
                    own("--pipeline-model-parallel-layout"),
                    fmt::format("{} stages are not a multiple of {} pipeline ranks", count, m_pipeline));
            }
        } catch (const InputError &error) {
            m_launch.options.fault(own("--pipeline-model-parallel-layout"), error.diagnostics().front().message.text);
        }
    }
    const bool embedding = flag("--account-for-embedding-in-pipeline-split");
    const bool loss = flag("--account-for-loss-in-pipeline-split");
    const std::int64_t counted = layers + (embedding ? 1 : 0) + (loss ? 1 : 0);
    if (const auto each = integer("--num-layers-per-virtual-pipeline-stage")) {
        if (*each >= 1 && counted % (m_pipeline * *each) == 0)
            m_chunks = std::max<std::int64_t>(1, counted / m_pipeline / *each);
        else
            m_launch.options.fault(
                own("--num-layers-per-virtual-pipeline-stage"),
                fmt::format("{} layers over {} pipeline ranks are not a multiple of {}", counted, m_pipeline, *each));
    }
    if (const auto chunks = integer("--num-virtual-stages-per-pipeline-rank"))
        m_chunks = std::max<std::int64_t>(1, *chunks);
    const auto first = integer("--decoder-first-pipeline-num-layers");
    const auto last = integer("--decoder-last-pipeline-num-layers");
    const std::int64_t virtual_stages = m_pipeline * m_chunks;
    if (stages.empty() && m_pipeline > 1 && virtual_stages <= 10'000 && (embedding || loss || first || last)) {
        // Numbers for the first and the last rank count all chunks of that rank; the ranks between share the rest.
        std::vector<std::int64_t> each(static_cast<std::size_t>(virtual_stages), counted / virtual_stages);
        if (first || last) {
            const std::int64_t others = m_pipeline - (first ? 1 : 0) - (last ? 1 : 0);
            const std::int64_t rest = layers - first.value_or(0) - last.value_or(0);
            for (std::int64_t stage = 0; stage < virtual_stages; ++stage) {
                const std::int64_t rank = stage % m_pipeline;
                const std::int64_t own_layers = first && rank == 0 ? *first
                    : last && rank == m_pipeline - 1               ? *last
                    : others > 0                                   ? rest / others
                                                                   : 0;
                each[static_cast<std::size_t>(stage)] = own_layers / m_chunks;
            }
        } else {
            each.front() -= embedding ? 1 : 0;
            each.back() -= loss ? 1 : 0;
        }
        if (std::accumulate(each.begin(), each.end(), std::int64_t{0}) == layers)
            m_launch.set("/parallelism/layout", each);
        else
            m_launch.options.fault(
                own(first ? "--decoder-first-pipeline-num-layers" : "--num-layers"),
                fmt::format("{} layers do not divide over {} stages as the options ask", layers, virtual_stages));
    }
    m_launch.set("/parallelism/chunks", m_chunks);
    m_launch.set("/parallelism/schedule", m_chunks > 1 ? "interleaved" : "1f1b");
    if (const auto group = integer("--microbatch-group-size-per-virtual-pipeline-stage"); group && m_chunks > 1)
        m_launch.set("/parallelism/group", *group);
    if (flag("--enable-zbh1-pipeline") && m_chunks == 1)
        m_launch.set("/parallelism/schedule", "zb-h1");
}

void MegatronReading::read_zero() {
    std::int64_t stage = flag("--use-distributed-optimizer") ? 1 : 0;
    const bool fsdp = flag("--use-megatron-fsdp");
    if (const std::string strategy = own("--data-parallel-sharding-strategy"); !strategy.empty() && !fsdp)
        m_launch.options.ignore(strategy, "in effect only with --use-megatron-fsdp");
    if (fsdp) {
        const char *const usual = m_dialect == MegatronDialect::megatron_bridge ? "no_shard" : "optim_grads_params";
        const std::string strategy = word("--data-parallel-sharding-strategy").value_or(usual);
        stage = strategy == "no_shard" ? 0 : strategy == "optim" ? 1 : strategy == "optim_grads" ? 2 : 3;
    }
    if (flag("--use-torch-fsdp2"))
        stage = flag("--torch-fsdp2-no-reshard-after-forward") ? 2 : 3;
    if (const auto zero = integer("--zero-stage"))
        stage = std::max(stage, std::clamp<std::int64_t>(*zero, 0, 3));
    if (m_dialect == MegatronDialect::nemo) {
        const std::string name = lower(word("--optimizer").value_or(""));
        stage = name.find("distributed") != std::string::npos ? 1 : stage;
    }
    m_launch.set("/parallelism/zero_stage", stage);
    if (const auto instances = integer("--num-distributed-optimizer-instances");
        instances && *instances > 1 && m_launch.machines.accelerators) {
        const std::int64_t ranks = *m_launch.machines.accelerators / std::max<std::int64_t>(1, m_tensor * m_pipeline);
        if (ranks % *instances == 0)
            m_launch.set("/parallelism/shard_group", std::max<std::int64_t>(1, ranks / *instances));
    }
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
    if (const auto micro = integer("--micro-batch-size"))
        m_launch.set("/batch/micro_sequences", *micro);
    const auto global = integer("--global-batch-size");
    if (global)
        m_launch.set("/batch/global_sequences", *global);
    if (const auto steps = word("--step-batch-size-schedule")) {
        // "0:384 200B:768 400B:1152": the last batch holds for most of the run.
        const std::size_t colon = steps->rfind(':');
        const auto batch = colon == std::string::npos ? std::nullopt : spelled_integer(steps->substr(colon + 1));
        if (global)
            m_launch.options.fault(own("--step-batch-size-schedule"),
                                   "excludes --global-batch-size; the global batch size is taken");
        else if (batch && *batch > 0)
            m_launch.set("/batch/global_sequences", *batch);
    }
    if (const std::string ramp = own("--rampup-batch-size"); !ramp.empty())
        m_launch.options.ignore(ramp, "a plan describes the run at its full batch size");
}

void MegatronReading::read_precision() {
    const std::string recipe = lower(word("--mixed-precision").value_or(""));
    bool bf16 = flag("--bf16") || recipe.starts_with("bf16");
    const bool fp16 = flag("--fp16") || recipe.starts_with("fp16");
    if (m_dialect == MegatronDialect::nemo) {
        const std::string trainer = lower(word("--trainer-precision").value_or(""));
        bf16 = bf16 || trainer.starts_with("bf16");
    }
    if (m_dialect == MegatronDialect::megatron_bridge && recipe.empty() && !bf16 && !fp16) {
        bf16 = true;
        m_launch.options.assume("/precision/compute", "bf16",
                                "recipes of Megatron-Bridge train in bf16_mixed by default");
    }
    const std::string half = bf16 ? "bf16" : fp16 ? "fp16" : "fp32";
    std::string compute = half;
    const std::string fp8 = lower(word("--fp8-format").value_or(""));
    const std::string fp8_recipe = lower(word("--fp8-recipe").value_or(""));
    const bool nemo_fp8 = m_dialect == MegatronDialect::nemo && flag("--fp8");
    if ((!fp8.empty() && fp8 != "none" && fp8 != "false") || nemo_fp8 || recipe.find("fp8") != std::string::npos)
        compute = fp8_recipe == "mxfp8" || recipe.find("mxfp8") != std::string::npos ? "mxfp8" : "fp8";
    const std::string fp4 = lower(word("--fp4-format").value_or(""));
    word("--fp4-recipe");
    if ((!fp4.empty() && fp4 != "none") || recipe.find("nvfp4") != std::string::npos)
        compute = "nvfp4";
    const bool fp8_weights = flag("--fp8-param-gather");
    m_launch.set("/precision/compute", compute);
    m_launch.set("/precision/weights", fp8_weights && compute == "fp8" ? std::string("fp8") : half);
    const bool half_gradients = flag("--grad-reduce-in-bf16");
    const std::optional<bool> accumulates = stated_flag("--accumulate-allreduce-grads-in-fp32");
    const std::optional<bool> reduces = stated_flag("--grad-reduce-in-fp32");
    // bf16 accumulates in FP32 by itself; fp16 only where it is asked to.
    const bool wide = reduces.value_or(accumulates.value_or(half != "fp16")) && !half_gradients;
    m_launch.set("/precision/gradients", wide || half == "fp32" ? std::string("fp32") : half);
    const auto state = [&](const char *option) {
        const std::string type = data_type(word(option).value_or("fp32"));
        m_launch.set(megatron_field(option), type.empty() ? "fp32" : type);
    };
    state("--main-params-dtype");
    state("--exp-avg-dtype");
    word("--exp-avg-sq-dtype");
    flag("--use-precision-aware-optimizer");
    if (half == "fp32")
        m_launch.set("/precision/master", "none");
}

void MegatronReading::read_recompute() {
    const std::string granularity = lower(word("--recompute-granularity").value_or(""));
    const std::string method = lower(word("--recompute-method").value_or(""));
    const auto layers = integer("--recompute-num-layers");
    const bool activations = flag("--recompute-activations");
    const bool older = flag("--checkpoint-activations") || flag("--deepspeed-activation-checkpointing")
        || has("--activations-checkpoint-method");
    if (has("--activations-checkpoint-method"))
        word("--activations-checkpoint-method");
    std::vector<std::string> modules;
    if (const std::string name = own("--recompute-modules"); !name.empty())
        modules = m_launch.options.words(name, megatron_field("--recompute-modules"));
    if (flag("--moe-layer-recompute"))
        modules.emplace_back("moe");
    if (granularity == "full" || (older && granularity.empty())) {
        if (method == "block" && layers) {
            m_launch.set("/recompute/mode", "layers");
            m_launch.set("/recompute/layers", *layers);
        } else {
            m_launch.set("/recompute/mode", "full");
            if (method == "uniform" && layers && *layers > 1)
                m_launch.options.assume(
                    "/recompute/mode", "full",
                    fmt::format("one saved input per {} layers: a plan saves one per layer", *layers));
        }
        return;
    }
    if (granularity != "selective" && !activations && modules.empty()) {
        m_launch.set("/recompute/mode", "none");
        return;
    }
    const auto &known = recompute_module_names();
    Json taken = Json::array();
    for (const std::string &each : modules)
        if (std::find(known.begin(), known.end(), each) != known.end())
            taken.push_back(each);
        else
            m_launch.options.fault(own("--recompute-modules"),
                                   fmt::format("no plan field recomputes the module {}", each));
    if (taken.empty() || (taken.size() == 1 && taken.front() == "core_attn")) {
        m_launch.set("/recompute/mode", "selective");
    } else {
        m_launch.set("/recompute/mode", "modules");
        m_launch.set("/recompute/modules", taken);
    }
}

void MegatronReading::read_offload() {
    const bool optimizer = flag("--optimizer-cpu-offload") | flag("--cpu-optimizer");
    const auto offloaded = number("--optimizer-offload-fraction");
    if (optimizer)
        m_launch.set("/offload/optimizer", std::clamp(offloaded.value_or(1), 0.0, 1.0));
    const bool fine = flag("--fine-grained-activation-offloading");
    const auto share = number("--activation-offload-fraction");
    if (const std::string modules = own("--offload-modules"); !modules.empty())
        m_launch.options.ignore(modules, "a plan offloads a fraction of all saved activations, not modules");
    if (fine)
        m_launch.set("/offload/activations", std::clamp(share.value_or(1), 0.0, 1.0));
    if (const auto layers = integer("--cpu-offloading-num-layers");
        layers && *layers > 0 && m_launch.shape.layers.value_or(0) > 0)
        m_launch.set("/offload/activations",
                     std::min(1.0, static_cast<double>(*layers) / static_cast<double>(*m_launch.shape.layers)));
    if (flag("--checkpoint-in-cpu"))
        m_launch.set("/offload/activations", 1.0);
}

void MegatronReading::read_optimizer() {
    const std::string name = lower(word("--optimizer").value_or("adam"));
    const char *const kind = name.find("muon") != std::string::npos ? "muon"
        : name.find("sgd") != std::string::npos                     ? "sgd"
        : name.find("adafactor") != std::string::npos               ? "adafactor"
                                                                    : "adamw";
    m_launch.set("/optimizer/name", kind);
    if (const auto momentum = number("--sgd-momentum"); momentum && name.find("sgd") != std::string::npos)
        m_launch.set("/optimizer/momentum", std::clamp(*momentum, 0.0, 1.0));
    if (name == "lion" || name == "soap")
        m_launch.options.fault(own("--optimizer"), fmt::format("a plan has no optimizer {}: taken as AdamW", name));
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

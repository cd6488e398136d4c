// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the model of a Megatron configuration: sizes, positions, attention, vocabulary, experts.
#include "catalog/library.h"
#include "launch/hub_names.h"
#include "launch/megatron_names.h"
#include "launch/megatron_reading.h"

#include <fmt/format.h>

#include <algorithm>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

/// A tokenizer type of Megatron-LM that comes with one vocabulary.
struct NamedTokenizer {
    std::string_view type;
    std::int64_t tokens;
    const char *vocabulary;
    bool takes_extra_ids = false; ///< whether --vocab-extra-ids adds tokens, as for T5
};
constexpr NamedTokenizer named_tokenizers[] = {
    {"GPT2BPETokenizer", 50'257, "GPT-2's"},
    {"Llama2Tokenizer", 32'000, "Llama 2's"},
    {"BertWordPieceLowerCase", 30'522, "uncased BERT's", true},
    {"BertWordPieceCase", 28'996, "cased BERT's", true},
};

/// The tokenizer that Megatron's programs use for a file of words if the launch names none.
struct UsualTokenizer {
    std::string_view file; ///< option with a file that this tokenizer reads and those in later rows do not
    const NamedTokenizer *tokenizer;
    const char *programs;
};
constexpr UsualTokenizer usual_tokenizers[] = {
    {"--merge-file", &named_tokenizers[0], "pretrain_gpt.py"},
    {"--vocab-file", &named_tokenizers[2], "pretrain_bert.py and pretrain_t5.py"},
};

/// Options that name a tokenizer. A type takes precedence over a repository or file.
constexpr std::string_view tokenizer_options[] = {"--tokenizer-type",          "--tokenizer-model",
                                                  "--tokenizer-name-or-path",  "tokenizer.tokenizer_type",
                                                  "tokenizer.tokenizer_model", "model.tokenizer.type"};

/// Megatron's list expressions for layers: "([0]*3+[1]*58)", "[0,1]*12". Empty if it is not such an expression.
std::vector<bool> layers_listed_in(const std::string &expression) {
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

/// Experts and layers of a preset, which are needed to read the parallelism options.
void MegatronReading::read_named_model() {
    if (m_launch.model.empty() || has("--num-layers")
        || has("--hybrid-layer-pattern")) // stated sizes replace the preset
        return;
    const std::shared_ptr<const Model> model = m_library.model(m_launch.model);
    const ModelShape shape = shape_of(*model).shape;
    m_named_layers = shape.layers.value_or(0);
    m_named_experts = shape.experts.value_or(0);
}

void MegatronReading::read_model() {
    ModelShape &shape = m_launch.shape;
    m_layers_option = own("--num-layers");
    shape.layers = integer("--num-layers");
    if (const auto encoder = integer("--encoder-num-layers"); encoder && !shape.layers)
        shape.layers = encoder;
    read_hybrid_layers();
    shape.hidden = integer("--hidden-size");
    shape.feed_forward = integer("--ffn-hidden-size");
    const bool nemo = m_dialect == MegatronDialect::nemo;
    const std::string activation = nemo ? lower_word("--activation", "gelu") : "";
    // All flags are read, so that each is marked as understood.
    const bool swiglu = flag("--swiglu");
    const bool geglu = flag("--quick-geglu");
    const bool glu = !lower_word("--glu-activation").empty(); // bigscience's fork: "swiglu", "geglu", ...
    shape.gated = swiglu || geglu || glu || activation.find("glu") != std::string::npos;
    flag("--squared-relu");
    // Linear layers have biases unless these are disabled.
    shape.linear_bias = !flag("--disable-bias-linear");
    shape.qkv_bias = flag("--add-qkv-bias");
    const std::string normalization = lower_word("--normalization", "layernorm");
    shape.norm = normalization.find("rms") != std::string::npos ? NormKind::rms : NormKind::layer;
    shape.query_key_norm = flag("--qk-layernorm");
    shape.embedding_norm = flag("--embed-layernorm");
    shape.tied_embeddings = !flag("--untie-embeddings-and-output-weights");
    shape.longest_sequence = integer("--max-position-embeddings");
    bool has_usual_feed_forward = false;
    if (!shape.feed_forward && shape.hidden) {
        // megatron/training/arguments.py: 4 x hidden size; with a gate, two thirds of that, rounded down to a multiple
        // of 64. bigscience's fork keeps 4 x hidden size with a gate.
        shape.feed_forward = shape.gated && !glu ? *shape.hidden * 8 / 3 / 64 * 64 : *shape.hidden * 4;
        has_usual_feed_forward = true;
    }
    if (const auto modules = integer("--mtp-num-layers"); !m_launch.hybrid)
        shape.mtp_layers = modules.value_or(0);
    read_attention();
    read_vocabulary();
    read_experts();
    if (has_usual_feed_forward && uses_feed_forward())
        m_launch.options.assume("/model/blocks/0/transform/hidden", *shape.feed_forward,
                                "not set; the launcher's default applies");
    check_hybrid_layers();
}

/// Whether some layers have no experts, or the experts have the size of such a layer.
bool MegatronReading::uses_feed_forward() const {
    const ModelShape &shape = m_launch.shape;
    if (!shape.experts || !shape.expert_hidden)
        return true;
    return m_launch.hybrid
        ? m_launch.hybrid->pattern.find('-') != std::string::npos
        : std::find(shape.has_experts.begin(), shape.has_experts.end(), false) != shape.has_experts.end();
}

void MegatronReading::read_positions() {
    ModelShape &shape = m_launch.shape;
    // GPTModelProvider.provide() of Megatron-Bridge sets the model's maximum sequence length to the training sequence
    // length.
    const std::int64_t length = m_launch.value("/batch/sequence_length", 0);
    const bool recipe = has_recipe() && length > 0;
    if (recipe && !shape.longest_sequence)
        shape.longest_sequence = length;
    const bool rotary = flag("--use-rotary-position-embeddings");
    const bool stated = has("--position-embedding-type");
    const std::string positions = lower_word("--position-embedding-type", rotary ? "rope" : "learned_absolute");
    if (!positions.starts_with("learned") || rotary)
        return;
    shape.learned_positions = shape.longest_sequence;
    if (recipe && stated)
        shape.learned_positions = length;
}

void MegatronReading::read_attention() {
    ModelShape &shape = m_launch.shape;
    shape.heads = integer("--num-attention-heads");
    shape.head_dim = integer("--kv-channels");
    // --num-query-groups applies only with --group-query-attention: its default of 1 does not mean multi-query
    // attention.
    const bool states_groups = m_dialect == MegatronDialect::nemo || has_recipe();
    const bool grouped = states_groups || flag("--group-query-attention");
    if (const std::string groups = own("--num-query-groups"); !groups.empty()) {
        if (grouped)
            shape.kv_heads = integer("--num-query-groups");
        else
            m_launch.options.ignore(groups, "applies only with --group-query-attention");
    } else if (grouped && !states_groups) {
        shape.kv_heads = 1;
    }
    if (const auto kv_heads = integer("--num-key-value-heads"))
        shape.kv_heads = kv_heads;
    read_windows();
    read_delta_net();
    const bool latent_pattern = m_launch.hybrid && m_launch.hybrid->pattern.find('+') != std::string::npos;
    if (flag("--multi-latent-attention") || latent_pattern) {
        shape.latent.kv_rank = integer("--kv-lora-rank").value_or(32);
        shape.latent.query_rank = integer("--q-lora-rank").value_or(0);
        shape.latent.nope_head_dim = integer("--qk-head-dim").value_or(128);
        shape.latent.rope_head_dim = integer("--qk-pos-emb-head-dim").value_or(64);
        shape.latent.value_head_dim = integer("--v-head-dim").value_or(128);
        shape.query_key_norm = false; // norms on the compressed queries and keys belong to latent attention
    }
}

void MegatronReading::read_windows() {
    ModelShape &shape = m_launch.shape;
    if (const std::string window = own("--window-size"); !window.empty()) {
        const std::vector<std::string> words = m_launch.options.words(window, megatron_field("--window-size"));
        if (!words.empty()) {
            std::string first = words.front().substr(0, words.front().find(','));
            std::erase_if(first, [](char c) { return c == '(' || c == '['; });
            if (const auto tokens = spelled_integer(first); tokens && *tokens > 0)
                shape.window = tokens;
        }
    }
    const std::string skipped = own("--window-attn-skip-freq");
    if (skipped.empty())
        return;
    if (!shape.window) {
        m_launch.options.ignore(skipped, "applies only with --window-size");
        return;
    }
    // is_layer_window_attention() of megatron/core/transformer/utils.py: every N-th layer attends to all tokens.
    std::vector<bool> windowed =
        layer_choice("--window-attn-skip-freq", shape.layers.value_or(0),
                     [](std::int64_t layer, std::int64_t every) { return (layer + 1) % every != 0; });
    if (std::find(windowed.begin(), windowed.end(), false) != windowed.end())
        shape.windowed = std::move(windowed);
}

void MegatronReading::read_delta_net() {
    ModelShape &shape = m_launch.shape;
    if (m_launch.hybrid && m_launch.hybrid->pattern.find('G') != std::string::npos) {
        read_delta_net_sizes();
        return;
    }
    const std::string frequency = own("--linear-attention-freq");
    const auto variant = word("--experimental-attention-variant");
    if (variant && *variant != "gdn" && *variant != "gated_delta_net") {
        m_launch.options.assume("/model/blocks/0/mixer", "softmax or latent attention in all layers",
                                fmt::format("the importer cannot read the sizes of {}", *variant));
        return;
    }
    if (!variant) {
        if (!frequency.empty())
            m_launch.options.ignore(frequency, "applies only with --experimental-attention-variant");
        return;
    }
    read_delta_net_sizes();
    if (frequency.empty())
        m_launch.options.fault(own("--experimental-attention-variant"), "needs --linear-attention-freq");
    else // get_linear_attention_pattern() of megatron/core/models/gpt: every N-th layer has attention
        shape.has_delta_net =
            layer_choice("--linear-attention-freq", shape.layers.value_or(0),
                         [](std::int64_t layer, std::int64_t every) { return (layer + 1) % every != 0; });
}

void MegatronReading::read_delta_net_sizes() {
    const auto size = [this](const char *option, std::int64_t otherwise) {
        return std::clamp<std::int64_t>(integer(option).value_or(otherwise), 1, 100'000);
    };
    ModelShape::DeltaNet &net = m_launch.shape.delta_net;
    net.key_heads = size("--linear-num-key-heads", net.key_heads);
    net.key_head_dim = size("--linear-key-head-dim", net.key_head_dim);
    net.value_heads = size("--linear-num-value-heads", net.value_heads);
    net.value_head_dim = size("--linear-value-head-dim", net.value_head_dim);
    net.convolution_width = size("--linear-conv-kernel-dim", net.convolution_width);
}

std::vector<bool> MegatronReading::layer_choice(std::string_view option, std::int64_t layers,
                                                bool (*of_number)(std::int64_t layer, std::int64_t every)) {
    const std::string name = own(option);
    if (name.empty() || layers < 1 || layers > most_layers)
        return {};
    const Json &stated = m_launch.options.find(name)->value;
    std::vector<bool> list;
    if (stated.is_array())
        for (const Json &each : stated)
            list.push_back(each.is_number() && each.get<double>() != 0);
    else
        list = layers_listed_in(value_text(stated));
    if (list.empty()) {
        const std::int64_t every = integer(option).value_or(0);
        for (std::int64_t i = 0; i < layers && every > 0; ++i)
            list.push_back(of_number(i, every));
        return list;
    }
    if (static_cast<std::int64_t>(list.size()) == layers) {
        m_launch.options.understand(name, megatron_field(option));
        return list;
    }
    m_launch.options.fault(name, fmt::format("lists {} layers, but the model has {}", list.size(), layers));
    return {};
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
        return;
    }
    const auto with_padding = [&](std::int64_t tokens) {
        const std::int64_t rows =
            std::clamp<std::int64_t>(multiple, 1, 1'000'000) * std::min<std::int64_t>(m_tensor, 100'000);
        return as_it_is || tokens > 1'000'000'000 ? tokens : (tokens + rows - 1) / rows * rows;
    };
    if (size && *size > 0) {
        shape.vocabulary = with_padding(*size);
        return;
    }
    const auto take_tokenizer = [&](std::string_view option, std::int64_t tokens, std::string_view vocabulary) {
        shape.vocabulary = with_padding(tokens);
        m_launch.options.understand(option, "/model/vocabulary");
        m_launch.options.assume("/model/vocabulary", *shape.vocabulary,
                                fmt::format("the tokenizer uses {}, which the model pads", vocabulary));
    };
    const auto vocabulary_text = [&](std::string_view owner, std::int64_t tokens, std::int64_t extra) {
        return fmt::format("{} vocabulary of {} tokens{}", owner, tokens,
                           extra > 0 ? fmt::format(" plus {} extra token ids", extra) : "");
    };
    const auto extra_ids = [&](const NamedTokenizer &named) {
        return named.takes_extra_ids ? std::clamp<std::int64_t>(integer("--vocab-extra-ids").value_or(0), 0, 1'000'000)
                                     : 0;
    };
    for (const std::string_view option : tokenizer_options) {
        const LaunchOption *const stated = m_launch.options.find(option);
        if (stated == nullptr || shape.vocabulary || !stated->value.is_string())
            continue;
        const auto name = stated->value.get<std::string>();
        for (const NamedTokenizer &named : named_tokenizers)
            if (name == named.type) {
                const std::int64_t extra = extra_ids(named);
                take_tokenizer(option, named.tokens + extra, vocabulary_text(named.vocabulary, named.tokens, extra));
            }
        // A repository on the hub, or a folder named after one, has the vocabulary of its model.
        const std::string preset = shape.vocabulary ? std::string() : preset_of_hub_name(name, m_library);
        if (const auto model = preset.empty() ? nullptr : m_library.model(preset))
            take_tokenizer(option, model->vocabulary, vocabulary_text(model->name + "'s", model->vocabulary, 0));
        else if (!is_unresolved(name))
            shape.tokenizer = name;
    }
    const bool is_named = std::any_of(std::begin(tokenizer_options), std::end(tokenizer_options),
                                      [this](std::string_view each) { return m_launch.options.has(each); });
    const bool states_sizes = shape.layers || m_launch.hybrid; // a preset has its own vocabulary
    for (const UsualTokenizer &usual : usual_tokenizers) {
        if (is_named || !states_sizes || !m_launch.options.has(usual.file))
            continue;
        m_launch.options.understand(usual.file, "/model/vocabulary");
        if (shape.vocabulary)
            continue;
        const NamedTokenizer &tokenizer = *usual.tokenizer;
        const std::int64_t extra = extra_ids(tokenizer);
        shape.vocabulary = with_padding(tokenizer.tokens + extra);
        m_launch.options.assume(
            "/model/vocabulary", *shape.vocabulary,
            fmt::format("no tokenizer is named; with {}, the default of {} is {} with {}, which the model pads",
                        usual.file, usual.programs, tokenizer.type,
                        vocabulary_text(tokenizer.vocabulary, tokenizer.tokens, extra)));
    }
}

void MegatronReading::read_experts() {
    ModelShape &shape = m_launch.shape;
    if (const std::string experts = own("--num-experts"); !experts.empty()) {
        // Megatron-DeepSpeed expects a list with one number for each layer that has experts.
        const std::vector<std::string> words = m_launch.options.words(experts, megatron_field("--num-experts"));
        const auto number = words.empty() ? std::nullopt : spelled_integer(words.front());
        const std::int64_t none = m_dialect == MegatronDialect::megatron_deepspeed ? 1 : 0;
        if (number && *number > none)
            shape.experts = number;
    }
    const bool deepspeed = m_dialect == MegatronDialect::megatron_deepspeed;
    shape.experts_per_token = deepspeed ? integer("--topk").value_or(1) : integer("--moe-router-topk").value_or(2);
    if (shape.experts || !shape.layers)
        shape.expert_hidden = integer("--moe-ffn-hidden-size");
    else if (const std::string size = own("--moe-ffn-hidden-size"); !size.empty())
        m_launch.options.ignore(size, "applies only with --num-experts");
    shape.expert_latent = integer("--moe-latent-size").value_or(0);
    shape.shared_hidden = integer("--moe-shared-expert-intermediate-size").value_or(0);
    shape.shared_gate = flag("--moe-shared-expert-gate");
    shape.correction_bias = flag("--moe-router-enable-expert-bias");
    if (shape.experts && !m_launch.hybrid && shape.layers && *shape.layers >= 1 && *shape.layers <= most_layers)
        read_expert_layers(*shape.layers);
}

void MegatronReading::read_expert_layers(std::int64_t layers) {
    std::vector<bool> &has_experts = m_launch.shape.has_experts;
    if (m_dialect == MegatronDialect::megatron_deepspeed) {
        const std::int64_t every = integer("--expert-interval").value_or(2);
        has_experts.assign(static_cast<std::size_t>(layers), false);
        for (std::int64_t i = 0; i < layers && every >= 1; ++i)
            has_experts[static_cast<std::size_t>(i)] = (i + 1) % every == 0;
        return;
    }
    has_experts = layer_choice("--moe-layer-freq", layers,
                               [](std::int64_t layer, std::int64_t every) { return layer % every == 0; });
    if (has_experts.empty() && own("--moe-layer-freq").empty())
        has_experts.assign(static_cast<std::size_t>(layers), true);
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/hugging_face.h"

#include "catalog/weights.h"
#include "exchange/hugging_face_parts.h"
#include "input/diagnostic.h"
#include "input/field_reader.h"
#include "quantities/text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace hugging_face {
namespace {

struct Family {
    const char *name;
    void (*import)(const Config &, const Traits &, Model &);
    Traits traits;
};

using enum QueryKeyNorm;
using enum NormKind;

/// Properties of each family that come from its published modeling code; the configuration file has the rest.
const std::map<std::string, Family, std::less<>> &families() {
    static const std::map<std::string, Family, std::less<>> known{
        {"llama", {"Llama", import_dense, {.output_bias = true}}},
        {"mistral", {"Mistral", import_dense, {}}},
        {"qwen", {"Qwen", import_qwen, {.query_key_value_bias = true}}},
        {"qwen2", {"Qwen2", import_dense, {.query_key_value_bias = true}}},
        {"qwen3", {"Qwen3", import_dense, {.query_key_norm = per_head}}},
        {"qwen3_vl_text", {"Qwen3", import_dense, {.query_key_norm = per_head}}},
        {"qwen2_vl_text", {"Qwen2", import_dense, {.query_key_value_bias = true}}},
        {"qwen2_5_vl_text", {"Qwen2", import_dense, {.query_key_value_bias = true}}},
        {"granite", {"Granite", import_dense, {.output_bias = true}}},
        {"seed_oss", {"Seed", import_dense, {}}},
        {"smollm3", {"SmolLM", import_dense, {.tied = true, .output_bias = true}}},
        {"mimo", {"MiMo", import_dense, {.query_key_value_bias = true}}},
        {"phi3", {"Phi", import_dense, {}}},
        {"olmo", {"OLMo", import_dense, {.norms = 0}}},
        {"olmo2", {"OLMo", import_dense, {.query_key_norm = whole}}},
        {"cohere", {"Command", import_dense, {.tied = true, .norm = layer_without_bias, .norms = 1, .parallel = true}}},
        {"cohere2",
         {"Command", import_dense, {.tied = true, .norm = layer_without_bias, .norms = 1, .parallel = true}}},
        {"stablelm", {"StableLM", import_dense, {.norm = NormKind::layer}}},
        {"internlm2", {"InternLM", import_dense, {.output_bias = true}}},
        {"nemotron", {"Nemotron", import_dense, {.output_bias = true, .norm = NormKind::layer, .gated = false}}},
        {"glm", {"GLM", import_dense, {}}},
        {"glm4", {"GLM", import_dense, {.norms = 4}}},
        {"chatglm", {"GLM", import_chatglm, {}}},
        {"nemotron-nas", {"Nemotron", import_nemotron_nas, {}}},
        {"gemma", {"Gemma", import_gemma, {.tied = true, .output_bias = true}}},
        {"gemma2", {"Gemma", import_gemma, {.tied = true, .output_bias = true, .norms = 4}}},
        {"gemma3_text",
         {"Gemma", import_gemma, {.tied = true, .output_bias = true, .query_key_norm = per_head, .norms = 4}}},
        {"gemma4_text", {"Gemma", import_gemma4, {.tied = true, .output_bias = true, .norms = 4}}},
        {"gpt2", {"GPT-2", import_gpt2, {.tied = true, .norm = NormKind::layer}}},
        {"gpt_neox", {"GPT-NeoX", import_gpt_neox, {.norm = NormKind::layer}}},
        {"gptj", {"GPT-J", import_gptj, {.norm = NormKind::layer, .norms = 1, .parallel = true}}},
        {"opt", {"OPT", import_opt, {.tied = true}}},
        {"bloom", {"BLOOM", import_bloom, {.tied = true, .norm = NormKind::layer}}},
        {"falcon", {"Falcon", import_falcon, {.tied = true, .norm = NormKind::layer}}},
        {"mpt", {"MPT", import_mpt, {.tied = true}}},
        {"phi", {"Phi", import_phi, {.norm = NormKind::layer, .norms = 1, .parallel = true}}},
        {"phi-msft", {"Phi", import_phi, {.norm = NormKind::layer, .norms = 1, .parallel = true}}},
        {"phi3small", {"Phi", import_phi3small, {.tied = true, .norm = NormKind::layer}}},
        {"mixtral", {"Mixtral", import_experts, {}}},
        {"qwen2_moe", {"Qwen2", import_experts, {.query_key_value_bias = true, .shared_gate = true}}},
        {"qwen3_moe", {"Qwen3", import_experts, {.query_key_norm = per_head}}},
        {"qwen3_vl_moe_text", {"Qwen3", import_experts, {.query_key_norm = per_head}}},
        {"phimoe", {"Phi", import_experts, {.output_bias = true, .norm = NormKind::layer}}},
        {"deepseek", {"DeepSeek", import_experts, {.output_bias = true}}},
        {"glm4_moe", {"GLM", import_experts, {.correction_bias = true}}},
        {"minimax_m2", {"MiniMax", import_experts, {.query_key_norm = whole}}},
        {"minimax_m3", {"MiniMax", import_minimax_m3, {.query_key_norm = per_head}}},
        {"minimax_text_01", {"MiniMax", import_minimax_text, {}}},
        {"minimax", {"MiniMax", import_minimax_text, {}}},
        {"grok-1", {"Grok", import_experts, {.tied = true, .norms = 4}}},
        {"dbrx", {"DBRX", import_dbrx, {.norm = layer_without_bias}}},
        {"gpt_oss", {"gpt-oss", import_gpt_oss, {.query_key_value_bias = true, .output_bias = true}}},
        {"llama4_text", {"Llama 4", import_llama4, {.output_bias = true}}},
        {"step3p7", {"Step", import_step, {.query_key_norm = per_head}}},
        {"step3p5", {"Step", import_step, {.query_key_norm = per_head}}},
        {"mimo_v2_flash", {"MiMo", import_mimo_v2, {}}},
        {"deepseek_v2", {"DeepSeek", import_latent, {}}},
        {"deepseek_v3", {"DeepSeek", import_latent, {.correction_bias = true}}},
        {"deepseek_v32", {"DeepSeek", import_latent, {.correction_bias = true}}},
        {"deepseek_v4", {"DeepSeek", import_deepseek_v4, {.correction_bias = true}}},
        {"kimi_k2", {"Kimi", import_latent, {.correction_bias = true}}},
        {"kimi_linear", {"Kimi", import_kimi_linear, {.correction_bias = true}}},
        {"glm_moe_dsa", {"GLM", import_latent, {.correction_bias = true}}},
        {"qwen3_next",
         {"Qwen3", import_gated_delta, {.query_key_norm = per_head, .shared_gate = true, .prediction_modules = 1}}},
        {"qwen3_5_text", {"Qwen3.5", import_gated_delta, {.query_key_norm = per_head}}},
        {"qwen3_5_moe_text", {"Qwen3.5", import_gated_delta, {.query_key_norm = per_head, .shared_gate = true}}},
        {"nemotron_h", {"Nemotron", import_nemotron_h, {.gated = false, .correction_bias = true}}},
    };
    return known;
}

/// Architectures of multimodal files, each mapped to the text model's architecture that is assumed if the file does not
/// name a known one.
const std::map<std::string, std::string, std::less<>> &wrappers() {
    static const std::map<std::string, std::string, std::less<>> known{
        {"gemma3", "gemma3_text"},
        {"gemma4", "gemma4_text"},
        {"llama4", "llama4_text"},
        {"qwen2_vl", "qwen2_vl_text"},
        {"qwen2_5_vl", "qwen2_5_vl_text"},
        {"qwen3_vl", "qwen3_vl_text"},
        {"qwen3_vl_moe", "qwen3_vl_moe_text"},
        {"qwen3_5", "qwen3_5_text"},
        {"qwen3_5_moe", "qwen3_5_moe_text"},
        {"kimi_k25", "kimi_k2"},
        {"kimi_k3", "kimi_linear"},
        {"mistral3", "mistral"},
    };
    return known;
}

/// Gemma 3's multimodal files omit the defaults of their configuration class (Gemma3TextConfig).
Json with_defaults(const Json &text, const std::string &type) {
    Json result = text;
    if (type != "gemma3_text" || !text.is_object())
        return result;
    const Json defaults{{"vocab_size", 262208}, {"num_attention_heads", 8}, {"num_key_value_heads", 4},
                        {"head_dim", 256},      {"sliding_window", 4096},   {"max_position_embeddings", 131072}};
    for (const auto &item : defaults.items())
        if (!result.contains(item.key()) || result[item.key()].is_null())
            result[item.key()] = item.value();
    return result;
}

bool has_architecture(const Config &config, std::string_view word) {
    if (!config.is_list("architectures"))
        return false;
    const std::vector<std::string> words = config.words("architectures");
    return std::any_of(words.begin(), words.end(),
                       [&](const std::string &name) { return name.find(word) != std::string::npos; });
}

/// Maps alternative names of an architecture to one name.
std::string usual_type(const Config &config, const std::string &type) {
    if (type == "glm" && has_architecture(config, "Glm4Moe"))
        return "glm4_moe";
    if (type == "grok1")
        return "grok-1";
    if (type == "RefinedWeb" || type == "RefinedWebModel")
        return "falcon";
    return type;
}

[[noreturn]] void fail_unknown(const Config &config, const std::string &type) {
    const std::vector<std::string> known = importable_model_types();
    const std::optional<std::string> near = nearest_word(type, known);
    config.fail("model_type",
                type.empty() ? "missing"
                             : fmt::format("\"{}\" is not a known architecture{}", type.substr(0, 60),
                                           near ? ", did you mean " + *near + "?" : ""),
                "expected one of " + listed(known));
}

} // namespace
} // namespace hugging_face

namespace {

using hugging_face::Config;

/// Last component of the model's name: "falcon-40b" of "tiiuae/falcon-40b".
std::string own_name(const Config &config, std::string_view given) {
    std::string name = given.empty() ? config.text("_name_or_path") : std::string(given);
    while (!name.empty() && name.back() == '/')
        name.pop_back();
    return name.substr(name.find_last_of('/') + 1);
}

void require_valid(const Model &model) {
    std::vector<Diagnostic> problems;
    const Json json = to_json(model);
    FieldReader reader(json, "", problems);
    Model read;
    read_fields(reader, read);
    if (problems.empty())
        return;
    for (Diagnostic &problem : problems)
        problem.message = "the described model is invalid: " + problem.message;
    throw InputError(std::move(problems));
}

} // namespace

std::vector<std::string> importable_model_types() {
    std::vector<std::string> types;
    for (const auto &[type, family] : hugging_face::families())
        types.push_back(type);
    for (const auto &[type, text] : hugging_face::wrappers())
        types.push_back(type);
    std::sort(types.begin(), types.end());
    return types;
}

Model import_hugging_face(const Json &json, std::string_view name, std::set<std::string> *read) {
    const Config outer(json, {}, read);
    std::string type = hugging_face::usual_type(outer, outer.text("model_type"));
    const auto wrapper = hugging_face::wrappers().find(type);
    // Older multimodal files hold the fields of the text model and of the towers in one object.
    const bool is_flat = outer.has("hidden_size") && !outer.has("text_config");
    const bool nested = wrapper != hugging_face::wrappers().end() && !is_flat;
    if (!nested && wrapper != hugging_face::wrappers().end())
        type = wrapper->second;
    if (nested) {
        const std::string inner = outer.object("text_config").text("model_type");
        type = hugging_face::families().contains(inner) ? inner : wrapper->second;
    }
    const Json own = hugging_face::with_defaults(nested ? json.at("text_config") : json, type);
    const Config text(own, nested ? "/text_config" : "", read);
    const auto family = hugging_face::families().find(type);
    if (family == hugging_face::families().end())
        hugging_face::fail_unknown(outer, type);

    Model model;
    model.family = family->second.name;
    hugging_face::Traits traits = family->second.traits;
    traits.tied = outer.flag({"tie_word_embeddings"}, traits.tied);
    family->second.import(text, traits, model);
    model.name = own_name(outer, name);
    if (model.name.empty())
        model.name = model.family;
    if (wrapper != hugging_face::wrappers().end())
        hugging_face::note(model, "Text model of a multimodal model, without the vision and audio towers.");
    require_valid(model);
    if (const std::string warning = size_warning(model, model.name); !warning.empty())
        hugging_face::note(model, warning);
    return model;
}

namespace {

/// Parameter count in a model's name: a number followed by B, M or T and not preceded by a letter, as in "Qwen3-32B".
/// Ignores active sizes ("A3B") and products ("8x7B"), because neither is the total size.
double size_in_name(std::string_view name) {
    for (std::size_t i = 0; i < name.size(); ++i) {
        const bool starts = std::isdigit(static_cast<unsigned char>(name[i])) != 0
            && (i == 0 || name[i - 1] == '-' || name[i - 1] == '_' || name[i - 1] == ' ');
        if (!starts)
            continue;
        std::size_t end = i;
        while (end < name.size() && (std::isdigit(static_cast<unsigned char>(name[end])) != 0 || name[end] == '.'))
            ++end;
        const bool closed = end + 1 >= name.size() || std::isalnum(static_cast<unsigned char>(name[end + 1])) == 0;
        const char unit = end < name.size() && closed && end - i < 8
            ? static_cast<char>(std::tolower(static_cast<unsigned char>(name[end])))
            : ' ';
        const double scale = unit == 'b' ? 1e9 : unit == 'm' ? 1e6 : unit == 't' ? 1e12 : 0;
        if (scale > 0)
            return std::strtod(std::string(name.substr(i, end - i)).c_str(), nullptr) * scale;
        i = end - 1;
    }
    return 0;
}

} // namespace

std::string size_warning(const Model &model, std::string_view name) {
    constexpr double tolerance = 0.1;
    const double named = size_in_name(name);
    if (named <= 0)
        return {};
    const Parameters parameters = parameters_of(model);
    for (const double count : {parameters.total, parameters.active, parameters.total - parameters.embedding})
        if (std::abs(count / named - 1) <= tolerance)
            return {};
    return fmt::format("The name says {:.3g}B, but the tensors total {:.2f}B ({}).", named / 1e9,
                       parameters.total / 1e9, signed_percent_text(parameters.total / named - 1, 0));
}

} // namespace meshwright

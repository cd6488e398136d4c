// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/hub_names.h"

#include "catalog/library.h"
#include "launch/assumed_model.h"
#include "launch/shell_calls.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace meshwright {

namespace {

/// Names of hub models and of recipes that differ from the library's names in more than case and suffix.
constexpr std::array<std::pair<std::string_view, std::string_view>, 36> other_names{{
    {"bloom", "bloom-176b"},
    {"deepseek-r1-zero", "deepseek-r1"},
    {"glm-4.5v", "glm-4.5-air"},
    {"meta-llama-3-70b", "llama-3-70b"},
    {"meta-llama-3-8b", "llama-3.1-8b"}, // same shape as the library's model
    {"llama-3-8b", "llama-3.1-8b"},
    {"meta-llama-3.1-8b", "llama-3.1-8b"},
    {"meta-llama-3.1-70b", "llama-3.1-70b"},
    {"llama-3.3-70b", "llama-3.1-70b"}, // same shape as the library's model
    {"meta-llama-3.1-405b", "llama-3.1-405b"},
    {"llama-7b", "llama-1-7b"},
    {"llama-13b", "llama-1-13b"},
    {"llama-65b", "llama-1-65b"},
    {"zephyr-7b", "mistral-7b"},
    {"mistral-large", "mistral-large-123b"},
    {"qwen3-30b-a3b", "qwen3-vl-30b-a3b"}, // same text model as the library's
    {"gemma-4-vl-26b", "gemma-4-26b-a4b"},
    {"glm-4.5-355b", "glm-4.5"},
    {"glm-4.5-air-106b", "glm-4.5-air"},
    {"kimi-k2.5-vl", "kimi-k2.5"},
    {"nemotron-3-nano", "nemotron-3-nano-30b-a3b"},
    {"nemotron-3.5-lightning", "nemotron-3-nano-30b-a3b"}, // same shape as the library's model
    {"nemotron-3.5-lightning-30b-a3b", "nemotron-3-nano-30b-a3b"},
    {"nemotron-3-nano-omni-30b-a3b-reasoning", "nemotron-3-nano-30b-a3b"}, // same language model
    {"nemotron-3-ultra", "nemotron-3-ultra-550b-a55b"},
    {"qwen2-500m", "qwen2-0.5b"},
    {"qwen2.5-500m", "qwen2.5-0.5b"},
    {"qwen3-600m", "qwen3-0.6b"},
    {"qwen3.5-text-35b-a3b", "qwen3.5-35b-a3b"},
    {"qwen3.5-vl-27b", "qwen3.5-27b"},
    {"qwen3.5-vl-35b-a3b", "qwen3.5-35b-a3b"},
    {"qwen3.5-vl-122b-a10b", "qwen3.5-122b-a10b"},
    {"qwen3.5-vl-397b-a17b", "qwen3.5-397b-a17b"},
    {"step37", "step-3.7-flash"},
    {"smollm2-1.7b", "smollm-1.7b"}, // same shape as the library's model
    {"smollm-360m", "smollm2-360m"}, // same shape as the library's model
}};

/// Suffixes of variants that have the same shape.
constexpr std::array<std::string_view, 22> variants{
    "-instruct", "-chat", "-base", "-hf",      "-it",   "-sft",  "-dpo", "-preview",  "-v0.1",  "-v0.2", "-v1.0",
    "-alpha",    "-beta", "-full", "-distill", "-2407", "-2507", "-fp8", "-thinking", "-mcore", "-bf16", "-megatron"};

} // namespace

std::string bare_name(std::string_view name) {
    std::string bare;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const auto letter = static_cast<unsigned char>(name[i]);
        const bool is_point = name[i] == 'p' && i > 0 && i + 1 < name.size()
            && std::isdigit(static_cast<unsigned char>(name[i - 1])) != 0
            && std::isdigit(static_cast<unsigned char>(name[i + 1])) != 0;
        if (std::isalnum(letter) != 0 && !is_point)
            bare += static_cast<char>(std::tolower(letter));
    }
    return bare;
}

std::string preset_of_recipe(std::string_view name, const Library &library) {
    constexpr std::size_t longest_recipe = 100;
    for (const std::string_view purpose :
         {"_pretrain", "_sft", "_peft", "_finetune", "_lora", "_fsdp", "_flickr8k", "_config"})
        name = name.substr(0, name.find(purpose));
    name = name.substr(0, longest_recipe);
    const std::string bare = bare_name(name);
    const double parameters = named_parameters(name);
    // "qwen2_57b" and "qwen2.5-7b" have the same letters and digits, but state different sizes.
    const auto is_same = [&](std::string_view known) {
        return bare_name(known) == bare && named_parameters(known) == parameters;
    };
    for (const PresetEntry &entry : library.entries())
        if (entry.kind == PresetKind::model && is_same(entry.id))
            return entry.id;
    const auto other =
        std::find_if(other_names.begin(), other_names.end(), [&](const auto &each) { return is_same(each.first); });
    return other != other_names.end() && library.find(PresetKind::model, other->second) ? std::string(other->second)
                                                                                        : std::string();
}

std::string preset_of_hub_name(std::string_view name, const Library &library) {
    while (name.ends_with('/'))
        name.remove_suffix(1);
    const std::string model = script_name(name);
    if (model.size() > 100)
        return {};
    std::string id;
    for (const char c : model)
        id += c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (constexpr std::string_view vendor = "nvidia-"; id.starts_with(vendor)) // "NVIDIA-Nemotron-3-Nano-30B-A3B"
        id.erase(0, vendor.size());
    while (!id.empty()) {
        if (library.find(PresetKind::model, id))
            return id;
        const auto other =
            std::find_if(other_names.begin(), other_names.end(), [&](const auto &each) { return each.first == id; });
        if (other != other_names.end() && library.find(PresetKind::model, other->second))
            return std::string(other->second);
        const auto variant = std::find_if(variants.begin(), variants.end(),
                                          [&](std::string_view ending) { return id.ends_with(ending); });
        if (variant == variants.end())
            return {};
        id.erase(id.size() - variant->size());
    }
    return {};
}

} // namespace meshwright

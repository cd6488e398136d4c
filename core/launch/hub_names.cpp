// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/hub_names.h"

#include "catalog/library.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace meshwright {

namespace {

/// Names on the hub that differ from the library's in more than case and suffix.
constexpr std::array<std::pair<std::string_view, std::string_view>, 16> other_names{{
    {"bloom", "bloom-176b"},
    {"deepseek-r1-zero", "deepseek-r1"},
    {"glm-4.5v", "glm-4.5-air"},
    {"meta-llama-3-70b", "llama-3-70b"},
    {"meta-llama-3-8b", "llama-3.1-8b"}, // the same shape
    {"llama-3-8b", "llama-3.1-8b"},
    {"meta-llama-3.1-8b", "llama-3.1-8b"},
    {"meta-llama-3.1-70b", "llama-3.1-70b"},
    {"llama-3.3-70b", "llama-3.1-70b"}, // the same shape
    {"meta-llama-3.1-405b", "llama-3.1-405b"},
    {"llama-7b", "llama-1-7b"},
    {"llama-13b", "llama-1-13b"},
    {"llama-65b", "llama-1-65b"},
    {"zephyr-7b", "mistral-7b"},
    {"mistral-large", "mistral-large-123b"},
    {"qwen3-30b-a3b", "qwen3-vl-30b-a3b"}, // the same text model
}};

/// Endings that name a variant of the same shape.
constexpr std::array<std::string_view, 20> variants{
    "-instruct", "-chat",  "-base", "-hf",   "-it",      "-sft",  "-dpo",  "-preview", "-v0.1",     "-v0.2",
    "-v1.0",     "-alpha", "-beta", "-full", "-distill", "-2407", "-2507", "-fp8",     "-thinking", "-mcore"};

} // namespace

std::string preset_of_hub_name(std::string_view name, const Library &library) {
    while (name.ends_with('/'))
        name.remove_suffix(1);
    name = name.substr(name.rfind('/') == name.npos ? 0 : name.rfind('/') + 1);
    if (name.size() > 100)
        return {};
    std::string id;
    for (const char c : name)
        id += c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
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

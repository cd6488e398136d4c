// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/named_accelerator.h"

#include <cctype>
#include <cstddef>

namespace meshwright {

namespace {

/// A short name, and the text that must follow it to tell apart several accelerators with that name.
struct ShortName {
    std::string_view name;
    std::string_view further;
    std::string_view id;
};
/// The first row that applies is used.
constexpr ShortName short_names[] = {{"gb300", "", "gb300"},
                                     {"gb200", "", "gb200"},
                                     {"gh200", "96g", "gh200-96gb"},
                                     {"gh200", "", "gh200-144gb"},
                                     {"b300", "", "b300"},
                                     {"b200", "750w", "b200-750w"},
                                     {"b200", "", "b200"},
                                     {"h200", "", "h200-sxm-141gb"},
                                     {"h100", "96gb", "h100-96gb-hbm2e"},
                                     {"h100", "nvl", "h100-nvl-94gb"},
                                     {"h100", "pcie", "h100-pcie-80gb"},
                                     {"h100", "", "h100-sxm-80gb"},
                                     {"h800", "", "h800-80gb"},
                                     {"h20", "", "h20-96gb"},
                                     {"a100", "pcie-40g", "a100-pcie-40gb"},
                                     {"a100", "40g", "a100-sxm-40gb"},
                                     {"a100", "pcie", "a100-pcie-80gb"},
                                     {"a100", "", "a100-sxm-80gb"},
                                     {"a800", "", "a800-80gb"},
                                     {"mi300", "", "mi300x"},
                                     {"mi325", "", "mi325x"},
                                     {"mi350", "", "mi350x"},
                                     {"mi355", "", "mi355x"},
                                     {"mi250", "", "mi250x"},
                                     {"v100", "sxm3", "v100-sxm3-32gb"},
                                     {"v100", "", "v100-sxm2-32gb"},
                                     {"gaudi2", "", "gaudi2"},
                                     {"gaudi3", "", "gaudi3"},
                                     {"l40s", "", "l40s"},
                                     {"rtx-4090", "", "rtx-4090"},
                                     {"rtx 4090", "", "rtx-4090"},
                                     {"tpu-v3", "", "tpu-v3"},
                                     {"tpu-v4", "", "tpu-v4"},
                                     {"tpu-v5e", "", "tpu-v5e"},
                                     {"tpu-v5p", "", "tpu-v5p"},
                                     {"tpu-v6e", "", "tpu-v6e"},
                                     {"trainium2", "", "trainium2"}};

/// Whether an accelerator is a named variant of one that has no variant in its name: "a100-sxm-40gb" of "A100".
bool is_variant(const ShortName &part, const ShortName &general) {
    return part.name == general.name && general.further.empty() && !part.further.empty();
}

bool is_digit(char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

/// Names begin a word, or follow a count ("8xh100"), and no digit follows them: "h20" is not found in "h200".
bool stands_alone(std::string_view text, std::size_t at, std::size_t length) {
    const bool begins = at == 0 || std::isalnum(static_cast<unsigned char>(text[at - 1])) == 0
        || (text[at - 1] == 'x' && at > 1 && is_digit(text[at - 2]));
    return begins && (at + length == text.size() || !is_digit(text[at + length]));
}

} // namespace

std::string named_accelerator(std::string_view text) {
    constexpr std::size_t closely = 12; // maximum characters from a name to the end of its variant: "-sxm4-40gb"
    std::string lower;
    for (const char c : text)
        lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    const std::string_view words = lower;
    const ShortName *found = nullptr;
    for (std::size_t at = 0; at < words.size(); ++at)
        for (const ShortName &each : short_names) {
            if (words.substr(at, each.name.size()) != each.name || !stands_alone(words, at, each.name.size())
                || words.substr(at + each.name.size(), closely).find(each.further) == std::string_view::npos)
                continue;
            if (found != nullptr && found->id != each.id && !is_variant(each, *found) && !is_variant(*found, each))
                return {};
            if (found == nullptr || is_variant(each, *found))
                found = &each;
            break;
        }
    return found == nullptr ? std::string() : std::string(found->id);
}

} // namespace meshwright

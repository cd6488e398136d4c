// SPDX-License-Identifier: GPL-3.0-or-later
#include "measured/device_name.h"

#include "catalog/accelerator.h"
#include "catalog/library.h"
#include "measured/log_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <memory>
#include <vector>

namespace meshwright {

namespace {

/// A preset, and words that occur in all of its product names. If several rows match, the first one with the correct
/// memory size is taken.
struct DeviceName {
    std::array<std::string_view, 2> words;
    std::string_view id;
};
constexpr std::array device_names{DeviceName{{"gb300"}, "gb300"},
                                  DeviceName{{"gb200"}, "gb200"},
                                  DeviceName{{"b300"}, "b300"},
                                  DeviceName{{"b200"}, "b200"},
                                  DeviceName{{"gh200"}, "gh200-144gb"},
                                  DeviceName{{"gh200"}, "gh200-96gb"},
                                  DeviceName{{"h200", "nvl"}, ""},
                                  DeviceName{{"h200"}, "h200-sxm-141gb"},
                                  DeviceName{{"h100", "nvl"}, "h100-nvl-94gb"},
                                  DeviceName{{"h100", "pcie"}, "h100-pcie-80gb"},
                                  DeviceName{{"h100"}, "h100-sxm-80gb"},
                                  DeviceName{{"h100"}, "h100-96gb-hbm2e"},
                                  DeviceName{{"h800", "pcie"}, ""},
                                  DeviceName{{"h800"}, "h800-80gb"},
                                  DeviceName{{"h20"}, "h20-96gb"},
                                  DeviceName{{"a100", "pcie"}, "a100-pcie-80gb"},
                                  DeviceName{{"a100", "pcie"}, "a100-pcie-40gb"},
                                  DeviceName{{"a100"}, "a100-sxm-80gb"},
                                  DeviceName{{"a100"}, "a100-sxm-40gb"},
                                  DeviceName{{"a800", "sxm4"}, "a800-80gb"},
                                  DeviceName{{"v100", "sxm3"}, "v100-sxm3-32gb"},
                                  DeviceName{{"v100", "sxm2"}, "v100-sxm2-32gb"},
                                  DeviceName{{"l40s"}, "l40s"},
                                  DeviceName{{"4090"}, "rtx-4090"},
                                  DeviceName{{"mi250x"}, "mi250x"},
                                  DeviceName{{"mi300x"}, "mi300x"},
                                  DeviceName{{"mi325x"}, "mi325x"},
                                  DeviceName{{"mi350x"}, "mi350x"},
                                  DeviceName{{"mi355x"}, "mi355x"}};

/// Splits a name into lower-case words: "NVIDIA A100-SXM4-80GB" becomes nvidia, a100, sxm4, 80gb.
std::vector<std::string> device_words(std::string_view product) {
    std::vector<std::string> words(1);
    for (const char c : product.substr(0, 200)) {
        const auto letter = static_cast<unsigned char>(c);
        if (std::isalnum(letter) != 0)
            words.back() += static_cast<char>(std::tolower(letter));
        else if (!words.back().empty())
            words.emplace_back();
    }
    return words;
}

/// The memory in a name, such as "80gb"; 0 if there is none. A GH200's name gives the memory of its CPU.
double memory_in_name(const std::vector<std::string> &words) {
    if (std::find(words.begin(), words.end(), "gh200") != words.end())
        return 0;
    for (const std::string &word : words)
        if (word.ends_with("gb"))
            if (const auto size = whole_number_of(std::string_view(word).substr(0, word.size() - 2)))
                return *size * 1e9;
    return 0;
}

bool is_near(double one, double other) {
    constexpr double tolerance = 0.08; // drivers reserve a few percent of the memory
    return std::abs(one / other - 1) < tolerance;
}

} // namespace

std::string accelerator_of_device(std::string_view product, double memory_bytes, const Library &library) {
    const std::vector<std::string> words = device_words(product);
    const double named = memory_in_name(words);
    for (const DeviceName &each : device_names) {
        if (!std::all_of(each.words.begin(), each.words.end(), [&](std::string_view word) {
                return word.empty() || std::find(words.begin(), words.end(), word) != words.end();
            }))
            continue;
        if (!library.find(PresetKind::accelerator, each.id))
            return {};
        const std::shared_ptr<const Accelerator> accelerator = library.accelerator(each.id);
        const bool fits = memory_bytes > 0 ? is_near(memory_bytes, accelerator->memory_bytes)
            : named > 0                    ? is_near(named, accelerator->memory_marketing_bytes)
                                           : true;
        if (fits)
            return std::string(each.id);
    }
    return {};
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

struct LayoutStage {
    std::int64_t layers = 0;
    std::int64_t prediction_modules = 0;
    bool embedding = false;
    bool loss = false;
    bool operator==(const LayoutStage &) const = default;
};

/// Parses Megatron's pipeline layout string: E embedding, t transformer layer, m MTP module, L loss, | between stages,
/// (...) groups, *N repeats the preceding item, commas are ignored. Stages are in model order.
/// @throws InputError with an empty pointer: unknown letter, unbalanced parentheses, more than 100,000 items
std::vector<LayoutStage> read_layout(std::string_view text);

/// Writes a pipeline layout in Megatron's syntax: "Et*3|t*4|...|t*3L".
std::string write_layout(const std::vector<LayoutStage> &stages);

} // namespace meshwright

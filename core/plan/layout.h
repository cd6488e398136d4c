// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

/// What one virtual pipeline stage holds.
struct LayoutStage {
    std::int64_t layers = 0;
    std::int64_t prediction_modules = 0;
    bool embedding = false;
    bool loss = false;
    bool operator==(const LayoutStage &) const = default;
};

/// Reads Megatron's pipeline layout string: E embedding, t transformer layer, m prediction module, L loss, | between
/// stages, (...) groups, *N repeats the item before it, commas ignored. Stages stand in model order.
/// @throws InputError with an empty pointer: an unknown letter, unbalanced brackets, over 100,000 stages or layers
std::vector<LayoutStage> read_layout(std::string_view text);

/// "Et*3|t*4|...|t*3L"
std::string write_layout(const std::vector<LayoutStage> &stages);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"

#include <array>
#include <cstddef>
#include <string>

namespace meshwright {

/// Features of a plan for comparing it with measured runs. Sizes are logarithms to base 2, so that doubling any size
/// counts as one unit times the weight of the feature; categories are 0 or 1.
struct RunFeatures {
    static constexpr std::size_t count = 13;
    std::array<float, count> values{};
    std::string stack;
    std::string architecture;
    NetworkHealth health = NetworkHealth::nominal;
};
RunFeatures features_of(const Plan &plan);
RunFeatures features_of(const RunShape &shape, NetworkHealth health);
RunShape shape_of(const Plan &plan);

/// Weighted Euclidean distance, plus one term each if software, accelerators or network health differ.
double distance(const RunFeatures &a, const RunFeatures &b);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/rank_order.h"

#include <algorithm>
#include <array>

namespace meshwright {

namespace {

/// Sizes of the dimensions. The product of expert and data is the data-parallel degree.
std::array<std::int64_t, 5> digit_sizes(const Parallelism &parallelism) {
    const std::int64_t model_ranks = parallelism.tensor * parallelism.context;
    const std::int64_t reached =
        std::clamp<std::int64_t>(parallelism.expert * parallelism.expert_tensor / model_ranks, 1, parallelism.data);
    const bool divides = parallelism.data % reached == 0;
    std::array<std::int64_t, 5> sizes{};
    sizes[static_cast<std::size_t>(Dimension::tensor)] = parallelism.tensor;
    sizes[static_cast<std::size_t>(Dimension::context)] = parallelism.context;
    sizes[static_cast<std::size_t>(Dimension::expert)] = divides ? reached : 1;
    sizes[static_cast<std::size_t>(Dimension::pipeline)] = parallelism.pipeline;
    sizes[static_cast<std::size_t>(Dimension::data)] = divides ? parallelism.data / reached : parallelism.data;
    return sizes;
}

} // namespace

std::vector<RankDigit> rank_digits(const Plan &planned, const Plan &target) {
    const std::array<std::int64_t, 5> sizes = digit_sizes(target.parallelism);
    std::array<std::int64_t, 5> rank_strides{};
    std::int64_t stride = 1;
    for (const Dimension dimension : target.parallelism.placement) {
        rank_strides[static_cast<std::size_t>(dimension)] = stride;
        stride *= sizes[static_cast<std::size_t>(dimension)];
    }
    std::vector<RankDigit> digits;
    stride = 1;
    for (const Dimension dimension : planned.parallelism.placement) {
        const auto at = static_cast<std::size_t>(dimension);
        if (sizes[at] == 1)
            continue;
        const std::int64_t span = stride * sizes[at];
        const Cluster &cluster = planned.cluster;
        digits.push_back({.name = dimension_names()[at],
                          .size = sizes[at],
                          .slot_stride = stride,
                          .rank_stride = rank_strides[at],
                          .tier = cluster.tiers.empty() ? std::string() : cluster.tiers[cluster.tier_of(span)].name});
        stride = span;
    }
    return digits;
}

bool is_in_order(const std::vector<RankDigit> &digits) {
    return std::all_of(digits.begin(), digits.end(),
                       [](const RankDigit &digit) { return digit.slot_stride == digit.rank_stride; });
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/constraints.h"
#include "plan/plan.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace meshwright {

/// How layers are split over virtual stages: evenly, or with one layer fewer on the stage with the LM head
/// (`light_last`) or on both end stages (`light_ends`).
enum class Balance : std::uint8_t { even, light_last, light_ends };

/// A point of the search space: the plan fields that a search sets. Data parallelism follows from the site's
/// accelerators.
struct Configuration {
    std::int64_t tensor = 1;
    std::int64_t context = 1;
    std::int64_t pipeline = 1;
    std::int64_t chunks = 1;
    std::int64_t expert = 1;
    std::int64_t expert_tensor = 1;
    std::int64_t data = 1;
    std::int64_t micro_sequences = 1;
    std::int64_t zero_stage = 0;
    std::int64_t shard_group = 0; ///< 0 means all data-parallel ranks
    std::int64_t group = 0; ///< microbatches per interleaving group; 0 means the number of stages
    std::int64_t recompute_layers = 0;
    Schedule schedule = Schedule::one_f_one_b;
    RecomputeMode recompute = RecomputeMode::none;
    bool sequence_parallel = false;
    Balance balance = Balance::even;
    /// Index of the variant of the plan. The variant sets batch, cluster, formats and everything else outside the
    /// configuration.
    std::int32_t variant = 0;

    bool operator==(const Configuration &) const = default;
};

/// Values of each field in a search space, in ascending order.
using FieldValues = std::array<std::vector<std::int64_t>, configuration_field_count>;

/// The plan's configuration, with variant 0.
Configuration configuration_of(const Plan &plan);

/// Sets these fields in the plan. In mode `modules`, the plan's list of recomputed modules does not change.
void apply(const Configuration &layout, Plan &plan);

std::int64_t value_of(const Configuration &layout, ConfigurationField field);

/// Orders configurations with equal scores: fewer stages, then lower tensor, context and expert degrees and fewer
/// chunks, then simpler sharding, recomputation and schedule, then smaller microbatches.
bool is_simpler(const Configuration &a, const Configuration &b);
/// Sort keys for the order of is_simpler(): compare the first, then the second and so on.
std::vector<double> simplicity(const Configuration &layout);

} // namespace meshwright

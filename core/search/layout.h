// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/constraints.h"
#include "plan/plan.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace meshwright {

/// How layers are spread over virtual stages: evenly, or with a layer fewer where the head (and the embedding) stands.
enum class Balance : std::uint8_t { even, light_last, light_ends };

/// One point of the space: what a search sets in a plan. `data` is what the site has left.
struct Layout {
    std::int64_t tensor = 1;
    std::int64_t context = 1;
    std::int64_t pipeline = 1;
    std::int64_t chunks = 1;
    std::int64_t expert = 1;
    std::int64_t expert_tensor = 1;
    std::int64_t data = 1;
    std::int64_t micro_sequences = 1;
    std::int64_t zero_stage = 0;
    std::int64_t shard_group = 0; ///< 0: all data-parallel ranks
    std::int64_t group = 0; ///< of interleaving; 0: as many as stages
    std::int64_t recompute_layers = 0;
    Schedule schedule = Schedule::one_f_one_b;
    RecomputeMode recompute = RecomputeMode::none;
    bool sequence_parallel = false;
    Balance balance = Balance::even;
    std::int32_t variant = 0; ///< of what is not a layout: batch, cluster, formats, ...

    bool operator==(const Layout &) const = default;
};

/// The values that a field takes in a space, ascending.
using FieldValues = std::array<std::vector<std::int64_t>, layout_field_count>;

/// What the plan itself has, as variant 0.
Layout layout_of(const Plan &plan);

/// Sets the plan's fields; modules of recomputation stay where the mode is `modules`.
void apply(const Layout &layout, Plan &plan);

std::int64_t value_of(const Layout &layout, LayoutField field);

/// Where two layouts are worth the same: fewer stages, then less of tensor, context, expert, chunks, then plainer
/// sharding, recomputation and schedule, then smaller microbatches, come first. A strict order of all layouts.
bool is_simpler(const Layout &a, const Layout &b);
/// The same order as numbers, compared one after another.
std::vector<double> simplicity(const Layout &layout);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/constraints.h"

#include <cstdint>
#include <vector>

namespace meshwright {

struct Accelerator;
class Library;

enum class Objective {
    time, ///< the shortest run or, for configurations with the same batch, the shortest step
    cost,
    accelerators, ///< the fewest accelerators that meet the deadline and, with equal numbers, the shortest run
    tokens_per_dollar,
    energy
};
const std::vector<std::string> &objective_names();

struct SearchVariants {
    std::vector<Plan> plans;
    bool is_whole = true; ///< false if the list was cut off at `max_variants` or at the memory limit
};
inline constexpr std::size_t max_variants = 4096;

/// The variants of the plan to search: batches, site sizes, accelerators, formats, offloading and placement, as
/// requested by its constraints and supported by its software. The first is the plan itself without the fields that the
/// search sets (interleaving group, sharding group, pipeline layout) and without settings that its software cannot run.
/// @param library  library in which accelerator types are looked up
/// @throws InputError for an unknown accelerator type
SearchVariants search_variants(const Plan &plan, const Constraints &constraints, Objective objective,
                               const Library &library);

/// Resizes a site. Tiers that are too large shrink to the site's size, and the outermost tier grows to it.
void resize_site(Plan &plan, std::int64_t accelerators);
/// Whether a site can have that size: the size of every smaller inner tier must divide it.
bool takes_size(const Plan &plan, std::int64_t accelerators);
/// Replaces the accelerators of a cluster, and also the intra-node link bandwidth and the price if these are known.
void set_accelerator(Plan &plan, const Accelerator &accelerator);

} // namespace meshwright

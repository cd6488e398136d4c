// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/constraints.h"

#include <cstdint>
#include <vector>

namespace meshwright {

struct Accelerator;
class Library;

/// What is best.
enum class Objective {
    time, ///< the shortest run; among layouts of one batch the shortest step
    cost, ///< rent of the whole run
    accelerators, ///< the fewest that meet the deadline; of those the shortest run
    tokens_per_dollar,
    energy
};
const std::vector<std::string> &objective_names();

struct SearchVariants {
    std::vector<Plan> plans;
    bool is_whole = true; ///< false where there are more, than `max_variants` or than memory is kept for
};
inline constexpr std::size_t max_variants = 4096;

/// The plan in each shape that a layout is searched for: batches, sizes of a site, accelerators, formats, offloading,
/// placement, as its constraints ask for and its software can run. The first is the plan itself without what the search
/// sets (interleaving group, sharding group, layout) and without what its software cannot run.
/// @param library  where accelerator types are looked up; @throws InputError for one that it does not have
SearchVariants search_variants(const Plan &plan, const Constraints &constraints, Objective objective,
                               const Library &library);

/// A site of another size: tiers that are larger than it shrink to it, the outermost grows.
void resize_site(Plan &plan, std::int64_t accelerators);
/// Whether tiers inside divide a site of that size.
bool takes_size(const Plan &plan, std::int64_t accelerators);
/// Another accelerator in the same places, with its own links inside a node and its own price where they are known.
void set_accelerator(Plan &plan, const Accelerator &accelerator);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "search/score.h"
#include "search/shape_search.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

namespace meshwright {

/// Pieces whose kernel shapes differ only in the number of ranks among which the experts are divided. The time of the
/// shape with the most such ranks, without communication, is a lower bound for all, because its ranks read the weights
/// of the fewest experts.
struct Family {
    const ShapeFamily *kernel_shapes = nullptr;
    Score bound;
    std::vector<Piece> pieces; ///< filled when the family is searched
};
/// Lower bound on step time for all kernel shapes of the family.
/// @param plan  scratch copy of the variant's plan, into which configurations are written
double min_step_seconds(const ShapeFamily &family, const ConfigurationSpace &space, const FieldValues &values,
                        const ShapeSearch::Variant &variant, Plan &plan);

/// Sorts by bound, lowest first. The sort is stable.
template <typename Bounded>
void sort_by_bound(std::vector<Bounded> &all) {
    std::stable_sort(all.begin(), all.end(), [](const Bounded &a, const Bounded &b) {
        return std::tie(a.bound.objective, a.bound.run_seconds) < std::tie(b.bound.objective, b.bound.run_seconds);
    });
}

} // namespace meshwright

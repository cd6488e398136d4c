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

/// Pieces whose kernel_shapes differ in nothing but over how many ranks experts are spread. Spread furthest, and with
/// their traffic for nothing, they take no longer than any: each rank then reads the weights of the fewest experts.
struct Family {
    const ShapeFamily *kernel_shapes = nullptr;
    Score bound;
    std::vector<Piece> pieces; ///< once it has been looked into
};
/// What no kernel_shape of the family goes below. @param plan  a copy of the variant's plan to set layouts in
double min_step_seconds(const ShapeFamily &family, const LayoutSpace &space, const FieldValues &values,
                        const ShapeSearch::Variant &variant, Plan &plan);

/// Lowest bound first; as they were where bounds are equal.
template <typename Bounded>
void sort_by_bound(std::vector<Bounded> &all) {
    std::stable_sort(all.begin(), all.end(), [](const Bounded &a, const Bounded &b) {
        return std::tie(a.bound.objective, a.bound.run_seconds) < std::tie(b.bound.objective, b.bound.run_seconds);
    });
}

} // namespace meshwright

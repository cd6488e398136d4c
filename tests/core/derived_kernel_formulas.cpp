// SPDX-License-Identifier: GPL-3.0-or-later
#include "derived_formulas.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace meshwright::testing {

namespace {

/// Tiles of one second each, given to whichever of 108 multiprocessors is free first.
void tiles_run_one_after_another() {
    constexpr double start = 0.01; // of each
    for (const double tiles : {1.0, 98.0, 108.0, 120.0, 500.0}) {
        double best = 1e9;
        for (const int parts : {1, 2, 4}) {
            std::vector<double> busy(108, 0);
            for (int tile = 0; tile < parts * static_cast<int>(tiles); ++tile)
                *std::min_element(busy.begin(), busy.end()) += 1.0 / parts + start;
            best = std::min(best, *std::max_element(busy.begin(), busy.end()));
        }
        const double results = tiles * 256 * 128;
        const double reached = given("matrix-tiles", "reached_rate",
                                     {{"tiles", tiles},
                                      {"results", results},
                                      {"depth", 1},
                                      {"rate", 108.0 * 2 * 256 * 128},
                                      {"memory_rate", 1e21},
                                      {"multiprocessors", 108},
                                      {"tile_seconds", start}});
        EXPECT_NEAR(reached / (2 * results / best), 1, 1e-9) << tiles;
    }
}

} // namespace

std::vector<DerivedFormula> derived_kernel_formulas() {
    return {{"matrix-tiles", "tiles given to multiprocessors one by one", tiles_run_one_after_another}};
}

} // namespace meshwright::testing

// SPDX-License-Identifier: GPL-3.0-or-later
#include "derived_formulas.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

namespace meshwright::testing {

namespace {

/// Assigns each tile, which takes one second, to whichever of the 108 multiprocessors is free first.
void tiles_run_one_after_another() {
    constexpr double start = 0.01; // start-up time per tile
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

/// Draws the number of tokens of each expert, and averages the load of the busiest rank over many draws.
void the_busiest_rank_stands_out_as_draws_say() {
    constexpr int draws = 400;
    constexpr double variation = 0.3;
    std::mt19937_64 random(11);
    std::normal_distribution<double> tokens(1, variation);
    for (const auto &[ranks, experts] : {std::pair(8, 16), {64, 4}, {256, 1}}) {
        double mean = 0;
        for (int draw = 0; draw < draws; ++draw) {
            double most = 0;
            for (int rank = 0; rank < ranks; ++rank) {
                double sum = 0;
                for (int expert = 0; expert < experts; ++expert)
                    sum += tokens(random);
                most = std::max(most, sum / experts);
            }
            mean += most / draws;
        }
        const double load = given("expert-load", "load",
                                  {{"variation", variation},
                                   {"rank_experts", static_cast<double>(experts)},
                                   {"ranks", static_cast<double>(ranks)}});
        // The formula is the leading term of the expected maximum over the ranks. It overestimates the maximum.
        EXPECT_NEAR(mean, load, 0.35 * (load - 1));
        EXPECT_LT(mean, load);
    }
    EXPECT_EQ(given("expert-load", "load", {{"variation", 0}, {"rank_experts", 4}, {"ranks", 64}}), 1);
    EXPECT_EQ(given("expert-load", "load", {{"variation", 1}, {"rank_experts", 4}, {"ranks", 1}}), 1);
}

/// With zigzag slices, each rank holds a slice of the first half and its mirror image. Under the causal mask every rank
/// has the same number of pairs, of which 1 / slices are among its own tokens.
void sliced_attention_weighs_pairs() {
    constexpr int slices = 4;
    constexpr int length = 8; // tokens per half slice
    const auto rank_of = [](int token) {
        const int half = token / length;
        return std::min(half, 2 * slices - 1 - half);
    };
    for (int rank = 0; rank < slices; ++rank) {
        double own = 0;
        double others = 0;
        for (int query = 0; query < 2 * slices * length; ++query)
            for (int key = 0; rank_of(query) == rank && key <= query; ++key)
                (rank_of(key) == rank ? own : others) += key == query ? 0.5 : 1; // the diagonal counts half
        for (const double factor : {1.0, 1.8, 3.0})
            EXPECT_NEAR(given("sliced-attention", "share", {{"context", slices}, {"factor", factor}}),
                        (own + factor * others) / (own + others), 1e-12);
    }
    EXPECT_EQ(given("sliced-attention", "share", {{"context", 1}, {"factor", 3}}), 1);
}

} // namespace

std::vector<DerivedFormula> derived_kernel_formulas() {
    return {{"matrix-tiles", "tiles given to multiprocessors one by one", tiles_run_one_after_another},
            {"expert-load", "draws of every expert's tokens", the_busiest_rank_stands_out_as_draws_say},
            {"sliced-attention", "pairs of tokens counted rank by rank", sliced_attention_weighs_pairs}};
}

} // namespace meshwright::testing

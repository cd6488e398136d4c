// SPDX-License-Identifier: GPL-3.0-or-later
#include "derived_formulas.h"
#include "formulas/formula.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace meshwright {

namespace {

using testing::given;
using testing::near;

/// A whole number drawn from a range, as a formula takes it.
double whole_between(int low, int high) {
    return *rc::gen::inRange(low, high + 1);
}

double relative_difference(double a, double b) {
    return std::abs(a - b) / std::max(std::abs(a), std::abs(b));
}

} // namespace

RC_GTEST_PROP(TreesAndRings, TakeAsLongAtTheSizeBetweenThem, ()) {
    const double ranks = whole_between(4, 5000);
    const double bandwidth = whole_between(1, 1000) * 1e9;
    const double latency = whole_between(1, 100) * 1e-6;
    for (const auto &[equal, tree] :
         {std::pair{"equal_bytes", "seconds"}, std::pair{"single_tree_equal_bytes", "single_tree_seconds"}}) {
        const double size =
            given("tree-all-reduce", equal, {{"ranks", ranks}, {"bandwidth", bandwidth}, {"latency", latency}});
        RC_ASSERT(size > 0);
        const auto times = [&, tree = tree](double bytes) {
            const auto of = [&](const char *formula, const char *result) {
                return given(formula, result,
                             {{"ranks", ranks}, {"bytes", bytes}, {"bandwidth", bandwidth}, {"latency", latency}});
            };
            return std::pair{of("ring-all-reduce", "seconds"), of("tree-all-reduce", tree)};
        };
        const auto [ring_at, tree_at] = times(size);
        RC_ASSERT(relative_difference(ring_at, tree_at) < 1e-9);
        const auto [ring_above, tree_above] = times(2 * size);
        RC_ASSERT(ring_above < tree_above);
        const auto [ring_below, tree_below] = times(size / 2);
        RC_ASSERT(ring_below > tree_below);
    }
}

TEST(TreesAndRings, AreTheCoursesNumbers) {
    const auto tree = [](const char *result) {
        return given("tree-all-reduce", result, {{"ranks", 8}, {"bytes", 2e9}, {"bandwidth", 50e9}, {"latency", 5e-6}});
    };
    near(tree("single_tree_seconds"), 6 * (0.04 + 5e-6)); // six hops of the whole tensor
    near(tree("equal_bytes"), 8 * (7 - 3) * 5e-6 * 50e9); // 8 MB
    near(tree("single_tree_equal_bytes"), (7 - 3) * 5e-6 * 50e9 / (3 - 7.0 / 8)); // 471 kB
    for (const double ranks : {2.0, 3.0}) // as many hops in both
        EXPECT_EQ(given("tree-all-reduce", "equal_bytes", {{"ranks", ranks}, {"bandwidth", 50e9}, {"latency", 5e-6}}),
                  0);
    near(given("naive-all-reduce", "times_ring", {{"ranks", 8}, {"bytes", 2e9}, {"bandwidth", 50e9}, {"latency", 0}}),
         8);
}

RC_GTEST_PROP(ZeroFit, IsTheInverseOfTheMemoryThatZeroNeeds, ()) {
    const double parameters = whole_between(1, 1000) * 1e8;
    const double memory = whole_between(16, 200) * 1e9;
    const double activations = whole_between(0, 100) * 1e9;
    const double stage = whole_between(0, 3);
    const auto needed = [&](double ranks, double of_stage) {
        return activations
            + given("zero-memory", "bytes", {{"parameters", parameters}, {"ranks", ranks}, {"stage", of_stage}});
    };
    const double ranks = given(
        "zero-fit", "ranks",
        {{"parameters", parameters}, {"memory_bytes", memory}, {"activation_bytes", activations}, {"stage", stage}});
    if (std::isfinite(ranks)) {
        RC_ASSERT(needed(ranks, stage) <= memory * (1 + 1e-12));
        RC_ASSERT(ranks == 1 || needed(ranks - 1, stage) > memory * (1 - 1e-12));
    } else {
        RC_ASSERT(needed(1e9, stage) >= memory);
    }
    const double given_ranks = whole_between(1, 512);
    double lowest = 0;
    while (lowest <= 3 && needed(given_ranks, lowest) > memory)
        lowest += 1;
    const double found = given("zero-fit", "stage",
                               {{"parameters", parameters},
                                {"ranks", given_ranks},
                                {"memory_bytes", memory},
                                {"activation_bytes", activations}});
    RC_ASSERT((lowest > 3 ? std::isinf(found) : found == lowest));
    const double left = given("zero-fit", "bytes_left",
                              {{"parameters", parameters},
                               {"ranks", given_ranks},
                               {"memory_bytes", memory},
                               {"activation_bytes", activations},
                               {"stage", stage}});
    RC_ASSERT(std::abs(left - (memory - needed(given_ranks, stage))) < 1e-3);
}

} // namespace meshwright

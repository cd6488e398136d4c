// SPDX-License-Identifier: GPL-3.0-or-later
#include "outer/shared_capacity.h"
#include "outer/timeline.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace meshwright {
namespace {

TEST(SharedCapacity, IsMaxMinFair) {
    // A capacity of 10 for three flows limited to 2, 6 and 6: the first gets 2, the others 4 each.
    SharedCapacity link(10);
    std::vector<Flow> flows{{0, 20, 2, 0}, {0, 20, 6, 0}, {0, 60, 6, 0}};
    link.share(flows);
    EXPECT_NEAR(flows[1].end, 5, 1e-12);
    EXPECT_NEAR(flows[0].end, 10, 1e-12);
    EXPECT_NEAR(flows[2].end, 5 + 40.0 / 6, 1e-9); // 20 bits until 5 s, then 40 at the flow's own limit
}

/// Max-min fair rates of concurrent flows, by progressive filling (Bertsekas and Gallager).
std::vector<double> filled_up(const std::vector<Flow> &flows, const std::vector<std::size_t> &active, double free) {
    std::vector<double> rates(flows.size(), 0);
    std::vector<std::size_t> order = active;
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return flows[a].max_bits_per_second < flows[b].max_bits_per_second;
    });
    for (std::size_t i = 0; i < order.size(); ++i) {
        rates[order[i]] = std::min(free / static_cast<double>(order.size() - i), flows[order[i]].max_bits_per_second);
        free -= rates[order[i]];
    }
    return rates;
}

/// End times of flows that share one capacity, with rates recalculated at every start and end.
std::vector<double> ends_by_filling(const std::vector<Flow> &flows, double capacity) {
    std::vector<double> left, ends(flows.size(), never);
    double time = never;
    for (const Flow &flow : flows) {
        left.push_back(flow.bits);
        time = std::min(time, flow.start);
    }
    for (;;) {
        std::vector<std::size_t> active;
        double until = never;
        for (std::size_t i = 0; i < flows.size(); ++i) {
            if (flows[i].start > time)
                until = std::min(until, flows[i].start);
            else if (ends[i] == never)
                active.push_back(i);
        }
        if (active.empty() && until == never)
            return ends;
        const std::vector<double> rates = filled_up(flows, active, capacity);
        for (const std::size_t i : active)
            until = std::min(until, time + left[i] / rates[i]);
        for (const std::size_t i : active) {
            left[i] -= rates[i] * (until - time);
            if (left[i] <= 1e-9 * flows[i].bits)
                ends[i] = until;
        }
        time = until;
    }
}

RC_GTEST_PROP(SharedCapacity, EndsFlowsWhenFillingUpAllAlikeWould, ()) {
    const double capacity = *rc::gen::inRange(1, 60);
    std::vector<Flow> flows;
    const int count = *rc::gen::inRange(1, 12);
    for (int i = 0; i < count; ++i)
        flows.push_back(
            {1.0 * *rc::gen::inRange(0, 5), 1.0 * *rc::gen::inRange(1, 30), 1.0 * *rc::gen::inRange(1, 20), 0});
    const std::vector<double> expected = ends_by_filling(flows, capacity);
    SharedCapacity link(capacity);
    link.share(flows);
    for (std::size_t i = 0; i < flows.size(); ++i)
        RC_ASSERT(std::abs(flows[i].end - expected[i]) <= 1e-6);
}

RC_GTEST_PROP(SharedCapacity, CarriesNoMoreThanItCan, ()) {
    const double capacity = *rc::gen::inRange(1, 50);
    SharedCapacity link(capacity);
    double sent = 0, last = 0;
    for (int fragment = 0; fragment < 5; ++fragment) {
        std::vector<Flow> flows;
        const int count = *rc::gen::inRange(1, 8);
        for (int i = 0; i < count; ++i)
            flows.push_back({4.0 * fragment + *rc::gen::inRange(0, 4), 1.0 * *rc::gen::inRange(1, 30),
                             1.0 * *rc::gen::inRange(1, 20), 0});
        link.share(flows);
        for (const Flow &flow : flows) {
            sent += flow.bits;
            last = std::max(last, flow.end);
            RC_ASSERT(flow.end >= flow.start + flow.bits / std::min(flow.max_bits_per_second, capacity) - 1e-6);
        }
    }
    RC_ASSERT(sent <= capacity * last + 1e-6);
}

} // namespace
} // namespace meshwright

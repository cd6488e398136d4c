// SPDX-License-Identifier: GPL-3.0-or-later
#include "input/diagnostic.h"
#include "pipeline/order.h"
#include "pipeline/order_text.h"
#include "pipeline/simulation.h"
#include "plan/valid_values.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>

namespace meshwright {
namespace {

Schedule schedule_of(const std::string &name) {
    const std::vector<std::string> &names = schedule_names();
    return static_cast<Schedule>(std::find(names.begin(), names.end(), name) - names.begin());
}

/// A published order: the request that generates it, and one row of operations per rank.
struct Published {
    OrderRequest request;
    std::vector<std::string> rows;
};

std::vector<Published> published_orders() {
    std::vector<Published> orders;
    std::ifstream file(MESHWRIGHT_TEST_DATA "/orders.txt");
    for (std::string line; std::getline(file, line);) {
        if (line.rfind('>', 0) != 0) {
            if (line.rfind('#', 0) != 0)
                orders.back().rows.push_back(line);
            continue;
        }
        std::istringstream words(line.substr(1));
        std::string name;
        OrderRequest request;
        words >> name >> request.ranks >> request.microbatches >> request.chunks >> request.group;
        request.schedule = schedule_of(name);
        orders.push_back({request, {}});
    }
    return orders;
}

TEST(PipelineOrders, AreThoseThatWerePublished) {
    const std::vector<Published> orders = published_orders();
    ASSERT_GT(orders.size(), 45U);
    for (const Published &published : orders) {
        const OperationOrder order = operation_order(published.request);
        ASSERT_EQ(static_cast<std::size_t>(order.ranks), published.rows.size());
        for (std::int64_t rank = 0; rank < order.ranks; ++rank)
            EXPECT_EQ(order_row(order, rank), published.rows[static_cast<std::size_t>(rank)])
                << name_of(order.schedule) << " " << order.ranks << " " << order.microbatches;
    }
}

double most(const std::vector<double> &values) {
    return *std::max_element(values.begin(), values.end());
}

Timeline halves_held_for_weights(const OperationOrder &order, const OrderRequest &request) {
    PipelineWork work =
        uniform_work(order, request.forward, request.input_gradient, request.weight_gradient, request.hop);
    for (StageWork &stage : work.stages)
        stage.weight_gradient_bytes = 0.5;
    return simulate(order, work);
}

TEST(PipelineOrders, SearchedOnesAreNoWorseThanTheirAuthors) {
    std::ifstream file(MESHWRIGHT_TEST_DATA "/searched_orders.txt");
    int seen = 0;
    for (std::string line; std::getline(file, line);) {
        if (line.rfind('#', 0) == 0)
            continue;
        std::istringstream words(line);
        std::string name;
        OrderRequest request;
        double span = 0;
        double activations = 0;
        int in_flight = 0;
        words >> name >> request.ranks >> request.microbatches >> request.chunks >> request.forward
            >> request.input_gradient >> request.weight_gradient >> request.hop >> span >> activations >> in_flight;
        request.schedule = schedule_of(name);
        const Timeline timeline = halves_held_for_weights(operation_order(request), request);
        EXPECT_LE(timeline.span, span) << line;
        EXPECT_LE(most(timeline.peak_bytes), activations) << line;
        EXPECT_LE(*std::max_element(timeline.peak_in_flight.begin(), timeline.peak_in_flight.end()), in_flight) << line;
        ++seen;
    }
    EXPECT_EQ(seen, 25);
}

RC_GTEST_PROP(PipelineOrders, SearchedOnesKeepTheirMemoryLimit, ()) {
    OrderRequest request;
    request.schedule = *rc::gen::element(Schedule::zb_1p, Schedule::zb_2p, Schedule::zb_v);
    request.chunks = request.schedule == Schedule::zb_v ? 2 : 1;
    request.ranks = *rc::gen::inRange(1, 10);
    request.microbatches = *rc::gen::inRange(1, 24);
    request.forward = *rc::gen::inRange(1, 20);
    request.input_gradient = *rc::gen::inRange(1, 20);
    request.weight_gradient = *rc::gen::inRange(0, 20);
    request.hop = *rc::gen::inRange(0, 6);
    request.memory_limit = *rc::gen::inRange(1, 30);
    OperationOrder order;
    try {
        order = operation_order(request);
    } catch (const InputError &) {
        RC_ASSERT(request.schedule == Schedule::zb_v); // this schedule needs a microbatch on both chunks of every rank
        RC_ASSERT(request.memory_limit <= static_cast<double>(request.ranks) + 2);
        return;
    }
    RC_ASSERT(order_fault(order) == std::string());
    RC_ASSERT(most(halves_held_for_weights(order, request).peak_bytes) <= request.memory_limit);
}

/// A random request that the schedule can run, of a size for which no order was published.
OrderRequest random_request() {
    OrderRequest request;
    request.schedule = static_cast<Schedule>(*rc::gen::inRange(0, static_cast<int>(schedule_names().size())));
    request.ranks = *rc::gen::inRange(1, 13);
    request.microbatches = *rc::gen::inRange(1, 40);
    switch (request.schedule) {
    case Schedule::interleaved:
    case Schedule::interleaved_zb:
        request.chunks = *rc::gen::inRange(1, 5);
        request.group = request.ranks + *rc::gen::inRange(0, 4);
        request.microbatches = request.group * *rc::gen::inRange(1, 4);
        break;
    case Schedule::looped_bfs:
    case Schedule::seq1f1b:
        request.chunks = *rc::gen::inRange(1, 5);
        break;
    case Schedule::zb_v:
    case Schedule::v_half:
    case Schedule::v_min:
        request.chunks = 2;
        break;
    case Schedule::dualpipe_v:
        request.chunks = 2;
        request.microbatches += 2 * request.ranks;
        break;
    case Schedule::dualpipe:
    case Schedule::chimera:
        request.ranks += request.ranks % 2;
        request.microbatches = 2 * request.ranks + 2 * request.microbatches;
        break;
    default:
        break;
    }
    return request;
}

RC_GTEST_PROP(PipelineOrders, DoEverythingOnceAndInAnOrderThatRuns, ()) {
    const OrderRequest request = random_request();
    RC_ASSERT(order_fault(operation_order(request)) == std::string());
}

RC_GTEST_PROP(PipelineOrders, RunForEveryPlanThatTheRulesOfSchedulesAdmit, ()) {
    Plan plan;
    Parallelism &parallelism = plan.parallelism;
    parallelism.schedule = static_cast<Schedule>(*rc::gen::inRange(0, static_cast<int>(schedule_names().size())));
    parallelism.pipeline = *rc::gen::inRange(2, 10); // at least 2: with one stage, any schedule is valid
    parallelism.chunks = *rc::gen::inRange(1, 4);
    if (*rc::gen::arbitrary<bool>())
        parallelism.group = *rc::gen::inRange(1, 20);
    plan.batch.global_sequences = *rc::gen::inRange(1, 40);
    if (!schedule_problems(plan).empty())
        return;
    OrderRequest request{.schedule = parallelism.schedule,
                         .ranks = parallelism.pipeline,
                         .microbatches = plan.microbatches(),
                         .chunks = parallelism.chunks,
                         .group = interleaving_group(plan)};
    RC_ASSERT(order_fault(operation_order(request)) == std::string());
}

TEST(PipelineOrders, RefuseWhatTheyCannotRunWith) {
    EXPECT_THROW(operation_order({.schedule = Schedule::dualpipe, .ranks = 3, .microbatches = 12}), InputError);
    EXPECT_THROW(operation_order({.schedule = Schedule::dualpipe, .ranks = 4, .microbatches = 6}), InputError);
    EXPECT_THROW(operation_order({.schedule = Schedule::dualpipe_v, .ranks = 4, .microbatches = 7, .chunks = 2}),
                 InputError);
    EXPECT_THROW(operation_order({.schedule = Schedule::zb_v, .ranks = 4, .microbatches = 8, .chunks = 3}), InputError);
    EXPECT_THROW(operation_order({.schedule = Schedule::gpipe, .ranks = 4, .microbatches = 8, .chunks = 2}),
                 InputError);
    EXPECT_THROW(operation_order({.ranks = 4'000, .microbatches = 60'000}), InputError);
    EXPECT_THROW(operation_order({.ranks = 0}), InputError);
}

TEST(PipelineOrders, AnOrderThatWaitsForItselfIsRefusedAndNotRunForEver) {
    OperationOrder order = operation_order({.ranks = 2, .microbatches = 2});
    std::swap(order.operations[0], order.operations[2]); // rank 0 would begin with a backward pass
    EXPECT_NE(order_fault(order), "");
    EXPECT_THROW(pipeline_times(order, uniform_work(order, 1, 1, 1)), InputError);
    EXPECT_THROW(simulate(order, uniform_work(order, 1, 1, 1)), InputError);
}

} // namespace
} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "derived_formulas.h"
#include "formulas/batch_stages.h"
#include "formulas/float_formats.h"
#include "formulas/formula.h"
#include "formulas/step_timelines.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace meshwright {

namespace {

using testing::given;
using testing::near;

/// Draws an integer and returns it as a double, the type that formulas take.
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
    near(tree("single_tree_seconds"), 6 * (0.04 + 5e-6)); // six hops, each with the whole tensor
    near(tree("equal_bytes"), 8 * (7 - 3) * 5e-6 * 50e9); // 8 MB
    near(tree("single_tree_equal_bytes"), (7 - 3) * 5e-6 * 50e9 / (3 - 7.0 / 8)); // 471 kB for a single tree
    for (const double ranks : {2.0, 3.0}) // ring and tree have the same number of hops
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

TEST(PowerRule, HasTheTwoRulesAtItsEnds) {
    const auto rate = [](const char *result, double rule, double exponent) {
        return given(
            "scaled-learning-rate", result,
            {{"base_rate", 3e-4}, {"base_batch", 256}, {"batch", 2048}, {"rule", rule}, {"exponent", exponent}});
    };
    near(rate("power_rate", 0, 1), rate("rate", 0, 1));
    near(rate("power_rate", 0, 0.5), rate("rate", 1, 1));
    near(rate("power_rate", 0, 0.75), 3e-4 * std::sqrt(8 * std::sqrt(8))); // geometric mean of the two rules' rates
}

RC_GTEST_PROP(LearningRateSchedule, OfARunWithinItsWarmUpOnlyRises, ()) {
    const double total = whole_between(1, 1000);
    const double warmup = total + whole_between(0, 1000);
    const double step = whole_between(0, static_cast<int>(total));
    for (const char *const rate : {"cosine_rate", "linear_rate", "wsd_rate"})
        near(given("learning-rate-schedule", rate,
                   {{"peak_rate", 3e-4},
                    {"step", step},
                    {"warmup_steps", warmup},
                    {"total_steps", total},
                    {"final_share", 0.1},
                    {"decay_share", 0.2}}),
             3e-4 * step / warmup);
}

RC_GTEST_PROP(BatchStages, AreAWalkOverTheSteps, ()) {
    const double start = whole_between(1, 50);
    const double tokens = whole_between(1, 5000);
    std::vector<double> doublings;
    for (int i = *rc::gen::inRange(1, 5); i > 0; --i)
        doublings.push_back(whole_between(1, 6000));
    std::sort(doublings.begin(), doublings.end());
    std::vector<double> steps(doublings.size() + 1, 0);
    std::size_t stage = 0;
    double batch = start;
    for (double trained = 0; trained < tokens; trained += batch) {
        while (stage < doublings.size() && trained >= doublings[stage])
            ++stage;
        batch = start * std::pow(2.0, static_cast<double>(stage));
        steps[stage] += 1;
    }
    const std::vector<BatchStage> stages = batch_stages(start, tokens, doublings);
    RC_ASSERT(stages.size() == steps.size());
    for (std::size_t i = 0; i < stages.size(); ++i)
        RC_ASSERT(stages[i].steps == steps[i]);
}

TEST(BatchStages, OfLlama3AreCounted) {
    const std::vector<double> doublings{252e6, 2.87e12};
    const std::vector<BatchStage> stages = batch_stages(4e6, 15.6e12, doublings);
    ASSERT_EQ(stages.size(), 3u);
    EXPECT_EQ(stages[0].steps, 63);
    EXPECT_EQ(stages[1].steps, 358'719); // (2.87e12 - 252e6) / 8e6 = 358,718.5
    EXPECT_EQ(stages[2].steps, 795'625);
    EXPECT_EQ(stages[2].batch_tokens, 16e6);
    EXPECT_TRUE(batch_stages(4e6, 15.6e12, std::vector<double>{2e12, 1e12}).empty())
        << "stages out of order must be rejected";
}

TEST(LossScaleTrace, HasTheScaleOfEveryStep) {
    const std::vector<double> overflows{1, 0, 1, 0, 0, 0, 0, 1};
    const std::vector<double> trace = formula::loss_scale_trace(65536, 3, 2, overflows);
    EXPECT_EQ(trace, (std::vector<double>{32768, 32768, 16384, 16384, 16384, 32768, 32768, 16384}));
    for (std::size_t i = 0; i < overflows.size(); ++i)
        EXPECT_EQ(trace[i], formula::dynamic_loss_scale(65536, 3, 2, std::span(overflows).first(i + 1)));
    const Calculation calculation =
        calculate("loss-scale", {{"overflows", "1,0,1,0,0,0,0,1"}, {"growth_interval", "3"}, {"step", "6"}});
    ASSERT_EQ(calculation.values.size(), 3u);
    EXPECT_EQ(calculation.values[0].value, 16384);
    EXPECT_EQ(calculation.values[1].value, 32768);
    EXPECT_EQ(calculation.values[2].value, 3) << "skipped steps";
}

RC_GTEST_PROP(BucketOverlap, IsAQueueOfBuckets, ()) {
    const int layers = *rc::gen::inRange(1, 60);
    const int each = *rc::gen::inRange(1, 12);
    const double layer_seconds = whole_between(1, 40) * 1e-4;
    const double layer_reduction = whole_between(1, 80) * 1e-4;
    const double latency = whole_between(0, 20) * 1e-5;
    std::vector<double> compute;
    std::vector<double> reduce;
    for (int done = 0; done < layers; done += each) {
        const int in_bucket = std::min(each, layers - done);
        compute.push_back(in_bucket * layer_seconds);
        reduce.push_back(latency + in_bucket * layer_reduction);
    }
    const auto value = [&](const char *result, double bucket) {
        return given("bucket-overlap", result,
                     {{"layers", layers},
                      {"backward_seconds", layers * layer_seconds},
                      {"bucket_layers", each},
                      {"layer_communication_seconds", layer_reduction},
                      {"latency", latency},
                      {"bucket", bucket}});
    };
    RC_ASSERT(value("buckets", 1) == static_cast<double>(compute.size()));
    const std::vector<StepSpan> timeline = overlap_timeline(compute, reduce);
    RC_ASSERT(timeline.size() == 2 * compute.size());
    for (const StepSpan &span : timeline) {
        const auto bucket = static_cast<double>(span.index + 1);
        if (span.lane == StepLane::compute) {
            RC_ASSERT(std::abs(value("ready_seconds", bucket) - span.end) < 1e-12);
        } else {
            RC_ASSERT(std::abs(value("start_seconds", bucket) - span.start) < 1e-12);
            RC_ASSERT(std::abs(value("end_seconds", bucket) - span.end) < 1e-12);
        }
    }
    RC_ASSERT(std::abs(value("exposed_seconds", 1) - exposed_seconds(timeline)) < 1e-12);
    const double reduced = std::accumulate(reduce.begin(), reduce.end(), 0.0);
    RC_ASSERT(std::abs(value("overlapped_fraction", 1) - (1 - exposed_seconds(timeline) / reduced)) < 1e-9);
    RC_ASSERT(value("end_seconds", 1e6) == value("end_seconds", static_cast<double>(compute.size())));
}

RC_GTEST_PROP(BucketOverlap, OfOneLayerEachIsTheOverlapByLayer, ()) {
    const double layers = whole_between(1, 100);
    const double backward = whole_between(1, 1000) * 1e-3;
    const double reduction = whole_between(1, 100) * 1e-4;
    for (const char *result : {"exposed_seconds", "overlapped_fraction"}) {
        const auto of = [&](const char *formula) {
            return given(
                formula, result,
                {{"layers", layers}, {"backward_seconds", backward}, {"layer_communication_seconds", reduction}});
        };
        RC_ASSERT(std::abs(of("bucket-overlap") - of("overlap")) < 1e-9);
    }
}

TEST(AccumulationTimeline, FollowsItsFormulas) {
    const std::vector<StepSpan> timeline = accumulation_timeline(3, 4, 0.12, 0.05);
    ASSERT_EQ(timeline.size(), 3u * 5u);
    double now = 0;
    for (const StepSpan &span : timeline) {
        EXPECT_NEAR(span.start, now, 1e-12);
        now = span.end;
        EXPECT_EQ(span.lane, (&span - timeline.data()) % 5 == 4 ? StepLane::reduce : StepLane::compute);
    }
    near(now, 3 * (4 * 0.12 + 0.05));
    EXPECT_EQ(timeline[13].index, 11) << "the last microbatch must precede the last event";
    EXPECT_EQ(timeline[14].index, 2) << "the last optimizer step must be the last event";
}

TEST(FailureLosses, AddUpThoseOfEachFailure) {
    const auto run = [](const char *result) {
        return given("failure-losses", result,
                     {{"days", 30},
                      {"mtbf_seconds", 86400},
                      {"interval_seconds", 4110},
                      {"write_seconds", 98},
                      {"recovery_seconds", 300},
                      {"accelerators", 512},
                      {"price_per_hour", 2}});
    };
    const auto failure = [](const char *result) {
        return given("failure-cost", result,
                     {{"accelerators", 512},
                      {"price_per_hour", 2},
                      {"interval_seconds", 4110},
                      {"write_seconds", 98},
                      {"recovery_seconds", 300}});
    };
    near(run("dollars"), 30 * failure("dollars"));
    near(run("lost_days") * 86400, 30 * failure("lost_seconds"));
    // A checkpoint is written after each interval of training.
    const double writes = 30 * 86400 / 4110.0;
    near(run("waste_days") * 86400, 30 * failure("lost_seconds") + writes * 98);
    near(run("waste_dollars"), 30 * failure("dollars") + writes * failure("write_dollars"));
}

TEST(DimensionTraffic, IsThatOfEachDimensionsOwnFormula) {
    const auto step = [](const char *result) {
        return given("dimension-traffic", result,
                     {{"parameters", 70e9},
                      {"layers", 80},
                      {"hidden", 8192},
                      {"kv_width", 1024},
                      {"sequence", 8192},
                      {"micro_batch", 2},
                      {"microbatches", 16},
                      {"tensor", 8},
                      {"context", 2},
                      {"expert", 4},
                      {"pipeline", 4},
                      {"data", 32},
                      {"experts_per_token", 2},
                      {"node_bandwidth", 300e9},
                      {"network_bandwidth", 50e9}});
    };
    constexpr double layers_times_microbatches = 80.0 / 4 * 16;
    near(step("tensor_bytes"),
         layers_times_microbatches
             * given("tensor-all-reduce", "layer_bytes_per_rank",
                     {{"micro_batch", 2}, {"sequence", 4096}, {"hidden", 8192}, {"ranks", 8}}));
    near(step("context_bytes"),
         3 * layers_times_microbatches
             * given("ring-attention", "bytes_per_rank",
                     {{"micro_batch", 2}, {"sequence", 8192}, {"kv_width", 128}, {"ranks", 2}}));
    near(step("expert_bytes"),
         2 * layers_times_microbatches
             * given("expert-traffic", "bytes_per_rank",
                     {{"tokens", 2 * 8192 / 16.0}, {"hidden", 8192}, {"experts_per_token", 2}, {"ranks", 4}}));
    near(step("pipeline_bytes"), 2.0 * 16 * 2 * 4096 * 8192 * 2 / 8); // two directions; each TP rank sends 1/8
    near(step("data_bytes"), given("ring-all-reduce", "bytes_per_rank", {{"ranks", 64}, {"bytes", 70e9 / 32 * 2}}));
    // With eight accelerators per node, only the tensor dimension stays within a node.
    near(step("tensor_seconds"), step("tensor_bytes") / 300e9);
    for (const auto &[seconds, bytes] :
         {std::pair{"context_seconds", "context_bytes"}, std::pair{"expert_seconds", "expert_bytes"},
          std::pair{"pipeline_seconds", "pipeline_bytes"}, std::pair{"data_seconds", "data_bytes"}})
        near(step(seconds), step(bytes) / 50e9);
    near(given("dimension-traffic", "pipeline_bytes", {{"hidden", 8192}, {"sequence", 8192}, {"microbatches", 16}}), 0);
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "advise/complete_result.h"
#include "catalog/library.h"
#include "evaluate/evaluate.h"
#include "evaluate/evidence_of_result.h"
#include "evidence/run_document.h"
#include "evidence/similar_runs.h"
#include "evidence/source_name.h"
#include "plan/plan_json.h"
#include "preset_plans.h"
#include "random_plans.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

namespace meshwright {
namespace {

const EvidenceTable &table() {
    return *EvidenceTable::standard();
}

/// A table of copies of one run, all mispredicted by the same factor.
EvidenceTable copies_of(std::size_t row, std::size_t count) {
    EvidenceTable made;
    for (std::size_t i = 0; i < count; ++i) {
        made.runs.push_back(table().runs[row]);
        made.runs.back().id += std::to_string(i);
        made.runs.back().source += std::to_string(i % 7);
        made.plans.push_back(table().plans[row]);
        made.features.push_back(table().features[row]);
    }
    return made;
}

std::size_t first_with_a_step() {
    for (std::size_t i = 0; i < table().runs.size(); ++i)
        if (table().runs[i].measured_seconds() && table().plans[i].skipped.empty())
            return i;
    throw std::runtime_error("no run has a measured step time");
}

TEST(SimilarRuns, FindARunItselfAtDistanceZero) {
    const std::size_t row = first_with_a_step();
    const auto near = KnownRuns::standard()->nearest(table().features[row], 5);
    ASSERT_EQ(near.size(), 5u);
    EXPECT_EQ(near.front().distance, 0);
    EXPECT_TRUE(std::is_sorted(near.begin(), near.end(),
                               [](const SimilarRun &a, const SimilarRun &b) { return a.distance < b.distance; }));
    const auto others = KnownRuns::standard()->nearest(table().features[row], 50, table().runs[row].source);
    EXPECT_TRUE(std::none_of(others.begin(), others.end(),
                             [&](const SimilarRun &run) { return run.source == table().runs[row].source; }));
}

TEST(SimilarRuns, HoldTheMeasuredStepInTheirIntervalWhereAllAreWrongByOneFactor) {
    const std::size_t row = first_with_a_step();
    const EvidenceTable all = copies_of(row, 40);
    std::vector<Prediction> predictions(all.runs.size());
    const double measured = *all.runs.front().measured_seconds();
    for (Prediction &prediction : predictions)
        prediction.step_seconds = measured / 1.3;
    const IntervalFactors found = KnownRuns(all, predictions).step_interval(all.features.front());
    EXPECT_NEAR(found.high, 1.3, 1e-9);
    EXPECT_NEAR(found.low, std::exp(-0.03), 1e-9); // the low end keeps its minimum distance from the prediction
}

TEST(SimilarRuns, SaveWhatTheyWereAskedBySetOfConstants) {
    const std::map<std::string, double> slower{{"link-efficiency", 0.61}};
    EXPECT_EQ(KnownRuns::at_hand(slower), nullptr);
    const auto made = KnownRuns::standard(slower);
    EXPECT_EQ(KnownRuns::at_hand(slower), made);
    EXPECT_EQ(KnownRuns::standard(slower), made);
    EXPECT_NE(KnownRuns::standard(), made);
}

TEST(SimilarRuns, GiveNearerRunsNarrowerIntervals) {
    RunFeatures near = table().features[first_with_a_step()];
    RunFeatures far = near;
    far.values.fill(40);
    const auto width = [](const IntervalFactors &factors) { return factors.high / factors.low; };
    EXPECT_LT(width(KnownRuns::standard()->step_interval(near)), width(KnownRuns::standard()->step_interval(far)));
}

TEST(SimilarRuns, HoldFourOfFiveMeasuredStepsOfSourcesThatAreLeftOut) {
    std::vector<Prediction> predictions = table().predict();
    add_intervals(table(), *KnownRuns::standard(), predictions);
    std::vector<std::size_t> all(table().runs.size());
    for (std::size_t i = 0; i < all.size(); ++i)
        all[i] = i;
    const EvidenceSummary summary = summarise(table().runs, table().plans, predictions, all);
    EXPECT_GE(summary.coverage, 0.75);
    EXPECT_LE(summary.coverage, 0.90);
    EXPECT_GE(summary.memory_coverage, 0.75);
    EXPECT_LE(summary.memory_coverage, 0.90);
}

TEST(SourceName, SaysWhoMeasured) {
    EXPECT_EQ(short_source("mosaicml/llm-foundry scripts/train"), "llm-foundry");
    EXPECT_EQ(short_source("NVIDIA NeMo docs/source/performance.md"), "NVIDIA NeMo");
    EXPECT_EQ(short_source("Narayanan et al. 2021 Table 2"), "Narayanan");
    EXPECT_EQ(short_source("mine.csv"), "mine.csv");
    EXPECT_EQ(short_source("  a/ b"), "a/ b");
    EXPECT_EQ(short_source(""), "");
}

TEST(RunDocument, ReadsAsThePlanOfItsRun) {
    std::size_t valid = 0;
    std::size_t all = 0;
    for (std::size_t i = 0; i < table().runs.size(); i += 7) {
        if (!table().plans[i].skipped.empty())
            continue;
        ++all;
        const PlanReading reading = read_plan(run_document(table().plans[i], Library::standard()), Library::standard());
        if (!reading.valid())
            continue;
        ++valid;
        const double seconds = evaluate(reading.plan, Depth::numbers).step.seconds;
        const double expected = predict(table().plans[i].plan, 1, Assumptions()).step_seconds;
        EXPECT_NEAR(seconds, expected, 1e-9 * expected) << table().runs[i].id;
    }
    EXPECT_GE(static_cast<double>(valid), 0.95 * static_cast<double>(all));
}

TEST(Evidence, OfAResultIsThatOfItsNearestRuns) {
    const Result result = complete_result(preset_plan("llama3-405b-16k"));
    ASSERT_EQ(result.evidence.size(), 10u);
    const nlohmann::ordered_json json = to_json(result);
    for (const auto &run : json["evidence"]) {
        for (const char *key : {"id", "source", "measured", "predicted", "distance"})
            EXPECT_TRUE(run.contains(key)) << key;
        EXPECT_GT(run["measured"].get<double>(), 0);
    }
    EXPECT_LT(json["memory"]["low_bytes"], json["memory"]["peak_bytes"]);
    EXPECT_GT(json["memory"]["high_bytes"], json["memory"]["peak_bytes"]);
}

RC_GTEST_PROP(Evidence, AlwaysHoldsTheEstimateInItsInterval, ()) {
    const std::optional<Plan> plan = valid_plan(*plan_documents());
    RC_PRE(plan.has_value());
    Result result = evaluate(*plan, Depth::numbers);
    add_evidence(result);
    RC_ASSERT(result.step.low_seconds > 0);
    RC_ASSERT(result.step.low_seconds <= result.step.seconds);
    RC_ASSERT(result.step.high_seconds >= result.step.seconds);
    RC_ASSERT(result.memory.low_bytes <= result.memory.peak_bytes);
    RC_ASSERT(result.memory.high_bytes >= result.memory.peak_bytes);
    RC_ASSERT(result.memory.reserved_low_bytes <= result.memory.reserved_bytes);
    RC_ASSERT(result.memory.reserved_high_bytes >= result.memory.reserved_bytes);
}

} // namespace
} // namespace meshwright

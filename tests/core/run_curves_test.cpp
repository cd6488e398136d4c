// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/evaluate.h"
#include "evaluate/run_curves.h"
#include "formulas/checkpoints.h"
#include "formulas/sampling.h"
#include "preset_plans.h"
#include "random_plans.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace meshwright {

namespace {

const RunCurve *curve_named(const std::vector<RunCurve> &curves, std::string_view id) {
    const auto found = std::find_if(curves.begin(), curves.end(), [&](const RunCurve &one) { return one.id == id; });
    return found == curves.end() ? nullptr : &*found;
}

const CurveMark *mark_named(const RunCurve &curve, std::string_view title) {
    const auto found = std::find_if(curve.marks.begin(), curve.marks.end(),
                                    [&](const CurveMark &mark) { return mark.title == title; });
    return found == curve.marks.end() ? nullptr : &*found;
}

const CurveSeries &series_named(const RunCurve &curve, std::string_view name) {
    return *std::find_if(curve.series.begin(), curve.series.end(),
                         [&](const CurveSeries &series) { return series.name == name; });
}

class CurvesOfAPlan : public ::testing::TestWithParam<std::string> {
protected:
    CurvesOfAPlan()
        : result(evaluate(preset_plan(GetParam().c_str()), Depth::numbers))
        , curves(run_curves(result)) { }
    Result result;
    std::vector<RunCurve> curves;
};

} // namespace

TEST_P(CurvesOfAPlan, AreFiniteAndInOrder) {
    std::set<std::string> ids;
    for (const RunCurve &curve : curves) {
        SCOPED_TRACE(curve.id);
        EXPECT_TRUE(ids.insert(curve.id).second);
        EXPECT_FALSE(curve.title.empty() || curve.x.title.empty() || curve.y.title.empty() || curve.note.empty());
        ASSERT_FALSE(curve.series.empty());
        for (const CurveSeries &series : curve.series) {
            ASSERT_EQ(series.x.size(), series.y.size());
            ASSERT_GE(series.x.size(), 2u);
            EXPECT_LE(series.x.size(), 400u);
            EXPECT_TRUE(std::is_sorted(series.x.begin(), series.x.end()));
            for (std::size_t i = 0; i < series.x.size(); ++i) {
                EXPECT_TRUE(std::isfinite(series.y[i])) << series.name << " at " << series.x[i];
                if (curve.x.logarithmic) {
                    EXPECT_GT(series.x[i], 0);
                }
                if (curve.y.logarithmic) {
                    EXPECT_GT(series.y[i], 0);
                }
            }
            const Formula *formula = find_formula(series.formula);
            ASSERT_NE(formula, nullptr) << series.formula;
            EXPECT_NE(formula->find_result(series.result), nullptr) << series.result;
        }
        if (!curve.labels.empty()) {
            EXPECT_EQ(curve.labels.size(), curve.series.front().x.size());
        }
    }
    EXPECT_GE(ids.size(), 9u);
}

TEST_P(CurvesOfAPlan, PassThroughThePlan) {
    for (const RunCurve &curve : curves)
        for (const CurveMark &mark : curve.marks) {
            SCOPED_TRACE(curve.id + ": " + mark.title);
            EXPECT_TRUE(std::isfinite(mark.x) && std::isfinite(mark.y));
            bool on_a_line = false;
            for (const CurveSeries &series : curve.series) {
                const auto above = std::lower_bound(series.x.begin(), series.x.end(), mark.x);
                if (above == series.x.end())
                    continue;
                const auto i = static_cast<std::size_t>(above - series.x.begin());
                const double before = series.y[i > 0 ? i - 1 : 0];
                const double low = std::min(before, series.y[i]);
                const double high = std::max(before, series.y[i]);
                on_a_line =
                    on_a_line || (mark.y >= low - 0.02 * std::abs(low) && mark.y <= high + 0.02 * std::abs(high));
            }
            EXPECT_TRUE(on_a_line || mark.title == "Llama 3") << mark.x << ", " << mark.y;
        }
}

TEST_P(CurvesOfAPlan, WasteLeastAtYoungsIntervalToFirstOrder) {
    const RunCurve *waste = curve_named(curves, "checkpoint-waste");
    ASSERT_NE(waste, nullptr);
    const CurveMark *young = mark_named(*waste, "Young");
    const CurveMark *own = mark_named(*waste, "this plan");
    ASSERT_TRUE(young != nullptr && own != nullptr);
    for (const double y : waste->series.front().y)
        EXPECT_GE(y, young->y * (1 - 1e-12));
    EXPECT_DOUBLE_EQ(own->x, result.run.checkpoint_interval_seconds);
    EXPECT_NEAR(1 / (1 + own->y), result.run.goodput, 1e-12);
}

TEST_P(CurvesOfAPlan, PredictNoLowerLossThanTheOptimumOfTheSameComputation) {
    const RunCurve *models = curve_named(curves, "compute-optimal");
    ASSERT_NE(models, nullptr);
    for (const char *law : {"Hoffmann", "Besiroglu"}) {
        const CurveMark *optimum = mark_named(*models, law);
        ASSERT_NE(optimum, nullptr);
        for (const double loss : series_named(*models, law).y)
            EXPECT_GE(loss, optimum->y - 1e-9);
    }
    const CurveMark *own = mark_named(*models, "this plan");
    EXPECT_DOUBLE_EQ(own->y, mark_named(*curve_named(curves, "predicted-loss"), "this plan")->y);
}

TEST_P(CurvesOfAPlan, WarmUpEndsAtTheHighestRateAndTheRunAtATenth) {
    const RunCurve *rates = curve_named(curves, "learning-rate-schedule");
    ASSERT_NE(rates, nullptr);
    for (const CurveSeries &series : rates->series) {
        EXPECT_EQ(series.y.front(), 0);
        EXPECT_NEAR(*std::max_element(series.y.begin(), series.y.end()), 1, 1e-9) << series.name;
        EXPECT_NEAR(series.y.back(), 0.1, 1e-9) << series.name;
        EXPECT_EQ(series.x.back(), result.run.steps);
    }
}

INSTANTIATE_TEST_SUITE_P(Presets, CurvesOfAPlan, ::testing::ValuesIn(evaluable_plans()),
                         [](const auto &parameter) { return test_name(parameter.param); });

TEST(RunCurves, ScaleLossesDownAtAnOverflowAndUpAfterTwoThousandGoodSteps) {
    const std::vector<RunCurve> curves = run_curves(evaluate(preset_plan("pretrain-8b"), Depth::numbers));
    const CurveSeries &trace = curve_named(curves, "loss-scale")->series.front();
    EXPECT_EQ(trace.y.front(), 65536);
    EXPECT_EQ(*std::max_element(trace.y.begin(), trace.y.end()), 262144);
    // The scale never returns to its initial value.
    EXPECT_EQ(std::count(trace.y.begin() + 1, trace.y.end(), 65536), 1);
    EXPECT_GE(curve_named(curves, "loss-scale")->marks.size(), 3u);
}

TEST(RunCurves, KnowTheRangesOfFormats) {
    const std::vector<RunCurve> curves = run_curves(evaluate(preset_plan("deepseek-v3"), Depth::numbers));
    const RunCurve *formats = curve_named(curves, "float-formats");
    const auto largest = [&](std::string_view name) {
        const auto found = std::find(formats->labels.begin(), formats->labels.end(), name);
        return formats->series.front().y[static_cast<std::size_t>(found - formats->labels.begin())];
    };
    EXPECT_EQ(largest("FP16"), 65504);
    EXPECT_EQ(largest("FP8 E4M3"), 448);
    EXPECT_EQ(largest("FP8 E5M2"), 57344);
    EXPECT_EQ(largest("FP4 E2M1"), 6);
    EXPECT_NEAR(largest("BF16"), 3.3895e38, 1e34);
    ASSERT_EQ(formats->marks.size(), 1u);
    EXPECT_EQ(formats->marks.front().y, 448); // DeepSeek-V3 computes in FP8
}

TEST(RunCurves, FollowTheFormulaThatTheyShow) {
    const Result result = evaluate(preset_plan("llama3-405b-16k"), Depth::numbers);
    const auto least = [&] {
        const std::vector<RunCurve> curves = run_curves(result);
        const CurveSeries &waste = curve_named(curves, "checkpoint-waste")->series.front();
        return *std::min_element(waste.y.begin(), waste.y.end());
    };
    const double before = least();
    const decltype(formula::checkpoint_waste)::Replacement twice(
        formula::checkpoint_waste, [](double mtbf, double write, double interval, double recovery) {
            return 2 * (write / interval + interval / (2 * mtbf) + recovery / mtbf);
        });
    EXPECT_DOUBLE_EQ(least(), 2 * before);
}

TEST(Sampling, PlacesLieBetweenBothEnds) {
    const std::vector<double> places = places_between(1, 10000, 5, Spacing::logarithmic);
    EXPECT_EQ(places.size(), 5u);
    EXPECT_NEAR(places[2], 100, 1e-9);
    EXPECT_EQ(places_between(0, 10, 3, Spacing::linear), (std::vector<double>{0, 5, 10}));
}

TEST(Sampling, GivesAResultOverOneSymbol) {
    const Formula &formula = *find_formula("ring-all-reduce");
    const std::vector<double> places{1e9, 2e9};
    EXPECT_EQ(sampled(formula, *formula.find_result("bytes_per_rank"), {{"ranks", 8}}, "bytes", places),
              (std::vector<double>{1.75e9, 3.5e9}));
    EXPECT_THROW(sampled(formula, *formula.find_result("bytes_per_rank"), {{"ranks", 8}}, "latency", places),
                 InputError);
    EXPECT_THROW(sampled(formula, *formula.find_result("bytes_per_rank"), {}, "bytes", places), InputError);
}

} // namespace meshwright

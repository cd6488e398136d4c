// SPDX-License-Identifier: GPL-3.0-or-later
#include "advise/complete_result.h"
#include "evaluate/evaluate.h"
#include "evaluate/run_curves.h"
#include "evaluate/verdict.h"
#include "explain/explain.h"
#include "outer/guards.h"
#include "outer/quality.h"
#include "outer/requirements.h"
#include "preset_plans.h"
#include "random_plans.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {

void expect_figure(const Derivation &tree, const std::string &path, double value) {
    const Derivation *node = find_figure(tree, path);
    ASSERT_NE(node, nullptr) << path;
    EXPECT_NEAR(node->value, value, 1e-9 * std::abs(value)) << path << " = " << node->formula;
}

struct Case {
    const char *name;
    const char *patch;
};

class ExplainedSites : public ::testing::TestWithParam<Case> {
protected:
    ExplainedSites() {
        nlohmann::ordered_json document = shipped_presets().json(PresetKind::plan, "ten-to-25");
        document.merge_patch(nlohmann::ordered_json::parse(GetParam().patch));
        result = evaluate(plan_of(document), Depth::numbers);
        tree = explain(result);
    }
    double parameters() const { return result.parameters.total + result.parameters.mtp; }
    double step() const { return result.plan.outer.step_seconds.value_or(result.step.seconds); }
    Result result;
    Derivation tree;
};

} // namespace

TEST_P(ExplainedSites, OpensWhatTheClosedFormsSay) {
    const OuterGuards guards = outer_guards(result.plan, parameters(), step(), nullptr);
    expect_figure(tree, "outer.closed_form.utilisation", guards.utilisation);
    expect_figure(tree, "outer.closed_form.utilisation_bound", guards.utilisation_bound);
    expect_figure(tree, "outer.closed_form.lag_seconds", guards.lag_seconds);
    expect_figure(tree, "outer.closed_form.overlap_steps", guards.least_overlap_steps);
    expect_figure(tree, "outer.closed_form.inner_steps", guards.least_inner_steps);
    for (const NeededRate &needed : guards.needed)
        if (std::isfinite(needed.bits_per_second))
            expect_figure(tree,
                          "outer.closed_form.needed_"
                              + std::to_string(static_cast<int>(std::lround(100 * needed.utilisation))),
                          needed.bits_per_second);
}

TEST_P(ExplainedSites, OpensWhatAggregatorsAndSitesTake) {
    const OuterRequirements upkeep =
        outer_requirements(result.plan, parameters(), step(), result.outer->round_seconds, result.outer->rounds);
    if (result.plan.aggregation.topology == Topology::star) {
        expect_figure(tree, "outer.upkeep.aggregator_memory_bytes", upkeep.aggregator_memory_bytes);
        expect_figure(tree, "outer.upkeep.aggregator_rate", upkeep.aggregator_bits_per_second);
        expect_figure(tree, "outer.upkeep.mean_ingress", upkeep.mean_ingress_bits_per_second);
        expect_figure(tree, "outer.upkeep.mean_egress", upkeep.mean_egress_bits_per_second);
        expect_figure(tree, "outer.upkeep.egress_bytes", upkeep.egress_bytes);
        expect_figure(tree, "outer.upkeep.egress_dollars", upkeep.egress_dollars);
    }
    expect_figure(tree, "outer.upkeep.first_weights_seconds", upkeep.first_weights_seconds);
    expect_figure(tree, "outer.upkeep.rejoin_seconds", upkeep.rejoin_seconds);
    expect_figure(tree, "outer.upkeep.site_state_bytes", upkeep.site_state_bytes);
    expect_figure(tree, "outer.upkeep.host_bytes_per_second", upkeep.host_bytes_per_second);
    expect_figure(tree, "outer.upkeep.availability", upkeep.availability);
    expect_figure(tree, "outer.upkeep.quorum_probability", upkeep.quorum_probability);
    expect_figure(tree, "outer.upkeep.availability_for_quorum", upkeep.availability_for_quorum);
}

TEST_P(ExplainedSites, OpensWhatItMeansForTheModel) {
    const OuterQuality quality = outer_quality(result.plan, parameters(), result.flops.per_token * result.run.tokens);
    expect_figure(tree, "outer.quality.power_law_worst", quality.effective_by_power_law.low);
    expect_figure(tree, "outer.quality.power_law_best", quality.effective_by_power_law.high);
    expect_figure(tree, "outer.quality.with_a_floor_worst", quality.effective_by_parametric_law.low);
    expect_figure(tree, "outer.quality.with_a_floor_best", quality.effective_by_parametric_law.high);
    expect_figure(tree, "outer.quality.learning_rate", quality.outer_learning_rate.value);
    expect_figure(tree, "outer.quality.batch_tokens", quality.batch_tokens);
}

TEST_P(ExplainedSites, OpensTheMarksOfTheCurvesAndWhatTheirNotesSay) {
    std::size_t marks = 0;
    for (const RunCurve &curve : run_curves(result)) {
        for (const CurveMark &mark : curve.marks) {
            if (mark.kind == MarkKind::event)
                continue;
            ++marks;
            const Derivation *node = find_figure(tree, mark.figure);
            ASSERT_NE(node, nullptr) << curve.id << ": " << mark.title;
            const double nearest = std::min(std::abs(node->value - mark.x) / std::abs(mark.x),
                                            std::abs(node->value - mark.y) / std::abs(mark.y));
            EXPECT_LT(nearest, 1e-9) << curve.id << ": " << mark.title;
        }
        for (const Sentence::Figure &figure : curve.note.figures)
            EXPECT_NE(find_figure(tree, std::get<std::string>(figure.target)), nullptr) << curve.note.text;
    }
    EXPECT_GT(marks, 9u);
}

INSTANTIATE_TEST_SUITE_P(
    Plans, ExplainedSites,
    ::testing::Values(Case{"AsWritten", "{}"},
                      Case{"Ring", R"({"outer":{"quorum":72},"aggregation":{"topology":"ring"}})"},
                      Case{"Replicated", R"({"aggregation":{"arrangement":"replicated","aggregators":3}})"},
                      Case{"OneDirection", R"({"cluster":{"wan":{"full_duplex":false,"loss_probability":0.001}}})"},
                      Case{"SitesLeave", R"({"faults":{"site_mtbf_seconds":864000},
                                           "aggregation":{"egress_bits_per_second":5e9,
                                                          "egress_dollars_per_gigabyte":0.02}})"},
                      Case{"LateUpdatesLeftOut", R"({"outer":{"late_updates":"go-on"}})"}),
    [](const auto &parameter) { return parameter.param.name; });

/// The figures of diagnostics and of the verdict occur in their sentences and have derivations.
TEST(FiguresOfSentences, StandInThemAndOpen) {
    std::size_t said = 0;
    for (const std::string &name : evaluable_plans()) {
        const Result result = complete_result(preset_plan(name.c_str()));
        const Derivation tree = explain(result);
        const auto expect_all = [&](const Sentence &sentence) {
            for (const Sentence::Figure &figure : sentence.figures) {
                ++said;
                EXPECT_NE(sentence.text.substr(figure.begin, figure.length).find_first_of("0123456789"),
                          std::string::npos)
                    << sentence.text;
                if (const auto *const path = std::get_if<std::string>(&figure.target)) {
                    EXPECT_NE(find_figure(tree, *path), nullptr) << *path;
                }
            }
        };
        for (const Diagnostic &diagnostic : result.diagnostics) {
            expect_all(diagnostic.message);
            expect_all(diagnostic.expected);
        }
        expect_all(result.verdict.summary);
    }
    EXPECT_GT(said, 100u);
}

} // namespace meshwright

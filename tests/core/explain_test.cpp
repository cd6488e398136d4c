// SPDX-License-Identifier: GPL-3.0-or-later
#include "explained_plans.h"
#include "formulas/collectives.h"
#include "formulas/formula.h"
#include "formulas/kernels.h"
#include "narrative/paragraph.h"
#include "plan/plan_json.h"
#include "preset_plans.h"
#include "recomputed.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

namespace meshwright {

namespace {

using Json = nlohmann::ordered_json;
using testing::for_each_node;
using testing::recomputed;

/// Calls a function with the path of every number in a result's sections.
void for_each_number(const Json &json, const std::string &path,
                     const std::function<void(const std::string &, double)> &visit) {
    if (json.is_number())
        visit(path, json.get<double>());
    if (json.is_structured())
        for (const auto &item : json.items())
            for_each_number(item.value(), path.empty() ? item.key() : path + "." + item.key(), visit);
}

/// Checks that every node has the value of its formula and that every figure it refers to is explained.
void expect_sound(const Derivation &tree) {
    for_each_node(tree, [&](const Derivation &node) {
        if (!node.figure.empty()) {
            const Derivation *figure = find_figure(tree, node.figure);
            ASSERT_NE(figure, nullptr) << node.figure;
            EXPECT_NEAR(figure->value, node.value, 1e-9 * std::abs(node.value)) << node.figure;
        }
        if (node.formula.empty()) {
            EXPECT_TRUE(node.inputs.empty()) << node.name;
            return;
        }
        if (node.origin == Origin::simulation) {
            EXPECT_FALSE(node.inputs.empty()) << node.name;
            return; // other tests compare the value with the simulation
        }
        const double value = recomputed(node);
        EXPECT_NEAR(value, node.value, 1e-9 * std::max(std::abs(value), 1e-9)) << node.name << " = " << node.formula;
    });
}

class ExplainedPlan : public ::testing::TestWithParam<std::string> {
protected:
    ExplainedPlan()
        : result(with_evidence(evaluate(preset_plan(GetParam().c_str()), Depth::numbers)))
        , tree(explain(result)) { }
    static Result with_evidence(Result plain) {
        add_evidence(plain);
        return plain;
    }
    Result result;
    Derivation tree;
};

} // namespace

TEST_P(ExplainedPlan, GivesEveryNodeAsItsFormulaOverItsInputs) {
    expect_sound(tree);
}

TEST_P(ExplainedPlan, NamesInputsOnceAndAllOfThemAreUsed) {
    for_each_node(tree, [&](const Derivation &node) {
        std::set<std::string> names;
        for (const Derivation &input : node.inputs) {
            EXPECT_TRUE(names.insert(input.name).second)
                << node.name << " has several inputs with the name " << input.name;
            if (&node != &tree) {
                EXPECT_NE(node.formula.find(input.name), std::string::npos) << input.name << " in " << node.formula;
            }
        }
    });
}

TEST_P(ExplainedPlan, NamesASourceAndATitleForEveryNode) {
    for_each_node(tree, [](const Derivation &node) {
        EXPECT_FALSE(node.source.empty()) << node.name;
        EXPECT_FALSE(node.title.empty()) << node.name;
        EXPECT_TRUE(std::isfinite(node.value)) << node.name;
    });
}

/// Every key figure has a paragraph that states its value.
TEST_P(ExplainedPlan, DescribesKeyFiguresInPlainWords) {
    std::vector<std::string> names{"step_seconds",        "memory_peak_bytes",           "step_mfu",
                                   "step_bubble_seconds", "step_tensor_exposed_seconds", "step_data_exposed_seconds",
                                   "run_seconds",         "run_rental_dollars",          "run_goodput"};
    for (const char *kind : {"total", "activations", "weights", "gradients", "optimizer"})
        names.push_back(fmt::format("memory_stages_{}_{}_bytes", result.memory.peak_stage, kind));
    if (result.outer)
        names.insert(names.end(), {"outer_utilisation", "outer_stall_seconds_per_round", "outer_round_seconds"});
    for (const std::string &name : names) {
        const Derivation *figure = find_figure(tree, name);
        ASSERT_NE(figure, nullptr) << name;
        const std::string text = paragraph_about(*figure, result);
        EXPECT_TRUE(text.ends_with('.')) << name << ": " << text;
        if (figure->value > 0) {
            EXPECT_NE(text.find(text_of(figure->value, figure->quantity)), std::string::npos) << name << ": " << text;
        }
        for (const char *fault : {"  ", "_", "n/a", "infinite", ".."})
            EXPECT_EQ(text.find(fault), std::string::npos) << name << ": " << text;
    }
}

TEST_P(ExplainedPlan, ExplainsEveryNumberOfTheResult) {
    std::size_t numbers = 0;
    for_each_number(figures_json(result), {}, [&](const std::string &path, double value) {
        ++numbers;
        const Derivation *node = find_figure(tree, path);
        ASSERT_NE(node, nullptr) << path;
        EXPECT_NEAR(node->value, value, 1e-9 * std::abs(value)) << path << " = " << node->formula;
        EXPECT_TRUE(node->figure.empty()) << path << " has no derivation of its own";
    });
    EXPECT_GT(numbers, 70u);
}

TEST_P(ExplainedPlan, RefersOnlyToFiguresThatItExplains) {
    for_each_node(tree, [&](const Derivation &node) {
        if (node.figure.empty())
            return;
        const Derivation *figure = find_figure(tree, node.figure);
        ASSERT_NE(figure, nullptr) << node.figure;
        EXPECT_TRUE(figure->figure.empty()) << node.figure;
        EXPECT_NEAR(figure->value, node.value, 1e-9 * std::abs(node.value)) << node.figure;
    });
}

TEST_P(ExplainedPlan, NamesFormulasOfTheCatalogueByTheirResults) {
    std::set<std::string> calculators;
    for_each_node(tree, [&](const Derivation &node) {
        if (node.calculator.empty())
            return;
        calculators.insert(node.calculator);
        const Formula *formula = find_formula(node.calculator);
        ASSERT_NE(formula, nullptr) << node.calculator;
        const FormulaResult *of = formula->find_result(node.result);
        ASSERT_NE(of, nullptr) << node.calculator << ": " << node.result;
        EXPECT_EQ(node.inputs.size(), of->arguments.size()) << node.calculator;
        EXPECT_EQ(node.source, formula->source);
    });
    EXPECT_GE(calculators.size(), 25u);
}

/// Each leaf is a field of the plan, a count over fields, a fact about the hardware, model or software, or a constant.
/// Each leaf names its place and its source.
TEST_P(ExplainedPlan, EndsAtFieldsFactsAndConstants) {
    Json plan = to_json(result.plan);
    plan["stack"] = to_json(result.plan.stack); // fields of the software stack can also be set by name
    const std::set<std::string> provenances{"physics", "published", "fitted", "assumed"};
    for_each_node(explain(result, simulate_pipeline(result.plan)), [&](const Derivation &node) {
        if (!node.inputs.empty() || !node.figure.empty())
            return;
        EXPECT_FALSE(node.source.empty()) << node.name;
        switch (node.origin) {
        case Origin::plan: // another test compares the value with the plan's field
            EXPECT_FALSE(node.field.empty()) << node.name;
            break;
        case Origin::hardware:
        case Origin::model:
        case Origin::software:
            EXPECT_TRUE(!node.field.empty() && plan.contains(Json::json_pointer(node.field)))
                << node.name << " at " << node.field;
            break;
        case Origin::constant:
            EXPECT_TRUE(provenances.contains(node.source.substr(0, node.source.find(':')))) << node.source;
            EXPECT_TRUE(node.field.empty() || find_constant(node.field.substr(node.field.rfind('/') + 1)) != nullptr)
                << node.field;
            break;
        case Origin::derived:
        case Origin::simulation:
            ADD_FAILURE() << node.name << " (" << node.title << ") has no derivation: " << node.source;
        }
    });
}

/// A leaf that is a count over fields has no unit: it is never seconds, bytes or a rate.
TEST_P(ExplainedPlan, CountsOnlyWhatCanBeCounted) {
    for_each_node(tree, [](const Derivation &node) {
        if (node.source.starts_with("the plan: ") && node.value != 0) {
            EXPECT_TRUE(node.quantity == Quantity::count || node.quantity == Quantity::number) << node.name;
        }
    });
}

INSTANTIATE_TEST_SUITE_P(Presets, ExplainedPlan, ::testing::ValuesIn(evaluable_plans()),
                         [](const auto &parameter) { return test_name(parameter.param); });

RC_GTEST_PROP(Explanation, MakesTheNumbersOfAnyPlan, ()) {
    const std::optional<Plan> plan = valid_plan(*plan_documents());
    RC_PRE(plan.has_value());
    const Result result = evaluate(*plan, Depth::numbers);
    const Derivation tree = explain(result);
    for_each_number(figures_json(result), {}, [&](const std::string &path, double value) {
        const Derivation *node = find_figure(tree, path);
        RC_ASSERT(node != nullptr);
        if (std::abs(node->value - value) > 1e-9 * std::max(std::abs(value), 1e-9))
            RC_FAIL(path + ": " + std::to_string(node->value) + " for " + std::to_string(value));
    });
}

/// The figures of a schedule equal those of the executed pipeline.
TEST_P(ExplainedPlan, ExplainsTheExecutedPipeline) {
    const PlanPipeline pipeline = simulate_pipeline(result.plan);
    const Derivation with = explain(result, pipeline);
    const Timeline &timeline = pipeline.timeline;
    const auto expect = [&](const char *path, double value) {
        const Derivation *node = find_figure(with, path);
        ASSERT_NE(node, nullptr) << path;
        EXPECT_NEAR(node->value, value, 1e-9 * std::abs(value)) << path;
    };
    expect("schedule.makespan_seconds", timeline.makespan);
    expect("schedule.bubble_of_ideal", timeline.bubble_of_ideal());
    expect("schedule.bubble_of_total", timeline.bubble_of_total());
    expect("schedule.bubble_of_span", timeline.bubble_of_span());
    expect("schedule.peak_bytes", *std::max_element(timeline.peak_bytes.begin(), timeline.peak_bytes.end()));
    expect("schedule.in_flight", *std::max_element(timeline.peak_in_flight.begin(), timeline.peak_in_flight.end()));
    for (std::size_t rank = 0; rank < timeline.peak_bytes.size(); ++rank) {
        expect(fmt::format("schedule.ranks.{}.peak_bytes", rank).c_str(), timeline.peak_bytes[rank]);
        expect(fmt::format("schedule.ranks.{}.resident_bytes", rank).c_str(), pipeline.work.resident_bytes[rank]);
    }
    expect_sound(with);
}

TEST_P(ExplainedPlan, ExplainsWhatAChangeBrings) {
    Plan changed = result.plan;
    changed.recompute = {.mode = RecomputeMode::full, .layers = 0, .modules = {}};
    const Result after = evaluate(changed, Depth::numbers);
    const Derivation change = explain_change(result, after, "step.seconds");
    const Derivation *gain = find_figure(change, "gain_step.seconds");
    ASSERT_NE(gain, nullptr);
    EXPECT_NEAR(gain->value, after.step.seconds - result.step.seconds, 1e-9 * result.step.seconds);
    EXPECT_EQ(find_figure(change, "changed_memory.peak_bytes")->value, after.memory.peak_bytes);
    expect_sound(change);
}

TEST(Explanation, MovesWithTheFormulaAsResultAndCalculatorDo) {
    const Plan plan = preset_plan("llama3-405b-16k");
    const auto compute = [&] { return evaluate(plan, Depth::numbers).step.term(StepTerm::compute); };
    const auto explained = [&] {
        const Result result = evaluate(plan, Depth::numbers);
        return find_figure(explain(result), "step.compute_seconds")->value;
    };
    const auto calculated = [] {
        return calculate("matrix-multiply",
                         {{"rows", "8192"},
                          {"columns", "8192"},
                          {"depth", "8192"},
                          {"rate", "600TFLOP/s"},
                          {"memory_rate", "3TB/s"}})
            .values.front()
            .value;
    };
    const double before = compute();
    const double calculated_before = calculated();
    {
        const decltype(formula::matrix_flops)::Replacement twice(
            formula::matrix_flops,
            [](double rows, double columns, double depth) { return 4 * rows * columns * depth; });
        EXPECT_GT(compute(), 1.5 * before);
        EXPECT_NEAR(explained(), compute(), 1e-9 * before);
        EXPECT_NEAR(calculated(), 2 * calculated_before, 1e-9 * calculated_before);
    }
    EXPECT_EQ(compute(), before);
}

TEST(Explanation, MovesWithCollectivesToo) {
    const Plan plan = preset_plan("llama3-405b-16k");
    const auto tensor = [&] { return evaluate(plan, Depth::numbers).step.term(StepTerm::tensor); };
    const double before = tensor();
    const decltype(formula::ring_half_bytes)::Replacement twice(
        formula::ring_half_bytes, [](double ranks, double bytes) { return 2 * (ranks - 1) / ranks * bytes; });
    EXPECT_GT(tensor(), before);
    const Result result = evaluate(plan, Depth::numbers);
    EXPECT_NEAR(find_figure(explain(result), "step.tensor_exposed_seconds")->value, tensor(), 1e-9 * before);
}

TEST(Explanation, PutsNumbersForNames) {
    const Result result = evaluate(preset_plan("ten-to-25"), Depth::numbers);
    const Derivation tree = explain(result);
    const Derivation *days = find_figure(tree, "run.days");
    ASSERT_NE(days, nullptr);
    EXPECT_EQ(days->formula, "seconds / 86400");
    EXPECT_EQ(days->calculator, "run-time");
    EXPECT_EQ(days->substituted(), text_of(result.run.seconds, Quantity::seconds) + " / 86400");
}

} // namespace meshwright

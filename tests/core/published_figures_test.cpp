// SPDX-License-Identifier: GPL-3.0-or-later
#include "data_rows.h"
#include "derived_formulas.h"
#include "formulas/formula.h"

#include <gtest/gtest.h>
#include <muParser.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace meshwright {

namespace {

using testing::DerivedFormula;

/// A published figure with its stated precision.
struct PublishedFigure {
    std::string formula;
    std::map<std::string, std::string, std::less<>> arguments;
    std::string result;
    double published;
    double precision;
    std::string reading; ///< formula that turns the formula's `value` into the published one
    std::string source;
};

std::vector<PublishedFigure> published_figures() {
    std::vector<PublishedFigure> figures;
    for (const std::vector<std::string> &row : testing::rows_of("published_figures.csv")) {
        figures.push_back({.formula = row.at(0),
                           .arguments = testing::arguments_of(row.at(1)),
                           .result = row.at(2),
                           .published = std::stod(row.at(3)),
                           .precision = std::stod(row.at(4)),
                           .reading = row.at(5),
                           .source = row.at(6)});
    }
    return figures;
}

double read(const PublishedFigure &figure, double value) {
    mu::Parser parser;
    parser.DefineConst("value", value);
    parser.SetExpr(figure.reading);
    return parser.Eval();
}

std::vector<DerivedFormula> derived_formulas() {
    std::vector<DerivedFormula> all;
    for (const auto &part :
         {testing::derived_machine_formulas(), testing::derived_memory_formulas(), testing::derived_kernel_formulas(),
          testing::derived_run_formulas(), testing::derived_training_formulas()})
        all.insert(all.end(), part.begin(), part.end());
    return all;
}

} // namespace

TEST(PublishedFigures, AreWhatTheFormulasGive) {
    const std::vector<PublishedFigure> figures = published_figures();
    ASSERT_GT(figures.size(), 110u);
    for (const PublishedFigure &figure : figures) {
        SCOPED_TRACE(figure.formula + " " + figure.result + ": " + figure.source);
        EXPECT_FALSE(figure.source.empty());
        const Calculation worked = calculate(figure.formula, figure.arguments);
        const auto value = std::find_if(worked.values.begin(), worked.values.end(), [&](const Calculation::Value &one) {
            return one.result->name == figure.result;
        });
        ASSERT_NE(value, worked.values.end());
        EXPECT_NEAR(read(figure, value->value), figure.published, figure.precision + 1e-9 * std::abs(figure.published));
    }
}

TEST(PublishedFigures, WhereThereAreNoneFormulasAgreeWithAnotherWayToThem) {
    for (const DerivedFormula &derived : derived_formulas()) {
        SCOPED_TRACE(std::string(derived.formula) + ", by " + std::string(derived.by));
        EXPECT_NE(find_formula(derived.formula), nullptr);
        EXPECT_FALSE(derived.by.empty());
        derived.check();
    }
}

TEST(PublishedFigures, OrAnotherWayHoldEveryFormula) {
    std::set<std::string, std::less<>> published;
    for (const PublishedFigure &figure : published_figures())
        published.insert(figure.formula);
    for (const std::vector<std::string> &row : testing::rows_of("calculators.csv"))
        published.insert(row.at(0));
    std::set<std::string, std::less<>> held = published;
    for (const DerivedFormula &derived : derived_formulas()) {
        EXPECT_FALSE(published.contains(derived.formula)) << derived.formula << " has a published figure after all";
        EXPECT_TRUE(held.insert(std::string(derived.formula)).second) << derived.formula << " twice";
    }
    for (const Formula &formula : formulas())
        EXPECT_TRUE(held.contains(formula.id)) << formula.id << " is held to nothing";
    EXPECT_EQ(held.size(), formulas().size()) << "a row names no formula";
}

} // namespace meshwright

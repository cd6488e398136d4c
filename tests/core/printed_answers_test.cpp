// SPDX-License-Identifier: GPL-3.0-or-later
// Compares the answers printed in the course, the interview guide, the 10^25 plan and the decks with the planner's.
#include "advise/complete_result.h"
#include "data_rows.h"
#include "evaluate/evaluate.h"
#include "formulas/formula.h"
#include "plan/plan_json.h"
#include "preset_plans.h"

#include <gtest/gtest.h>
#include <muParser.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <map>
#include <sstream>
#include <string>

namespace meshwright {

namespace {

/// An answer as a text prints it. If the planner's answer differs by more than the printed digits, `why` explains the
/// error.
struct PrintedAnswer {
    std::string text;
    std::string exercise;
    std::string printed;
    double value;
    double precision;
    std::string calculator; ///< id of a calculator, or "plan:" and a preset
    std::string arguments; ///< arguments of the calculator, or fields to set
    std::string result; ///< name of a result, or a JSON pointer into the evaluated plan
    std::string reading; ///< formula that turns the calculated `value` into the printed one
    std::string why;
};

std::vector<PrintedAnswer> printed_answers() {
    std::vector<PrintedAnswer> answers;
    for (const std::vector<std::string> &row : testing::rows_of("printed_answers.csv"))
        answers.push_back({.text = row.at(0),
                           .exercise = row.at(1),
                           .printed = row.at(2),
                           .value = std::stod(row.at(3)),
                           .precision = std::stod(row.at(4)),
                           .calculator = row.at(5),
                           .arguments = row.at(6),
                           .result = row.at(7),
                           .reading = row.at(8),
                           .why = row.at(9)});
    return answers;
}

double planned(const PrintedAnswer &answer) {
    const Library &library = shipped_presets();
    nlohmann::ordered_json document = library.json(PresetKind::plan, answer.calculator.substr(5));
    std::istringstream fields(answer.arguments);
    for (std::string field; fields >> field;)
        set_field(document, field, library);
    const Outcome outcome = evaluate_document(document, library);
    const nlohmann::ordered_json value =
        to_json(*outcome.result).at(nlohmann::ordered_json::json_pointer(answer.result));
    return value.is_boolean() ? (value.get<bool>() ? 1 : 0) : value.get<double>();
}

double calculated(const PrintedAnswer &answer) {
    const Calculation worked = calculate(answer.calculator, testing::arguments_of(answer.arguments));
    for (const Calculation::Value &one : worked.values)
        if (one.result->name == answer.result)
            return one.value;
    ADD_FAILURE() << answer.calculator << " gives no " << answer.result;
    return std::nan("");
}

double read_answer(const PrintedAnswer &answer) {
    mu::Parser parser;
    parser.DefineConst("value", answer.calculator.starts_with("plan:") ? planned(answer) : calculated(answer));
    parser.SetExpr(answer.reading);
    return parser.Eval();
}

} // namespace

TEST(PrintedAnswers, AreReproducedOrSaidToBeWrong) {
    std::map<std::string, int> reproduced, wrong;
    for (const PrintedAnswer &answer : printed_answers()) {
        SCOPED_TRACE(answer.text + ", " + answer.exercise + ": " + answer.printed);
        const double ours = read_answer(answer);
        const bool agrees = std::abs(ours - answer.value) <= answer.precision + 1e-9 * std::abs(answer.value);
        EXPECT_EQ(agrees, answer.why.empty()) << ours << " instead of " << answer.value;
        ++(answer.why.empty() ? reproduced : wrong)[answer.text];
    }
    EXPECT_EQ(reproduced.size(), 5U) << "every text has answers that are right";
    EXPECT_GE(wrong["course"], 30);
}

} // namespace meshwright

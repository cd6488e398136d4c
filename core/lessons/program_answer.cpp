// SPDX-License-Identifier: GPL-3.0-or-later
#include "lessons/program_answer.h"

#include "formulas/formula.h"
#include "formulas/javascript.h"
#include "formulas/special_units.h"
#include "input/diagnostic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <vector>

namespace meshwright {

namespace {

constexpr std::uint64_t drawn_cases = 19; ///< number of drawn cases to test, in addition to the question's own numbers

/// The question's own numbers first, then numbers from other seeds.
std::vector<Question> cases_of(const Question &question, LessonEngine &engine) {
    std::vector<Question> cases{question};
    for (std::uint64_t i = 1; i <= drawn_cases; ++i)
        cases.push_back(ask(*question.step, question.seed + i, engine));
    return cases;
}

std::vector<double> arguments_of(const LessonStep &step, const Question &question) {
    std::vector<double> arguments;
    for (const std::string &parameter : step.parameters)
        arguments.push_back(question.numbers.find(parameter)->second);
    return arguments;
}

std::string call_text(const LessonStep &step, const std::vector<double> &arguments) {
    std::string text;
    for (const double argument : arguments)
        text += fmt::format("{}{:.12g}", text.empty() ? "" : ", ", argument);
    return fmt::format("{}({})", step.function, text);
}

/// The engine value that is the answer. @pre the lesson has been checked, so that there is one
const EngineValue &answer_value(const LessonStep &step) {
    return *std::find_if(step.values.begin(), step.values.end(),
                         [&](const EngineValue &value) { return value.name == step.answer->text; });
}

} // namespace

Judgement judge_program(const Question &question, std::string_view program, LessonEngine &engine,
                        const ProgramRunner &run) {
    const LessonStep &step = *question.step;
    if (run == nullptr)
        return {.correct = false, .hint = "This build of Meshwright cannot run exercise programs.", .slip = {}};
    const std::vector<Question> cases = cases_of(question, engine);
    ProgramCall call{.program = std::string(program), .function = step.function, .cases = {}};
    for (const Question &each : cases)
        call.cases.push_back(arguments_of(step, each));
    const ProgramOutcome outcome = run(call);
    for (std::size_t i = 0; i < outcome.values.size() && i < cases.size(); ++i) {
        const double wanted = cases[i].numbers.find("answer")->second;
        if (std::abs(outcome.values[i] - wanted) <= step.tolerance * std::abs(wanted))
            continue;
        return {.correct = false,
                .hint = fmt::format("{} returns {:.6g}; expected {:.6g}.", call_text(step, call.cases[i]),
                                    outcome.values[i], wanted),
                .slip = {}};
    }
    if (outcome.values.size() < cases.size()) {
        const std::size_t failed = outcome.values.size();
        const std::string problem = outcome.problem.empty() ? "the program returns no value" : outcome.problem;
        return {.correct = false,
                .hint = failed == 0 ? problem : fmt::format("{}: {}", call_text(step, call.cases[failed]), problem),
                .slip = {}};
    }
    return {.correct = true, .hint = {}, .slip = {}};
}

std::string reference_program(const Question &question) {
    const LessonStep &step = *question.step;
    const EngineValue &value = answer_value(step);
    const Formula &formula = *find_formula(value.formula);
    const FormulaResult &result = *formula.find_result(value.result);
    std::vector<Expression> arguments;
    for (const std::string_view name : result.arguments) {
        const auto given = std::find_if(value.arguments.begin(), value.arguments.end(),
                                        [&](const GivenArgument &argument) { return argument.name == name; });
        const bool is_parameter =
            std::find(step.parameters.begin(), step.parameters.end(), name) != step.parameters.end();
        const Symbol &symbol = *formula.find_symbol(name);
        if (given != value.arguments.end() && given->expression)
            arguments.push_back(given->expression->parsed);
        else if (given != value.arguments.end())
            arguments.emplace_back(value_from(given->text, symbol).value_or(0));
        else if (is_parameter)
            arguments.push_back(Expression::name(name));
        else
            arguments.emplace_back(symbol.otherwise.value_or(0));
    }
    const std::vector<std::string_view> parameters(step.parameters.begin(), step.parameters.end());
    std::string text = javascript_function(step.function, parameters, result.formula(arguments));
    if (text.empty())
        throw InputError("", fmt::format("{} of {} has no formula", value.result, value.formula),
                         "expected a result that is calculated by a formula, not simulated");
    return text;
}

} // namespace meshwright

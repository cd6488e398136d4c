// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/expression.h"
#include "quantities/text.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace meshwright {

/// The kinds of step. The first two have no question, but their texts may contain engine values.
enum class StepKind { text, discussion, number, choice, order, bug, code, design };
const std::vector<std::string> &step_kind_names();
std::string_view name_of(StepKind kind);
constexpr bool is_question(StepKind kind) {
    return kind != StepKind::text && kind != StepKind::discussion;
}

struct StepExpression {
    std::string text; ///< expression in muParser syntax, such as "seconds / 2"
    Expression parsed = 0;
};

/// A number drawn at random for each question.
struct DrawnNumber {
    std::string name; ///< name of the number; texts refer to it as {name}
    Quantity quantity = Quantity::number;
    std::string unit; ///< unit ("days"), if it is not the SI unit
    std::vector<double> values; ///< values to draw from; at least one
    std::vector<std::string> words; ///< words for an argument that takes words; otherwise empty
};

struct FieldSetting {
    std::string field; ///< dotted name as for --set, such as "parallelism.tensor"
    nlohmann::ordered_json value;
    std::optional<StepExpression> expression; ///< expression over drawn numbers; replaces the value if set
};

/// An argument of a formula: an expression over drawn numbers, or a command-line value ("400 Gb/s", "cosine").
struct GivenArgument {
    std::string name;
    std::string text;
    std::optional<StepExpression> expression;
    std::vector<GivenArgument> items; ///< unnamed items of an argument that is a list of numbers
};

/// A number that the engine calculates: a result of a catalog formula, or a figure of the lesson's plan.
struct EngineValue {
    std::string name;
    std::string formula; ///< id of the formula; empty for a figure of the plan
    std::string result;
    /// Arguments of the formula. Drawn numbers that have the name of an argument are passed as well.
    std::vector<GivenArgument> arguments;
    std::string figure; ///< path of a figure in evaluate()'s result, such as "step.mfu"
    std::vector<FieldSetting> settings;
};

/// A plausible mistake and the wrong answer that it gives.
struct Slip {
    std::string name; ///< short description, such as "only one phase"
    StepExpression value; ///< wrong answer: an expression over drawn numbers, engine values and "answer"
    std::string hint; ///< one or two sentences, with placeholders for numbers
};

/// An option of a choice, an item to sort, or a correction of a bug.
struct StepOption {
    std::string text; ///< text with placeholders for numbers
    StepExpression value; ///< the right option has the largest, the smallest or (for `holds`) a nonzero value
    std::string why; ///< explanation for a reader who chose this wrong option; may be empty
    std::int64_t line = 0; ///< line of the program that a correction replaces, from 1
    std::string code;
};

/// Which option of a choice is right: the one with the largest value, with the smallest, or with a nonzero value.
enum class RightOption { largest, smallest, holds };
const std::vector<std::string> &right_option_names();

struct DesignGoal {
    std::string text; ///< goal as text, such as "MFU of at least 40%"
    std::string figure; ///< path in the result of evaluate(), such as "verdict.fits"
    std::optional<double> at_least;
    std::optional<double> at_most;
    std::optional<bool> is; ///< required value of a Boolean figure
};

struct FreeField {
    std::string field; ///< dotted name, such as "parallelism.tensor"
    /// Numbers, words or Booleans. A design task's solution is one of their combinations.
    std::vector<nlohmann::ordered_json> values;
};

struct LessonFigure {
    std::string kind; ///< kind of figure, one of lesson_figure_kinds()
    std::string caption;
    std::string formula; ///< id of the formula that a curve shows
    std::string result;
    std::string over; ///< name of the argument on the x axis
    std::vector<std::pair<std::string, double>> parameters; ///< parameters of an animated picture, such as "ranks" = 8
    std::vector<FieldSetting> settings;
    std::vector<FreeField> turn; ///< fields that the reader may change
};
/// Kinds of figures: "pipeline", "memory", "step", "sites", "curve", and the names of pictures ("ring", "tree", "zero",
/// ...) and of plots ("measured-runs", ...).
const std::vector<std::string> &lesson_figure_kinds();
bool is_of_plan(const LessonFigure &figure);
/// The parts of a figure that a hint may mark: memory categories or terms of the step time. Empty for other figures.
const std::vector<std::string> &parts_of_figure(std::string_view kind);

struct LessonHint {
    std::string text; ///< one or two sentences, with placeholders for numbers
    std::string part; ///< part of the step's figure that the hint marks; may be empty
};

struct LessonStep {
    std::string id; ///< identifier of lower-case letters, digits and hyphens
    std::string title;
    StepKind kind = StepKind::text;
    std::string text; ///< Markdown; may be empty for a question
    std::string notes; ///< speaker notes in Markdown
    std::optional<LessonFigure> figure;
    std::vector<LessonHint> hints; ///< hints in order, from the general idea to the formula

    std::string question; ///< Markdown with placeholders for numbers
    std::vector<DrawnNumber> draws;
    std::optional<StepExpression> where; ///< condition on the drawn numbers; if it is 0, the numbers are drawn again
    std::vector<EngineValue> values;
    std::optional<StepExpression> answer;
    std::optional<Quantity> quantity; ///< quantity of the answer; if unset, that of the plan figure in the answer
    std::string unit; ///< unit of answers that state none; empty for a dimensionless number
    double tolerance = 0.01; ///< relative tolerance of the answer
    std::vector<Slip> slips;
    std::vector<StepOption> options; ///< options of a choice, items to sort, or corrections of a bug
    RightOption right = RightOption::holds;
    bool descending = false; ///< items are sorted from the largest to the smallest value
    std::vector<std::string> program; ///< lines of a program with a bug, as "name = expression"
    std::vector<std::pair<std::string, std::string>>
        checked; ///< bug question: names in the program and the engine values that they must equal
    std::string function; ///< name of the function that the reader writes
    std::vector<std::string> parameters; ///< drawn numbers that are the function's parameters, in order
    std::vector<FreeField> fields; ///< plan fields that the reader of a design task may set
    std::vector<FieldSetting> start;
    std::vector<DesignGoal> goals;
};

/// All texts are UTF-8.
struct Lesson {
    std::string id; ///< name of the lesson's file without suffix
    std::string title;
    std::string summary;
    std::int64_t chapter = 0;
    std::int64_t minutes = 0;
    nlohmann::ordered_json plan; ///< document of the lesson's own plan; null if it has none
    std::vector<std::string> sources;
    std::vector<LessonStep> steps;

    const LessonStep *find(std::string_view step) const;
    /// Null if the lesson has no question.
    const LessonStep *first_question() const;
};

} // namespace meshwright

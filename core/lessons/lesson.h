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

/// The kinds of step. The first two have no question; their texts may contain engine values.
enum class StepKind { text, discussion, number, choice, order, bug, code, design };
/// "text", "discussion", "number", ... in the order of the enumerators.
const std::vector<std::string> &step_kind_names();
std::string_view name_of(StepKind kind);
constexpr bool is_question(StepKind kind) {
    return kind != StepKind::text && kind != StepKind::discussion;
}

/// A parsed expression over the named values of a step.
struct StepExpression {
    std::string text; ///< in muParser syntax: "seconds / 2"
    Expression parsed = 0;
};

/// A number drawn anew for each question.
struct DrawnNumber {
    std::string name; ///< texts refer to it as {name}
    Quantity quantity = Quantity::number;
    std::string unit; ///< unit of the values if it is not the SI unit: "days"
    std::vector<double> values; ///< possible values; never empty
    std::vector<std::string> words; ///< choices of an argument that takes words; otherwise empty
};

/// A plan field with its new value.
struct FieldSetting {
    std::string field; ///< dotted name as for --set: "parallelism.tensor"
    nlohmann::ordered_json value;
    std::optional<StepExpression> expression; ///< expression over drawn numbers that replaces the value
};

/// An argument of a formula: an expression over drawn numbers, or a text as on the command line ("400 Gb/s", "cosine").
struct GivenArgument {
    std::string name;
    std::string text;
    std::optional<StepExpression> expression;
    std::vector<GivenArgument> items; ///< unnamed items if the argument is a list of numbers
};

/// A number that the engine calculates: a result of a catalog formula, or a figure of the lesson's plan.
struct EngineValue {
    std::string name; ///< name in expressions
    std::string formula; ///< id of the formula; empty for a figure of the plan
    std::string result; ///< name of a result of that formula
    /// Arguments of the formula. Drawn numbers that have the name of an argument are passed too.
    std::vector<GivenArgument> arguments;
    std::string figure; ///< path in the result of `evaluate`: "step.mfu"
    std::vector<FieldSetting> settings; ///< plan fields to set before the figure is calculated
};

/// A plausible mistake with the answer that results from it.
struct Slip {
    std::string name; ///< "only one phase"
    StepExpression value; ///< the wrong answer, as an expression over drawn numbers, engine values, and "answer"
    std::string hint; ///< one or two sentences; placeholders are filled in
};

/// An option of a choice, an item to order, or a correction of a bug.
struct StepOption {
    std::string text; ///< text with placeholders
    StepExpression value; ///< value that determines the right option; for `holds`, nonzero if the option is right
    std::string why; ///< explanation shown after choosing this wrong option; may be empty
    std::int64_t line = 0; ///< for a correction: line of the program, counted from 1
    std::string code; ///< the corrected line
};

/// How the right option of a choice is determined.
enum class RightOption { largest, smallest, holds };
const std::vector<std::string> &right_option_names();

/// A goal of a design task.
struct DesignGoal {
    std::string text; ///< such as "MFU of at least 40%"
    std::string figure; ///< path in the result of `evaluate`: "verdict.fits"
    std::optional<double> at_least;
    std::optional<double> at_most;
    std::optional<bool> is; ///< required value of a Boolean figure
};

/// A field of the plan that a reader may set.
struct FreeField {
    std::string field; ///< dotted name of the field
    /// Numbers, words or Booleans. The solution of a design task is searched among these values.
    std::vector<nlohmann::ordered_json> values;
};

/// The figure next to a step.
struct LessonFigure {
    std::string kind; ///< one of lesson_figure_kinds()
    std::string caption;
    std::string formula; ///< id of the formula that a curve shows
    std::string result;
    std::string over; ///< argument on the x axis
    std::vector<std::pair<std::string, double>> parameters; ///< parameters of an animated picture: "ranks", 8
    std::vector<FieldSetting> settings; ///< fields of the lesson's plan to set before drawing
    std::vector<FreeField> turn; ///< fields that the reader may change
};
/// Kinds of figures: "pipeline", "memory", "step", "sites", "curve", and the names of pictures ("ring", "tree", "zero",
/// ...) and of plots ("measured-runs", ...).
const std::vector<std::string> &lesson_figure_kinds();
/// Whether the figure shows the lesson's plan.
bool is_of_plan(const LessonFigure &figure);
/// The parts of a kind of figure that a hint may mark: kinds of memory, or terms of a step; empty for other figures.
const std::vector<std::string> &parts_of_figure(std::string_view kind);

/// A hint, shown on request.
struct LessonHint {
    std::string text; ///< one or two sentences; placeholders are filled in
    std::string part; ///< part of the step's figure that the hint explains; may be empty
};

struct LessonStep {
    std::string id; ///< lower-case letters, digits and hyphens
    std::string title;
    StepKind kind = StepKind::text;
    std::string text; ///< Markdown; may be empty for a question
    std::string notes; ///< speaker notes in Markdown
    std::optional<LessonFigure> figure;
    std::vector<LessonHint> hints; ///< hints in order, from the idea to the formula

    std::string question; ///< Markdown with placeholders
    std::vector<DrawnNumber> draws;
    std::optional<StepExpression> where; ///< condition on the drawn numbers; they are drawn again if it is 0
    std::vector<EngineValue> values;
    std::optional<StepExpression> answer; ///< expected value of a number question
    std::optional<Quantity>
        quantity; ///< quantity of the answer; if unset, the quantity of the plan's figure that is the answer
    std::string unit; ///< default unit for answers without one; empty for a plain number
    double tolerance = 0.01; ///< relative tolerance
    std::vector<Slip> slips;
    std::vector<StepOption> options; ///< options of a choice, items of an order, corrections of a bug
    RightOption right = RightOption::holds;
    bool descending = false; ///< whether items are ordered from the largest to the smallest value
    std::vector<std::string> program; ///< lines of the program with a bug: "name = expression"
    std::vector<std::pair<std::string, std::string>>
        checked; ///< for a bug: names in the program, with the engine values that they must equal
    std::string function; ///< name of the function to write
    std::vector<std::string> parameters; ///< drawn numbers that the function takes, in the order of its parameters
    std::vector<FreeField> fields; ///< plan fields that the reader of a design task may set
    std::vector<FieldSetting> start; ///< initial settings of a design task
    std::vector<DesignGoal> goals;
};

/// A lesson of the course. All texts are UTF-8.
struct Lesson {
    std::string id; ///< name of its file without suffix
    std::string title;
    std::string summary; ///< one sentence
    std::int64_t chapter = 0; ///< position in the list
    std::int64_t minutes = 0;
    nlohmann::ordered_json plan; ///< document of the lesson's own plan; null for a lesson without a plan
    std::vector<std::string> sources;
    std::vector<LessonStep> steps;

    const LessonStep *find(std::string_view step) const;
    /// The first step with a question; null if there is none.
    const LessonStep *first_question() const;
};

} // namespace meshwright

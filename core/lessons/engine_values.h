// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/result.h"
#include "formulas/derivation.h"
#include "lessons/lesson.h"
#include "lessons/step_expressions.h"

#include <nlohmann/json_fwd.hpp>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace meshwright {

class Library;

struct FigureKind {
    Quantity quantity = Quantity::number;
    std::string title;
    bool is_yes_or_no = false;
};

struct PlanFigure {
    double value = 0; ///< for a yes-or-no figure, 1 or 0
    FigureKind kind;
};

/// Applies settings to a plan's document. The setting "plan" replaces the document with the preset of that id.
/// @throws InputError if a field or a preset is unknown
nlohmann::ordered_json with_settings(nlohmann::ordered_json document, const std::vector<FieldSetting> &settings,
                                     const NamedNumbers &numbers, const Library &library);

/// Calculates the engine values of a lesson's steps. Evaluated plans are cached: a hundred questions about
/// one plan evaluate it once. Not thread-safe.
class LessonEngine {
public:
    /// @pre lesson and library outlive this object
    LessonEngine(const Lesson &lesson, const Library &library)
        : m_lesson(lesson)
        , m_library(library) { }

    /// @returns the value in SI units
    /// @param numbers  drawn numbers, and the engine values listed before this one
    /// @throws InputError if the formula or the plan rejects the drawn numbers
    double value_of(const LessonStep &step, const EngineValue &value, const NamedNumbers &numbers);

    /// The value with its derivation. If it is a figure of the plan, the derivation has only the direct inputs.
    /// @throws InputError
    Derivation derivation_of(const LessonStep &step, const EngineValue &value, const NamedNumbers &numbers);

    /// Result of the lesson's plan after `settings` have been applied to it. @throws InputError if a field is unknown
    /// or the plan is invalid
    std::shared_ptr<const Result> result_with(const std::vector<FieldSetting> &settings, const NamedNumbers &numbers);

    /// @param path  "step.mfu", "memory.stages.0.total_bytes" @throws InputError if the result has no such number
    PlanFigure figure_of(const Result &result, const std::string &path);
    /// Title and quantity of an engine value that is a figure. @throws InputError
    const FigureKind &kind_of(const EngineValue &value, const NamedNumbers &numbers);

private:
    const FigureKind &kind_in(const Result &result, const std::string &path);
    std::map<std::string, std::string, std::less<>> arguments_of(const LessonStep &step, const EngineValue &value,
                                                                 const NamedNumbers &numbers) const;

    const Lesson &m_lesson;
    const Library &m_library;
    std::map<std::string, std::shared_ptr<const Result>> m_results; ///< keyed by the text of the settings
    std::map<std::string, FigureKind> m_kinds;
};

/// A figure with its unit, for texts; "yes" or "no" for a yes-or-no figure.
std::string text_of(double value, const FigureKind &kind);
std::string display_text(double value, Quantity quantity, const std::string &unit);
std::string engine_value_text(const LessonStep &step, std::string_view name, double value);
/// Default unit of answers if the step names none: the SI unit, or percent for fractions.
std::string usual_unit(Quantity quantity);

} // namespace meshwright

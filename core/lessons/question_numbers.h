// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "input/field_reader.h"
#include "lessons/lesson.h"
#include "lessons/step_expressions.h"

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

struct Symbol;

/// Reads the numbers of a question: drawn numbers, engine values, and expressions over them.
class QuestionNumbers {
public:
    /// @param step  receives the drawn numbers and the engine values
    QuestionNumbers(FieldReader &reader, const Lesson &lesson, LessonStep &step)
        : m_reader(reader)
        , m_lesson(lesson)
        , m_step(step) { }

    void read();
    /// Reads only engine values, for the text of a step without a question.
    void read_values();

    const std::set<std::string, std::less<>> &names() const { return m_names; }
    /// The expression under a key, if there is one; reports a problem if it cannot be parsed.
    std::optional<StepExpression> expression(FieldReader &reader, std::string_view key,
                                             const std::set<std::string> &more = {}) const;
    /// Whether the expression uses an engine value. Correct answers must use one, so that they are calculated and not
    /// typed in.
    bool uses_engine(const Expression &expression) const;
    Quantity quantity_named(const std::string &key, const std::string &word, Quantity otherwise);

private:
    void read_formula_ids();
    const Symbol *symbol_named(std::string_view name) const;
    void read_draws();
    void read_draw(const std::string &name, const nlohmann::ordered_json &given);
    void add_value(const std::string &text, const Symbol &symbol, DrawnNumber &draw);
    std::vector<std::string> texts_of_range(const std::string &name, const nlohmann::ordered_json &given);
    void complete(FieldReader &reader, EngineValue &value, std::string_view key);
    void read_arguments(FieldReader &reader, EngineValue &value) const;

    FieldReader &m_reader;
    const Lesson &m_lesson;
    LessonStep &m_step;
    std::vector<std::string> m_formulas;
    std::set<std::string, std::less<>> m_names;
};

} // namespace meshwright

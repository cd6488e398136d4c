// SPDX-License-Identifier: GPL-3.0-or-later
#include "lessons/step_reading.h"

#include "formulas/formula.h"
#include "input/field_reader.h"
#include "lessons/question_numbers.h"
#include "lessons/question_reading.h"
#include "lessons/step_parts.h"
#include "pictures/picture.h"

#include <fmt/format.h>

#include <algorithm>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

class StepReading {
public:
    StepReading(FieldReader &reader, const Lesson &lesson, const Library &library)
        : m_reader(reader)
        , m_lesson(lesson)
        , m_library(library) { }

    LessonStep read() {
        read_texts();
        if (is_question(m_step.kind)) {
            read_question(m_reader, m_lesson, m_library, m_step);
        } else {
            if (m_reader.raw("question") != nullptr)
                m_reader.problem("question",
                                 fmt::format("steps of kind {} cannot have a question", name_of(m_step.kind)),
                                 "expected a kind that asks a question, such as number");
            QuestionNumbers(m_reader, m_lesson, m_step).read_values();
        }
        m_reader.finish();
        return std::move(m_step);
    }

private:
    void read_texts() {
        m_reader.require("id", "expected a string");
        m_reader.require("title", "expected a string");
        m_reader.text("id", m_step.id);
        if (m_step.id.empty() || m_step.id.size() > 60
            || m_step.id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") != std::string::npos)
            m_reader.problem("id", "is malformed", "expected lower-case letters, digits and hyphens");
        m_reader.text("title", m_step.title);
        m_reader.text("text", m_step.text);
        m_reader.text("notes", m_step.notes);
        m_reader.choice("kind", m_step.kind, step_kind_names());
        m_reader.object("figure", [&](FieldReader &each) { read_figure(each); });
        read_hints();
    }

    /// A hint is a text, optionally with the part of the figure to which it refers.
    void read_hints() {
        const Json *const given = m_reader.raw("hints");
        if (given == nullptr)
            return;
        if (!given->is_array()) {
            m_reader.problem("hints", "is not an array", "expected strings, or objects with text and marks");
            return;
        }
        const std::string pointer = m_reader.pointer_to("hints");
        for (std::size_t i = 0; i < given->size(); ++i) {
            LessonHint hint;
            if ((*given)[i].is_string()) {
                hint.text = (*given)[i].get<std::string>();
            } else {
                FieldReader each((*given)[i], fmt::format("{}/{}", pointer, i), m_reader.problems());
                read_hint(each, hint);
            }
            m_step.hints.push_back(std::move(hint));
        }
    }

    void read_hint(FieldReader &reader, LessonHint &hint) {
        const std::vector<std::string> &parts =
            parts_of_figure(m_step.figure ? std::string_view(m_step.figure->kind) : std::string_view());
        reader.require("text", "expected a string");
        reader.text("text", hint.text);
        int part = 0;
        if (reader.has("marks") && parts.empty()) {
            reader.raw("marks");
            reader.problem("marks", "the lesson step has no figure of memory or step time",
                           "expected a hint without marks");
        } else if (reader.word("marks", part, parts)) {
            hint.part = parts[static_cast<std::size_t>(part)];
        }
        reader.finish();
    }

    void read_figure(FieldReader &reader) {
        LessonFigure figure;
        int kind = 0;
        reader.require("kind", "expected " + listed(lesson_figure_kinds()));
        if (reader.word("kind", kind, lesson_figure_kinds()))
            figure.kind = lesson_figure_kinds()[static_cast<std::size_t>(kind)];
        reader.text("caption", figure.caption);
        if (figure.kind == "curve") {
            for (const auto &[key, text] : {std::pair("formula", &figure.formula), std::pair("result", &figure.result),
                                            std::pair("over", &figure.over)}) {
                reader.require(key, "expected a string");
                reader.text(key, *text);
            }
            const Formula *const formula = find_formula(figure.formula);
            if (formula == nullptr || formula->find_result(figure.result) == nullptr
                || formula->find_symbol(figure.over) == nullptr)
                reader.problem("formula", "the curve's formula, result or argument is unknown",
                               "expected names from `meshwright-cli calc --list`");
        }
        read_parameters(reader, figure);
        read_settings(reader, "set", {}, figure.settings);
        read_free_fields(reader, "turn", figure.turn);
        if (is_of_plan(figure) && m_lesson.plan.is_null())
            reader.problem("kind", "this figure needs a plan, and the lesson has none",
                           "expected a plan in the front matter");
        reader.finish();
        m_step.figure = std::move(figure);
    }

    static void read_parameters(FieldReader &reader, LessonFigure &figure) {
        const Json *const with = reader.raw("with");
        if (with == nullptr)
            return;
        if (!with->is_object()
            || !std::all_of(with->begin(), with->end(), [](const Json &item) { return item.is_number(); })) {
            reader.problem("with", "is not an object of numbers", "expected argument names with values in SI units");
            return;
        }
        for (const auto &item : with->items())
            figure.parameters.emplace_back(item.key(), item.value().get<double>());
        const std::vector<std::string> &pictures = picture_names();
        if (std::find(pictures.begin(), pictures.end(), figure.kind) == pictures.end())
            return;
        try {
            complete({.name = figure.kind, .parameters = {figure.parameters.begin(), figure.parameters.end()}});
        } catch (const InputError &error) {
            const Diagnostic &first = error.diagnostics().front();
            reader.problem("with", first.message.text, first.expected.text);
        }
    }

    FieldReader &m_reader;
    const Lesson &m_lesson;
    const Library &m_library;
    LessonStep m_step;
};

} // namespace

LessonStep read_step(FieldReader &reader, const Lesson &lesson, const Library &library) {
    return StepReading(reader, lesson, library).read();
}

} // namespace meshwright

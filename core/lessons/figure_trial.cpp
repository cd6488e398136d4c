// SPDX-License-Identifier: GPL-3.0-or-later
#include "lessons/figure_trial.h"

#include "catalog/library.h"
#include "formulas/formula.h"
#include "input/field_reader.h"
#include "lessons/engine_values.h"
#include "lessons/step_parts.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>
#include <numeric>

namespace meshwright {

namespace {

constexpr std::size_t most_turned =
    256; ///< maximum number of combinations; beyond it, only those with one changed field are tried

/// Index of the selected value of each field.
using Turned = std::vector<std::size_t>;

std::size_t changed_fields(const Turned &turned, const Turned &begin) {
    return std::inner_product(turned.begin(), turned.end(), begin.begin(), std::size_t{0}, std::plus<>(),
                              [](std::size_t index, std::size_t first) { return std::size_t(index != first); });
}

/// All combinations of the fields' values, those with few changed fields first. If there are too many combinations,
/// only those with one changed field.
std::vector<Turned> combinations_of(const std::vector<FreeField> &fields, const Turned &begin) {
    std::vector<Turned> all{begin};
    const bool are_few = std::accumulate(fields.begin(), fields.end(), std::size_t{1},
                                         [](std::size_t product, const FreeField &field) {
                                             return std::min(most_turned + 1, product * field.values.size());
                                         })
        <= most_turned;
    for (std::size_t i = 0; i < fields.size(); ++i) {
        const std::size_t before = are_few ? all.size() : 1;
        for (std::size_t value = 0; value < fields[i].values.size(); ++value)
            for (std::size_t one = 0; value != begin[i] && one < before; ++one) {
                Turned turned = all[one];
                turned[i] = value;
                all.push_back(std::move(turned));
            }
    }
    std::stable_sort(all.begin(), all.end(), [&](const Turned &a, const Turned &b) {
        return changed_fields(a, begin) < changed_fields(b, begin);
    });
    return all;
}

std::string text_of_setting(const FreeField &field, std::size_t index) {
    return fmt::format("{}={}", field.field, field.values[index].dump());
}

class FigureTrial {
public:
    FigureTrial(const LessonFigure &figure, Turned begin, std::string pointer, LessonEngine &engine,
                std::vector<Diagnostic> &problems)
        : m_figure(figure)
        , m_begin(std::move(begin))
        , m_pointer(std::move(pointer))
        , m_engine(engine)
        , m_problems(problems) { }

    void run() {
        if (is_of_plan(m_figure))
            try_plans();
        else if (m_figure.kind == "curve")
            try_curve();
    }

private:
    void try_plans() {
        for (const Turned &turned : combinations_of(m_figure.turn, m_begin)) {
            std::vector<FieldSetting> settings = m_figure.settings;
            std::string text;
            for (std::size_t i = 0; i < turned.size(); ++i) {
                const FreeField &field = m_figure.turn[i];
                settings.push_back({.field = field.field, .value = field.values[turned[i]], .expression = {}});
                text += (text.empty() ? "" : " ") + text_of_setting(field, turned[i]);
            }
            try {
                m_engine.result_with(settings, {});
            } catch (const InputError &error) {
                const std::string what = text.empty() ? "the figure's plan" : "with " + text + " the plan";
                add(place_of(turned), fmt::format("{} is invalid: {}", what, problem_text(error)),
                    "expected values that give a valid plan in every combination");
                return;
            }
        }
    }

    /// Where to report a fault: at the changed value if exactly one is changed, at the fields if several are changed,
    /// and otherwise at the figure's settings.
    std::string place_of(const Turned &turned) const {
        if (m_figure.turn.empty() || changed_fields(turned, m_begin) == 0)
            return m_pointer + (m_figure.settings.empty() ? "" : "/set");
        const std::string fields = m_pointer + "/turn";
        if (changed_fields(turned, m_begin) > 1)
            return fields;
        const auto changed = std::mismatch(turned.begin(), turned.end(), m_begin.begin()).first;
        const FreeField &field = m_figure.turn[static_cast<std::size_t>(changed - turned.begin())];
        return fmt::format("{}/{}/{}", fields, pointer_token(field.field), *changed);
    }

    void try_curve() {
        const Formula &formula = *find_formula(m_figure.formula);
        std::map<std::string, std::string, std::less<>> arguments;
        for (const auto &[name, value] : m_figure.parameters)
            if (const Symbol *const symbol = formula.find_symbol(name))
                arguments[name] = value_text(value, *symbol);
        try {
            const Calculation calculation = calculate(formula.id, arguments);
            if (std::none_of(calculation.values.begin(), calculation.values.end(),
                             [&](const Calculation::Value &value) { return value.result->name == m_figure.result; }))
                add(m_pointer, fmt::format("the curve of {} needs more arguments", m_figure.result),
                    "expected a value for each argument of the formula");
        } catch (const InputError &error) {
            add(m_pointer, fmt::format("the curve cannot be drawn: {}", problem_text(error)),
                "expected a value for each argument of the formula");
        }
    }

    void add(std::string pointer, std::string message, std::string expected) {
        m_problems.push_back({.severity = Severity::error,
                              .code = "figure",
                              .message = std::move(message),
                              .expected = std::move(expected),
                              .fields = {std::move(pointer)},
                              .fixes = {}});
    }

    const LessonFigure &m_figure;
    Turned m_begin;
    std::string m_pointer;
    LessonEngine &m_engine;
    std::vector<Diagnostic> &m_problems;
};

} // namespace

std::vector<std::size_t> begin_of_figure(const LessonFigure &figure, const Lesson &lesson, const Library &library) {
    Turned begin(figure.turn.size(), 0);
    try {
        const std::vector<std::optional<std::size_t>> own =
            own_choices(figure.turn, with_settings(lesson.plan, figure.settings, {}, library), library);
        std::transform(own.begin(), own.end(), begin.begin(), [](const auto &index) { return index.value_or(0); });
    } catch (const InputError &) {
        return begin; // drawing the figure reports the invalid settings
    }
    return begin;
}

std::vector<Diagnostic> try_figures(const Lesson &lesson, const Library &library) {
    std::vector<Diagnostic> problems;
    LessonEngine engine(lesson, library);
    for (std::size_t i = 0; i < lesson.steps.size(); ++i)
        if (const std::optional<LessonFigure> &figure = lesson.steps[i].figure)
            FigureTrial(*figure, begin_of_figure(*figure, lesson, library), fmt::format("/steps/{}/figure", i), engine,
                        problems)
                .run();
    return problems;
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "lessons/question_reading.h"

#include "formulas/formula.h"
#include "input/field_reader.h"
#include "lessons/engine_values.h"
#include "lessons/question_numbers.h"
#include "lessons/step_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

class QuestionReading {
public:
    QuestionReading(FieldReader &reader, const Lesson &lesson, const Library &library, LessonStep &step)
        : m_reader(reader)
        , m_lesson(lesson)
        , m_library(library)
        , m_step(step)
        , m_numbers(reader, lesson, step) { }

    void read() {
        m_reader.require("question", "expected a string");
        m_reader.text("question", m_step.question);
        m_numbers.read();
        if (const std::optional<StepExpression> where = m_numbers.expression(m_reader, "where"))
            m_step.where = where;
        switch (m_step.kind) {
        case StepKind::number:
            return read_number();
        case StepKind::choice:
        case StepKind::order:
            return read_options();
        case StepKind::bug:
            return read_bug();
        case StepKind::code:
            return read_code();
        case StepKind::design:
            return read_design();
        case StepKind::text:
        case StepKind::discussion:
            break;
        }
    }

private:
    void require_engine(FieldReader &reader, std::string_view key, const StepExpression &expression) {
        if (!m_numbers.uses_engine(expression.parsed))
            reader.problem(key, fmt::format("\"{}\" does not use any engine value", expression.text.substr(0, 60)),
                           "expected at least one result of a formula or figure of the plan");
    }

    void read_number() {
        if (m_reader.has("answer")) {
            m_step.answer = m_numbers.expression(m_reader, "answer");
        } else if (!m_step.values.empty()) {
            const std::string &name = m_step.values.front().name;
            m_step.answer = StepExpression{.text = name, .parsed = Expression::name(name)};
        } else {
            m_reader.problem("answer", "missing",
                             "expected a formula and its result, or an answer calculated from engine values");
        }
        if (m_step.answer)
            require_engine(m_reader, "answer", *m_step.answer);
        find_quantity();
        m_reader.text("unit", m_step.unit);
        if (m_step.unit.empty() && m_step.quantity)
            m_step.unit = usual_unit(*m_step.quantity);
        read_tolerance();
        m_reader.objects("slips", [&](FieldReader &each) {
            Slip slip;
            each.require("name", "expected a string");
            each.require("value", "expected a formula");
            each.require("hint", "expected a string");
            each.text("name", slip.name);
            each.text("hint", slip.hint);
            if (std::optional<StepExpression> value = m_numbers.expression(each, "value", {"answer"}))
                slip.value = std::move(*value);
            each.finish();
            m_step.slips.push_back(std::move(slip));
        });
    }

    /// If the answer is a single engine value, it has that value's quantity.
    void find_quantity() {
        std::string word;
        if (m_reader.text("quantity", word)) {
            m_step.quantity = m_numbers.quantity_named("quantity", word, Quantity::number);
            return;
        }
        if (!m_step.answer || m_step.answer->parsed.kind() != Expression::Kind::name)
            return;
        for (const EngineValue &value : m_step.values)
            if (value.name == m_step.answer->text)
                if (const Formula *const formula = find_formula(value.formula))
                    if (const FormulaResult *const result = formula->find_result(value.result)) {
                        m_step.quantity = result->quantity;
                        m_step.unit = std::string(result->unit);
                    }
    }

    void read_tolerance() {
        const Json *const given = m_reader.raw("tolerance");
        if (given == nullptr)
            return;
        const std::optional<double> read = given->is_string()
            ? quantity_from(given->get<std::string>(), Quantity::share)
            : given->is_number() ? std::optional(given->get<double>())
                                 : std::nullopt;
        if (read && *read >= 0 && *read <= 0.5)
            m_step.tolerance = *read;
        else
            m_reader.problem("tolerance", "is not a fraction", "expected 0 to 50%, such as 1%");
    }

    void read_options() {
        const bool orders = m_step.kind == StepKind::order;
        const char *const key = orders ? "items" : "options";
        m_reader.require(key, "expected an array of objects");
        m_reader.objects(key, [&](FieldReader &each) {
            StepOption option;
            each.require("text", "expected a string");
            each.require("value", "expected a formula");
            each.text("text", option.text);
            each.text("why", option.why);
            if (std::optional<StepExpression> value = m_numbers.expression(each, "value"))
                option.value = std::move(*value);
            each.finish();
            m_step.options.push_back(std::move(option));
        });
        if (orders) {
            std::string direction = "ascending";
            int index = 0;
            if (m_reader.word("order", index, {"ascending", "descending"}))
                m_step.descending = index == 1;
        } else {
            m_reader.choice("right", m_step.right, right_option_names());
        }
        if (m_step.options.size() < 2 || m_step.options.size() > 10)
            m_reader.problem(key, fmt::format("has {} entries", m_step.options.size()), "expected 2 to 10");
        if (!m_step.options.empty()
            && std::none_of(m_step.options.begin(), m_step.options.end(),
                            [&](const StepOption &option) { return m_numbers.uses_engine(option.value.parsed); }))
            m_reader.problem(key, "none of the values is calculated by the engine",
                             "expected at least one result of a formula or figure of the plan");
    }

    void read_bug() {
        std::string program;
        m_reader.require("program", "expected lines such as \"steps = 2 * (ranks - 1)\"");
        m_reader.text("program", program);
        m_known_lines = m_numbers.names();
        for (std::size_t begin = 0; begin < program.size();) {
            const std::size_t end = std::min(program.find('\n', begin), program.size());
            if (end > begin)
                read_program_line(program.substr(begin, end - begin));
            begin = end + 1;
        }
        m_reader.require("check", "expected variables of the program, each with an engine value");
        if (const Json *const check = m_reader.raw("check"); check != nullptr && check->is_object()) {
            for (const auto &item : check->items()) {
                const std::string value = text_of_json(item.value());
                const bool is_value = std::any_of(m_step.values.begin(), m_step.values.end(),
                                                  [&](const EngineValue &each) { return each.name == value; });
                if (!m_known_lines.contains(item.key()))
                    m_reader.problem("check", fmt::format("the program has no variable {}", item.key()),
                                     "expected variables of the program, each with an engine value");
                else if (!is_value)
                    m_reader.problem("check", fmt::format("the step has no engine value {}", value),
                                     "expected variables of the program, each with an engine value");
                m_step.checked.emplace_back(item.key(), value);
            }
        }
        m_reader.require("fixes", "expected an array of objects");
        m_reader.objects("fixes", [&](FieldReader &each) {
            StepOption option;
            each.require("line", "expected the number of a line of the program");
            each.require("code", "expected the corrected line");
            each.require("text", "expected a string");
            each.count("line", option.line, 1,
                       static_cast<std::int64_t>(std::max<std::size_t>(m_step.program.size(), 1)));
            each.text("code", option.code);
            each.text("text", option.text);
            each.text("why", option.why);
            each.finish();
            m_step.options.push_back(std::move(option));
        });
        if (m_step.options.size() < 2)
            m_reader.problem("fixes", fmt::format("has {} entries", m_step.options.size()), "expected at least 2");
    }

    void read_program_line(const std::string &line) {
        const std::size_t equals = line.find('=');
        const std::string name =
            equals == std::string::npos ? std::string() : line.substr(0, line.find_last_not_of(' ', equals - 1) + 1);
        if (!is_expression_name(name) || !expression_over(line.substr(equals + 1), m_known_lines))
            m_reader.problem(
                "program",
                fmt::format("line {}: \"{}\" is not an assignment", m_step.program.size() + 1, line.substr(0, 60)),
                "expected \"name = formula\" with drawn values and variables of earlier lines");
        m_known_lines.insert(name);
        m_step.program.push_back(line);
    }

    void read_code() {
        m_reader.require("function", "expected the name of the function");
        m_reader.text("function", m_step.function);
        if (!is_expression_name(m_step.function))
            m_reader.problem("function", "is malformed", "expected letters, digits and underscores");
        read_strings(m_reader, "parameters", m_step.parameters);
        for (const std::string &parameter : m_step.parameters)
            if (std::none_of(m_step.draws.begin(), m_step.draws.end(),
                             [&](const DrawnNumber &draw) { return draw.name == parameter; }))
                m_reader.problem("parameters", fmt::format("\"{}\" is not a drawn value", parameter.substr(0, 40)),
                                 "expected the names of drawn values");
        if (m_reader.has("answer"))
            m_step.answer = m_numbers.expression(m_reader, "answer");
        else if (!m_step.values.empty())
            m_step.answer = StepExpression{.text = m_step.values.front().name,
                                           .parsed = Expression::name(m_step.values.front().name)};
        if (m_step.parameters.empty() || !m_step.answer)
            m_reader.problem("parameters", "missing", "expected parameters, a formula and the name of its result");
        else
            check_code_answer();
        read_tolerance();
    }

    /// The reference solution is a formula of the catalog, which can be converted to JavaScript.
    void check_code_answer() {
        const auto value = std::find_if(m_step.values.begin(), m_step.values.end(), [&](const EngineValue &each) {
            return each.name == m_step.answer->text && !each.formula.empty();
        });
        if (value == m_step.values.end())
            m_reader.problem("answer", "is not a result of a formula", "expected the name of one engine value");
    }

    void read_design() {
        if (m_lesson.plan.is_null())
            m_reader.problem("kind", "the lesson has no plan", "expected a plan in the front matter");
        read_free_fields(m_reader, "fields", m_step.fields);
        read_settings(m_reader, "start", m_numbers.names(), m_step.start);
        if (m_step.fields.empty())
            m_reader.problem("fields", "missing", "expected plan fields, each with the values to choose from");
        m_reader.objects("goals", [&](FieldReader &each) {
            DesignGoal goal;
            each.require("text", "expected a string");
            each.require("figure", "expected a figure, such as step.mfu");
            each.text("text", goal.text);
            each.text("figure", goal.figure);
            double limit = 0;
            constexpr Range any{-1e30, 1e30};
            if (each.number("at_least", limit, any))
                goal.at_least = limit;
            if (each.number("at_most", limit, any))
                goal.at_most = limit;
            if (bool is = false; each.boolean("is", is))
                goal.is = is;
            if (!goal.at_least && !goal.at_most && !goal.is)
                each.problem("figure", "has no goal", "expected at_least, at_most or is");
            each.finish();
            m_step.goals.push_back(std::move(goal));
        });
        if (m_step.goals.empty())
            m_reader.problem("goals", "missing", "expected figures, each with at_least, at_most or is");
        begin_with_plan();
    }

    /// Fields that the step does not set start with the plan's value, if it is one of the choices.
    void begin_with_plan() {
        const std::vector<std::optional<std::size_t>> own = own_choices(m_step.fields, m_lesson.plan, m_library);
        for (std::size_t i = 0; i < own.size(); ++i) {
            const FreeField &field = m_step.fields[i];
            const bool is_set = std::any_of(m_step.start.begin(), m_step.start.end(),
                                            [&](const FieldSetting &setting) { return setting.field == field.field; });
            if (!is_set && own[i])
                m_step.start.push_back({.field = field.field, .value = field.values[*own[i]], .expression = {}});
        }
    }

    FieldReader &m_reader;
    const Lesson &m_lesson;
    const Library &m_library;
    LessonStep &m_step;
    QuestionNumbers m_numbers;
    std::set<std::string, std::less<>> m_known_lines; ///< names that a line of a program may use
};

} // namespace

void read_question(FieldReader &reader, const Lesson &lesson, const Library &library, LessonStep &step) {
    QuestionReading(reader, lesson, library, step).read();
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "lessons/lesson_trial.h"

#include "lessons/engine_values.h"
#include "lessons/judgement.h"
#include "lessons/number_answer.h"
#include "lessons/question.h"
#include "quantities/units.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <set>

namespace meshwright {

namespace {

class Trial {
public:
    Trial(const Lesson &lesson, const Library &library, const ProgramRunner &run)
        : m_engine(lesson, library)
        , m_run(run) { }

    /// The first fault of a step; empty if there is none.
    std::string fault_of(const LessonStep &step, std::uint64_t draws) {
        // The questions of design tasks and programs do not depend on the seed.
        const bool fixed = step.kind == StepKind::design || step.kind == StepKind::code || step.draws.empty();
        std::set<std::vector<double>> seen;
        for (std::uint64_t seed = 1; seed <= (fixed ? 1 : draws); ++seed) {
            try {
                const Question question = ask(step, seed, m_engine);
                // Skips questions with numbers that were already checked. Those with options are checked again, because
                // each seed shuffles the options.
                const bool is_new = seen.insert(numbers_of(question)).second;
                if (std::string fault; (is_new || !question.options.empty()) && !(fault = fault_of(question)).empty())
                    return fmt::format("seed {}: {}", seed, fault);
                if (seed == 1 && is_question(step.kind) && derivation_of(question, m_engine).name.empty())
                    return "the answer has no derivation";
            } catch (const InputError &error) {
                return error.diagnostics().front().message.text;
            }
        }
        return {};
    }

private:
    static std::vector<double> numbers_of(const Question &question) {
        std::vector<double> numbers;
        for (const AskedSymbol &symbol : question.symbols)
            numbers.push_back(symbol.value);
        return numbers;
    }

    std::string fault_of(const Question &question) {
        const StepKind kind = question.step->kind;
        if (!is_question(kind))
            return {};
        const nlohmann::ordered_json expected = expected_answer(question, m_engine);
        if (kind == StepKind::code && m_run == nullptr)
            return {};
        const std::string answer =
            expected.is_number() ? fmt::format("{:.17g}", expected.get<double>()) : expected.get<std::string>();
        const Judgement judgement = judge(question, answer, m_engine, m_run);
        if (!judgement.correct)
            return fmt::format("the correct answer {} is judged wrong: {}", answer.substr(0, 60), judgement.hint);
        return kind == StepKind::number ? number_fault(question) : std::string();
    }

    std::string number_fault(const Question &question) {
        const double right = question.numbers.find("answer")->second;
        if (question.quantity != Quantity::number && question.quantity != Quantity::count)
            for (const Unit &unit : units_of(question.quantity)) {
                const double size = unit.factor * std::pow(10.0, unit.exponent);
                const std::string answer = fmt::format("{:.17g} {}", right / size, unit.name);
                if (!unit.name.empty() && !judge(question, answer, m_engine, m_run).correct)
                    return fmt::format("the correct answer is judged wrong in {}", unit.name);
            }
        const std::vector<TriedSlip> slips = tried_slips(question, m_engine);
        for (const TriedSlip &slip : slips) {
            if (!slip.named)
                continue;
            const std::string answer = fmt::format("{:.17g}", slip.value / factor_of_unit(question));
            const Judgement judgement = judge(question, answer, m_engine, m_run);
            const bool is_named = std::any_of(slips.begin(), slips.end(), [&](const TriedSlip &other) {
                return other.named && other.hint == judgement.hint;
            });
            if (judgement.correct || !is_named)
                return fmt::format("the answer that results from the slip \"{}\" is not recognized as this slip",
                                   slip.name);
        }
        return {};
    }

    LessonEngine m_engine;
    const ProgramRunner &m_run;
};

} // namespace

std::vector<Diagnostic> try_questions(const Lesson &lesson, const Library &library, std::uint64_t draws,
                                      const ProgramRunner &run) {
    std::vector<Diagnostic> problems;
    Trial trial(lesson, library, run);
    for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
        const LessonStep &step = lesson.steps[i];
        if (!is_question(step.kind) && step.values.empty())
            continue;
        if (std::string fault = trial.fault_of(step, draws); !fault.empty())
            problems.push_back({.severity = Severity::error,
                                .code = "question",
                                .message = fmt::format("step {}: {}", step.id, fault),
                                .expected = is_question(step.kind) ? "expected the correct answer to be judged correct"
                                                                   : "expected values that the engine can calculate",
                                .fields = {fmt::format("/steps/{}", i)},
                                .fixes = {}});
    }
    return problems;
}

} // namespace meshwright

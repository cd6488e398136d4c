// SPDX-License-Identifier: GPL-3.0-or-later
#include "lessons/judgement.h"

#include "formulas/formula.h"
#include "input/diagnostic.h"
#include "input/field_reader.h"
#include "lessons/bug_hunt.h"
#include "lessons/design_answer.h"
#include "lessons/number_answer.h"
#include "lessons/program_answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string folded(std::string_view text) {
    std::string result;
    for (const char each : text)
        result += lower(each);
    while (!result.empty() && (result.back() == ' ' || result.back() == '\n' || result.back() == '.'))
        result.pop_back();
    return result.substr(std::min(result.find_first_not_of(" \n\t"), result.size()));
}

std::vector<std::string> words_in(std::string_view answer) {
    constexpr std::string_view marks = " \t\n,;:<>";
    std::vector<std::string> words;
    while (!answer.empty()) {
        const std::size_t begin = answer.find_first_not_of(marks);
        if (begin == std::string_view::npos)
            break;
        answer.remove_prefix(begin);
        const std::size_t end = std::min(answer.find_first_of(marks), answer.size());
        words.push_back(folded(answer.substr(0, end)));
        answer.remove_prefix(end);
    }
    return words;
}

std::string keys_of(const Question &question) {
    std::vector<std::string> keys;
    for (const AskedOption &option : question.options)
        keys.push_back(option.key);
    return listed(keys);
}

const AskedOption *option_with_key(const Question &question, std::string_view key) {
    for (const AskedOption &option : question.options)
        if (folded(option.key) == folded(key))
            return &option;
    return nullptr;
}

const AskedOption *option_called(const Question &question, std::string_view answer) {
    if (const AskedOption *const keyed = option_with_key(question, answer))
        return keyed;
    for (const AskedOption &option : question.options)
        if (folded(option.text) == folded(answer))
            return &option;
    return nullptr;
}

const AskedOption &option_at(const Question &question, std::size_t index) {
    return *std::find_if(question.options.begin(), question.options.end(),
                         [&](const AskedOption &option) { return option.index == index; });
}

/// First hint of a step, used for a wrong answer that no listed mistake explains.
std::string first_hint(const Question &question, const std::string &otherwise) {
    return question.step->hints.empty() ? otherwise : filled_in(question.step->hints.front().text, question);
}

Judgement judge_number(const Question &question, std::string_view answer, LessonEngine &engine) {
    const std::optional<double> number = number_in(answer, question);
    if (!number) {
        const std::string unit =
            question.unit.empty() ? std::string() : fmt::format(" (in {} unless you give a unit)", question.unit);
        return {.correct = false,
                .hint = fmt::format("This is not a number; expected a value such as 12.5{}.", unit),
                .slip = {}};
    }
    if (is_right(*number, question))
        return {.correct = true, .hint = {}, .slip = {}};
    for (const TriedSlip &slip : tried_slips(question, engine)) {
        const double near = std::max(0.005, question.step->tolerance) * std::abs(slip.value);
        if (std::abs(*number - slip.value) <= near)
            return {.correct = false, .hint = slip.hint, .slip = slip.name};
    }
    const double right = question.numbers.find("answer")->second;
    const std::string direction = *number > right ? "That is too large." : "That is too small.";
    return {.correct = false,
            .hint =
                direction + " " + first_hint(question, "Open the formula and substitute the numbers one at a time."),
            .slip = {}};
}

Judgement judge_choice(const Question &question, std::string_view answer) {
    const AskedOption *const chosen = option_called(question, answer);
    if (chosen == nullptr)
        return {.correct = false,
                .hint = fmt::format("There is no such option; expected {}.", keys_of(question)),
                .slip = {}};
    if (chosen->index == right_option(*question.step, question.numbers))
        return {.correct = true, .hint = {}, .slip = {}};
    const std::string why = filled_in(question.step->options[chosen->index].why, question);
    return {.correct = false,
            .hint = why.empty() ? first_hint(question, "Calculate the value of each option.") : why,
            .slip = chosen->text};
}

/// Options in the order of an answer, which is written as keys ("BAC") or as comma-separated texts. Empty if the answer
/// is neither.
std::vector<const AskedOption *> ordered_by(const Question &question, std::string_view answer) {
    std::vector<std::string> words = words_in(answer);
    if (words.size() == 1 && words.front().size() == question.options.size()) {
        const std::string together = words.front();
        words.clear();
        for (const char each : together)
            words.emplace_back(1, each);
    }
    std::vector<const AskedOption *> order;
    for (const std::string &word : words)
        if (const AskedOption *const option = option_with_key(question, word))
            order.push_back(option);
    std::vector<const AskedOption *> distinct = order;
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    return distinct.size() == question.options.size() && words.size() == distinct.size()
        ? order
        : std::vector<const AskedOption *>();
}

std::vector<const AskedOption *> right_order(const Question &question) {
    std::vector<const AskedOption *> order;
    for (const AskedOption &option : question.options)
        order.push_back(&option);
    const auto value = [&](const AskedOption *option) {
        return value_of(question.step->options[option->index].value, question.numbers);
    };
    std::sort(order.begin(), order.end(), [&](const AskedOption *a, const AskedOption *b) {
        return question.step->descending ? value(a) > value(b) : value(a) < value(b);
    });
    return order;
}

Judgement judge_order(const Question &question, std::string_view answer) {
    const std::vector<const AskedOption *> order = ordered_by(question, answer);
    if (order.empty())
        return {
            .correct = false, .hint = fmt::format("Expected each of {} exactly once.", keys_of(question)), .slip = {}};
    const std::vector<const AskedOption *> right = right_order(question);
    for (std::size_t i = 0; i < order.size(); ++i)
        if (order[i] != right[i])
            return {.correct = false,
                    .hint = i == 0 ? first_hint(question, fmt::format("\"{}\" does not come first.", order[i]->text))
                                   : fmt::format("The first {} right, but \"{}\" does not come next.",
                                                 i == 1 ? std::string("is") : fmt::format("{} are", i), order[i]->text),
                    .slip = {}};
    return {.correct = true, .hint = {}, .slip = {}};
}

/// The right correction. Every question that is asked has one.
const StepOption &the_fix(const Question &question) {
    return question.step->options[right_fix(*question.step, question.numbers)];
}

Judgement judge_bug(const Question &question, std::string_view answer) {
    std::int64_t line = 0;
    const AskedOption *reason = nullptr;
    for (const std::string &word : words_in(answer)) {
        if (word.size() < 5 && word.find_first_not_of("0123456789") == std::string::npos)
            line = std::stoll(word);
        else if (const AskedOption *const option = option_with_key(question, word))
            reason = option;
    }
    if (line == 0 && reason == nullptr)
        return {.correct = false,
                .hint = fmt::format("Expected a line number and the letter of a correction, such as \"1 {}\".",
                                    question.options.front().key),
                .slip = {}};
    const StepOption &right = the_fix(question);
    const bool is_line = line == 0 ? question.step->options[reason->index].line == right.line : line == right.line;
    if (!is_line)
        return {.correct = false,
                .hint = first_hint(question, "That line is correct. Substitute the numbers and check each line."),
                .slip = {}};
    if (reason == nullptr)
        return {.correct = false,
                .hint = fmt::format("That is the wrong line. Which correction is right: {}?", keys_of(question)),
                .slip = {}};
    if (&question.step->options[reason->index] != &right) {
        const std::string why = filled_in(question.step->options[reason->index].why, question);
        return {.correct = false,
                .hint = why.empty()
                    ? "The line is right, but with this correction the program still disagrees with the engine."
                    : why,
                .slip = reason->text};
    }
    return {.correct = true, .hint = {}, .slip = {}};
}

/// A derivation that only lists the inputs of the question, without a formula.
Derivation answer_node(double value, Quantity quantity, std::string formula, std::vector<Derivation> inputs) {
    Derivation node;
    node.name = "answer";
    node.title = "the answer";
    node.value = value;
    node.quantity = quantity;
    node.formula = std::move(formula);
    node.source = "the lesson's question";
    node.inputs = std::move(inputs);
    return node;
}

} // namespace

Judgement judge(const Question &question, std::string_view answer, LessonEngine &engine, const ProgramRunner &run) {
    constexpr std::size_t longest_answer = 64 << 10;
    if (answer.size() > longest_answer)
        return {.correct = false, .hint = "The answer is longer than 64 KiB; expected a shorter one.", .slip = {}};
    switch (question.step->kind) {
    case StepKind::number:
        return judge_number(question, answer, engine);
    case StepKind::choice:
        return judge_choice(question, answer);
    case StepKind::order:
        return judge_order(question, answer);
    case StepKind::bug:
        return judge_bug(question, answer);
    case StepKind::code:
        return judge_program(question, answer, engine, run);
    case StepKind::design:
        return judge_design(question, answer, engine);
    case StepKind::text:
    case StepKind::discussion:
        break;
    }
    return {.correct = false, .hint = "This step does not ask a question.", .slip = {}};
}

Json expected_answer(const Question &question, LessonEngine &engine) {
    const LessonStep &step = *question.step;
    switch (step.kind) {
    case StepKind::number:
        return question.numbers.find("answer")->second / factor_of_unit(question);
    case StepKind::choice:
        return option_at(question, right_option(step, question.numbers)).key;
    case StepKind::order: {
        std::string keys;
        for (const AskedOption *const option : right_order(question))
            keys += (keys.empty() ? "" : " ") + option->key;
        return keys;
    }
    case StepKind::bug:
        return fmt::format("{} {}", the_fix(question).line, option_at(question, right_fix(step, question.numbers)).key);
    case StepKind::code:
        return reference_program(question);
    case StepKind::design:
        return solved_design(step, engine);
    case StepKind::text:
    case StepKind::discussion:
        break;
    }
    return nullptr;
}

std::string expected_text(const Question &question, LessonEngine &engine) {
    const LessonStep &step = *question.step;
    switch (step.kind) {
    case StepKind::number: {
        const double value = question.numbers.find("answer")->second / factor_of_unit(question);
        const std::string number = fmt::format("{:.6g}", value);
        return question.unit.empty() ? number : with_unit(number, question.unit);
    }
    case StepKind::choice: {
        const AskedOption &option = option_at(question, right_option(step, question.numbers));
        return fmt::format("{}: {}", option.key, option.text);
    }
    case StepKind::bug: {
        const AskedOption &option = option_at(question, right_fix(step, question.numbers));
        return fmt::format("line {}, {}: {} ({})", the_fix(question).line, option.key, the_fix(question).code,
                           option.text);
    }
    default:
        return expected_answer(question, engine).get<std::string>();
    }
}

Derivation derivation_of(const Question &question, LessonEngine &engine) {
    const LessonStep &step = *question.step;
    if (step.kind == StepKind::design)
        return design_derivation(step, engine);
    std::vector<Derivation> values;
    for (const EngineValue &value : step.values)
        values.push_back(engine.derivation_of(step, value, question.numbers));
    if (step.kind != StepKind::number && step.kind != StepKind::code)
        return answer_node(0, Quantity::number, {}, std::move(values));
    const double answer = question.numbers.find("answer")->second;
    for (Derivation &value : values)
        if (value.name == step.answer->text)
            return std::move(value);
    for (const AskedSymbol &symbol : question.symbols) {
        Derivation leaf;
        leaf.name = symbol.name;
        leaf.title = symbol.name;
        leaf.value = symbol.value;
        leaf.origin = Origin::plan;
        leaf.source = "given";
        values.push_back(std::move(leaf));
    }
    const std::set<std::string> used = names_in(step.answer->parsed);
    std::erase_if(values, [&](const Derivation &value) { return !used.contains(value.name); });
    return answer_node(answer, question.quantity, step.answer->text, std::move(values));
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "lessons/question.h"

#include "formulas/formula.h"
#include "formulas/special_units.h"
#include "input/diagnostic.h"
#include "lessons/bug_hunt.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace meshwright {

namespace {

constexpr int most_draws = 400; ///< maximum number of draws per question
constexpr double distinct = 1e-6; ///< minimum relative difference that makes two numbers distinguishable to a reader

/// Draws the numbers of one question. It avoids the standard library's distributions, because they differ between
/// implementations.
class Draws {
public:
    Draws(std::uint64_t seed, std::string_view step) {
        std::uint64_t hash = 1469598103934665603ULL; // FNV-1a hash of the step, so that steps draw different numbers
        for (const char each : step)
            hash = (hash ^ static_cast<unsigned char>(each)) * 1099511628211ULL;
        m_random.seed(seed * 0x9e3779b97f4a7c15ULL ^ hash);
    }
    std::size_t below(std::size_t count) { return static_cast<std::size_t>(m_random() % count); }

private:
    std::mt19937_64 m_random;
};

/// The word for a drawn value if the formula's symbol is a choice; otherwise empty.
std::string word_of(const DrawnNumber &draw, double value) {
    for (std::size_t i = 0; i < draw.words.size() && i < draw.values.size(); ++i)
        if (draw.values[i] == value)
            return draw.words[i];
    return {};
}

AskedSymbol asked(const DrawnNumber &draw, double value) {
    AskedSymbol symbol{.name = draw.name, .value = value, .text = word_of(draw, value), .unit = {}, .is_word = false};
    symbol.is_word = !symbol.text.empty();
    if (!symbol.is_word)
        symbol.text = exact_text_of(value, draw.quantity, draw.unit);
    symbol.unit = unit_name(draw.quantity, draw.unit);
    return symbol;
}

bool are_distinct(double a, double b) {
    return std::abs(a - b) > distinct * std::max(std::abs(a), std::abs(b));
}

bool can_be_answered(const LessonStep &step, const NamedNumbers &numbers) {
    if (step.where && !(value_of(*step.where, numbers) != 0))
        return false;
    switch (step.kind) {
    case StepKind::number: {
        const double answer = numbers.find("answer")->second;
        return std::isfinite(answer);
    }
    case StepKind::choice:
        return right_option(step, numbers) < step.options.size();
    case StepKind::order:
        for (std::size_t i = 0; i < step.options.size(); ++i)
            for (std::size_t j = 0; j < i; ++j)
                if (!are_distinct(value_of(step.options[i].value, numbers), value_of(step.options[j].value, numbers)))
                    return false;
        return true;
    case StepKind::bug:
        return right_fix(step, numbers) < step.options.size();
    default:
        return true;
    }
}

std::vector<AskedOption> shuffled_options(const LessonStep &step, Draws &draws) {
    std::vector<AskedOption> options;
    for (std::size_t i = 0; i < step.options.size(); ++i)
        options.push_back({.key = {}, .text = {}, .index = i});
    for (std::size_t i = options.size(); i > 1; --i)
        std::swap(options[i - 1], options[draws.below(i)]);
    for (std::size_t i = 0; i < options.size(); ++i)
        options[i].key = std::string(1, static_cast<char>('A' + i));
    return options;
}

} // namespace

std::size_t right_option(const LessonStep &step, const NamedNumbers &numbers) {
    const std::size_t none = step.options.size();
    std::vector<double> values;
    for (const StepOption &option : step.options)
        values.push_back(value_of(option.value, numbers));
    if (std::any_of(values.begin(), values.end(), [](double value) { return std::isnan(value); }))
        return none;
    std::size_t best = none;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (step.right == RightOption::holds) {
            if (values[i] != 0 && best != none)
                return none;
            best = values[i] != 0 ? i : best;
        } else if (best == none
                   || (step.right == RightOption::largest ? values[i] > values[best] : values[i] < values[best])) {
            best = i;
        }
    }
    if (step.right != RightOption::holds)
        for (std::size_t i = 0; i < values.size(); ++i)
            if (i != best && !are_distinct(values[i], values[best]))
                return none;
    return best;
}

NamedNumbers with_engine_values(const LessonStep &step, NamedNumbers drawn, LessonEngine &engine) {
    for (const EngineValue &value : step.values)
        drawn[value.name] = engine.value_of(step, value, drawn);
    if (step.answer)
        drawn["answer"] = value_of(*step.answer, drawn);
    return drawn;
}

std::string filled_in(std::string_view text, const Question &question) {
    std::string filled;
    while (!text.empty()) {
        const std::size_t begin = text.find('{');
        filled += text.substr(0, begin);
        if (begin == std::string_view::npos)
            break;
        text.remove_prefix(begin);
        const std::size_t end = text.find('}');
        const std::string_view name = end == std::string_view::npos ? std::string_view() : text.substr(1, end - 1);
        const auto symbol = std::find_if(question.symbols.begin(), question.symbols.end(),
                                         [&](const AskedSymbol &each) { return each.name == name; });
        const auto number = question.numbers.find(name);
        if (symbol != question.symbols.end())
            filled += symbol->text;
        else if (number != question.numbers.end() && name == "answer")
            filled += question.quantity == Quantity::number
                ? display_text(number->second, question.quantity, question.unit)
                : text_of(number->second, question.quantity);
        else if (const auto figure = question.figures.find(name);
                 number != question.numbers.end() && figure != question.figures.end())
            filled += text_of(number->second, figure->second);
        else if (number != question.numbers.end())
            filled += engine_value_text(*question.step, name, number->second);
        else
            filled += end == std::string_view::npos ? text.substr(0, 1) : text.substr(0, end + 1);
        text.remove_prefix(end == std::string_view::npos ? 1 : end + 1);
    }
    return filled;
}

Question ask(const LessonStep &step, std::uint64_t seed, LessonEngine &engine) {
    Draws draws(seed, step.id);
    std::string problem = "none of the drawn numbers leads to a single answer";
    for (int attempt = 0; attempt < most_draws; ++attempt) {
        Question question{.step = &step,
                          .seed = seed,
                          .text = {},
                          .symbols = {},
                          .unit = step.unit,
                          .quantity = step.quantity.value_or(Quantity::number),
                          .options = {},
                          .numbers = {},
                          .figures = {}};
        for (const DrawnNumber &draw : step.draws) {
            const double value = draw.values[draws.below(draw.values.size())];
            question.numbers[draw.name] = value;
            question.symbols.push_back(asked(draw, value));
        }
        try {
            question.numbers = with_engine_values(step, std::move(question.numbers), engine);
            if (!can_be_answered(step, question.numbers))
                continue;
        } catch (const InputError &error) {
            problem = error.diagnostics().front().message.text;
            continue;
        }
        for (const EngineValue &value : step.values)
            if (!value.figure.empty())
                question.figures[value.name] = engine.kind_of(value, question.numbers);
        if (!step.quantity && step.answer)
            if (const auto figure = question.figures.find(step.answer->text); figure != question.figures.end())
                question.quantity = figure->second.quantity;
        if (question.unit.empty() && step.kind == StepKind::number && question.quantity != Quantity::number)
            question.unit = usual_unit(question.quantity);
        question.options = shuffled_options(step, draws);
        for (AskedOption &option : question.options)
            option.text = filled_in(step.options[option.index].text, question);
        question.text = filled_in(step.question, question);
        return question;
    }
    throw InputError("", fmt::format("step {}: {}", step.id, problem),
                     "expected number ranges for which the question has exactly one answer");
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "lessons/number_answer.h"

#include "formulas/formula.h"
#include "formulas/special_units.h"
#include "input/diagnostic.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace meshwright {

namespace {

double answer_of(const Question &question) {
    return question.numbers.find("answer")->second;
}

/// A symbol with the answer's quantity. An answer unit that does not belong to this quantity ("days" with a plain
/// number) becomes the symbol's own unit.
Symbol answer_symbol(const Question &question) {
    Symbol symbol{.name = "answer", .letter = {}, .meaning = {}, .quantity = question.quantity};
    if (!question.unit.empty() && !quantity_from("1 " + question.unit, question.quantity))
        symbol.unit = question.unit;
    return symbol;
}

bool is_data(Quantity quantity) {
    return quantity == Quantity::bytes || quantity == Quantity::bytes_per_second
        || quantity == Quantity::bits_per_second;
}

/// Collects the answers that common mistakes give.
class UsualSlips {
public:
    UsualSlips(const Question &question, LessonEngine &engine, std::vector<TriedSlip> &slips)
        : m_question(question)
        , m_engine(engine)
        , m_slips(slips)
        , m_answer(answer_of(question)) { }

    void add_all() {
        add_shifted_counts();
        if (is_data(m_question.quantity)) {
            add("bits for bytes", 8, "A byte has 8 bits. Did you mix up bits and bytes?");
            add_binary_prefix();
        }
        if (m_question.quantity == Quantity::flops || m_question.quantity == Quantity::seconds)
            add("recomputation", 4.0 / 3,
                "Full recomputation runs the forward pass twice: 8 instead of 6 FLOPs per parameter and token. Does "
                "the question include recomputation?");
        add("factor of 2", 2,
            "Your answer is off by a factor of 2. Check for a factor of 2 that is missing or counted twice.");
        if (m_question.quantity == Quantity::share)
            add("fraction for percent", 100, "Check whether the question asks for a fraction or a percentage.");
        add_prefixes();
    }

private:
    void add(std::string name, double factor, const std::string &hint) {
        for (const double value : {m_answer * factor, m_answer / factor})
            m_slips.push_back({.name = name, .value = value, .hint = hint, .named = false});
    }

    /// Adds the answers that result if one of the counts is off by one.
    void add_shifted_counts() {
        for (const AskedSymbol &symbol : m_question.symbols) {
            if (symbol.is_word || symbol.value != std::floor(symbol.value) || symbol.value > 1e6)
                continue;
            for (const double shift : {-1.0, 1.0}) {
                NamedNumbers numbers;
                for (const AskedSymbol &other : m_question.symbols)
                    numbers[other.name] = other.value + (&other == &symbol ? shift : 0);
                try {
                    numbers = with_engine_values(*m_question.step, std::move(numbers), m_engine);
                    m_slips.push_back(
                        {.name = fmt::format("{} {} 1 for {}", symbol.name, shift < 0 ? "-" : "+", symbol.name),
                         .value = numbers.find("answer")->second,
                         .hint = fmt::format("This is the answer for {} {} instead of {}: you are off by one.",
                                             symbol.name, symbol.value + shift, symbol.value),
                         .named = false});
                } catch (const InputError &) {
                    continue;
                }
            }
        }
    }

    void add_binary_prefix() {
        constexpr std::array<std::pair<std::string_view, double>, 5> prefixes{{{"K", 0x1p10 / 1e3},
                                                                               {"M", 0x1p20 / 1e6},
                                                                               {"G", 0x1p30 / 1e9},
                                                                               {"T", 0x1p40 / 1e12},
                                                                               {"P", 0x1p50 / 1e15}}};
        for (const auto &[prefix, factor] : prefixes)
            if (m_question.unit.starts_with(prefix))
                add(fmt::format("{0}iB for {0}B", prefix), factor,
                    fmt::format("{0}B is decimal here: 1 {0}iB is {1:.4g} {0}B.", prefix, factor));
    }

    void add_prefixes() {
        for (const double factor : {1e3, 1e6, 1e9})
            add("prefix", factor,
                fmt::format("Your answer is off by a factor of {:.0e}: check the prefixes of the units.", factor));
    }

    const Question &m_question;
    LessonEngine &m_engine;
    std::vector<TriedSlip> &m_slips;
    double m_answer;
};

} // namespace

double factor_of_unit(const Question &question) {
    if (question.unit.empty())
        return 1;
    const std::optional<double> own = quantity_from("1 " + question.unit, question.quantity);
    return own ? *own : si_of(question.quantity, question.unit);
}

std::optional<double> number_in(std::string_view answer, const Question &question) {
    const Symbol symbol = answer_symbol(question);
    if (const std::optional<double> bare = quantity_from(answer, Quantity::number))
        return *bare * factor_of_unit(question);
    if (!symbol.unit.empty()) {
        const std::optional<double> own = value_from(answer, symbol);
        return own ? std::optional(*own * si_of(question.quantity, symbol.unit)) : std::nullopt;
    }
    return value_from(answer, symbol);
}

bool is_right(double number, const Question &question) {
    const double answer = answer_of(question);
    if (question.quantity == Quantity::count && std::abs(answer) < 1e6)
        return std::abs(number - answer) < 1e-6 * std::max(1.0, std::abs(answer));
    return std::abs(number - answer) <= question.step->tolerance * std::abs(answer) * (1 + 1e-9);
}

std::vector<TriedSlip> tried_slips(const Question &question, LessonEngine &engine) {
    std::vector<TriedSlip> slips;
    for (const Slip &slip : question.step->slips)
        slips.push_back({.name = slip.name,
                         .value = value_of(slip.value, question.numbers),
                         .hint = filled_in(slip.hint, question),
                         .named = true});
    UsualSlips(question, engine, slips).add_all();
    std::erase_if(slips,
                  [&](const TriedSlip &slip) { return !std::isfinite(slip.value) || is_right(slip.value, question); });
    return slips;
}

} // namespace meshwright

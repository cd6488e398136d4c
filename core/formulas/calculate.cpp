// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/formula.h"
#include "formulas/special_units.h"
#include "input/diagnostic.h"
#include "input/field_reader.h"
#include "quantities/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace meshwright {

namespace {

constexpr std::size_t longest_list = 100'000;

std::string pointer_to(std::string_view name) {
    return "/" + pointer_token(name);
}

std::vector<std::string> as_words(const std::vector<std::string_view> &words) {
    return {words.begin(), words.end()};
}

std::string numbers_between(const Symbol &symbol) {
    const std::string kind = symbol.whole ? "an integer" : "a number";
    const std::string unit = symbol.unit.empty() ? "" : fmt::format(" {}", symbol.unit);
    return fmt::format("{} from {:g} to {:g}{}", kind, symbol.low, symbol.high, unit);
}

std::string accepted(const Symbol &symbol) {
    if (!symbol.choices.empty())
        return "expected " + listed(as_words(symbol.choices));
    const std::string_view units = accepted_units(symbol.quantity);
    return fmt::format("expected {}, with {}", numbers_between(symbol), units);
}

[[noreturn]] void reject(const Symbol &symbol, std::string_view text) {
    throw InputError(pointer_to(symbol.name), fmt::format("\"{}\" is not an allowed value", text.substr(0, 80)),
                     accepted(symbol));
}

double word_index(const Symbol &symbol, std::string_view text) {
    const auto found = std::find(symbol.choices.begin(), symbol.choices.end(), text);
    if (found != symbol.choices.end())
        return static_cast<double>(found - symbol.choices.begin());
    const std::optional<std::string> near = nearest_word(text, as_words(symbol.choices));
    throw InputError(pointer_to(symbol.name),
                     fmt::format("\"{}\" is not one of the choices{}", text.substr(0, 80),
                                 near ? fmt::format(" (did you mean \"{}\"?)", *near) : ""),
                     accepted(symbol));
}

double read_value(const Symbol &symbol, std::string_view text) {
    if (!symbol.choices.empty())
        return word_index(symbol, text);
    const std::optional<double> value = value_from(text, symbol);
    if (!value)
        throw InputError(pointer_to(symbol.name),
                         fmt::format("\"{}\" is not {}", text.substr(0, 80), description_of(symbol.quantity)),
                         accepted(symbol));
    const bool in_range = *value >= symbol.low && *value <= symbol.high;
    if (!in_range || (symbol.whole && *value != std::floor(*value)))
        reject(symbol, text);
    return *value;
}

std::vector<double> read_list(const Symbol &symbol, std::string_view text) {
    std::vector<double> values;
    for (;;) {
        const std::size_t comma = text.find(',');
        values.push_back(read_value(symbol, text.substr(0, comma)));
        if (comma == std::string_view::npos)
            return values;
        if (values.size() == longest_list)
            throw InputError(pointer_to(symbol.name), "the list is too long",
                             fmt::format("expected at most {} numbers", longest_list));
        text.remove_prefix(comma + 1);
    }
}

/// The ranges of all symbols, for messages: "ranks an integer from 1 to 1e+09, bytes a number from 0 to 1e+24 B".
std::string all_ranges(const Formula &formula) {
    std::string ranges;
    for (const Symbol &symbol : formula.symbols)
        ranges += fmt::format("{}{} {}", ranges.empty() ? "" : ", ", symbol.name,
                              symbol.choices.empty() ? numbers_between(symbol) : listed(as_words(symbol.choices)));
    return ranges;
}

/// The names of all symbols, for messages: "ranks, bytes, bandwidth, latency (default 0)".
std::string all_names(const Formula &formula) {
    std::string names;
    for (const Symbol &symbol : formula.symbols) {
        names += (names.empty() ? "" : ", ") + std::string(symbol.name);
        if (symbol.otherwise)
            names += fmt::format(" (default {})", value_text(*symbol.otherwise, symbol));
    }
    return names;
}

[[noreturn]] void reject_name(const Formula &formula, const std::string &name) {
    std::vector<std::string> names;
    for (const Symbol &symbol : formula.symbols)
        names.emplace_back(symbol.name);
    const std::optional<std::string> near = nearest_word(name, names);
    throw InputError(pointer_to(name.substr(0, 80)),
                     fmt::format("{} has no such argument{}", formula.id, near ? " (did you mean " + *near + "?)" : ""),
                     "expected " + all_names(formula));
}

[[noreturn]] void reject_formula(std::string_view id) {
    std::vector<std::string> names;
    for (const Formula &formula : formulas())
        names.emplace_back(formula.id);
    std::optional<std::string> near = nearest_word(id, names);
    // nearest_word() does not find a formula from a part of its name, although the user's intent is clear.
    for (const std::string &name : names)
        if (!near && !id.empty() && id.size() < name.size() && name.find(id) != std::string::npos)
            near = name;
    throw InputError("", "unknown calculator",
                     fmt::format("expected a name from `meshwright-cli calc --list`{}",
                                 near ? " (did you mean " + *near + "?)" : ""));
}

class Worked {
public:
    explicit Worked(const Formula &formula) { m_calculation.formula = &formula; }

    void take(const Symbol &symbol, std::string_view text) {
        if (symbol.is_list)
            m_calculation.lists[std::string(symbol.name)] = read_list(symbol, text);
        else
            m_calculation.arguments[std::string(symbol.name)] = read_value(symbol, text);
    }
    void fill_in_defaults() {
        for (const Symbol &symbol : m_calculation.formula->symbols)
            if (symbol.otherwise)
                m_calculation.arguments.try_emplace(std::string(symbol.name), *symbol.otherwise);
    }
    Calculation finish() {
        bool undefined = false;
        for (const FormulaResult &result : m_calculation.formula->results) {
            const std::optional<std::vector<double>> arguments = arguments_of(result);
            if (!arguments)
                continue;
            const double value = result.function(*arguments);
            undefined = undefined || !std::isfinite(value);
            if (std::isfinite(value))
                m_calculation.values.push_back(
                    {&result, value, substituted_text(*m_calculation.formula, result, m_calculation.arguments)});
        }
        if (m_calculation.values.empty())
            reject_all(undefined);
        return std::move(m_calculation);
    }

private:
    bool has(std::string_view name) const {
        return m_calculation.arguments.contains(name) || m_calculation.lists.contains(name);
    }
    std::optional<std::vector<double>> arguments_of(const FormulaResult &result) const {
        std::vector<double> row;
        for (const std::string_view name : result.arguments) {
            if (!has(name))
                return std::nullopt;
            if (const auto list = m_calculation.lists.find(name); list != m_calculation.lists.end())
                row.insert(row.end(), list->second.begin(), list->second.end());
            else
                row.push_back(m_calculation.arguments.find(name)->second);
        }
        return row;
    }
    /// Reports the missing arguments of the result that needs the fewest additional arguments.
    [[noreturn]] void reject_all(bool undefined) const {
        const Formula &formula = *m_calculation.formula;
        if (undefined)
            throw InputError("", "these values give no finite result",
                             "expected " + all_ranges(formula) + ", in a combination that gives a finite result");
        std::vector<std::string> fewest;
        std::string_view wanted;
        for (const FormulaResult &result : formula.results) {
            std::vector<std::string> missing;
            for (const std::string_view name : result.arguments)
                if (!has(name))
                    missing.emplace_back(name);
            if (wanted.empty() || missing.size() < fewest.size()) {
                fewest = missing;
                wanted = result.name;
            }
        }
        std::string names;
        for (const std::string &name : fewest)
            names += (names.empty() ? "" : " and ") + name;
        throw InputError("", fmt::format("{} needs {} to calculate {}", formula.id, names, wanted),
                         "expected " + all_names(formula));
    }

    Calculation m_calculation;
};

/// "1e21" for "1000000e15".
std::string shortened_power(const std::string &text) {
    const std::size_t e = text.find('e');
    const std::size_t last = text.find_last_not_of('0', e == std::string::npos ? e : e - 1);
    constexpr std::size_t max_zeros = 5;
    if (e == std::string::npos || last == std::string::npos || e - last - 1 <= max_zeros)
        return text;
    return fmt::format("{}e{}", text.substr(0, last + 1), std::stoul(text.substr(e + 1)) + (e - last - 1));
}

/// Writes "7B" as "7e9", because next to byte values it would read as 7 bytes.
std::string power_for_prefix(std::string text) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 5> prefixes{
        {{"k", "e3"}, {"M", "e6"}, {"B", "e9"}, {"T", "e12"}, {"Q", "e15"}}};
    for (const auto &[prefix, power] : prefixes)
        if (text.ends_with(prefix))
            return shortened_power(text.replace(text.size() - prefix.size(), prefix.size(), power));
    return text;
}

/// A number inside a formula, in parentheses if it contains an operator.
std::string operand(double value, const Symbol &symbol) {
    if (!symbol.choices.empty())
        return fmt::format("{}", value);
    const std::string text = exact_text_of(value, symbol.quantity, symbol.unit);
    if (symbol.quantity == Quantity::parameters || symbol.quantity == Quantity::tokens)
        return power_for_prefix(text);
    const bool ambiguous = text.starts_with('-') || text.find('/') != std::string::npos;
    return ambiguous ? "(" + text + ")" : text;
}

template <typename Spell>
std::string called(const FormulaResult &result, const Spell &spell) {
    std::string text = std::string(result.name) + "(";
    for (const std::string_view name : result.arguments)
        text += (text.ends_with('(') ? "" : ", ") + spell(name);
    return text + ")";
}

} // namespace

std::string formula_text(const FormulaResult &result) {
    const Expression expression = result.expression();
    return expression.has_opaque_part() ? called(result, [](std::string_view name) { return std::string(name); })
                                        : text_of(expression);
}

std::string substituted_text(const Formula &formula, const FormulaResult &result,
                             const std::map<std::string, double, std::less<>> &arguments) {
    const auto lookup = [&](std::string_view name) -> std::optional<Substitution> {
        const Symbol *symbol = formula.find_symbol(name);
        const auto given = arguments.find(name);
        if (symbol != nullptr && given != arguments.end())
            return Substitution{given->second, operand(given->second, *symbol)};
        return std::nullopt;
    };
    const Expression expression = result.expression();
    if (expression.has_opaque_part())
        return called(result, [&](std::string_view name) {
            const Symbol *symbol = formula.find_symbol(name);
            const auto given = arguments.find(name);
            if (symbol == nullptr || given == arguments.end())
                return std::string(name);
            return symbol->choices.empty() ? operand(given->second, *symbol) : value_text(given->second, *symbol);
        });
    const std::optional<Substitution> text = substituted(expression, lookup);
    return text ? text->text : text_of(expression);
}

Calculation calculate(std::string_view id, const std::map<std::string, std::string, std::less<>> &arguments) {
    const Formula *formula = find_formula(id);
    if (formula == nullptr)
        reject_formula(id);
    Worked worked(*formula);
    for (const auto &[name, text] : arguments) {
        const Symbol *symbol = formula->find_symbol(name);
        if (symbol == nullptr)
            reject_name(*formula, name);
        worked.take(*symbol, text);
    }
    worked.fill_in_defaults();
    return worked.finish();
}

} // namespace meshwright

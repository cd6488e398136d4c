// SPDX-License-Identifier: GPL-3.0-or-later
#include "quantities/text.h"
#include "quantities/units.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace meshwright {

namespace {

constexpr std::size_t longest_text = 80;

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// Replaces typographic spaces and the minus sign with ASCII characters, and trims spaces at both ends.
std::string tidy(std::string_view text) {
    static constexpr std::string_view spaces[] = {"\u00a0", "\u2009", "\u202f", "\t"};
    std::string tidied;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t length = 1;
        char replacement = text[at];
        for (const std::string_view space : spaces)
            if (text.substr(at).starts_with(space)) {
                length = space.size();
                replacement = ' ';
            }
        if (text.substr(at).starts_with("\u2212")) {
            length = 3;
            replacement = '-';
        }
        tidied += replacement;
        at += length;
    }
    const std::size_t first = tidied.find_first_not_of(' ');
    if (first == std::string::npos)
        return {};
    return tidied.substr(first, tidied.find_last_not_of(' ') - first + 1);
}

/// Reads a number from the start of a text and separates its digits, for std::from_chars, from its power of ten.
class NumberScanner {
public:
    explicit NumberScanner(std::string_view text)
        : m_rest(text) { }

    bool scan() {
        if (take('-'))
            m_digits = "-";
        else
            take('+');
        if (!whole_part())
            return false;
        fraction();
        return scientific_power().value_or(true);
    }
    const std::string &digits() const { return m_digits; }
    int power() const { return m_power; }
    std::string_view rest() const { return m_rest; }

private:
    bool take(char c) {
        if (m_rest.empty() || m_rest.front() != c)
            return false;
        m_rest.remove_prefix(1);
        return true;
    }
    std::size_t count_digits(std::size_t from = 0) const {
        std::size_t end = from;
        while (end < m_rest.size() && is_digit(m_rest[end]))
            ++end;
        return end - from;
    }
    void take_digits(std::size_t count) {
        m_digits += m_rest.substr(0, count);
        m_rest.remove_prefix(count);
    }
    /// Digits, optionally with thousands separators: "1152", "1,152", "1 152".
    bool whole_part() {
        const std::size_t first = count_digits();
        if (first == 0) {
            m_digits += '0';
            return m_rest.size() > 1 && m_rest[0] == '.' && is_digit(m_rest[1]);
        }
        take_digits(first);
        const char separator = m_rest.empty() ? '\0' : m_rest.front();
        while (first <= 3 && (separator == ',' || separator == ' ') && !m_rest.empty() && m_rest.front() == separator
               && count_digits(1) == 3) {
            m_rest.remove_prefix(1);
            take_digits(3);
        }
        return true;
    }
    void fraction() {
        if (m_rest.size() > 1 && m_rest[0] == '.' && is_digit(m_rest[1])) {
            m_rest.remove_prefix(1);
            m_digits += '.';
            take_digits(count_digits());
        } else {
            take('.');
        }
    }
    /// Parses a power of ten: "e25", or "10^25" or "1.2 x 10^25" as papers write large numbers of FLOPs. Returns
    /// nothing if there is no power, false if it is incomplete.
    std::optional<bool> scientific_power() {
        if (m_digits == "10" && m_rest.starts_with("^")) {
            m_digits = "1";
            m_rest.remove_prefix(1);
            return signed_power();
        }
        for (const std::string_view sign : {"x10^", "*10^", "\u00d710^", " x 10^", " * 10^", " \u00d7 10^"})
            if (m_rest.starts_with(sign)) {
                m_rest.remove_prefix(sign.size());
                return signed_power();
            }
        // If no digit follows, e is a prefix, as in "2EB".
        const std::size_t sign = m_rest.size() > 1 && (m_rest[1] == '-' || m_rest[1] == '+') ? 1 : 0;
        if (m_rest.empty() || (m_rest[0] != 'e' && m_rest[0] != 'E') || count_digits(1 + sign) == 0)
            return std::nullopt;
        m_rest.remove_prefix(1);
        return signed_power();
    }
    bool signed_power() {
        const bool negative = take('-');
        if (!negative)
            take('+');
        const std::size_t length = count_digits();
        if (length == 0 || length > 4)
            return false;
        std::from_chars(m_rest.data(), m_rest.data() + length, m_power);
        m_rest.remove_prefix(length);
        m_power = negative ? -m_power : m_power;
        return true;
    }

    std::string_view m_rest;
    std::string m_digits;
    int m_power = 0;
};

/// The unit after the number, without a counted noun such as "tokens" or "GPUs".
std::string_view unit_text(std::string_view rest, Quantity quantity) {
    const auto trim = [](std::string_view text) {
        while (!text.empty() && text.front() == ' ')
            text.remove_prefix(1);
        while (!text.empty() && text.back() == ' ')
            text.remove_suffix(1);
        return text;
    };
    rest = trim(rest);
    for (const std::string_view noun : nouns_of(quantity))
        if (rest.ends_with(noun))
            return trim(rest.substr(0, rest.size() - noun.size()));
    return rest;
}

const Unit *find_unit(std::string_view name, Quantity quantity) {
    const std::vector<Unit> &units = units_of(quantity);
    if (name.empty())
        return &units.front(); // a number without a unit is in SI units
    for (const Unit &unit : units)
        if (unit.name == name)
            return &unit;
    return nullptr;
}

bool is_money(Quantity quantity) {
    return quantity == Quantity::dollars || quantity == Quantity::dollars_per_hour
        || quantity == Quantity::dollars_per_kilowatt_hour;
}

} // namespace

std::optional<double> quantity_from(std::string_view text, Quantity quantity) {
    if (text.size() > longest_text)
        return std::nullopt;
    std::string tidied = tidy(text);
    // The dollar sign may come first: "$2.60/h", "-$25.3M".
    if (const std::size_t first = tidied.starts_with("-") ? 1 : 0; is_money(quantity) && tidied.substr(first, 1) == "$")
        tidied.erase(first, 1);
    NumberScanner scanner(tidied);
    if (!scanner.scan())
        return std::nullopt;
    const Unit *unit = find_unit(unit_text(scanner.rest(), quantity), quantity);
    if (unit == nullptr)
        return std::nullopt;
    // The decimal prefix is added to the exponent, so that "3 us" gives exactly the double nearest to 0.000003.
    const std::string decimal = fmt::format("{}e{}", scanner.digits(), scanner.power() + unit->exponent);
    double value = 0;
    const auto [end, error] = std::from_chars(decimal.data(), decimal.data() + decimal.size(), value);
    value *= unit->factor;
    if (error != std::errc() || end != decimal.data() + decimal.size() || !std::isfinite(value))
        return std::nullopt;
    if (quantity == Quantity::count && value != std::floor(value))
        return std::nullopt;
    return value;
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "quantities/text.h"

#include "quantities/units.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

namespace meshwright {

namespace {

enum class Zeros { keep, trim };

/// Power of ten of the first digit, after rounding to `digits` digits: 3 for 999.9 with three digits.
int magnitude(double value, int digits) {
    if (value == 0)
        return 0;
    const std::string text = fmt::format("{:.{}e}", value, digits - 1);
    return std::atoi(text.c_str() + text.find('e') + 1);
}

std::string without_trailing_zeros(std::string text) {
    if (text.find('.') == std::string::npos)
        return text;
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.')
        text.pop_back();
    return text;
}

std::string significant(double value, int digits, Zeros zeros) {
    const int decimals = std::max(0, digits - 1 - magnitude(value, digits));
    const std::string text = fmt::format("{:.{}f}", value, decimals);
    return zeros == Zeros::trim || value == 0 ? without_trailing_zeros(text) : text;
}

/// "1.5 TB", but "1.5T" for counts, whose unit is only a prefix.
std::string joined(const ValueText &text, Quantity quantity) {
    const bool counts = quantity == Quantity::count || quantity == Quantity::tokens || quantity == Quantity::parameters;
    return counts ? text.number + text.unit : with_unit(text.number, text.unit);
}

/// Uses the largest printed unit with at least one integer digit, or else the smallest unit.
template <typename Format>
std::string prefixed(double value, Quantity quantity, int digits, double factor, const Format &format) {
    const double scaled = value / factor;
    const int first_digit = magnitude(scaled, digits);
    const Unit *best = nullptr;
    for (const Unit &unit : units_of(quantity)) {
        if (!unit.printed || unit.factor != factor)
            continue;
        const bool small_enough = unit.exponent <= first_digit;
        const bool better = best == nullptr
            || (small_enough ? best->exponent > first_digit || unit.exponent > best->exponent
                             : best->exponent > first_digit && unit.exponent < best->exponent);
        if (value == 0 ? unit.exponent == 0 : better)
            best = &unit;
    }
    return joined({format(scaled / std::pow(10.0, best->exponent)), best->name}, quantity);
}

std::string prefixed(double value, Quantity quantity, int digits, Zeros zeros, double factor = 1) {
    return prefixed(value, quantity, digits, factor, [&](double scaled) { return significant(scaled, digits, zeros); });
}

std::string bytes_text(double value) {
    constexpr int digits = 4;
    return prefixed(value, Quantity::bytes, digits, 1,
                    [&](double scaled) { return fmt::format("{:.{}f}", scaled, std::abs(value) < 1000 ? 0 : 1); });
}

std::string time_text(double value) {
    constexpr double minute = 60, hour = 3600, day = 86400, year = 365.25 * day;
    const double size = std::abs(value);
    if (size < 2 * minute)
        return prefixed(value, Quantity::seconds, 3, Zeros::keep);
    if (size < 2 * hour)
        return with_unit(significant(value / minute, size < 10 * minute ? 3 : 2, Zeros::keep), "min");
    if (size < 2 * day)
        return with_unit(significant(value / hour, 3, Zeros::keep), "h");
    if (size < 10'000 * day)
        return with_unit(size < 99.95 * day ? significant(value / day, 3, Zeros::keep) : grouped(value / day), "days");
    return with_unit(size < 1e6 * year ? grouped(value / year) : fmt::format("{:.2e}", value / year), "years");
}

/// Formats as "1.24e25", without a plus sign or leading zeros in the exponent of a large number.
std::string scientific(double value) {
    const std::string text = fmt::format("{:.2e}", value);
    const std::size_t e = text.find('e');
    return fmt::format("{}e{}", text.substr(0, e), std::atoi(text.c_str() + e + 1));
}

std::string number_text(double value) {
    const double size = std::abs(value);
    if (value != 0 && (size < 1e-3 || size >= 1e6))
        return scientific(value);
    return significant(value, 3, Zeros::trim);
}

std::string share_text(double value) {
    const double percent = value * 100;
    if (percent != 0 && std::abs(percent) < 0.095)
        return with_unit(std::abs(percent) < 1e-4 ? scientific(percent) : significant(percent, 1, Zeros::keep), "%");
    return percent_text(value);
}

std::string price_text(double value, std::string_view unit) {
    std::string text = without_trailing_zeros(fmt::format("{:.4f}", value));
    const std::size_t point = text.find('.');
    if (point == std::string::npos || text.size() - point < 3)
        text = fmt::format("{:.2f}", value);
    return with_unit(text, unit);
}

/// The digits of the shortest text that parses back to `value`, and the power of ten of the first digit.
struct Digits {
    std::string text;
    int exponent = 0;
};

Digits shortest_digits(double value) {
    std::string shortest = fmt::format("{}", std::abs(value));
    // fmt prints the shortest text with or without an exponent; normalize it to digits and an exponent.
    const std::size_t e = shortest.find('e');
    int exponent = e == std::string::npos ? 0 : std::atoi(shortest.c_str() + e + 1);
    std::string mantissa = shortest.substr(0, e);
    const std::size_t point = mantissa.find('.');
    exponent += static_cast<int>(point == std::string::npos ? mantissa.size() : point) - 1;
    if (point != std::string::npos)
        mantissa.erase(point, 1);
    const std::size_t first = mantissa.find_first_not_of('0');
    if (first == std::string::npos)
        return {"0", 0};
    mantissa.erase(0, first);
    exponent -= static_cast<int>(first);
    mantissa.erase(mantissa.find_last_not_of('0') + 1);
    return {mantissa, exponent};
}

/// The digits as a plain decimal number; empty if it would be too long.
std::string plain(const Digits &digits) {
    constexpr int widest = 15, smallest = -4;
    if (digits.exponent > widest || digits.exponent < smallest)
        return {};
    if (digits.exponent < 0)
        return "0." + std::string(static_cast<std::size_t>(-digits.exponent - 1), '0') + digits.text;
    const std::size_t whole = static_cast<std::size_t>(digits.exponent) + 1;
    constexpr std::size_t max_zeros = 9;
    if (digits.text.size() + max_zeros < whole)
        return {};
    if (digits.text.size() <= whole)
        return digits.text + std::string(whole - digits.text.size(), '0');
    return digits.text.substr(0, whole) + "." + digits.text.substr(whole);
}

} // namespace

std::string grouped(double whole) {
    std::string text = fmt::format("{:.0f}", whole);
    const std::size_t first = text.front() == '-' ? 1 : 0;
    for (std::size_t place = text.size(); place > first + 3;) {
        place -= 3;
        text.insert(place, ",");
    }
    return text == "-0" ? "0" : text;
}

std::string text_of(double value, Quantity quantity) {
    if (std::isnan(value))
        return "n/a";
    if (std::isinf(value))
        return value > 0 ? "infinite" : "-infinite";
    switch (quantity) {
    case Quantity::number:
        return number_text(value);
    case Quantity::share:
        return share_text(value);
    case Quantity::count:
        return std::abs(value) < 1e6 ? grouped(value) : prefixed(value, quantity, 3, Zeros::trim);
    case Quantity::bytes:
        return bytes_text(value);
    case Quantity::seconds:
        return time_text(value);
    case Quantity::flops:
        return std::abs(value) >= 1e18 ? scientific(value) + " FLOP" : prefixed(value, quantity, 3, Zeros::trim);
    case Quantity::bytes_per_second:
    case Quantity::bits_per_second:
    case Quantity::flops_per_second:
    case Quantity::watts:
    case Quantity::tokens:
        return prefixed(value, quantity, 3, Zeros::trim);
    case Quantity::parameters:
        return prefixed(value, quantity, 4, Zeros::trim);
    case Quantity::joules:
        return prefixed(value, quantity, 3, Zeros::keep, 3600);
    case Quantity::dollars:
        return prefixed(value, quantity, 3, Zeros::keep);
    case Quantity::dollars_per_hour:
        return price_text(value, "$/h");
    case Quantity::dollars_per_kilowatt_hour:
        return price_text(value, "$/kWh");
    }
    return number_text(value);
}

std::string percent_text(double fraction, int decimals) {
    return with_unit(fmt::format("{:.{}f}", 100 * fraction, decimals), "%");
}

std::string signed_percent_text(double fraction, int decimals) {
    return with_unit(fmt::format("{:+.{}f}", 100 * fraction, decimals), "%");
}

std::string with_unit(const std::string &number, std::string_view unit) {
    if (const std::size_t dollar = unit.find('$'); dollar != std::string_view::npos) {
        const std::size_t first = number.starts_with('-') ? 1 : 0;
        return number.substr(0, first) + "$" + number.substr(first) + std::string(unit.substr(0, dollar))
            + std::string(unit.substr(dollar + 1));
    }
    const bool is_apart = !unit.empty() && unit != "%";
    return number + (is_apart ? " " : "") + std::string(unit);
}

std::string exact_text(double value, Quantity quantity) {
    return joined(exact_parts(value, quantity), quantity);
}

ValueText exact_parts(double value, Quantity quantity) {
    const std::vector<Unit> &units = units_of(quantity);
    if (value == 0 || quantity == Quantity::count)
        return {fmt::format("{}", value), units.front().name};
    const Digits digits = shortest_digits(value);
    ValueText best;
    std::size_t best_cost = std::string::npos;
    for (const Unit &unit : units) {
        if (!unit.printed)
            continue;
        const Digits scaled = unit.factor == 1 ? Digits{digits.text, digits.exponent - unit.exponent}
                                               : shortest_digits(value / unit.factor / std::pow(10.0, unit.exponent));
        const std::string number = plain(scaled);
        const bool one_day = number == "1" && value > 0 && quantity == Quantity::seconds && unit.name.ends_with("s");
        const std::string name =
            one_day && unit.name.size() > 2 ? unit.name.substr(0, unit.name.size() - 1) : unit.name;
        const ValueText text{(value < 0 ? "-" : "") + number, name};
        // Prefers short numbers, especially from 1 to 999, or to 9999 without a prefix. In a tie, the earlier unit is
        // chosen.
        const bool familiar = scaled.exponent >= 0 && scaled.exponent < (unit.exponent == 0 ? 4 : 3);
        const std::size_t cost = number.size() + (familiar ? 0 : 3);
        if (!number.empty() && cost < best_cost && quantity_from(joined(text, quantity), quantity) == value) {
            best = text;
            best_cost = cost;
        }
    }
    if (!best.number.empty())
        return best;
    std::string number = fmt::format("{}", value);
    if (const std::size_t plus = number.find("e+"); plus != std::string::npos)
        number.erase(plus + 1, 1);
    return {number, units.front().name};
}

} // namespace meshwright

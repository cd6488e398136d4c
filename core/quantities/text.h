// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace meshwright {

/// The quantity that a number measures. Values are in SI units throughout: bytes, seconds, FLOP, watts, dollars,
/// fractions of 1.
enum class Quantity {
    number,
    share, ///< a fraction of 1, printed as a percentage
    count, ///< an integer
    bytes,
    seconds,
    bytes_per_second,
    bits_per_second,
    flops,
    flops_per_second,
    watts,
    joules, ///< printed in Wh
    dollars,
    dollars_per_hour,
    dollars_per_kilowatt_hour,
    tokens,
    parameters
};
inline constexpr std::size_t quantity_count = static_cast<std::size_t>(Quantity::parameters) + 1;

/// A value for display: "149.2 GB", "23.0 s", "53 min", "352 days", "$25.3M", "400 Gb/s", "31.7%", "12T",
/// "1.24e25 FLOP". Three significant digits, with exceptions: integer minutes from ten minutes on, integer days from a
/// hundred days on, one decimal for memory and percentages, and no trailing zeros for values that are specified rather
/// than measured (rates, counts, tokens). Counts up to a million have all their digits. NaN is shown as "n/a", infinity
/// as "infinite". Every locale uses the decimal point.
std::string text_of(double value, Quantity quantity);

/// A fraction of 1 as a percentage: "31.7%".
std::string percent_text(double fraction, int decimals = 1);
/// A relative change, with its sign: "+9.6%", "-12.4%".
std::string signed_percent_text(double fraction, int decimals = 1);

/// A number with its unit: "23.0 s". American style has no space before the percent sign, "31.7%", and the dollar sign
/// in front: "$25.3M", "$2.60/h".
std::string with_unit(const std::string &number, std::string_view unit);

/// The shortest text in one of the quantity's units that quantity_from() parses to exactly this value. Used for input
/// fields. @pre value is finite
std::string exact_text(double value, Quantity quantity);

/// A number and its unit separately: "143.95" and "B", "2.60" and "$/h".
struct ValueText {
    std::string number;
    std::string unit;
};
/// The parts of exact_text(). @pre value is finite
ValueText exact_parts(double value, Quantity quantity);

/// Parses user input: a number ("1,152", "2.5e3", "10^25") followed by a unit; without a unit it is in SI units. Bits
/// and bytes are distinguished: "100 Mb/s" is 12.5e6 bytes/s, "100 MB/s" is 100e6. Prefixes are case-sensitive because
/// m is milli. Returns nothing if the text does not parse or the value does not fit in a double. Counts must be
/// integers.
std::optional<double> quantity_from(std::string_view text, Quantity quantity);

/// An integer with thousands separators: "1,152".
std::string grouped(double whole);

} // namespace meshwright

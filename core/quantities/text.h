// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace meshwright {

/// What a number of the program is. Values are SI throughout: bytes, seconds, FLOP, watts, dollars, shares of 1.
enum class Quantity {
    number,
    share, ///< 1 is the whole; printed in %
    count, ///< whole things
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

/// A value as people read it: "149.2 GB", "23.0 s", "53 min", "352 days", "25.3 M$", "400 Gb/s", "31.7 %", "1.24e25
/// FLOP". Three significant digits (whole minutes from ten on, whole days from a hundred on, one decimal in memory and
/// in percent, no trailing zeros in what is rather given than measured: rates, counts, tokens). Counts up to a million
/// have all their digits. Not a number prints "n/a", infinity "infinite". English decimal point in every locale.
std::string text_of(double value, Quantity quantity);

/// The shortest text in one of the quantity's units that `quantity_from` reads back as exactly this value: what an
/// editing field shows. @pre value is finite
std::string exact_text(double value, Quantity quantity);

/// Reads what a person typed: a number ("1,152", "2.5e3", "10^25"), then a unit or nothing for the SI unit. Bits and
/// bytes are told apart: "100 Mb/s" is 12.5e6 bytes/s, "100 MB/s" is 100e6; prefixes are case-sensitive, as m is milli.
/// Nothing if it is not such a text or no double holds it. Counts must come out whole.
std::optional<double> quantity_from(std::string_view text, Quantity quantity);

/// "1,152": a whole number with its thousands set apart.
std::string grouped(double whole);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

/// Removes terminal escape sequences and carriage returns from a log.
std::string plain_log(std::string_view text);

/// Lines and words of a log. They point into its text, which must outlive them.
std::vector<std::string_view> log_lines(std::string_view text);
std::vector<std::string_view> log_words(std::string_view line);
std::string_view log_trimmed(std::string_view text);

/// The number at the beginning of a text, with optional thousands separators and exponent: "6,785", "1.638E-08",
/// "39.73%".
/// @param[out] rest  the text after the number; may be null
std::optional<double> leading_number(std::string_view text, std::string_view *rest = nullptr);
/// The number in a text that contains nothing else; empty for any other text.
std::optional<double> whole_number_of(std::string_view text);

/// The text after `mark` in a line, without leading blanks. Empty if the line does not contain the mark.
std::optional<std::string_view> text_after(std::string_view line, std::string_view mark);
std::optional<double> number_after(std::string_view line, std::string_view mark);

/// Median of the values; for an even number of values, the mean of the middle two. @pre there are values
double median_of(std::vector<double> values);

} // namespace meshwright

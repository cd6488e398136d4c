// SPDX-License-Identifier: GPL-3.0-or-later
#include "measured/log_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace meshwright {

namespace {

constexpr std::string_view log_blanks = " \t";

bool is_log_digit(char c) {
    return c >= '0' && c <= '9';
}

} // namespace

std::string plain_log(std::string_view text) {
    std::string plain;
    plain.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '\x1b' && i + 1 < text.size() && text[i + 1] == '[') {
            // A control sequence ends with a byte from @ to ~ (ECMA-48, 5.4).
            for (i += 2; i < text.size() && (text[i] < '@' || text[i] > '~'); ++i) { }
        } else if (c == '\r') {
            if (i + 1 == text.size() || text[i + 1] != '\n')
                plain += '\n'; // a progress bar returns to the start of its line
        } else if (c != '\x1b' && c != '\0') {
            plain += c;
        }
    }
    return plain;
}

std::vector<std::string_view> log_lines(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

std::vector<std::string_view> log_words(std::string_view line) {
    std::vector<std::string_view> words;
    for (std::size_t at = line.find_first_not_of(log_blanks); at != std::string_view::npos;
         at = line.find_first_not_of(log_blanks, at)) {
        const std::size_t end = std::min(line.find_first_of(log_blanks, at), line.size());
        words.push_back(line.substr(at, end - at));
        at = end;
    }
    return words;
}

std::string_view log_trimmed(std::string_view text) {
    const std::size_t begin = std::min(text.find_first_not_of(log_blanks), text.size());
    text.remove_prefix(begin);
    return text.substr(0, text.find_last_not_of(log_blanks) + 1);
}

std::optional<double> leading_number(std::string_view text, std::string_view *rest) {
    text = log_trimmed(text);
    std::string digits;
    std::size_t end = 0;
    for (; end < text.size() && digits.size() < 64; ++end) {
        const char c = text[end];
        const bool grouping =
            c == ',' && end + 1 < text.size() && is_log_digit(text[end + 1]) && end > 0 && is_log_digit(text[end - 1]);
        const bool sign = (c == '-' || c == '+') && (end == 0 || text[end - 1] == 'e' || text[end - 1] == 'E');
        const bool exponent = (c == 'e' || c == 'E') && end > 0 && (is_log_digit(text[end - 1]) || text[end - 1] == '.')
            && end + 1 < text.size() && (is_log_digit(text[end + 1]) || text[end + 1] == '-' || text[end + 1] == '+');
        if (!is_log_digit(c) && c != '.' && !grouping && !sign && !exponent)
            break;
        if (!grouping && !(c == '+' && end == 0))
            digits += c;
    }
    double value = 0;
    const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (digits.empty() || error != std::errc() || stop != digits.data() + digits.size() || !std::isfinite(value))
        return std::nullopt;
    if (rest != nullptr)
        *rest = text.substr(end);
    return value;
}

std::optional<double> whole_number_of(std::string_view text) {
    std::string_view rest;
    const std::optional<double> value = leading_number(text, &rest);
    return value && log_trimmed(rest).empty() ? value : std::nullopt;
}

std::optional<std::string_view> text_after(std::string_view line, std::string_view mark) {
    const std::size_t at = line.find(mark);
    return at == std::string_view::npos ? std::nullopt : std::optional(log_trimmed(line.substr(at + mark.size())));
}

std::optional<double> number_after(std::string_view line, std::string_view mark) {
    const std::optional<std::string_view> text = text_after(line, mark);
    return text ? leading_number(*text) : std::nullopt;
}

double median_of(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

} // namespace meshwright

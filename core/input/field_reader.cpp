// SPDX-License-Identifier: GPL-3.0-or-later
#include "input/field_reader.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::array<std::string_view, 6> documentation_fields{"$schema", "description", "notes",
                                                               "source",  "sources",     "comment"};

/// A hostile file may have a million wrong fields, and the first few are enough for an error message.
constexpr std::size_t max_problems = 200;

std::string short_text(const Json &value) {
    std::string text = value.is_structured() && value.size() > 20
        ? std::string(value.is_array() ? "a long array" : "a large object")
        : value.dump(-1, ' ', false, Json::error_handler_t::replace);
    if (text.size() > 60) {
        std::size_t end = 57;
        while ((static_cast<unsigned char>(text[end]) & 0xc0) == 0x80)
            --end; // the message goes into JSON, so do not cut inside a UTF-8 sequence
        text = text.substr(0, end) + "...";
    }
    return text;
}

std::string number_text(double value) {
    return std::abs(value) < 1e15 && value == std::floor(value) ? fmt::format("{:.0f}", value)
                                                                : fmt::format("{:g}", value);
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t above = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0u : 1u)});
            diagonal = above;
        }
    }
    return row[b.size()];
}

constexpr std::size_t shortest_beginning = 3; ///< length of the shortest word that may match the beginning of a name

} // namespace

std::string pointer_token(std::string_view key) {
    std::string token;
    for (const char c : key) {
        if (c == '~')
            token += "~0";
        else if (c == '/')
            token += "~1";
        else
            token += c;
    }
    return token;
}

std::optional<std::string> nearest_word(std::string_view word, const std::vector<std::string> &candidates) {
    std::optional<std::string> best;
    std::size_t best_distance = std::max<std::size_t>(2, word.size() / 3) + 1;
    if (word.size() > 64)
        return best;
    for (const std::string &candidate : candidates) {
        const std::size_t distance = edit_distance(word, candidate);
        if (distance < best_distance) {
            best_distance = distance;
            best = candidate;
        }
    }
    if (best || word.size() < shortest_beginning)
        return best;
    for (const std::string &candidate : candidates)
        if (candidate.starts_with(word) && (!best || candidate.size() < best->size()))
            best = candidate;
    return best;
}

std::string listed(const std::vector<std::string> &words) {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i)
        text += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
    return text;
}

FieldReader::FieldReader(const Json &value, std::string pointer, std::vector<Diagnostic> &problems)
    : m_pointer(std::move(pointer))
    , m_problems(problems) {
    if (value.is_object())
        m_object = &value;
    else
        problem("", fmt::format("{} is not an object", short_text(value)), "expected an object");
}

std::string FieldReader::pointer_to(std::string_view key) const {
    return key.empty() ? m_pointer : m_pointer + "/" + pointer_token(key);
}

bool FieldReader::has(std::string_view key) const {
    if (m_object == nullptr)
        return false;
    const auto found = m_object->find(key);
    return found != m_object->end() && !found->is_null();
}

const Json *FieldReader::find(std::string_view key) {
    m_known.emplace(key);
    if (!has(key))
        return nullptr;
    return &*m_object->find(key);
}

const Json *FieldReader::raw(std::string_view key) {
    return find(key);
}

void FieldReader::problem(std::string_view key, std::string message, std::string expected) {
    m_problems.push_back({.severity = Severity::error,
                          .code = "field",
                          .message = std::move(message),
                          .expected = std::move(expected),
                          .fields = {pointer_to(key)},
                          .fixes = {}});
}

bool FieldReader::wrong_type(std::string_view key, const Json &value, const std::string &expected) {
    problem(key, fmt::format("{} has the wrong type", short_text(value)), expected);
    return false;
}

bool FieldReader::number(std::string_view key, double &value, Range range) {
    const Json *found = find(key);
    if (found == nullptr)
        return false;
    const std::string expected =
        fmt::format("expected a number from {} to {}", number_text(range.low), number_text(range.high));
    if (!found->is_number())
        return wrong_type(key, *found, expected);
    const double number = found->get<double>();
    if (!(number >= range.low && number <= range.high)) {
        problem(key, fmt::format("{} is out of range", number_text(number)), expected);
        return false;
    }
    value = number;
    return true;
}

bool FieldReader::count(std::string_view key, std::int64_t &value, std::int64_t low, std::int64_t high) {
    const Json *found = find(key);
    if (found == nullptr)
        return false;
    const std::string expected = fmt::format("expected an integer from {} to {}", low, high);
    if (!found->is_number())
        return wrong_type(key, *found, expected);
    const double number = found->get<double>();
    if (!(number >= static_cast<double>(low) && number <= static_cast<double>(high)) || number != std::floor(number)) {
        problem(key,
                number == std::floor(number) ? fmt::format("{} is out of range", number_text(number))
                                             : fmt::format("{} is not an integer", number_text(number)),
                expected);
        return false;
    }
    value = static_cast<std::int64_t>(number);
    return true;
}

bool FieldReader::boolean(std::string_view key, bool &value) {
    const Json *found = find(key);
    if (found == nullptr)
        return false;
    if (!found->is_boolean())
        return wrong_type(key, *found, "expected true or false");
    value = found->get<bool>();
    return true;
}

bool FieldReader::text(std::string_view key, std::string &value) {
    const Json *found = find(key);
    if (found == nullptr)
        return false;
    if (!found->is_string())
        return wrong_type(key, *found, "expected a string");
    value = found->get<std::string>();
    return true;
}

bool FieldReader::counts(std::string_view key, std::vector<std::int64_t> &values, std::int64_t low, std::int64_t high) {
    const Json *found = find(key);
    if (found == nullptr)
        return false;
    const std::string expected = fmt::format("expected an array of integers from {} to {}", low, high);
    if (!found->is_array())
        return wrong_type(key, *found, expected);
    std::vector<std::int64_t> read;
    for (const Json &item : *found) {
        const double number = item.is_number() ? item.get<double>() : NAN;
        if (!(number >= static_cast<double>(low) && number <= static_cast<double>(high))
            || number != std::floor(number)) {
            m_problems.push_back({.severity = Severity::error,
                                  .code = "field",
                                  .message = fmt::format("{} does not belong here", short_text(item)),
                                  .expected = expected,
                                  .fields = {fmt::format("{}/{}", pointer_to(key), read.size())},
                                  .fixes = {}});
            return false;
        }
        read.push_back(static_cast<std::int64_t>(number));
    }
    values = std::move(read);
    return true;
}

bool FieldReader::word(std::string_view key, int &index, const std::vector<std::string> &words) {
    const Json *found = find(key);
    if (found == nullptr)
        return false;
    const std::string expected = "expected " + listed(words);
    if (!found->is_string())
        return wrong_type(key, *found, expected);
    const std::string read = found->get<std::string>();
    const auto place = std::find(words.begin(), words.end(), read);
    if (place == words.end()) {
        const std::optional<std::string> near = nearest_word(read, words);
        problem(key, fmt::format("{} is not known{}", short_text(*found), near ? ", did you mean " + *near + "?" : ""),
                expected);
        return false;
    }
    index = static_cast<int>(place - words.begin());
    return true;
}

bool FieldReader::object(std::string_view key, const std::function<void(FieldReader &)> &read) {
    const Json *found = find(key);
    if (found == nullptr)
        return false;
    if (!found->is_object())
        return wrong_type(key, *found, "expected an object");
    FieldReader inner(*found, pointer_to(key), m_problems);
    read(inner);
    inner.finish();
    return true;
}

bool FieldReader::objects(std::string_view key, const std::function<void(FieldReader &)> &read) {
    const Json *found = find(key);
    if (found == nullptr)
        return false;
    if (!found->is_array())
        return wrong_type(key, *found, "expected an array of objects");
    std::size_t index = 0;
    for (const Json &item : *found) {
        if (m_problems.size() >= max_problems)
            break;
        FieldReader inner(item, fmt::format("{}/{}", pointer_to(key), index++), m_problems);
        read(inner);
        inner.finish();
    }
    return true;
}

void FieldReader::require(std::string_view key, const std::string &expected) {
    m_known.emplace(key);
    if (m_object != nullptr && !has(key))
        problem(key, "missing", expected);
}

void FieldReader::finish() {
    if (m_object == nullptr)
        return;
    const std::vector<std::string> known(m_known.begin(), m_known.end());
    for (const auto &item : m_object->items()) {
        if (m_problems.size() >= max_problems)
            break;
        const std::string &key = item.key();
        if (m_known.contains(key)
            || std::find(documentation_fields.begin(), documentation_fields.end(), key) != documentation_fields.end())
            continue;
        const std::optional<std::string> near = nearest_word(key, known);
        problem(key, "unknown field",
                near ? "did you mean " + *near + "? Expected one of " + listed(known)
                     : "expected one of " + listed(known));
    }
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/option_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>
#include <unordered_set>
#include <utility>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

constexpr double largest_integer = 9e15; // doubles represent all integers up to about 9e15 exactly

std::optional<double> spelled_number(std::string_view text) {
    std::string digits;
    for (const char c : text)
        if (c != '_')
            digits += c;
    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size() || digits.empty() || !std::isfinite(value))
        return std::nullopt;
    return value;
}

/// "`command`": a text in backticks.
bool is_quoted_command(std::string_view text) {
    const std::size_t first = text.find('`');
    return first != std::string_view::npos && text.find('`', first + 2) != std::string_view::npos;
}

/// Words separated by spaces, from a list such as "[core_attn,mlp]". Other texts are unchanged.
std::string without_brackets(std::string text) {
    if (!text.starts_with('[') || text.find('[', 1) != std::string::npos || text.find(']') + 1 != text.size())
        return text;
    for (char &c : text)
        if (c == '[' || c == ']' || c == ',' || c == '"' || c == '\'')
            c = ' ';
    return text;
}

/// The distinct texts of values, in order, without the text of the value in effect.
std::vector<std::string> different_values(const std::vector<Json> &values, const std::string &in_effect) {
    std::unordered_set<std::string> seen{in_effect};
    std::vector<std::string> different;
    for (const Json &value : values)
        if (std::string text = value_text(value); seen.insert(text).second)
            different.push_back(std::move(text));
    return different;
}

std::optional<std::int64_t> whole(double value) {
    if (value != std::floor(value) || std::abs(value) > largest_integer)
        return std::nullopt;
    return static_cast<std::int64_t>(value);
}

} // namespace

std::optional<std::int64_t> spelled_integer(std::string_view text) {
    const std::optional<double> value = spelled_number(text);
    return value ? whole(*value) : std::nullopt;
}

bool is_unresolved(std::string_view text) {
    const std::size_t dollar = text.find('$');
    const bool variable = dollar != std::string_view::npos && dollar + 1 < text.size()
        && (text[dollar + 1] == '{' || text[dollar + 1] == '(' || text[dollar + 1] == '_'
            || std::isalnum(static_cast<unsigned char>(text[dollar + 1])) != 0);
    return variable || is_quoted_command(text) || text.find("{{") != std::string_view::npos;
}

std::string why_unresolved(std::string_view text) {
    if (is_quoted_command(text))
        return fmt::format("{} is known only when the script runs", text);
    const std::size_t bracket = text.find("$(");
    if (bracket == std::string_view::npos)
        return fmt::format("{} is a variable without a value in this file", text);
    return text.substr(bracket).starts_with("$((")
        ? fmt::format("{} is calculated with a variable that has no value in this file", text)
        : fmt::format("{} is known only when the script runs", text);
}

std::string value_text(const Json &value) {
    if (value.is_string())
        return value.get<std::string>();
    if (!value.is_array())
        return value.is_null() ? "null" : value.dump();
    std::string words;
    for (const Json &item : value)
        words += (words.empty() ? "" : " ") + value_text(item);
    return words;
}

bool is_false(const Json &value) {
    return value == false || value == "false" || value == "False";
}

OptionList::OptionList(std::vector<LaunchOption> options) {
    for (LaunchOption &option : options) {
        const auto [index, is_new] = m_index.try_emplace(option.name, m_entries.size());
        if (is_new) {
            m_entries.push_back({.option = std::move(option), .other_values = {}, .note = {}});
        } else {
            Entry &found = m_entries[index->second];
            found.other_values.push_back(std::exchange(found.option.value, std::move(option.value)));
        }
    }
}

OptionList::Entry *OptionList::entry(std::string_view name) {
    const auto found = m_index.find(std::string(name));
    return found == m_index.end() ? nullptr : &m_entries[found->second];
}
const OptionList::Entry *OptionList::entry(std::string_view name) const {
    const auto found = m_index.find(std::string(name));
    return found == m_index.end() ? nullptr : &m_entries[found->second];
}

const LaunchOption *OptionList::find(std::string_view name) const {
    const Entry *const found = entry(name);
    return found == nullptr ? nullptr : &found->option;
}

bool OptionList::is_open(std::string_view name) const {
    const Entry *const found = entry(name);
    return found != nullptr && found->state == State::open;
}

bool OptionList::has_any_below(std::string_view prefix) const {
    return std::any_of(m_entries.begin(), m_entries.end(),
                       [&](const Entry &each) { return each.option.name.starts_with(prefix); });
}

const LaunchOption *OptionList::find_matching(const std::function<bool(const LaunchOption &)> &holds) const {
    const auto found =
        std::find_if(m_entries.begin(), m_entries.end(), [&](const Entry &each) { return holds(each.option); });
    return found == m_entries.end() ? nullptr : &found->option;
}

const Json *OptionList::stated(std::string_view name) {
    const LaunchOption *const option = find(name);
    if (option == nullptr)
        return nullptr;
    if (option->value.is_null()) {
        ignore(name, "no value: the program's default applies");
        return nullptr;
    }
    if (option->value.is_string()) {
        const auto &text = option->value.get_ref<const std::string &>();
        if (is_unresolved(text)) {
            fault(name, why_unresolved(text));
            return nullptr;
        }
        if (text == "auto") {
            ignore(name, "\"auto\": filled in by the calling program");
            return nullptr;
        }
    }
    return &option->value;
}

void OptionList::wrong_type(std::string_view name, const std::string &expected) {
    fault(name, fmt::format("{} is not valid; expected {}", value_text(find(name)->value).substr(0, 60), expected));
}

std::optional<std::int64_t> OptionList::integer(std::string_view name, std::string_view field) {
    const Json *const value = stated(name);
    if (value == nullptr)
        return std::nullopt;
    std::optional<std::int64_t> result;
    if (value->is_number())
        result = whole(value->get<double>());
    else if (value->is_string())
        result = spelled_integer(value->get_ref<const std::string &>());
    if (result)
        understand(name, field);
    else
        wrong_type(name, "an integer");
    return result;
}

std::optional<double> OptionList::number(std::string_view name, std::string_view field) {
    const Json *const value = stated(name);
    if (value == nullptr)
        return std::nullopt;
    std::optional<double> result;
    if (value->is_number())
        result = value->get<double>();
    else if (value->is_string())
        result = spelled_number(value->get_ref<const std::string &>());
    if (result && std::isfinite(*result))
        understand(name, field);
    else
        wrong_type(name, "a number");
    return result;
}

std::optional<bool> OptionList::flag(std::string_view name, std::string_view field) {
    const Json *const value = stated(name);
    if (value == nullptr)
        return std::nullopt;
    std::optional<bool> result;
    if (value->is_boolean()) {
        result = value->get<bool>();
    } else if (value->is_string()) {
        std::string text = value->get<std::string>();
        std::transform(text.begin(), text.end(), text.begin(),
                       [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
        if (text == "true" || text == "1" || text == "yes" || text == "on")
            result = true;
        else if (text == "false" || text == "0" || text == "no" || text == "off")
            result = false;
    } else if (value->is_number_integer()) {
        result = value->get<std::int64_t>() != 0;
    }
    if (result)
        understand(name, field);
    else
        wrong_type(name, "true or false");
    return result;
}

std::optional<std::string> OptionList::word(std::string_view name, std::string_view field) {
    const Json *const value = stated(name);
    if (value == nullptr)
        return std::nullopt;
    if (value->is_array() || value->is_object()) {
        wrong_type(name, "one word");
        return std::nullopt;
    }
    understand(name, field);
    return value_text(*value);
}

std::vector<std::string> OptionList::words(std::string_view name, std::string_view field) {
    const Json *const value = stated(name);
    if (value == nullptr)
        return {};
    understand(name, field);
    std::vector<std::string> result;
    std::istringstream stream(without_brackets(value_text(*value)));
    for (std::string each; stream >> each;)
        result.push_back(each);
    return result;
}

void OptionList::understand(std::string_view name, std::string_view field) {
    if (Entry *const found = entry(name)) {
        found->state = State::understood;
        found->note = field;
    }
}

void OptionList::ignore(std::string_view name, std::string why) {
    if (Entry *const found = entry(name)) {
        found->state = State::ignored;
        found->note = std::move(why);
    }
}

void OptionList::ignore_fields_below(std::string_view pointer, const std::string &why) {
    for (Entry &each : m_entries)
        if (each.state == State::understood && each.note.starts_with(pointer)) {
            each.state = State::ignored;
            each.note = why;
        }
}

void OptionList::prefer(std::string_view name, const Json &value) {
    Entry *const found = entry(name);
    if (found == nullptr || found->option.value == value)
        return;
    const auto other = std::find(found->other_values.begin(), found->other_values.end(), value);
    if (other != found->other_values.end())
        std::swap(*other, found->option.value);
}

void OptionList::fault(std::string_view name, std::string why) {
    if (Entry *const found = entry(name); found != nullptr && found->state != State::understood) {
        found->state = State::ignored;
        found->note = why;
    }
    m_faults.push_back({.option = std::string(name), .why = std::move(why)});
}

void OptionList::assume(std::string_view field, Json value, std::string why) {
    m_assumed.push_back({.field = std::string(field), .value = std::move(value), .why = std::move(why)});
}

void OptionList::retract(std::string_view field) {
    std::erase_if(m_assumed, [&](const AssumedField &each) { return each.field == field; });
}

std::vector<const LaunchOption *> OptionList::open() const {
    std::vector<const LaunchOption *> result;
    for (const Entry &each : m_entries)
        if (each.state == State::open)
            result.push_back(&each.option);
    return result;
}

void OptionList::ignore_rest(const std::function<std::string(const LaunchOption &)> &why) {
    for (Entry &each : m_entries)
        if (each.state == State::open) {
            each.state = State::ignored;
            each.note = why(each.option);
        }
}

void OptionList::settle(Imported &imported) && {
    for (Entry &each : m_entries) {
        std::string value = value_text(each.option.value);
        std::vector<std::string> others = different_values(each.other_values, value);
        if (each.state == State::understood)
            imported.understood.push_back(
                {std::move(each.option.name), std::move(value), std::move(each.note), std::move(others)});
        else
            imported.ignored.push_back(
                {std::move(each.option.name), std::move(value), std::move(each.note), std::move(others)});
    }
    imported.assumed.insert(imported.assumed.end(), m_assumed.begin(), m_assumed.end());
    imported.faults.insert(imported.faults.end(), m_faults.begin(), m_faults.end());
}

} // namespace meshwright

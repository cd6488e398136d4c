// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/option_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

namespace meshwright {

namespace {

constexpr std::string_view negative = "no_";

std::string dashed(std::string name) {
    std::replace(name.begin() + 2, name.end(), '_', '-');
    return name;
}

/// The negative form of a flag: "--section.no_flag" for "--section.flag".
std::string negated(std::string name) {
    const std::size_t dot = name.rfind('.');
    return name.insert(dot == std::string::npos ? 2 : dot + 1, negative);
}

bool is_negated(std::string_view spelling) {
    const std::size_t dot = spelling.rfind('.');
    const std::string_view last = spelling.substr(dot == std::string_view::npos ? 2 : dot + 1);
    return spelling.starts_with("--") && (last.starts_with("no_") || last.starts_with("no-"));
}

} // namespace

OptionNames::OptionNames(OptionList &options, std::vector<std::string> prefixes)
    : m_options(options)
    , m_prefixes(std::move(prefixes)) { }

std::vector<std::string> OptionNames::all_stated(std::string_view names) const {
    std::vector<std::string> result;
    const auto add = [&](std::string spelling) {
        if (m_options.has(spelling) && std::find(result.begin(), result.end(), spelling) == result.end())
            result.push_back(std::move(spelling));
    };
    for (const std::string &prefix : m_prefixes)
        for (std::string_view rest = names; !rest.empty();) {
            const std::size_t space = std::min(rest.find(' '), rest.size());
            const std::string name = prefix + std::string(rest.substr(0, space));
            rest.remove_prefix(std::min(space + 1, rest.size()));
            add(name);
            if (prefix == "--") {
                add(dashed(name));
                add(negated(name));
                add(dashed(negated(name)));
            }
        }
    return result;
}

std::string OptionNames::stated(std::string_view names) const {
    const std::vector<std::string> all = all_stated(names);
    return all.empty() ? std::string() : all.front();
}

const nlohmann::ordered_json *OptionNames::value(std::string_view names) const {
    const LaunchOption *const option = m_options.find(stated(names));
    return option == nullptr ? nullptr : &option->value;
}

std::string OptionNames::take(std::string_view names) {
    const std::vector<std::string> all = all_stated(names);
    for (std::size_t i = 1; i < all.size(); ++i)
        m_options.ignore(all[i], fmt::format("overridden by {}", all.front()));
    return all.empty() ? std::string() : all.front();
}

std::optional<std::int64_t> OptionNames::integer(std::string_view names, std::string_view field) {
    return m_options.integer(take(names), field);
}
std::optional<double> OptionNames::number(std::string_view names, std::string_view field) {
    return m_options.number(take(names), field);
}
std::optional<bool> OptionNames::flag(std::string_view names, std::string_view field) {
    const std::string name = take(names);
    const std::optional<bool> value = m_options.flag(name, field);
    return value && is_negated(name) ? std::optional(!*value) : value;
}
std::optional<std::string> OptionNames::word(std::string_view names, std::string_view field) {
    return m_options.word(take(names), field);
}
std::optional<std::string> OptionNames::lower_word(std::string_view names, std::string_view field) {
    std::optional<std::string> text = word(names, field);
    if (text)
        std::transform(text->begin(), text->end(), text->begin(),
                       [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
    return text;
}
std::vector<std::string> OptionNames::words(std::string_view names, std::string_view field) {
    return m_options.words(take(names), field);
}

void OptionNames::understand(std::string_view names, std::string_view field) {
    m_options.understand(take(names), field);
}
void OptionNames::ignore(std::string_view names, const std::string &why) {
    m_options.ignore(take(names), why);
}
void OptionNames::fault(std::string_view names, const std::string &why) {
    m_options.fault(stated(names), why);
}

} // namespace meshwright

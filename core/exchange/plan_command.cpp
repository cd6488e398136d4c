// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/plan_command.h"

#include "catalog/library.h"
#include "input/diagnostic.h"
#include "input/json_document.h"
#include "plan/plan_json.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <vector>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

using Settings = std::vector<std::string>; ///< settings in the form that `--set` takes

/// Writes a value in the form that set_field() reads: strings are quoted only if they would otherwise be read as
/// another type.
std::string value_text(const Json &value) {
    if (!value.is_string())
        return value.dump();
    const auto &text = value.get_ref<const std::string &>();
    try {
        parse_json(text);
    } catch (const InputError &) {
        return text;
    }
    return value.dump();
}

std::string quoted(const std::string &text) {
    constexpr std::string_view plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=.,:/@%";
    if (!text.empty() && text.find_first_not_of(plain) == std::string::npos)
        return text;
    std::string inside;
    for (const char c : text)
        inside += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return "'" + inside + "'";
}

void add_settings(const std::string &path, const Json &base, const Json &wanted, Settings &settings) {
    if (base == wanted)
        return;
    const bool is_whole = path == "constraints" || path == "published" || path == "assumptions";
    if (!base.is_object() || !wanted.is_object() || is_whole) {
        settings.push_back(path + "=" + value_text(wanted));
        return;
    }
    const std::string before = path.empty() ? "" : path + ".";
    static const Json none;
    for (const auto &item : wanted.items())
        add_settings(before + item.key(), base.contains(item.key()) ? base[item.key()] : none, item.value(), settings);
    for (const auto &item : base.items())
        if (!wanted.contains(item.key()))
            settings.push_back(before + item.key() + "=" + (item.value().is_object() ? "{}" : "null"));
}

/// The settings that turn a preset into the plan. Returns nothing if there are no such settings.
std::optional<Settings> settings_from(const Json &preset, const Plan &plan, const Json &wanted,
                                      const Library &library) {
    const PlanReading base = read_plan(preset, library);
    if (!base.valid())
        return std::nullopt;
    Json own = to_json(base.plan);
    Json target = wanted;
    Settings settings;
    if (!plan.cluster_id.empty()) {
        if (base.plan.cluster_id != plan.cluster_id)
            settings.push_back("cluster=" + plan.cluster_id);
        own.erase("cluster");
        target.erase("cluster");
    }
    add_settings("", own, target, settings);
    Json document = preset;
    try {
        for (const std::string &setting : settings)
            set_field(document, setting, library);
    } catch (const InputError &) {
        return std::nullopt;
    }
    const PlanReading reading = read_plan(document, library);
    return reading.valid() && to_json(reading.plan) == wanted ? std::optional(settings) : std::nullopt;
}

std::string line_of(const std::string &id, const Settings &settings) {
    std::string line = "meshwright-cli evaluate preset:" + id;
    for (const std::string &setting : settings)
        line += " --set " + quoted(setting);
    return line;
}

constexpr std::string_view command_start = "meshwright-cli evaluate preset:";

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view space = " \t\r\n$>"; // a shell prompt may have been copied with the command
    const std::size_t begin = text.find_first_not_of(space);
    const std::size_t end = text.find_last_not_of(" \t\r\n");
    return begin == std::string_view::npos || begin > end ? std::string_view() : text.substr(begin, end - begin + 1);
}

/// Splits a command line without variables into words, like a POSIX shell.
std::vector<std::string> shell_words(std::string_view line) {
    std::vector<std::string> words;
    bool is_open = false; // whether a word has begun; it may consist of empty quotes only
    char quote = '\0';
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        const bool is_space = c == ' ' || c == '\t' || c == '\n' || c == '\r';
        if (quote == '\0' && is_space) {
            is_open = false;
            continue;
        }
        const bool continues = quote != '\'' && c == '\\' && i + 1 < line.size() && line[i + 1] == '\n';
        if (!is_open && !continues)
            words.emplace_back();
        is_open = is_open || !continues;
        if (continues)
            ++i;
        else if (quote == '\0' && (c == '\'' || c == '"'))
            quote = c;
        else if (c == quote && quote != '\0')
            quote = '\0';
        else if (quote != '\'' && c == '\\' && i + 1 < line.size())
            words.back() += line[++i];
        else
            words.back() += c;
    }
    return words;
}

} // namespace

bool is_plan_command(std::string_view text) {
    return trimmed(text).starts_with(command_start);
}

Json plan_of_command(std::string_view text, const Library &library) {
    if (!is_plan_command(text) || text.size() > largest_input_bytes)
        throw InputError("", "not a command line that evaluates a preset",
                         "expected meshwright-cli evaluate preset:ID --set field.name=value");
    const std::vector<std::string> words = shell_words(trimmed(text));
    Json document = load_plan_document(words.at(2), library);
    for (std::size_t i = 3; i < words.size(); ++i) {
        if (words[i] == "--set" && i + 1 < words.size())
            set_field(document, words[++i], library);
        else if (words[i].starts_with("--set="))
            set_field(document, words[i].substr(6), library);
        else if (words[i] != "--json" && words[i] != "--explain")
            throw InputError("", "the command line contains " + words[i] + ", which is not a plan setting",
                             "expected --set field.name=value");
    }
    return document;
}

std::string plan_command(const Json &document, const Library &library) {
    const Plan plan = plan_from_json(document, library);
    const Json wanted = to_json(plan);
    std::string shortest;
    for (const PresetEntry &entry : library.entries()) {
        if (entry.kind != PresetKind::plan || !entry.evaluable)
            continue;
        const auto settings = settings_from(library.json(PresetKind::plan, entry.id), plan, wanted, library);
        if (!settings)
            continue;
        if (std::string line = line_of(entry.id, *settings); shortest.empty() || line.size() < shortest.size())
            shortest = std::move(line);
    }
    if (!shortest.empty())
        return shortest;
    return "printf '%s' " + quoted(document.dump()) + " | meshwright-cli evaluate -";
}

} // namespace meshwright

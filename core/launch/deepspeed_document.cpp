// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/deepspeed_document.h"

#include "input/diagnostic.h"
#include "input/json_document.h"
#include "launch/yaml_options.h"

#include <algorithm>
#include <array>
#include <utility>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::size_t largest_document = 1u << 20;

/// Removes "// ..." and "/* ... */" outside quotes, and replaces tabs with spaces.
std::string without_json_comments(std::string_view text) {
    std::string result;
    bool quoted = false;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (quoted && c == '\\' && at + 1 < text.size()) {
            result += c;
            result += text[++at];
        } else if (c == '"') {
            quoted = !quoted;
            result += c;
        } else if (!quoted && text.substr(at, 2) == "//") {
            at = std::min(text.find('\n', at), text.size()) - 1;
        } else if (!quoted && text.substr(at, 2) == "/*") {
            at = std::min(text.find("*/", at + 2), text.size() - 2) + 1;
        } else {
            result += c == '\t' ? ' ' : c;
        }
    }
    return result;
}

/// Accepts more than JSON, as DeepSpeed does (deepspeed/runtime/config.py uses hjson).
Json tolerant_json(std::string_view text) {
    try {
        return parse_json(text);
    } catch (const InputError &) {
        if (text.size() > largest_document)
            throw;
        try {
            return parse_yaml(without_json_comments(text)); // YAML's flow style is JSON with fewer quotes
        } catch (const InputError &) { }
        throw;
    }
}

std::string filled_template(std::string text, const LaunchCommand &script) {
    constexpr std::size_t most_substitutions = 200;
    const std::size_t count = std::min(script.substitutions.size(), most_substitutions);
    for (std::size_t i = 0; i < count; ++i) {
        const auto &[placeholder, value] = script.substitutions[i];
        std::string filled;
        for (std::size_t at = 0; at < text.size() && filled.size() <= largest_document;) {
            const std::size_t next = std::min(text.find(placeholder, at), text.size());
            filled.append(text, at, next - at);
            if (next < text.size())
                filled += value;
            at = next + placeholder.size();
        }
        text = std::move(filled);
    }
    return text;
}

} // namespace

int deepspeed_likeness(const LaunchFile &file) {
    constexpr std::array<std::string_view, 8> marks{"\"zero_optimization\"",
                                                    "\"train_micro_batch_size_per_gpu\"",
                                                    "\"train_batch_size\"",
                                                    "\"gradient_accumulation_steps\"",
                                                    "\"gradient_clipping\"",
                                                    "\"steps_per_print\"",
                                                    "\"zero_allow_untested_optimizer\"",
                                                    "\"wall_clock_breakdown\""};
    const char first = first_character(file.text);
    const bool is_object = first == '{' || first == '/'; // or a comment
    const auto count = std::count_if(marks.begin(), marks.end(),
                                     [&](std::string_view mark) { return file.text.find(mark) != std::string::npos; });
    return !is_object ? 0 : count >= 2 ? 89 : count == 1 ? 65 : 0;
}

std::int64_t zero_stage_named(std::string_view file) {
    std::int64_t stage = 3;
    for (const char *const mark : {"zero", "zero-", "_z", "stage"})
        for (const char digit : {'1', '2', '3'})
            if (file.find(std::string(mark) + digit) != std::string_view::npos)
                stage = digit - '0';
    return stage;
}

std::vector<LaunchOption> deepspeed_options(std::string_view text, std::string_view prefix) {
    const Json document = tolerant_json(text);
    if (!document.is_object())
        throw InputError("", "not a JSON object", "expected DeepSpeed's options, such as train_batch_size");
    std::vector<LaunchOption> options = dotted_options(document);
    for (LaunchOption &option : options)
        option.name.insert(0, prefix);
    return options;
}

std::vector<LaunchOption> deepspeed_options_beside(const std::vector<LaunchFile> &files, const LaunchCommand &script) {
    for (std::size_t i = 1; i < files.size(); ++i)
        if (deepspeed_likeness(files[i]) > 0)
            return deepspeed_options(filled_template(files[i].text, script), deepspeed_prefix);
    for (const auto &[target, text] : script.documents)
        if (deepspeed_likeness({.name = target, .text = text}) > 0) {
            try {
                return deepspeed_options(text, deepspeed_prefix);
            } catch (const InputError &) { } // the document is invalid until the script fills it in
        }
    return {};
}

} // namespace meshwright

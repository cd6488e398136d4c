// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/export_text.h"

#include "evaluate/result.h"
#include "input/printable.h"
#include "launch/option_list.h"
#include "launch/target_plan.h"
#include "quantities/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace meshwright {

namespace {

constexpr std::size_t columns = 100;
constexpr std::string_view safe_characters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,+@%";

} // namespace

void ExportText::add(std::string text, std::string field, std::string why) {
    m_lines.push_back({.text = std::move(text), .field = std::move(field), .why = std::move(why)});
}

void ExportText::blank() {
    m_lines.push_back({});
}

void ExportText::comment(std::string_view text, std::size_t hanging) {
    std::string rest = printable(std::string(text));
    std::string indent;
    do {
        const std::size_t room = columns - 2 - indent.size();
        std::size_t end = rest.size() <= room ? rest.size() : rest.rfind(' ', room);
        if (end == std::string::npos || end == 0)
            end = std::min(rest.find(' ', room), rest.size());
        add("# " + indent + rest.substr(0, end));
        rest.erase(0, std::min(end + 1, rest.size()));
        indent.assign(hanging, ' ');
    } while (!rest.empty());
}

void ExportText::head(const Result &result, std::string_view title, const TargetPlan &target) {
    const Plan &plan = result.plan;
    const std::string &accelerator =
        plan.cluster.accelerator_id.empty() ? plan.cluster.accelerator.name : plan.cluster.accelerator_id;
    // Importers read the number of accelerators from this line if the format has no option for it.
    comment(fmt::format("{} for {} {} {}", plan.model.name.empty() ? "A model" : plan.model.name,
                        plan.site_accelerators(), accelerator.empty() ? "unnamed" : accelerator,
                        plan.cluster.accelerator.architecture == "tpu" ? "accelerators" : "GPUs"));
    if (!plan.name.empty())
        comment(fmt::format("Plan: {}", plan.name));
    const std::string planned = text_of(result.step.seconds, Quantity::seconds);
    if (const auto &run = target.prediction) {
        const std::string step = text_of(run->step_seconds, Quantity::seconds);
        comment(fmt::format("Written by Meshwright for {}. Predicted: {} per step, {} tokens/s, {} MFU{}.", title, step,
                            grouped(std::round(run->tokens_per_second)), percent_text(run->mfu),
                            step == planned ? "" : fmt::format("; {} per step as planned", planned)));
        if (run->headroom_bytes < 0)
            comment(fmt::format("This run does not fit: it needs {} more than the accelerators' memory of {}.{}",
                                text_of(-run->headroom_bytes, Quantity::bytes),
                                text_of(run->capacity_bytes, Quantity::bytes),
                                result.verdict.fits ? " As planned, it fits." : ""));
    } else {
        comment(fmt::format("Written by Meshwright for {}. Predicted as planned: {} per step.", title, planned));
    }
    add("#");
    if (target.lost.empty()) {
        comment("The options below express the whole plan.");
        return;
    }
    comment(fmt::format("Parts of the plan that {} cannot express:", title));
    for (const Loss &loss : target.lost)
        comment("- " + loss.sentence, 2);
}

std::string shell_word(std::string_view text) {
    if (!text.empty() && text.find_first_not_of(safe_characters) == std::string_view::npos)
        return std::string(text);
    std::string word = "'";
    for (const char c : text)
        word += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return word + "'";
}

std::vector<std::string> shell_words(const nlohmann::ordered_json &value) {
    std::vector<std::string> words;
    if (value.is_array()) {
        for (const auto &each : value)
            words.push_back(shell_word(value_text(each)));
    } else if (!value.is_boolean()) {
        words.push_back(shell_word(value_text(value)));
    }
    return words;
}

std::string_view name_of(LaunchPart part) {
    constexpr std::array<std::string_view, 10> names{"model",   "parallelism", "batch", "precision",  "recompute",
                                                     "overlap", "optimizer",   "run",   "checkpoint", "data"};
    return names[static_cast<std::size_t>(part)];
}

} // namespace meshwright

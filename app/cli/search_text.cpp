// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/search_text.h"

#include "cli/text_table.h"
#include "quantities/text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

/// Speed relative to the current plan: "12.0% faster", "4.4× slower". @param saved fraction of the current step time
/// that is saved
std::string paceText(double saved) {
    constexpr double same = 5e-4;
    if (std::abs(saved) < same)
        return "same speed";
    if (saved > 0)
        return fmt::format("{} faster", percent_text(saved));
    return saved > -1 ? fmt::format("{} slower", percent_text(-saved)) : fmt::format("{:.1f}× slower", 1 - saved);
}

std::string wordOf(const Json &value) {
    return value.is_string() ? value.get<std::string>() : value.dump();
}

std::string recomputeOf(const Json &entry) {
    const Json &recompute = entry.at("recompute");
    const std::string mode = wordOf(recompute.at("mode"));
    return mode == "layers" ? fmt::format("first {}", wordOf(recompute.at("layers"))) : mode;
}

std::vector<std::string> table(const Json &entries) {
    TextTable rows({{"step", Alignment::right},
                    {"MFU", Alignment::right},
                    {"free", Alignment::right},
                    {"run", Alignment::right},
                    {"TP", Alignment::right},
                    {"CP", Alignment::right},
                    {"PP", Alignment::right},
                    {"VP", Alignment::right},
                    {"EP", Alignment::right},
                    {"DP", Alignment::right},
                    {"micro", Alignment::right},
                    {"ZeRO", Alignment::right},
                    {"schedule", Alignment::left},
                    {"recompute", Alignment::left}});
    for (const Json &entry : entries) {
        const Json &parallelism = entry.at("parallelism");
        const auto degree = [&](const char *key) { return wordOf(parallelism.at(key)); };
        rows.add({text_of(entry.at("step_seconds").get<double>(), Quantity::seconds),
                  text_of(entry.at("mfu").get<double>(), Quantity::share),
                  text_of(entry.at("headroom_bytes").get<double>(), Quantity::bytes),
                  text_of(entry.at("run_seconds").get<double>(), Quantity::seconds),
                  degree("tensor") + (parallelism.at("sequence_parallel") == true ? "s" : ""), degree("context"),
                  degree("pipeline"), degree("chunks"), degree("expert"), degree("data"),
                  wordOf(entry.at("batch").at("micro_sequences")), degree("zero_stage"), degree("schedule"),
                  recomputeOf(entry)});
    }
    return rows.lines();
}

/// States which results are tied with the first, and which of them is recommended.
std::string tiesOf(const Json &result) {
    const Json &entries = result.at("results");
    const auto tied =
        std::count_if(entries.begin(), entries.end(), [](const Json &one) { return one.at("tied") == true; });
    if (!result.at("recommended").is_number())
        return {};
    const auto best = result.at("recommended").get<std::size_t>();
    const Json &entry = entries.at(best);
    std::string used;
    for (const Json &name : entry.at("techniques"))
        used += (used.empty() ? "" : ", ") + wordOf(name);
    return fmt::format("{} of {} are tied: they are within {} of the first, too close for the prediction to tell "
                       "apart. Recommended: number {}, which uses the fewest techniques ({}) and, among equals, has "
                       "the most headroom ({})",
                       tied, entries.size(), text_of(result.at("tied_within").get<double>(), Quantity::share), best + 1,
                       used.empty() ? "data parallelism only" : used,
                       text_of(entry.at("headroom_bytes").get<double>(), Quantity::bytes));
}

std::vector<std::string> notRunnable(const Json &entries) {
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < entries.size(); ++i)
        if (entries.at(i).at("runnable") == false)
            lines.push_back(fmt::format("  {}: {}", i + 1, wordOf(entries.at(i).at("reason"))));
    if (!lines.empty())
        lines.insert(lines.begin(), {"", "Cannot run:"});
    return lines;
}

/// Why better configurations may have been missed; empty if the search is complete.
std::string earlyEndOf(const Json &result) {
    if (result.value("complete", true))
        return {};
    const std::string ended = result.value("ended", "stopped");
    if (ended == "size-limit")
        return "INCOMPLETE: the search space is too large and was truncated. These are the best of the searched "
               "configurations; fix some degrees or allow fewer options in the constraints.";
    const std::string why = ended == "time-limit" ? "time limit reached" : "stopped";
    const auto left = result.find("unsearched");
    return fmt::format(
        "INCOMPLETE: {} {}. These are the best so far; raise --time-limit or fix some degrees in the constraints.", why,
        left != result.end() && left->is_number_integer()
            ? fmt::format("with {} configurations not searched", left->get<std::int64_t>())
            : "before all configurations were enumerated");
}

} // namespace

std::string searchText(const Json &result) {
    std::vector<std::string> lines{fmt::format(
        "{} configurations in {}: {} pruned by bounds, {} evaluated", result.at("considered").get<std::int64_t>(),
        text_of(result.at("seconds").get<double>(), Quantity::seconds), result.at("pruned").get<std::int64_t>(),
        result.at("evaluated").get<std::int64_t>())};
    if (const std::string early = earlyEndOf(result); !early.empty())
        lines.push_back(early);
    if (result.at("results").empty()) {
        lines.emplace_back("No configuration fits.");
        return joined(lines);
    }
    const auto section = [&](const std::string &heading, const Json &entries) {
        lines.emplace_back();
        lines.push_back(heading);
        for (std::string &line : table(entries))
            lines.push_back(std::move(line));
    };
    section("Best by " + result.at("objective").get<std::string>(), result.at("results"));
    if (const std::string ties = tiesOf(result); !ties.empty())
        lines.push_back(ties);
    for (std::string &line : notRunnable(result.at("results")))
        lines.push_back(std::move(line));
    if (result.contains("best_by_schedule") && result.at("best_by_schedule").size() > 1)
        section("Best of each schedule", result.at("best_by_schedule"));
    section("Pareto front: fastest configuration for each memory headroom", result.at("pareto"));
    return joined(lines);
}

std::string adviceText(const Json &advice) {
    const auto outcome = [](const Json &attempt) {
        return attempt.at("fits").get<bool>() ? paceText(attempt.at("gain").get<double>())
                                              : std::string("does not fit");
    };
    std::vector<std::string> lines{""};
    const double present = advice.at("step_seconds").get<double>();
    for (const Json &step : advice.at("steps")) {
        lines.push_back(fmt::format("{}: {}", wordOf(step.at("title")), wordOf(step.at("finding"))));
        lines.push_back("  rule: " + wordOf(step.at("rule")));
        for (const Json &way : step.at("ways"))
            lines.push_back(fmt::format(
                "  {}: {}", wordOf(way.at("name")),
                way.at("best").is_null()
                    ? std::string("no such configuration fits")
                    : fmt::format("{} per step, {}",
                                  text_of(way.at("best").at("step_seconds").get<double>(), Quantity::seconds),
                                  paceText(1 - way.at("best").at("step_seconds").get<double>() / present))));
        for (const Json &attempt : step.at("attempts"))
            lines.push_back(fmt::format("  try {}: {}", wordOf(attempt.at("title")), outcome(attempt)));
    }
    lines.push_back(wordOf(advice.at("comparison")) + ".");
    lines.emplace_back("Effect of changing one field to its next valid value:");
    for (const Json &slider : advice.at("sliders"))
        lines.push_back(fmt::format("  {} {} -> {}: {}", wordOf(slider.at("field")),
                                    slider.at("from").get<std::int64_t>(), slider.at("to").get<std::int64_t>(),
                                    outcome(slider.at("attempt"))));
    return joined(lines);
}

} // namespace meshwright

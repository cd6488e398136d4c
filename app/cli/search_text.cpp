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

/// "12.0 % faster", "4.4 times slower": how long a step takes next to the present one, of whose time it saves a share.
std::string paceText(double saved) {
    constexpr double same = 5e-4;
    if (std::abs(saved) < same)
        return "as fast";
    if (saved > 0)
        return fmt::format("{:.1f} % faster", 100 * saved);
    return saved > -1 ? fmt::format("{:.1f} % slower", -100 * saved) : fmt::format("{:.1f} times slower", 1 - saved);
}

std::string wordOf(const Json &value) {
    return value.is_string() ? value.get<std::string>() : value.dump();
}

std::string recomputeOf(const Json &entry) {
    const Json &recompute = entry["recompute"];
    const std::string mode = wordOf(recompute["mode"]);
    return mode == "layers" ? fmt::format("first {}", wordOf(recompute["layers"])) : mode;
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
        const Json &parallelism = entry["parallelism"];
        const auto degree = [&](const char *key) { return wordOf(parallelism[key]); };
        rows.add({text_of(entry["step_seconds"].get<double>(), Quantity::seconds),
                  text_of(entry["mfu"].get<double>(), Quantity::share),
                  text_of(entry["headroom_bytes"].get<double>(), Quantity::bytes),
                  text_of(entry["run_seconds"].get<double>(), Quantity::seconds),
                  degree("tensor") + (parallelism["sequence_parallel"] == true ? "s" : ""), degree("context"),
                  degree("pipeline"), degree("chunks"), degree("expert"), degree("data"),
                  wordOf(entry["batch"]["micro_sequences"]), degree("zero_stage"), degree("schedule"),
                  recomputeOf(entry)});
    }
    return rows.lines();
}

/// Which results cannot be told from the first, and which of them is recommended.
std::string tiesOf(const Json &result) {
    const Json &entries = result["results"];
    const auto tied =
        std::count_if(entries.begin(), entries.end(), [](const Json &one) { return one["tied"] == true; });
    if (!result["recommended"].is_number())
        return {};
    const auto best = result["recommended"].get<std::size_t>();
    const Json &entry = entries[best];
    std::string used;
    for (const Json &name : entry["techniques"])
        used += (used.empty() ? "" : ", ") + wordOf(name);
    return fmt::format(
        "{} of {} are within {} of the first and cannot be told from it. Recommended: number {}, with the "
        "fewest techniques ({}) and then the most headroom ({})",
        tied, entries.size(), text_of(result["tied_within"].get<double>(), Quantity::share), best + 1,
        used.empty() ? "data parallelism alone" : used,
        text_of(entry["headroom_bytes"].get<double>(), Quantity::bytes));
}

/// One line for each result that its software cannot run.
std::vector<std::string> notRunnable(const Json &entries) {
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < entries.size(); ++i)
        if (entries[i]["runnable"] == false)
            lines.push_back(fmt::format("  {}: {}", i + 1, wordOf(entries[i]["reason"])));
    if (!lines.empty())
        lines.insert(lines.begin(), {"", "Cannot be run:"});
    return lines;
}

} // namespace

std::string searchText(const Json &result) {
    std::vector<std::string> lines{
        fmt::format("{} layouts in {}: {} ruled out by bounds, {} evaluated", result["considered"].get<std::int64_t>(),
                    text_of(result["seconds"].get<double>(), Quantity::seconds), result["pruned"].get<std::int64_t>(),
                    result["evaluated"].get<std::int64_t>())};
    if (result["results"].empty()) {
        lines.emplace_back("None of them fits.");
        return joined(lines);
    }
    const auto section = [&](const std::string &heading, const Json &entries) {
        lines.emplace_back();
        lines.push_back(heading);
        for (std::string &line : table(entries))
            lines.push_back(std::move(line));
    };
    section("Best by " + result["objective"].get<std::string>(), result["results"]);
    if (const std::string ties = tiesOf(result); !ties.empty())
        lines.push_back(ties);
    for (std::string &line : notRunnable(result["results"]))
        lines.push_back(std::move(line));
    if (result.contains("best_by_schedule") && result["best_by_schedule"].size() > 1)
        section("Best of each schedule", result["best_by_schedule"]);
    section("Time against memory: each is the fastest that leaves so much free", result["pareto"]);
    return joined(lines);
}

std::string adviceText(const Json &advice) {
    const auto outcome = [](const Json &attempt) {
        return attempt["fits"].get<bool>() ? paceText(attempt["gain"].get<double>()) : std::string("does not fit");
    };
    std::vector<std::string> lines{""};
    const double present = advice["step_seconds"].get<double>();
    for (const Json &step : advice["steps"]) {
        lines.push_back(fmt::format("{}: {}", wordOf(step["title"]), wordOf(step["finding"])));
        lines.push_back("  rule: " + wordOf(step["rule"]));
        for (const Json &way : step["ways"])
            lines.push_back(
                fmt::format("  {}: {}", wordOf(way["name"]),
                            way["best"].is_null()
                                ? std::string("nothing of this kind fits")
                                : fmt::format("{} per step, {}",
                                              text_of(way["best"]["step_seconds"].get<double>(), Quantity::seconds),
                                              paceText(1 - way["best"]["step_seconds"].get<double>() / present))));
        for (const Json &attempt : step["attempts"])
            lines.push_back(fmt::format("  try {}: {}", wordOf(attempt["title"]), outcome(attempt)));
    }
    lines.push_back(wordOf(advice["comparison"]) + ".");
    lines.emplace_back("One more step of each slider:");
    for (const Json &slider : advice["sliders"])
        lines.push_back(fmt::format("  {} {} -> {}: {}", wordOf(slider["field"]), slider["from"].get<std::int64_t>(),
                                    slider["to"].get<std::int64_t>(), outcome(slider["attempt"])));
    return joined(lines);
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/merge_shards.h"

#include "input/diagnostic.h"
#include "search/goals.h"
#include "search/shard_finalists.h"
#include "search/ties.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string_view>
#include <utility>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

[[noreturn]] void refuse(const std::string &pointer, const std::string &what, const std::string &expected) {
    throw InputError(pointer, what, expected);
}

/// Upper limit of a count in a file, so that sums of counts are exact in a double.
constexpr std::int64_t max_counted = 1'000'000'000'000'000;

bool is_count(const Json &value) {
    return value.is_number_integer() && value >= 0 && value <= max_counted;
}

std::int64_t whole(const Json &object, const char *key, const std::string &pointer) {
    if (!object.is_object() || !object.contains(key) || !is_count(object[key]))
        refuse(pointer + "/" + key, "missing or not a count", "expected a result of search --json");
    return object[key].get<std::int64_t>();
}

bool are_numbers(const Json &object, std::initializer_list<const char *> keys) {
    return std::all_of(keys.begin(), keys.end(),
                       [&](const char *key) { return object.contains(key) && object[key].is_number(); });
}

bool is_object_in(const Json &object, const char *key) {
    return object.contains(key) && object[key].is_object();
}

/// Fields that later versions added may be missing, but must have the right type.
bool is_missing_or(const Json &object, const char *key, bool (Json::*is)() const) {
    return !object.contains(key) || (object[key].*is)();
}

bool is_layout(const Json &entry) {
    if (!is_object_in(entry, "parallelism") || !is_object_in(entry, "batch") || !is_object_in(entry, "recompute"))
        return false;
    const Json &parallelism = entry["parallelism"];
    const Json &recompute = entry["recompute"];
    return are_numbers(parallelism, {"tensor", "context", "pipeline", "chunks", "expert", "data", "zero_stage"})
        && parallelism.contains("schedule") && parallelism["schedule"].is_string()
        && parallelism.contains("sequence_parallel") && are_numbers(entry["batch"], {"micro_sequences"})
        && recompute.contains("mode") && recompute["mode"].is_string() && recompute.contains("layers");
}

constexpr std::array entry_parts{"offload", "precision", "outer", "cluster", "patch"};

/// Whether the JSON has the parts of a configuration other than its degrees. Earlier versions omitted some of them.
bool are_parts(const Json &entry) {
    return std::all_of(entry_parts.begin(), entry_parts.end(),
                       [&](const char *part) { return is_missing_or(entry, part, &Json::is_object); });
}

bool is_entry(const Json &entry) {
    if (!entry.is_object()
        || !are_numbers(
            entry,
            {"step_seconds", "mfu", "run_seconds", "peak_bytes", "headroom_bytes", "rental_dollars", "accelerators"}))
        return false;
    const auto order = entry.find("order");
    const auto techniques = entry.find("techniques");
    const auto reason = entry.find("reason");
    return is_layout(entry) && are_parts(entry) && is_missing_or(entry, "energy_joules", &Json::is_number)
        && (reason == entry.end() || reason->is_null() || reason->is_string()) && order != entry.end()
        && order->is_array() && !order->empty()
        && std::all_of(order->begin(), order->end(), [](const Json &n) { return n.is_number(); })
        && is_missing_or(entry, "techniques", &Json::is_array) && is_missing_or(entry, "runnable", &Json::is_boolean)
        && (techniques == entry.end()
            || std::all_of(techniques->begin(), techniques->end(), [](const Json &name) { return name.is_string(); }));
}

bool is_curve(const Json &points) {
    return points.is_array() && std::all_of(points.begin(), points.end(), [](const Json &point) {
               const auto seconds = point.is_object() ? point.find("step_seconds") : point.end();
               return seconds != point.end() && (seconds->is_null() || seconds->is_number()) && point.contains("value");
           });
}

/// Whether the JSON has finalists: configurations that a shard simulated and that may be among the best of the whole
/// search.
bool are_finalists(const Json &finalists) {
    const auto layouts = finalists.is_object() ? finalists.find("layouts") : finalists.end();
    return layouts != finalists.end() && layouts->is_array()
        && std::all_of(layouts->begin(), layouts->end(), [](const Json &layout) {
               const auto entry = layout.is_object() ? layout.find("entry") : layout.end();
               return entry != layout.end()
                   && (entry->is_null()
                       || (is_entry(*entry) && is_object_in(*entry, "patch") && is_object_in(*entry, "cluster")));
           });
}

void check_lists(const Json &result) {
    for (const char *list : {"results", "pareto", "best_by_schedule"}) {
        const auto entries = result.find(list);
        if (entries == result.end() ? list != std::string_view("best_by_schedule")
                                    : !entries->is_array() || !std::all_of(entries->begin(), entries->end(), is_entry))
            refuse(fmt::format("/{}", list), "not a list of configurations", "expected a result of search --json");
    }
    const auto finalists = result.find("finalists");
    if (finalists != result.end() && !are_finalists(*finalists))
        refuse("/finalists", "not the output of a shard", "expected a result of search --json");
    const auto curves = result.find("curves");
    if (curves != result.end() && (!curves->is_object() || !std::all_of(curves->begin(), curves->end(), is_curve)))
        refuse("/curves", "not an object of curves", "expected a result of search --json");
}

} // namespace

void check_search_result(const Json &result) {
    if (!result.is_object() || !result.contains("schema") || result["schema"] != "meshwright.search/1")
        refuse("/schema", "not a search result", "expected a result of search --json");
    if (!result.contains("complete") || result["complete"] != true)
        refuse("/complete", "the search is incomplete", "expected a complete search; use search --time-limit 0");
    for (const char *key : {"considered", "pruned", "evaluated", "top"})
        whole(result, key, "");
    if (!result.contains("shard"))
        refuse("/shard", "missing", "expected a result of search --json");
    whole(result["shard"], "index", "/shard");
    whole(result["shard"], "count", "/shard");
    for (const char *key : {"key", "objective"})
        if (!result.contains(key) || !result[key].is_string())
            refuse(fmt::format("/{}", key), "missing or not a string", "expected a result of search --json");
    for (const char *key : {"seconds", "tied_within"})
        if (!is_missing_or(result, key, &Json::is_number))
            refuse(fmt::format("/{}", key), "not a number", "expected a result of search --json");
    if (!is_missing_or(result, "plan", &Json::is_string))
        refuse("/plan", "not a string", "expected a result of search --json");
    check_lists(result);
}

namespace {

/// Checks that the files are the shards of one search, each exactly once.
void check_together(const std::vector<NamedResult> &shards) {
    const Json &first = shards.front().result;
    const std::int64_t count = first["shard"]["count"].get<std::int64_t>();
    std::vector<bool> seen(shards.size());
    for (const NamedResult &shard : shards) {
        const std::int64_t index = shard.result["shard"]["index"].get<std::int64_t>();
        if (shard.result["key"] != first["key"] || shard.result["shard"]["count"] != count)
            refuse("/key", "belongs to a different search than " + shards.front().name,
                   "expected shards of one search");
        if (index >= count || (static_cast<std::size_t>(index) < seen.size() && seen[static_cast<std::size_t>(index)]))
            refuse("/shard/index", fmt::format("{} is a duplicate or not below {}", index, count),
                   "expected every shard once");
        if (static_cast<std::size_t>(index) < seen.size())
            seen[static_cast<std::size_t>(index)] = true;
    }
    if (static_cast<std::int64_t>(shards.size()) != count)
        refuse("/shard/count", fmt::format("{}, but there are {} shards", count, shards.size()),
               "expected every shard once");
}

bool is_before(const Json &a, const Json &b) {
    return a["order"].get<std::vector<double>>() < b["order"].get<std::vector<double>>();
}

/// Entries of all shards, best first and without duplicates. Every shard has the plan itself as a candidate.
std::vector<Json> entries(const std::vector<NamedResult> &shards, const char *list) {
    std::vector<Json> all;
    for (const NamedResult &shard : shards)
        if (shard.result.contains(list))
            all.insert(all.end(), shard.result[list].begin(), shard.result[list].end());
    std::stable_sort(all.begin(), all.end(), is_before);
    all.erase(
        std::unique(all.begin(), all.end(), [](const Json &a, const Json &b) { return a["order"] == b["order"]; }),
        all.end());
    for (Json &entry : all) // add fields that later versions introduced
        for (const auto &[key, missing] :
             {std::pair<const char *, Json>("techniques", Json::array()),
              std::pair<const char *, Json>("runnable", true), std::pair<const char *, Json>("reason", nullptr)})
            if (!entry.contains(key))
                entry[key] = missing;
    return all;
}

Score score_of(const Json &entry) {
    return {.run_seconds = entry["run_seconds"].get<double>(),
            .peak_bytes = entry["peak_bytes"].get<double>(),
            .dollars = entry["rental_dollars"].get<double>(),
            .accelerators = entry["accelerators"].get<double>()};
}

Json front_of(const std::vector<Json> &entries) {
    Goals goals({.top = 0, .pareto = true, .curves = false}, {}, nullptr);
    for (std::size_t i = 0; i < entries.size(); ++i) {
        Candidate candidate{.layout = {}, .score = score_of(entries[i])};
        candidate.score.objective = static_cast<double>(i); // keep the order of entries, which are sorted best first
        candidate.layout.variant = static_cast<std::int32_t>(i);
        goals.add(candidate, {});
    }
    Json front = Json::array();
    for (const Candidate &candidate : goals.front())
        front.push_back(entries[static_cast<std::size_t>(candidate.layout.variant)]);
    return front;
}

/// Best entry of each schedule, from entries sorted best first. All configurations with one pipeline stage count as one
/// schedule.
Json best_by_schedule(const std::vector<Json> &entries) {
    Json best = Json::array();
    std::vector<Json> seen;
    for (const Json &entry : entries) {
        const Json &parallelism = entry.at("parallelism");
        const Json schedule = parallelism.at("pipeline") == 1 ? Json(nullptr) : parallelism.at("schedule");
        if (std::find(seen.begin(), seen.end(), schedule) != seen.end())
            continue;
        seen.push_back(schedule);
        best.push_back(entry);
    }
    return best;
}

/// Merges curves: takes the lowest point at each value.
void join_curves(const Json &from, Json &into) {
    for (const auto &[field, points] : from.items())
        for (const Json &point : points) {
            Json &known = into[field];
            const auto same = std::find_if(known.begin(), known.end(),
                                           [&](const Json &other) { return other["value"] == point["value"]; });
            if (same == known.end())
                known.push_back(point);
            else if ((*same)["step_seconds"].is_null()
                     || (!point["step_seconds"].is_null() && point["step_seconds"] < (*same)["step_seconds"]))
                *same = point;
        }
}

/// The best configurations and the Pareto front. Shards of earlier versions have no finalists; their own lists of best
/// configurations are used.
void list_best(const std::vector<NamedResult> &shards, Json &merged) {
    const auto top = merged["top"].get<std::size_t>();
    std::vector<const Json *> finalists;
    for (const NamedResult &shard : shards)
        if (const auto found = shard.result.find("finalists"); found != shard.result.end() && found->is_object())
            finalists.push_back(&*found);
    merged.erase("finalists");
    if (finalists.size() == shards.size()) {
        WholeLists lists = lists_of_whole(finalists, top);
        merged["results"] = std::move(lists.results);
        merged["pareto"] = std::move(lists.pareto);
        return;
    }
    std::vector<Json> best = entries(shards, "results");
    best.resize(std::min(best.size(), top));
    merged["results"] = std::move(best);
    merged["pareto"] = front_of(entries(shards, "pareto"));
}

/// Adds up the search funnels. Omits them if a shard has none.
void add_funnels(const std::vector<NamedResult> &shards, Json &merged) {
    Json sums = Json::object();
    for (const char *key : {"fit", "too_large", "slower", "repeats"}) {
        std::int64_t sum = 0;
        for (const NamedResult &shard : shards) {
            const auto funnel = shard.result.find("funnel");
            if (funnel == shard.result.end() || !funnel->is_object() || !funnel->contains(key)
                || !is_count(funnel->at(key))) {
                merged.erase("funnel");
                return;
            }
            sum += funnel->at(key).get<std::int64_t>();
        }
        sums[key] = sum;
    }
    merged["funnel"] = sums;
}

} // namespace

Json merge_shards(const std::vector<NamedResult> &shards) {
    for (const NamedResult &shard : shards)
        check_search_result(shard.result);
    check_together(shards);
    Json merged = shards.front().result;
    merged["shard"] = {{"index", 0}, {"count", 1}};
    for (const char *key : {"considered", "pruned", "evaluated"}) {
        std::int64_t sum = 0;
        for (const NamedResult &shard : shards)
            sum += shard.result[key].get<std::int64_t>();
        merged[key] = sum;
    }
    add_funnels(shards, merged);
    double seconds = 0;
    for (const NamedResult &shard : shards)
        seconds += shard.result.value("seconds", 0.0);
    merged["seconds"] = seconds;
    merged["tied_within"] = merged.value("tied_within", 0.0);
    list_best(shards, merged);
    mark_ties(merged);
    if (merged.contains("best_by_schedule"))
        merged["best_by_schedule"] = best_by_schedule(entries(shards, "best_by_schedule"));
    for (std::size_t i = 1; i < shards.size(); ++i)
        if (shards[i].result.contains("curves"))
            join_curves(shards[i].result["curves"], merged["curves"]);
    return merged;
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/merge_shards.h"

#include "input/diagnostic.h"
#include "search/goals.h"
#include "search/ties.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

[[noreturn]] void refuse(const std::string &pointer, const std::string &what, const std::string &expected) {
    throw InputError(pointer, what, expected);
}

std::int64_t whole(const Json &object, const char *key, const std::string &pointer) {
    if (!object.is_object() || !object.contains(key) || !object[key].is_number_integer()
        || object[key].get<std::int64_t>() < 0)
        refuse(pointer + "/" + key, "is missing or is no count", "a result of search --json is expected");
    return object[key].get<std::int64_t>();
}

bool is_entry(const Json &entry) {
    const auto number = [&](const char *key) { return entry.contains(key) && entry[key].is_number(); };
    return entry.is_object() && number("run_seconds") && number("peak_bytes") && number("rental_dollars")
        && number("accelerators") && entry.contains("parallelism") && entry["parallelism"].is_object()
        && entry["parallelism"].contains("pipeline") && entry["parallelism"].contains("schedule")
        && entry.contains("order") && entry["order"].is_array() && !entry["order"].empty()
        && std::all_of(entry["order"].begin(), entry["order"].end(), [](const Json &n) { return n.is_number(); });
}

void check(const Json &result) {
    if (!result.is_object() || !result.contains("schema") || result["schema"] != "meshwright.search/1")
        refuse("/schema", "is no result of a search", "a result of search --json is expected");
    if (!result.contains("complete") || result["complete"] != true)
        refuse("/complete", "is not true: the search was stopped", "a search that went to its end is expected");
    for (const char *key : {"considered", "pruned", "evaluated", "top"})
        whole(result, key, "");
    if (!result.contains("shard"))
        refuse("/shard", "is missing", "a result of search --json is expected");
    whole(result["shard"], "index", "/shard");
    whole(result["shard"], "count", "/shard");
    if (!result.contains("key") || !result["key"].is_string())
        refuse("/key", "is missing", "a result of search --json is expected");
    for (const char *list : {"results", "pareto"})
        if (!result.contains(list) || !result[list].is_array()
            || !std::all_of(result[list].begin(), result[list].end(), is_entry))
            refuse(fmt::format("/{}", list), "is no list of layouts", "a result of search --json is expected");
    const auto schedules = result.find("best_by_schedule");
    if (schedules != result.end()
        && (!schedules->is_array() || !std::all_of(schedules->begin(), schedules->end(), is_entry)))
        refuse("/best_by_schedule", "is no list of layouts", "a result of search --json is expected");
}

/// All shards of one search, each once.
void check_together(const std::vector<NamedResult> &shards) {
    const Json &first = shards.front().result;
    const std::int64_t count = first["shard"]["count"].get<std::int64_t>();
    std::vector<bool> seen(shards.size());
    for (const NamedResult &shard : shards) {
        const std::int64_t index = shard.result["shard"]["index"].get<std::int64_t>();
        if (shard.result["key"] != first["key"] || shard.result["shard"]["count"] != count)
            refuse("/key", "is of another search than " + shards.front().name, "shards of one search are expected");
        if (index >= count || (static_cast<std::size_t>(index) < seen.size() && seen[static_cast<std::size_t>(index)]))
            refuse("/shard/index", fmt::format("is {}, which is there already or beyond {}", index, count),
                   "every shard once is expected");
        if (static_cast<std::size_t>(index) < seen.size())
            seen[static_cast<std::size_t>(index)] = true;
    }
    if (static_cast<std::int64_t>(shards.size()) != count)
        refuse("/shard/count", fmt::format("is {}, but there are {} shards", count, shards.size()),
               "every shard once is expected");
}

bool is_before(const Json &a, const Json &b) {
    return a["order"].get<std::vector<double>>() < b["order"].get<std::vector<double>>();
}

/// Of all shards, best first, each layout once: the plan itself is a candidate of every shard.
std::vector<Json> entries(const std::vector<NamedResult> &shards, const char *list) {
    std::vector<Json> all;
    for (const NamedResult &shard : shards)
        if (shard.result.contains(list))
            all.insert(all.end(), shard.result[list].begin(), shard.result[list].end());
    std::stable_sort(all.begin(), all.end(), is_before);
    all.erase(
        std::unique(all.begin(), all.end(), [](const Json &a, const Json &b) { return a["order"] == b["order"]; }),
        all.end());
    return all;
}

Worth worth_of(const Json &entry) {
    return {.run_seconds = entry["run_seconds"].get<double>(),
            .peak_bytes = entry["peak_bytes"].get<double>(),
            .dollars = entry["rental_dollars"].get<double>(),
            .accelerators = entry["accelerators"].get<double>()};
}

Json front_of(const std::vector<Json> &entries) {
    Goals goals({.top = 0, .pareto = true, .curves = false}, {}, nullptr);
    for (std::size_t i = 0; i < entries.size(); ++i) {
        Candidate candidate{.layout = {}, .worth = worth_of(entries[i])};
        candidate.worth.objective = static_cast<double>(i); // entries stand best first
        candidate.layout.variant = static_cast<std::int32_t>(i);
        goals.add(candidate, {});
    }
    Json front = Json::array();
    for (const Candidate &candidate : goals.front())
        front.push_back(entries[static_cast<std::size_t>(candidate.layout.variant)]);
    return front;
}

/// Of entries best first the best of each schedule; a pipeline of one stage has none.
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

/// The lowest point of each value.
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

/// Left out where a shard does not say what became of its layouts.
void add_funnels(const std::vector<NamedResult> &shards, Json &merged) {
    Json sums = Json::object();
    for (const char *key : {"fit", "too_large", "slower", "repeats"}) {
        std::int64_t sum = 0;
        for (const NamedResult &shard : shards) {
            const auto funnel = shard.result.find("funnel");
            if (funnel == shard.result.end() || !funnel->is_object() || !funnel->contains(key)
                || !funnel->at(key).is_number_integer()) {
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
        check(shard.result);
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
    std::vector<Json> best = entries(shards, "results");
    best.resize(std::min<std::size_t>(best.size(), merged["top"].get<std::size_t>()));
    merged["results"] = best;
    merged["pareto"] = front_of(entries(shards, "pareto"));
    mark_ties(merged);
    if (merged.contains("best_by_schedule"))
        merged["best_by_schedule"] = best_by_schedule(entries(shards, "best_by_schedule"));
    for (std::size_t i = 1; i < shards.size(); ++i)
        if (shards[i].result.contains("curves") && shards[i].result["curves"].is_object())
            join_curves(shards[i].result["curves"], merged["curves"]);
    return merged;
}

} // namespace meshwright

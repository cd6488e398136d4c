// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/result.h"
#include "input/digest.h"
#include "plan/plan_json.h"
#include "search/search.h"
#include "search/shard_finalists.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdint>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

/// A plan's object with every field of its schema; unset fields are null. As a merge patch, it replaces the whole
/// object.
Json complete(const Json &document, const char *object, std::initializer_list<const char *> optional) {
    Json json = document.at(object);
    for (const char *key : optional)
        if (!json.contains(key))
            json[key] = nullptr;
    return json;
}

} // namespace

const std::vector<std::string> &search_end_names() {
    static const std::vector<std::string> names{"whole", "stopped", "time-limit", "size-limit"};
    return names;
}

void set_figures(const Result &result, SearchEntry &entry) {
    entry.step_seconds = result.step.seconds;
    entry.mfu = result.step.mfu;
    entry.peak_bytes = result.memory.peak_bytes;
    entry.headroom_bytes = result.verdict.headroom_bytes;
    entry.run_seconds = result.run.seconds;
    entry.dollars = result.run.rental_dollars;
    entry.joules = result.run.energy_joules;
    entry.accelerators = result.cluster.accelerators;
}

Json to_json(const SearchEntry &entry) {
    const Json plan = to_json(entry.plan);
    Json patch;
    patch["parallelism"] = complete(plan, "parallelism", {"group", "shard_group", "layout", "placement"});
    patch["batch"] = plan.at("batch");
    patch["recompute"] = complete(plan, "recompute", {"layers", "modules"});
    patch["offload"] = plan.at("offload");
    patch["precision"] = plan.at("precision");
    if (entry.plan.outer.method != OuterMethod::none)
        patch["outer"] = plan.at("outer");
    Json json = patch;
    json["cluster"] = {{"accelerator", entry.plan.cluster.accelerator_id},
                       {"accelerators", entry.plan.cluster.accelerators()}};
    json["patch"] = std::move(patch);
    json["step_seconds"] = entry.step_seconds;
    json["mfu"] = entry.mfu;
    json["peak_bytes"] = entry.peak_bytes;
    json["headroom_bytes"] = entry.headroom_bytes;
    json["run_seconds"] = entry.run_seconds;
    json["rental_dollars"] = entry.dollars;
    json["energy_joules"] = entry.joules;
    json["accelerators"] = entry.accelerators;
    json["order"] = entry.order;
    json["runnable"] = entry.runnable;
    json["reason"] = entry.reason.empty() ? Json(nullptr) : Json(entry.reason);
    json["tied"] = entry.tied;
    json["techniques"] = entry.techniques;
    return json;
}

Json to_json(const SearchResult &result) {
    Json json{{"schema", "meshwright.search/1"},
              {"objective", objective_names()[static_cast<std::size_t>(result.objective)]},
              {"top", result.top},
              {"shard", {{"index", result.shard.index}, {"count", result.shard.count}}},
              {"complete", result.complete},
              {"ended", search_end_names()[static_cast<std::size_t>(result.end)]},
              {"considered", result.considered},
              {"pruned", result.pruned},
              {"evaluated", result.evaluated},
              {"funnel",
               {{"fit", result.funnel.fit},
                {"too_large", result.funnel.too_large},
                {"slower", result.funnel.slower},
                {"repeats", result.funnel.repeats}}},
              {"unsearched", result.unsearched ? Json(*result.unsearched) : Json(nullptr)},
              {"seconds", result.seconds},
              {"tied_within", result.tied_within},
              {"recommended", result.recommended ? Json(*result.recommended) : Json(nullptr)},
              {"results", Json::array()},
              {"pareto", Json::array()}};
    for (const SearchEntry &entry : result.results)
        json["results"].push_back(to_json(entry));
    for (const SearchEntry &entry : result.pareto)
        json["pareto"].push_back(to_json(entry));
    for (const SearchEntry &entry : result.best_by_schedule)
        json["best_by_schedule"].push_back(to_json(entry));
    if (result.shard.count > 1 && result.complete)
        json["finalists"] = finalists_json(result);
    for (std::size_t i = 0; i < configuration_field_count; ++i)
        for (const CurvePoint &point : result.curves[i]) {
            const auto field = static_cast<ConfigurationField>(i);
            json["curves"][configuration_field_names()[i]].push_back(
                {{"value", text_of_value(field, point.value)},
                 {"step_seconds", point.reachable ? Json(point.step_seconds) : Json(nullptr)}});
        }
    return json;
}

std::string search_key(const Plan &plan, const SearchOptions &options) {
    Json what = to_json(plan);
    what["search"] = {
        static_cast<int>(options.objective), options.wanted.top, options.wanted.pareto, options.wanted.curves,
        options.wanted.by_schedule,          options.any_size};
    return fmt::format("{:016x}", digest(what.dump()));
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/ties.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace meshwright {

std::vector<std::string> techniques_of(const Plan &plan) {
    const Parallelism &parallelism = plan.parallelism;
    std::vector<std::string> used;
    const auto add = [&](bool uses, const char *name) {
        if (uses)
            used.emplace_back(name);
    };
    add(parallelism.tensor > 1, "tensor");
    add(parallelism.context > 1, "context");
    add(parallelism.expert > 1, "expert");
    add(parallelism.expert_tensor > 1, "expert_tensor");
    add(parallelism.pipeline > 1, "pipeline");
    add(parallelism.pipeline > 1 && parallelism.schedule != Schedule::one_f_one_b, "schedule");
    add(parallelism.group.has_value(), "group");
    add(!parallelism.layout.empty(), "layout");
    add(parallelism.zero_stage == 3, "zero_stage");
    add(parallelism.shard_group.has_value(), "shard_group");
    add(plan.recompute.mode != RecomputeMode::none, "recompute");
    add(plan.offload.optimizer > 0 || plan.offload.activations > 0, "offload");
    return used;
}

bool is_tied(const Tied &first, const Tied &other, double within) {
    return other.objective <= first.objective * (1 + within);
}

std::optional<std::size_t> recommended(const std::vector<Tied> &results, double within) {
    const std::size_t most = std::min(results.size(), max_recommendable);
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < most; ++i) {
        const Tied &one = results[i];
        if (!is_tied(results.front(), one, within))
            continue;
        const bool simpler = best && one.techniques < results[*best].techniques;
        const bool roomier =
            best && one.techniques == results[*best].techniques && one.headroom_bytes > results[*best].headroom_bytes;
        if (!best || simpler || roomier)
            best = i;
    }
    return best;
}

void mark_ties(SearchResult &result) {
    result.tied_within = tied_step_share;
    std::vector<Tied> all;
    for (SearchEntry &entry : result.results) {
        all.push_back({.objective = entry.order.front(),
                       .techniques = entry.techniques.size(),
                       .headroom_bytes = entry.headroom_bytes});
        entry.tied = is_tied(all.front(), all.back(), result.tied_within);
    }
    result.recommended = recommended(all, result.tied_within);
}

void mark_ties(nlohmann::ordered_json &result) {
    const double within = result.value("tied_within", 0.0);
    std::vector<Tied> all;
    for (nlohmann::ordered_json &entry : result.at("results")) {
        const auto techniques = entry.find("techniques");
        all.push_back({.objective = entry.at("order").at(0).get<double>(),
                       .techniques = techniques != entry.end() ? techniques->size() : 0,
                       .headroom_bytes = entry.value("headroom_bytes", 0.0)});
        entry["tied"] = is_tied(all.front(), all.back(), within);
    }
    const std::optional<std::size_t> best = recommended(all, within);
    result["recommended"] = best ? nlohmann::ordered_json(*best) : nlohmann::ordered_json(nullptr);
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <vector>

namespace meshwright {

struct SearchResult;

/// The simulated configurations of a shard, as JSON.
nlohmann::ordered_json finalists_json(const SearchResult &result);

struct WholeLists {
    std::vector<nlohmann::ordered_json> results; ///< best first
    std::vector<nlohmann::ordered_json> pareto; ///< Pareto front, sorted by run time
};

/// Chooses, by closed forms, those finalists of all shards that a search of the whole space would have simulated. The
/// result lists then equal those of the whole search.
/// @param shards  the "finalists" of each shard
/// @throws InputError if one was not written by finalists_json()
WholeLists lists_of_whole(const std::vector<const nlohmann::ordered_json *> &shards, std::size_t top);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <vector>

namespace meshwright {

struct SearchResult;

/// The simulated configurations of a shard, as JSON.
nlohmann::ordered_json finalists_json(const SearchResult &result);

/// The lists of the whole search.
struct WholeLists {
    std::vector<nlohmann::ordered_json> results; ///< best first
    std::vector<nlohmann::ordered_json> pareto; ///< Pareto front of the shard, by run time
};

/// Chooses, by closed forms, the configurations that the whole search would have simulated from those of its shards,
/// and lists them: one that only a shard had room to simulate is not listed, so that shards add up to the whole.
/// @param shards  the "finalists" of each
/// @throws InputError where one is not written by finalists_json()
WholeLists lists_of_whole(const std::vector<const nlohmann::ordered_json *> &shards, std::size_t top);

} // namespace meshwright

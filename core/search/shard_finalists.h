// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <vector>

namespace meshwright {

struct SearchResult;

/// What a shard has executed, as its object says it.
nlohmann::ordered_json finalists_json(const SearchResult &result);

/// What the whole search lists.
struct WholeLists {
    std::vector<nlohmann::ordered_json> results; ///< best first
    std::vector<nlohmann::ordered_json> pareto; ///< by run time
};

/// Chooses, by closed forms, what the whole search would have executed from what its shards have, and lists that: a
/// layout that only a shard had room to execute is not listed, so that shards add up to the whole.
/// @param shards  the "finalists" of each
/// @throws InputError where one is not what finalists_json() writes
WholeLists lists_of_whole(const std::vector<const nlohmann::ordered_json *> &shards, std::size_t top);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "search/merge_shards.h"

#include <cstddef>
#include <string_view>
#include <vector>

namespace meshwright {

struct ResultLines {
    std::vector<nlohmann::ordered_json> results;
    std::size_t unread = 0; ///< number of lines that are not JSON, as left by a killed process or a damaged disk
};

/// Reads search results, one per line. Empty lines are ignored.
ResultLines result_lines(std::string_view text);

/// Groups results by search, in the order of each search's first shard.
std::vector<std::vector<NamedResult>> by_search(std::vector<NamedResult> results);

} // namespace meshwright

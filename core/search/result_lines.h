// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "search/merge_shards.h"

#include <cstddef>
#include <string_view>
#include <vector>

namespace meshwright {

/// What a file of search results holds, one a line.
struct ResultLines {
    std::vector<nlohmann::ordered_json> results;
    std::size_t unread = 0; ///< lines that are no JSON: a kill leaves half a line, a damaged disk anything
};

/// Empty lines count for nothing.
ResultLines result_lines(std::string_view text);

/// Results by the search that they are of, in the order in which its first shard comes.
std::vector<std::vector<NamedResult>> by_search(std::vector<NamedResult> results);

} // namespace meshwright

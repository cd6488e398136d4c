// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace meshwright {

struct NamedResult {
    std::string name;
    nlohmann::ordered_json result;
};

/// Checks the parts of a search result from a file that a merge uses or prints.
/// @throws InputError
void check_search_result(const nlohmann::ordered_json &result);

/// Merges the shards of one search: adds up counts, and selects the best configurations and the Pareto front of the
/// whole search.
/// @throws InputError unless the results are all shards of one search, each exactly once
nlohmann::ordered_json merge_shards(const std::vector<NamedResult> &shards);

} // namespace meshwright

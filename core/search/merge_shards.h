// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace meshwright {

/// A result read from a file, with the file's name for messages.
struct NamedResult {
    std::string name;
    nlohmann::ordered_json result;
};

/// Checks the parts of a search result from a file that are merged or printed.
/// @throws InputError
void check_search_result(const nlohmann::ordered_json &result);

/// Joins the shards of one search: counts add up, and the best configurations and the front equal those of an unsharded
/// search.
/// @throws InputError unless they are all shards of one search, each exactly once
nlohmann::ordered_json merge_shards(const std::vector<NamedResult> &shards);

} // namespace meshwright

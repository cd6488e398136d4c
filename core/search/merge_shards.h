// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace meshwright {

/// A result's object read from a file, and which file for messages.
struct NamedResult {
    std::string name;
    nlohmann::ordered_json result;
};

/// Whether a text from a file is what a search gives, as far as it is merged or printed. @throws InputError
void check_search_result(const nlohmann::ordered_json &result);

/// Joins the shards of one search: counts add up, the best and the front are those of the whole.
/// @throws InputError where they are not one search's, or not all of its shards exactly once
nlohmann::ordered_json merge_shards(const std::vector<NamedResult> &shards);

} // namespace meshwright

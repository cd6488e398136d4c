// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "search/search.h"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace meshwright {

/// Two layouts on one machine cannot be told apart where their predicted steps differ by less than this share. In the
/// measured sweeps of `comparable_runs`, each counted alike, pairs that are predicted 10 to 12 % apart ran in the
/// predicted order in 80 % of all cases, those farther apart in more, those nearer in 55 to 73 %
/// (tests/core/ties_test.cpp counts again). What two predictions have in common, the error on a machine or a model,
/// cancels: so this is narrower than the 80 % interval of one step.
inline constexpr double tied_step_share = 0.10;

/// The techniques that a layout needs, as plans spell them: fewer are simpler. "schedule" stands for any but 1F1B,
/// "zero_stage" for sharded weights.
std::vector<std::string> techniques_of(const Plan &plan);

/// What decides whether a result is tied with the first, and which of them is recommended.
struct Tied {
    double objective = 0;
    std::size_t techniques = 0;
    double headroom_bytes = 0;
};
bool is_tied(const Tied &first, const Tied &other, double within);
/// Of those tied with the first, among the best `max_recommendable`, the one with the fewest techniques; of these the
/// one with most headroom. Of a longer list the roomiest would be one of the slowest that still tie.
inline constexpr std::size_t max_recommendable = 20;
std::optional<std::size_t> recommended(const std::vector<Tied> &results, double within);

/// Marks the results of a search that are tied with the first, and recommends one.
void mark_ties(SearchResult &result);
/// The same in the contract's object.
void mark_ties(nlohmann::ordered_json &result);

} // namespace meshwright

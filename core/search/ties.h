// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "search/search.h"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace meshwright {

/// Two configurations on one machine cannot be distinguished if their predicted step times differ by less than this
/// fraction. In the measured sweeps of `comparable_runs`, equally weighted, the predicted order was right for 80% of
/// the pairs predicted 10% to 12% apart. It was right more often for pairs farther apart, and for 55% to 73% of
/// pairs closer together (tests/core/ties_test.cpp repeats the count). This fraction is narrower than the 80% interval
/// of one step, because errors that both predictions share cancel.
inline constexpr double tied_step_share = 0.10;

/// The techniques that a configuration needs, as plans spell them. Fewer techniques are simpler. "schedule" stands for
/// any schedule but 1F1B, "zero_stage" for sharded weights.
std::vector<std::string> techniques_of(const Plan &plan);

/// Inputs for deciding whether a result is tied with the first, and which one to recommend.
struct Tied {
    double objective = 0;
    std::size_t techniques = 0;
    double headroom_bytes = 0;
};
bool is_tied(const Tied &first, const Tied &other, double within);
/// The recommended result. Among the best `max_recommendable` results, it is tied with the first and has the fewest
/// techniques; of several such results, it has the most headroom. Without this limit, it would often be one of the
/// slowest tied results.
inline constexpr std::size_t max_recommendable = 20;
std::optional<std::size_t> recommended(const std::vector<Tied> &results, double within);

void mark_ties(SearchResult &result);
void mark_ties(nlohmann::ordered_json &result);

} // namespace meshwright

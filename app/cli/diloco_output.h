// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/result.h"
#include "outer/monte_carlo.h"
#include "search/outer_search.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace meshwright {

/// Simulations of one plan with what they were made from.
struct DilocoAnswer {
    std::shared_ptr<const Result> result; ///< of a plan with an outer loop
    double parameters = 0; ///< that are synchronised
    double step_seconds = 0;
    std::uint64_t seed = 0;
    OuterRuns runs;
    std::optional<OuterRepair> repair; ///< where one was asked for and found
};

/// The contract's object: each key of `outer` with p10, p50 and p90, and what stands beside the simulation.
nlohmann::ordered_json dilocoJson(const DilocoAnswer &answer);
/// The same for people.
std::string dilocoText(const DilocoAnswer &answer);

/// The plan as it is beside the plan made to finish in time; null, and a sentence, where nothing was found.
nlohmann::ordered_json repairJson(const DilocoAnswer &answer);
std::string repairText(const DilocoAnswer &answer);

/// What happens, in order of time.
nlohmann::ordered_json eventsJson(const OuterTimeline &timeline);
std::string eventsText(const OuterTimeline &timeline);

} // namespace meshwright

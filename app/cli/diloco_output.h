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

struct DilocoAnswer {
    std::shared_ptr<const Result> result;
    double parameters = 0; ///< number of parameters that sites synchronize
    double step_seconds = 0;
    std::uint64_t seed = 0;
    OuterRuns runs;
    std::optional<OuterRepair> repair; ///< minimal changes that meet the deadline; set if requested and found
};

/// The JSON output: each key of `outer` with p10, p50 and p90, and the closed-form estimates, requirements and quality.
nlohmann::ordered_json dilocoJson(const DilocoAnswer &answer);
std::string dilocoText(const DilocoAnswer &answer);

/// Compares the plan as written with the plan after the changes that meet the deadline. If no changes meet it, the JSON
/// is null and the text is one sentence.
nlohmann::ordered_json repairJson(const DilocoAnswer &answer);
std::string repairText(const DilocoAnswer &answer);

nlohmann::ordered_json eventsJson(const OuterTimeline &timeline);
std::string eventsText(const OuterTimeline &timeline);

} // namespace meshwright

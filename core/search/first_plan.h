// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "search/plan_request.h"
#include "search/search.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

namespace meshwright {

struct Result;

struct FirstPlan {
    PlanRequest request;
    bool complete = false; ///< false if stopped
    std::string problem; ///< reason in one line why there is nothing to search; otherwise empty
    /// Document of the best plan, or of the request if nothing fits.
    std::shared_ptr<const nlohmann::ordered_json> document;
    std::shared_ptr<const Result> result;
    std::optional<SearchEntry> next; ///< best plan with a different parallel configuration; unset if none fits
    std::int64_t considered = 0;
    double seconds = 0;
    /// If nothing fits: a larger number of accelerators per site on which a configuration fits. Unset if none fits on
    /// up to `max_tried_growth` times as many accelerators.
    std::optional<std::int64_t> fits_on;
    /// Number of tokens that the budget covers; set only if the run exceeds the budget.
    std::optional<double> affordable_tokens;
};

inline constexpr std::int64_t max_tried_growth = 64;

/// Searches all configurations of the requested plan that its software supports and that leave the default headroom
/// free. If the request gives days instead of tokens, the plan trains on as many tokens as the days and the budget
/// allow. Stops within 0.1 s on request. Never throws because of the input.
FirstPlan find_first_plan(const PlanRequest &request, const Library &library, const std::stop_token &stop = {});

} // namespace meshwright

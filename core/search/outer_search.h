// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/result.h"

#include <optional>
#include <stop_token>
#include <string>

namespace meshwright {

class Library;

/// The least change of an outer loop, and of what does not fit, with which a run ends in time.
struct OuterRepair {
    std::string title; ///< "overlap 5, 72 fragments"
    std::string patch; ///< JSON merge patch for the plan
    int fields = 0; ///< that it sets
    Result result; ///< of the changed plan
    std::size_t considered = 0;
};

/// Tries more inner steps, overlap, fragments, sparser and shorter updates both ways, and a larger batch, after the
/// smallest change that fits where the plan does not. Fewest fields first, then the smallest steps away from the plan,
/// then the shorter run. Nothing where no candidate ends in time, or where simulating each would take too long.
/// @param most_days  that the run may take, absences and failures included
std::optional<OuterRepair> repair_outer(const Plan &plan, const Library &library, double most_days,
                                        const std::stop_token &stop = {});

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/result.h"
#include "outer/quality.h"

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace meshwright {

class Library;

/// The least change of an outer loop, and of what does not fit, with which a run ends in time.
struct OuterRepair {
    std::string title; ///< "overlap 5, 72 fragments"
    std::string patch; ///< JSON merge patch for the plan
    int fields = 0; ///< that it sets
    Result result; ///< of the changed plan
    /// Tokens that another batch needs for the same loss, over those of the plan's: {least, most}. 1 for the same
    /// batch.
    LossPenalty tokens;
    double critical_batch_tokens = 0; ///< that the most is by
    /// Of the changed plan, with as many tokens more as the most says.
    double most_days = 0;
    std::size_t considered = 0;
    std::vector<std::string> unproven; ///< ways in which it goes beyond what was published, and the plan does not
};

/// Tries more inner steps, overlap, fragments, sparser and shorter updates both ways, and other batches, after the
/// smallest change that fits where the plan does not. Fewest changes first; among those the fewest fields, of which
/// going beyond what was published counts as one more, then the smallest steps away from the plan.
/// Nothing where no candidate ends in time, or where simulating each would take too long.
///
/// A run of a larger batch counts with the tokens that it needs for the same loss: B_crit + B over what the plan's own
/// takes (McCandlish and others, arXiv 1812.06162, equation 2.11), with the critical batch at the loss that is
/// predicted (Kaplan and others, arXiv 2001.08361, equation 1.4). B is all sites' at most, as in data-parallel
/// training, and one site's at least, as if replicas took no notice of each other; in time is who is so by the most.
/// @param most_days  that the run may take, absences and failures included
std::optional<OuterRepair> repair_outer(const Plan &plan, const Library &library, double most_days,
                                        const std::stop_token &stop = {});

} // namespace meshwright

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

/// The smallest change to an outer loop that lets a run meet its deadline. If the plan does not fit, it also reduces
/// memory.
struct OuterRepair {
    std::string title; ///< summary of the changes, such as "overlap 5, 72 fragments"
    std::string patch; ///< JSON merge patch to the plan
    int fields = 0;
    Result result;
    /// Tokens needed for the same loss, relative to the plan's batch size: {minimum, maximum}. 1 for the same batch
    /// size.
    LossPenalty tokens;
    double critical_batch_tokens = 0; ///< critical batch size from which the maximum number of tokens is calculated
    /// Run time of the changed plan in days, with the maximum number of tokens.
    double most_days = 0;
    std::size_t considered = 0;
    std::vector<std::string>
        unproven; ///< published ranges that the changed plan exceeds and the original plan does not
};

/// Tries more inner steps, overlap and fragments, sparser and lower-precision updates in both directions, and other
/// batch sizes. If the plan does not fit, each is tried together with the smallest change that makes the plan fit.
/// Prefers the fewest changes, then the fewest changed fields, then the smallest distance from the plan. Each published
/// range that only the changed plan exceeds counts as one more field. Returns nothing if no candidate meets the
/// deadline, or if simulating all of them would take too long.
///
/// At another batch size B, the tokens needed for the same loss are proportional to B_crit + B (McCandlish et al.,
/// arXiv 1812.06162, equation 2.11), with the critical batch size at the predicted loss (Kaplan et al., arXiv
/// 2001.08361, equation 1.4). Two values of B give the range of tokens: the batch of one site, as if replicas were
/// independent, and the batch of all sites, as in data-parallel training. The deadline must be met with the batch of
/// all sites.
/// @param most_days maximum run time, absences and failures included
std::optional<OuterRepair> repair_outer(const Plan &plan, const Library &library, double most_days,
                                        const std::stop_token &stop = {});

} // namespace meshwright

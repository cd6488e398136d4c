// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "search/goal.h"
#include "search/goal_changes.h"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace meshwright {

struct Proposal {
    std::string title; ///< such as "Tensor 8 -> 4, ZeRO stage 1 -> 2", with an arrow character
    std::vector<FieldChange> changes;
    std::string patch; ///< JSON merge patch for the plan's document
    Result result;
    double value = 0;
    bool reached = false;
    /// Whether the goal is met at both ends of the figure's 80% interval; unset for figures without an interval.
    std::optional<bool> surely;
    /// Whether the changes have a cost that none of the plan's figures includes, such as the price of a faster link.
    bool has_no_price = false;
    std::vector<std::string>
        unproven; ///< aspects of the outer loop that are within published ranges before the changes but not after
};

struct GoalAnswer {
    Goal goal;
    Result before;
    std::optional<double> value; ///< the goal's figure before the changes; unset if the plan does not have it
    bool reached = false;
    std::vector<Proposal> proposals; ///< fewest changes first, then lowest cost
    std::optional<Proposal> nearest; ///< closest proposal if none meets the goal
    std::string limit; ///< one-sentence reason if no proposal meets the goal
    std::size_t considered = 0;
    bool complete = true; ///< false if the search was stopped
};

struct SeekOptions {
    std::size_t most = 5; ///< maximum number of proposals
    std::vector<ChangeKind> kinds{ChangeKind::layout, ChangeKind::memory,      ChangeKind::precision,
                                  ChangeKind::outer,  ChangeKind::checkpoints, ChangeKind::hardware};
    std::stop_token stop;
};

/// Finds the smallest sets of fields whose change makes a plan meet a goal, each with the best values. Sets of equal
/// size are ordered by the cost of the run. All single changes and pairs are tried first. Then the most promising ones
/// are extended. Finally the fastest configuration is tried, with as many fields as possible reset to the plan's
/// values. A proposal fits, meets the plan's constraints, and keeps the headroom that the constraints require, or the
/// plan's headroom if that is smaller. Deterministic on any number of threads.
/// @throws InputError if the plan is not valid
GoalAnswer seek(const Plan &plan, const Goal &goal, const Library &library, const SeekOptions &options = {});

nlohmann::ordered_json to_json(const GoalAnswer &answer);

/// Another key figure of a proposal, which the goal's card and the command line list.
struct GoalCost {
    std::string_view title; ///< such as "Run"
    std::string_view path; ///< path of the figure in the result
    Quantity quantity;
    double before = 0;
    double after = 0;
};
/// Headroom, step time, MFU, run time, rental cost, accelerators if they change, and with an outer loop the loss
/// penalty.
std::vector<GoalCost> costs_of(const GoalAnswer &answer, const Proposal &proposal);

} // namespace meshwright

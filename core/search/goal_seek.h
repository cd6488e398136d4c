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

/// Changes of a plan, with what they bring.
struct Proposal {
    std::string title; ///< "Tensor 8 -> 4, ZeRO stage 1 -> 2", with an arrow
    std::vector<FieldChange> changes;
    std::string patch; ///< JSON merge patch for the plan's document
    Result result; ///< of the patched plan, with its intervals
    double value = 0; ///< the goal's figure then
    bool reached = false;
    /// Reached at both ends of the figure's 80 % interval; unset for a figure that has none.
    std::optional<bool> surely;
    bool has_no_price = false; ///< needs something that no figure of the plan prices: a faster link
    std::vector<std::string>
        unproven; ///< ways in which its outer loop goes beyond what was published, and the plan's not
};

struct GoalAnswer {
    Goal goal;
    Result before; ///< with its intervals
    std::optional<double> value; ///< the goal's figure before; nothing where the plan has none
    bool reached = false; ///< already, by the plan as it is
    std::vector<Proposal> proposals; ///< fewest changes first, then the cheapest
    std::optional<Proposal> nearest; ///< where none reaches the goal: what comes nearest
    std::string limit; ///< where none does: what holds it back, one sentence
    std::size_t considered = 0; ///< plans that were tried
    bool complete = true; ///< false where it was stopped
};

struct SeekOptions {
    std::size_t most = 5; ///< proposals
    std::vector<ChangeKind> kinds{ChangeKind::layout, ChangeKind::memory,      ChangeKind::precision,
                                  ChangeKind::outer,  ChangeKind::checkpoints, ChangeKind::hardware};
    std::stop_token stop;
};

/// The fewest changed fields with which a plan reaches a goal; of each set of fields the best values, sets by what the
/// run then costs. Every one and every two changes are tried; beyond that the most promising ones are carried on, and
/// last the fastest layout of all, of which as many fields as possible are given back to the plan.
/// A proposal fits, is what the plan's constraints admit, and leaves no less memory free than the plan did or than the
/// constraints ask for. Deterministic, on any number of threads.
/// @throws InputError if the plan is not valid
GoalAnswer seek(const Plan &plan, const Goal &goal, const Library &library, const SeekOptions &options = {});

/// The object that `seek --json` prints.
nlohmann::ordered_json to_json(const GoalAnswer &answer);

/// What the goal's card and the command line set beside each other: the other key figures of a proposal.
struct GoalCost {
    std::string_view title; ///< "Run"
    std::string_view path; ///< in the result
    Quantity quantity;
    double before = 0;
    double after = 0;
};
/// Headroom, step, MFU, run, rental cost, accelerators where they change, and with an outer loop the loss penalty.
std::vector<GoalCost> costs_of(const GoalAnswer &answer, const Proposal &proposal);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"
#include "search/goal.h"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

class Library;

/// What kind of thing a change is. A caller may leave kinds out.
enum class ChangeKind {
    layout, ///< degrees, schedule, microbatch, ZeRO
    memory, ///< recomputation and offload
    precision, ///< formats
    outer, ///< the outer loop's settings
    checkpoints, ///< how often
    hardware ///< nodes, accelerators, sites, links
};
inline constexpr std::size_t change_kind_count = 6;
const std::vector<std::string> &change_kind_names();

/// One field of a plan with another value.
struct FieldChange {
    std::string field; ///< JSON pointer
    std::string title; ///< "Tensor"
    std::string from; ///< as people read it
    std::string to;
};

/// One value of one setting other than the plan's.
struct GoalOption {
    std::vector<FieldChange> changes; ///< what people count: a schedule and its chunks are two
    std::function<void(Plan &)> apply;
    double distance = 1; ///< doublings away from the plan
};

/// A setting with the values that are tried.
struct GoalSetting {
    ChangeKind kind = ChangeKind::layout;
    /// More of it is more of something that is not in the rental cost, or in the step: the smallest change is the best.
    bool lower_is_better = false;
    bool has_no_price = false; ///< what it costs is in no figure of the plan: a faster link
    std::vector<GoalOption> options;
};

/// By how many doublings, or halvings, a value differs from another; 1 where one of them is 0.
double doublings(double from, double to);

/// Every setting that may move the goal's figure, with values that the plan's own constraints admit: what they hold
/// fixed stays. Tokens, model, sequence length and batch are what is planned: they never change.
std::vector<GoalSetting> goal_settings(const Plan &plan, const Goal &goal, const std::vector<ChangeKind> &kinds,
                                       const Library &library);

/// The merge patch that turns a document of `before` into one of `after`. Objects of the layout are complete, so that
/// a document that leaves fields out reads the same.
std::string patch_between(const Plan &before, const Plan &after);

} // namespace meshwright

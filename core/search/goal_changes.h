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

/// A kind of change, which callers may exclude.
enum class ChangeKind {
    layout, ///< degrees, schedule, microbatch size, ZeRO
    memory, ///< recomputation and offload
    precision,
    outer,
    checkpoints,
    hardware ///< nodes, accelerators, sites, links
};
inline constexpr std::size_t change_kind_count = 6;
const std::vector<std::string> &change_kind_names();

struct FieldChange {
    std::string field; ///< JSON pointer
    std::string title; ///< such as "Tensor"
    std::string from; ///< current value, formatted
    std::string to;
};

/// A value of a setting that differs from the plan's value.
struct GoalOption {
    std::vector<FieldChange> changes; ///< fields to change: one, or two for a schedule with its chunks
    std::function<void(Plan &)> apply;
    double distance = 1; ///< distance from the plan's value, in doublings
};

struct GoalSetting {
    ChangeKind kind = ChangeKind::layout;
    /// Whether the lowest value that meets the goal is best. A higher value then has drawbacks beyond rental cost and
    /// step time.
    bool lower_is_better = false;
    bool has_no_price = false; ///< whether the plan's figures leave out its cost, as for a faster link
    std::vector<GoalOption> options;
};

/// Absolute log2 of the ratio of two values; 1 if one of them is 0.
double doublings(double from, double to);

/// Every setting that may affect the goal's figure, with the values that the plan's constraints allow. Fixed fields,
/// tokens, model, sequence length and global batch size never change.
std::vector<GoalSetting> goal_settings(const Plan &plan, const Goal &goal, const std::vector<ChangeKind> &kinds,
                                       const Library &library);

/// The merge patch that turns a document of `before` into one of `after`. It sets all fields of the configuration's
/// objects, so that none of them is derived again as a default.
std::string patch_between(const Plan &before, const Plan &after);

} // namespace meshwright

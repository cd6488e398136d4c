// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/result.h"
#include "quantities/text.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

/// A figure of a result that can have a goal.
enum class GoalFigure {
    step,
    days,
    mfu,
    tokens_per_second, ///< throughput of one site
    cost, ///< rental cost of the run
    energy, ///< energy of the whole run
    headroom, ///< memory headroom in bytes
    headroom_share, ///< memory headroom as a fraction of the capacity
    fit, ///< probability that the plan fits
    accelerators, ///< number of accelerators in all sites
    utilisation, ///< compute utilization of the sites
    goodput
};
inline constexpr std::size_t goal_figure_count = 12;

/// Whether the figure must be at most or at least the goal's value.
enum class Relation { at_most, at_least };

struct GoalDefinition {
    std::string_view name; ///< name of the goal on the command line: "days"
    std::string_view path; ///< path of the figure in a result; "verdict.fit_probability" has only a derivation
    std::string_view title; ///< such as "Run"
    Quantity quantity; ///< quantity of the figure and of the goal's value
    Relation better; ///< relation of a goal entered with "="
};
const GoalDefinition &definition_of(GoalFigure figure);

struct Goal {
    GoalFigure figure = GoalFigure::days;
    Relation relation = Relation::at_most;
    double value = 0; ///< goal in the quantity's SI unit: 2,592,000 for a run of 30 days
    bool operator==(const Goal &) const = default;
};

/// Parses the value typed for a figure: "30" or "30 days" for a run, "2M$", "45%", "10%" of the capacity for headroom.
/// @throws InputError at /goal, naming the units
Goal goal_for(GoalFigure figure, std::string_view value);
/// Parses "days=30" or "mfu>=45%": a figure's name, a relation (= is the usual direction) and a value.
/// @throws InputError at /goal
Goal goal_from(std::string_view text);

/// A goal as text: "Run at most 30 days".
std::string text_of(const Goal &goal);
/// A value of the figure, formatted.
std::string text_of(double value, GoalFigure figure);

/// The result's figure. Empty if it has none: compute utilization without an outer loop, or a probability before
/// add_evidence().
std::optional<double> figure_of(const Result &result, GoalFigure figure);
bool is_reached(const Goal &goal, double figure);
/// How far a figure misses the goal; 0 if the goal is met. For most figures, this is the logarithm of the ratio of
/// figure and goal; for probabilities and for headroom, which may be negative, it is the difference.
double miss_of(const Goal &goal, double figure);

/// Both ends of a figure's 80% interval. Empty before add_evidence(), and for figures without an interval.
struct FigureInterval {
    double low = 0;
    double high = 0;
};
std::optional<FigureInterval> interval_of(const Result &result, GoalFigure figure);

} // namespace meshwright

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

enum class GoalFigure {
    step,
    days,
    mfu,
    tokens_per_second, ///< throughput of one site
    cost,
    energy,
    headroom, ///< memory headroom in bytes
    headroom_share, ///< headroom as a fraction of memory capacity
    fit, ///< probability that the plan fits
    accelerators, ///< number of accelerators in all sites
    utilisation,
    goodput
};
inline constexpr std::size_t goal_figure_count = 12;

enum class Relation { at_most, at_least };

struct GoalDefinition {
    std::string_view name;
    std::string_view path; ///< path of the figure in a result; "verdict.fit_probability" has only a derivation
    std::string_view title;
    Quantity quantity;
    Relation better; ///< relation that "=" stands for
};
const GoalDefinition &definition_of(GoalFigure figure);

struct Goal {
    GoalFigure figure = GoalFigure::days;
    Relation relation = Relation::at_most;
    double value = 0; ///< goal in the SI unit: 2,592,000 s for a run of 30 days
    bool operator==(const Goal &) const = default;
};

/// Parses the value entered for a figure: "30" or "30 days" for a run, "$2M", "45%", or "10%" of the capacity for
/// headroom.
/// @throws InputError at /goal that lists the units
Goal goal_for(GoalFigure figure, std::string_view value);
/// Parses "days=30" or "mfu>=45%": a figure's name, a relation and a value. "=" stands for the relation
/// that is better for the figure: at most 30 days, but at least 45% MFU.
/// @throws InputError at /goal
Goal goal_from(std::string_view text);

/// Formats a goal, such as "Run at most 30 days".
std::string text_of(const Goal &goal);
std::string text_of(double value, GoalFigure figure);

/// Value of a figure in the result. Empty for compute utilization without an outer loop, and for a probability before
/// add_evidence().
std::optional<double> figure_of(const Result &result, GoalFigure figure);
bool is_reached(const Goal &goal, double figure);
/// Distance of a figure from the goal; 0 if the goal is met. The distance is the logarithm of the ratio of figure and
/// goal. For probabilities, and for headroom, which may be negative, it is their difference.
double miss_of(const Goal &goal, double figure);

/// A figure's 80% interval. Empty before add_evidence(), and for figures without an interval.
struct FigureInterval {
    double low = 0;
    double high = 0;
};
std::optional<FigureInterval> interval_of(const Result &result, GoalFigure figure);

} // namespace meshwright

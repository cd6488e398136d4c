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

/// A figure of a result that a goal can be set for.
enum class GoalFigure {
    step,
    days,
    mfu,
    tokens_per_second, ///< of a site
    cost, ///< rental cost of the run
    energy, ///< of the run
    headroom, ///< bytes
    headroom_share, ///< of the capacity
    fit, ///< probability that the plan fits
    accelerators, ///< of all sites
    utilisation, ///< of the sites: the time that they compute
    goodput
};
inline constexpr std::size_t goal_figure_count = 12;

/// On which side of its value a goal is reached.
enum class Relation { at_most, at_least };

struct GoalDefinition {
    std::string_view name; ///< on the command line: "days"
    std::string_view path; ///< of the figure in a result; "verdict.fit_probability" is explained only
    std::string_view title; ///< "Run"
    Quantity quantity; ///< of the figure and of the goal's value
    Relation better; ///< the side that people want
};
const GoalDefinition &definition_of(GoalFigure figure);

struct Goal {
    GoalFigure figure = GoalFigure::days;
    Relation relation = Relation::at_most;
    double value = 0; ///< in the quantity's SI unit: a run of 30 days is 2,592,000
    bool operator==(const Goal &) const = default;
};

/// Reads what a person typed for a figure: "30" or "30 days" for a run, "2M$", "45%", "10%" of the capacity for
/// headroom. @throws InputError at /goal, which names the units
Goal goal_for(GoalFigure figure, std::string_view value);
/// Reads "days=30", "mfu>=45%": a figure's name, a relation (= is the side that people want) and a value.
/// @throws InputError at /goal
Goal goal_from(std::string_view text);

/// "run at most 30 days"
std::string text_of(const Goal &goal);
/// A value of the figure as people read it.
std::string text_of(double value, GoalFigure figure);

/// The result's figure; nothing where it has none: sites without an outer loop, a probability before add_evidence.
std::optional<double> figure_of(const Result &result, GoalFigure figure);
bool is_reached(const Goal &goal, double figure);
/// By what factor, as a logarithm, a figure misses the goal; 0 where it is reached. Of headroom and of a probability,
/// which may be negative or end at 1, the difference.
double miss_of(const Goal &goal, double figure);

/// Both ends of the 80 % interval round a figure; nothing before add_evidence, and for what has none.
struct FigureInterval {
    double low = 0;
    double high = 0;
};
std::optional<FigureInterval> interval_of(const Result &result, GoalFigure figure);

} // namespace meshwright

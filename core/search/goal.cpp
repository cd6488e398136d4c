// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/goal.h"

#include "evaluate/evidence_of_result.h"
#include "input/diagnostic.h"
#include "quantities/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace meshwright {

namespace {

constexpr double seconds_of_a_day = 86400;

constexpr std::array<GoalDefinition, goal_figure_count> goal_definitions{{
    {"step", "step.seconds", "Step time", Quantity::seconds, Relation::at_most},
    {"days", "run.seconds", "Run", Quantity::seconds, Relation::at_most},
    {"mfu", "step.mfu", "MFU", Quantity::share, Relation::at_least},
    {"tokens-per-second", "step.tokens_per_second", "Tokens/s", Quantity::number, Relation::at_least},
    {"cost", "run.rental_dollars", "Rental cost", Quantity::dollars, Relation::at_most},
    {"energy", "run.energy_joules", "Energy", Quantity::joules, Relation::at_most},
    {"headroom", "verdict.headroom_bytes", "Headroom", Quantity::bytes, Relation::at_least},
    {"headroom-share", "verdict.headroom_share", "Headroom", Quantity::share, Relation::at_least},
    {"fit", "verdict.fit_probability", "Probability of fitting", Quantity::share, Relation::at_least},
    {"accelerators", "cluster.accelerators", "Accelerators", Quantity::count, Relation::at_most},
    {"utilisation", "outer.utilisation", "Compute utilization", Quantity::share, Relation::at_least},
    {"goodput", "run.goodput", "Goodput", Quantity::share, Relation::at_least},
}};

/// A run time without a unit is in days; any other figure without a unit is in SI units.
double plain_unit(GoalFigure figure) {
    return figure == GoalFigure::days ? seconds_of_a_day : 1;
}

bool is_share_goal(GoalFigure figure) {
    return definition_of(figure).quantity == Quantity::share;
}

[[noreturn]] void refuse_goal(GoalFigure figure, std::string_view value, const std::string &expected) {
    throw InputError("/goal", fmt::format("\"{}\" is not a goal for {}", value, definition_of(figure).name), expected);
}

std::string expected_for(GoalFigure figure) {
    if (is_share_goal(figure))
        return "expected a fraction above 0 and up to 1, or a percentage";
    if (figure == GoalFigure::days)
        return "expected a number of days, or a time with its unit";
    const Quantity quantity = definition_of(figure).quantity;
    const std::string_view units = accepted_units(quantity);
    return units.empty() ? "expected a number above 0" : fmt::format("expected a number above 0 in {}", units);
}

std::string goal_names() {
    std::string all;
    for (const GoalDefinition &definition : goal_definitions)
        if (definition.name != "headroom-share")
            all += fmt::format("{}{}", all.empty() ? "" : ", ", definition.name);
    return all;
}

} // namespace

const GoalDefinition &definition_of(GoalFigure figure) {
    return goal_definitions[static_cast<std::size_t>(figure)];
}

Goal goal_for(GoalFigure figure, std::string_view value) {
    if (figure == GoalFigure::headroom && value.find('%') != std::string_view::npos)
        figure = GoalFigure::headroom_share;
    std::optional<double> number = quantity_from(value, Quantity::number);
    if (number)
        *number *= plain_unit(figure);
    else
        number = quantity_from(value, definition_of(figure).quantity);
    const bool none_is_enough = figure == GoalFigure::headroom || figure == GoalFigure::headroom_share;
    if (!number || !std::isfinite(*number) || *number < 0 || (*number == 0 && !none_is_enough)
        || (is_share_goal(figure) && *number > 1) || (figure == GoalFigure::fit && *number >= 1))
        refuse_goal(figure, value,
                    figure == GoalFigure::fit ? "expected a probability above 0 and below 1, or a percentage below 100%"
                                              : expected_for(figure));
    return {.figure = figure, .relation = definition_of(figure).better, .value = *number};
}

Goal goal_from(std::string_view text) {
    const std::size_t sign = text.find_first_of("<>=");
    const std::string_view name = text.substr(0, sign);
    const auto found = std::find_if(goal_definitions.begin(), goal_definitions.end(),
                                    [&](const GoalDefinition &one) { return one.name == name; });
    const std::string expected = fmt::format("expected FIGURE=VALUE with one of {}", goal_names());
    if (sign == std::string_view::npos)
        throw InputError("/goal", fmt::format("\"{}\" has no value", text), expected);
    if (found == goal_definitions.end())
        throw InputError("/goal", fmt::format("unknown figure \"{}\"", name), expected);
    std::string_view value = text.substr(sign + 1);
    if (text[sign] != '=' && value.starts_with('='))
        value.remove_prefix(1);
    Goal goal = goal_for(static_cast<GoalFigure>(found - goal_definitions.begin()), value);
    if (text[sign] != '=')
        goal.relation = text[sign] == '<' ? Relation::at_most : Relation::at_least;
    return goal;
}

std::string text_of(double value, GoalFigure figure) {
    const GoalDefinition &definition = definition_of(figure);
    if (figure == GoalFigure::tokens_per_second)
        return text_of(value, Quantity::tokens) + "/s";
    return value < 0 ? "\u2212" + text_of(-value, definition.quantity) : text_of(value, definition.quantity);
}

std::string text_of(const Goal &goal) {
    const bool fits = goal.figure == GoalFigure::headroom && goal.value == 0;
    if (fits)
        return "fits in memory";
    return fmt::format("{} {} {}", definition_of(goal.figure).title,
                       goal.relation == Relation::at_most ? "at most" : "at least", text_of(goal.value, goal.figure));
}

std::optional<double> figure_of(const Result &result, GoalFigure figure) {
    switch (figure) {
    case GoalFigure::step:
        return result.step.seconds;
    case GoalFigure::days:
        return result.run.seconds;
    case GoalFigure::mfu:
        return result.step.mfu;
    case GoalFigure::tokens_per_second:
        return result.step.tokens_per_second;
    case GoalFigure::cost:
        return result.run.rental_dollars;
    case GoalFigure::energy:
        return result.run.energy_joules;
    case GoalFigure::headroom:
        return result.verdict.headroom_bytes;
    case GoalFigure::headroom_share:
        return result.verdict.headroom_bytes / result.memory.capacity_bytes;
    case GoalFigure::fit:
        return fit_probability(result);
    case GoalFigure::accelerators:
        return result.cluster.accelerators;
    case GoalFigure::utilisation:
        return result.outer ? std::optional(result.outer->utilisation) : std::nullopt;
    case GoalFigure::goodput:
        break;
    }
    return result.run.goodput;
}

bool is_reached(const Goal &goal, double figure) {
    return goal.relation == Relation::at_most ? figure <= goal.value : figure >= goal.value;
}

double miss_of(const Goal &goal, double figure) {
    if (is_reached(goal, figure))
        return 0;
    const bool by_difference = goal.figure == GoalFigure::headroom || goal.figure == GoalFigure::headroom_share
        || goal.figure == GoalFigure::fit;
    if (by_difference)
        return std::abs(figure - goal.value);
    return figure > 0 && goal.value > 0 ? std::abs(std::log(figure / goal.value)) : 1e9;
}

std::optional<FigureInterval> interval_of(const Result &result, GoalFigure figure) {
    const Memory &memory = result.memory;
    const bool of_memory = figure == GoalFigure::headroom || figure == GoalFigure::headroom_share;
    if (of_memory && memory.low_bytes > 0) {
        const double unit = figure == GoalFigure::headroom ? 1 : memory.capacity_bytes;
        return FigureInterval{.low = (memory.capacity_bytes - memory.high_bytes) / unit,
                              .high = (memory.capacity_bytes - memory.low_bytes) / unit};
    }
    const Step &step = result.step;
    if (of_memory || !(step.low_seconds > 0))
        return std::nullopt;
    const double value = figure_of(result, figure).value_or(0);
    switch (figure) {
    case GoalFigure::step:
    case GoalFigure::days:
    case GoalFigure::cost:
    case GoalFigure::energy:
        return FigureInterval{.low = value * step.low_seconds / step.seconds,
                              .high = value * step.high_seconds / step.seconds};
    case GoalFigure::mfu:
    case GoalFigure::tokens_per_second:
        return FigureInterval{.low = value * step.seconds / step.high_seconds,
                              .high = value * step.seconds / step.low_seconds};
    default:
        return std::nullopt;
    }
}

} // namespace meshwright

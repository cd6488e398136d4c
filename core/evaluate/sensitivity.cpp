// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/sensitivity.h"

#include "evaluate/evaluate.h"
#include "evaluate/evidence_of_result.h"
#include "plan/plan_json.h"

#include <nlohmann/json.hpp>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

namespace meshwright {

using Json = nlohmann::ordered_json;
using Pointer = Json::json_pointer;

namespace {

/// The place of a figure in the result's JSON; nothing where it has no such number.
std::optional<Pointer> place_of(const Json &json, const std::string &name, const Pointer &at = Pointer(),
                                const std::string &spelled = {}) {
    if (json.is_number())
        return spelled == name ? std::optional(at) : std::nullopt;
    if (!json.is_structured())
        return std::nullopt;
    for (const auto &item : json.items()) {
        const std::string longer = spelled.empty() ? item.key() : spelled + "_" + item.key();
        if (!name.starts_with(longer))
            continue;
        const auto inner = json.is_array() ? at / static_cast<std::size_t>(std::stoul(item.key())) : at / item.key();
        if (auto found = place_of(item.value(), name, inner, longer))
            return found;
    }
    return std::nullopt;
}

std::optional<double> number_at(const Json &json, const Pointer &place) {
    if (!json.contains(place) || !json.at(place).is_number())
        return std::nullopt; // another number of stages
    return json.at(place).get<double>();
}

double relative_change(double before, double after) {
    return before == 0 ? after - before : (after - before) / std::abs(before);
}

void sort_by_change(std::vector<Influence> &influences) {
    std::stable_sort(influences.begin(), influences.end(),
                     [](const Influence &a, const Influence &b) { return std::abs(a.change) > std::abs(b.change); });
}

using Figures = std::vector<std::optional<double>>;

bool is_end_of_interval(std::string_view figure) {
    const std::string name = identifier(figure);
    return name.find("low_") != std::string::npos || name.find("high_") != std::string::npos;
}

/// Of a plan that is set against one that differs little. @param known  for the ends of intervals; may be null
Figures figures_of(const Plan &plan, const std::vector<std::optional<Pointer>> &places, const KnownRuns *known) {
    Result result = evaluate(plan, Depth::comparison);
    if (known != nullptr)
        add_evidence(result, *known);
    const Json json = figures_json(result);
    Figures figures;
    for (const std::optional<Pointer> &place : places)
        figures.push_back(place ? number_at(json, *place) : std::nullopt);
    return figures;
}

struct Varied {
    Variation variation;
    Plan plan;
};

std::vector<Varied> varied_inputs(const Plan &plan) {
    std::vector<Varied> inputs;
    for_each_variation(plan, [&](const Variation &variation, const Plan &varied) {
        inputs.push_back({variation, varied});
    });
    return inputs;
}

/// What a figure comes to where a comparison goes from one value to another.
double placed(double figure, double from, double to) {
    if (from == figure)
        return to;
    return from == 0 ? figure + to : figure + (to - from) * (figure / from);
}

void note(std::vector<Influence> &influences, const Variation &variation, double before, double after) {
    constexpr double rounding = 1e-12;
    const double change = relative_change(before, after);
    if (std::abs(change) > rounding && std::isfinite(change))
        influences.push_back({variation, before, after, change});
}

Json to_json(const Influence &influence) {
    const Variation &variation = influence.variation;
    return {{"what", variation.what},   {"pointer", variation.pointer}, {"origin", name_of(variation.origin)},
            {"from", variation.from},   {"to", variation.to},           {"before", influence.before},
            {"after", influence.after}, {"change", influence.change}};
}

} // namespace

std::optional<double> figure_value(const Result &result, std::string_view figure) {
    const Json json = figures_json(result);
    const auto place = place_of(json, identifier(figure));
    return place ? number_at(json, *place) : std::nullopt;
}

std::vector<std::vector<Influence>> sensitivities(const Result &result, std::span<const std::string_view> figures,
                                                  const std::stop_token &stop) {
    const Json present = figures_json(result);
    std::vector<std::optional<Pointer>> places;
    for (const std::string_view figure : figures)
        places.push_back(place_of(present, identifier(figure)));
    // The ends of intervals move with the estimate; what measured runs say of the model stays as it is.
    const bool has_ends = std::any_of(figures.begin(), figures.end(), is_end_of_interval);
    const auto known = has_ends ? KnownRuns::standard(result.plan.own_assumptions()) : nullptr;
    const Figures compared = figures_of(result.plan, places, known.get());
    const std::vector<Varied> inputs = varied_inputs(result.plan);
    std::vector<Figures> varied(inputs.size());
    tbb::parallel_for(std::size_t{0}, inputs.size(), [&](std::size_t input) {
        if (!stop.stop_requested())
            varied[input] = figures_of(inputs[input].plan, places, known.get());
    });
    std::vector<std::vector<Influence>> influences(figures.size());
    if (stop.stop_requested())
        return influences;
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (!places[i] || !compared[i])
            continue;
        const double before = *number_at(present, *places[i]);
        for (std::size_t input = 0; input < inputs.size(); ++input)
            if (const std::optional<double> after = varied[input][i])
                note(influences[i], inputs[input].variation, before, placed(before, *compared[i], *after));
        sort_by_change(influences[i]);
    }
    return influences;
}

std::vector<Influence> sensitivity(const Result &result, std::string_view figure, const std::stop_token &stop) {
    return std::move(sensitivities(result, {&figure, 1}, stop).front());
}

std::vector<std::string_view> headline_figures(const Result &result) {
    std::vector<std::string_view> figures{
        "verdict.headroom_bytes", "memory.peak_bytes", "step.seconds", "step.mfu", "run.days", "run.rental_dollars"};
    if (result.outer)
        figures.emplace_back("outer.utilisation");
    return figures;
}

Json sensitivities_json(const Result &result) {
    const std::vector<std::string_view> figures = headline_figures(result);
    const std::vector<std::vector<Influence>> influences = sensitivities(result, figures);
    Json json = Json::object();
    for (std::size_t i = 0; i < figures.size(); ++i) {
        Json &list = json[std::string(figures[i])] = Json::array();
        for (const Influence &influence : influences[i])
            list.push_back(to_json(influence));
    }
    return json;
}

} // namespace meshwright

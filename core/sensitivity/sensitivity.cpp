// SPDX-License-Identifier: GPL-3.0-or-later
#include "sensitivity/sensitivity.h"

#include "evaluate/evaluate.h"
#include "explain/explain.h"
#include "plan/plan_json.h"
#include "sensitivity/comparison.h"
#include "threads/for_each_index.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace meshwright {

using Json = nlohmann::ordered_json;
using Pointer = Json::json_pointer;

namespace {

/// The path of a figure in the result's JSON; nothing if the JSON does not have the figure as a number.
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
        return std::nullopt; // the varied plan has a different number of stages, so the path does not exist
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

/// Reads figures of results: by the figure's path in the JSON, or from its derivation if it has no path.
class FigureReader {
public:
    FigureReader(const Result &result, std::span<const std::string_view> figures) {
        const Json json = figures_json(result);
        for (const std::string_view figure : figures) {
            m_names.push_back(identifier(figure));
            m_places.push_back(place_of(json, m_names.back()));
            if (m_known == nullptr)
                m_known = known_runs_for(result, figure);
            if (!m_places.back() && (m_unplaced.empty() || m_names.back().starts_with("schedule_")))
                m_unplaced = m_names.back();
        }
    }

    /// Figures of a varied plan, calculated such that small differences are exact.
    Figures of(const Plan &plan) const { return read(compared_result(plan, m_known.get())); }

    Figures read(const Result &result) const {
        const Json json = figures_json(result);
        const std::optional<Derivation> tree = m_unplaced.empty() ? std::nullopt : explained_with(result, m_unplaced);
        Figures figures;
        for (std::size_t i = 0; i < m_names.size(); ++i) {
            const Derivation *const node = !m_places[i] && tree ? find_figure(*tree, m_names[i]) : nullptr;
            figures.push_back(m_places[i]           ? number_at(json, *m_places[i])
                                  : node != nullptr ? std::optional(node->value)
                                                    : std::nullopt);
        }
        return figures;
    }

private:
    std::vector<std::string> m_names;
    std::vector<std::optional<Pointer>> m_places;
    std::shared_ptr<const KnownRuns> m_known; ///< null if no figure is the end of an interval
    /// A figure that exists only in a derivation, preferably in that of the simulated pipeline; empty if there is none.
    std::string m_unplaced;
};

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

/// Scales a figure by the ratio of the two values of a comparison.
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
    const FigureReader reader(result, figures);
    std::vector<std::vector<Influence>> influences(figures.size());
    const Figures present = reader.read(result);
    if (std::none_of(present.begin(), present.end(), [](const auto &figure) { return figure.has_value(); }))
        return influences;
    const Figures compared = reader.of(result.plan);
    const std::vector<Varied> inputs = varied_inputs(result.plan);
    std::vector<Figures> varied(inputs.size());
    for_each_index(inputs.size(), [&](std::size_t input) {
        if (!stop.stop_requested())
            varied[input] = reader.of(inputs[input].plan);
    });
    if (stop.stop_requested())
        return influences;
    for (std::size_t i = 0; i < present.size(); ++i) {
        if (!present[i] || !compared[i])
            continue;
        const double before = *present[i];
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

namespace {

/// How a figure changes between two results if one input is varied in both.
struct JoinedVariation {
    Variation variation;
    std::optional<double> before; ///< the first result's figure with the varied input; unset if unchanged
    std::optional<double> after;
};

std::vector<JoinedVariation> joined(const std::vector<Influence> &before, const std::vector<Influence> &after) {
    std::map<std::array<std::string, 3>, JoinedVariation> all;
    const auto at = [&](const Influence &influence) -> JoinedVariation & {
        const Variation &variation = influence.variation;
        JoinedVariation &one = all[{variation.pointer, variation.from, variation.to}];
        one.variation = variation;
        return one;
    };
    for (const Influence &influence : before)
        at(influence).before = influence.after;
    for (const Influence &influence : after)
        at(influence).after = influence.after;
    std::vector<JoinedVariation> list;
    for (auto &[key, one] : all)
        list.push_back(std::move(one));
    return list;
}

std::optional<double> value_of(const Result &result, std::string_view figure) {
    return FigureReader(result, {&figure, 1}).read(result).front();
}

} // namespace

std::vector<Influence> influences(const InfluenceQuestion &question, const std::stop_token &stop) {
    if (question.result == nullptr)
        return {};
    std::vector<Influence> after = sensitivity(*question.result, question.figure, stop);
    if (question.before == nullptr || stop.stop_requested())
        return after;
    const std::optional<double> first = value_of(*question.before, question.figure);
    const std::optional<double> second = value_of(*question.result, question.figure);
    std::vector<Influence> found;
    if (!first || !second)
        return found;
    const auto gain = [&](double from, double to) {
        return question.as_share ? (to - from) / std::abs(from) : to - from;
    };
    for (const JoinedVariation &one : joined(sensitivity(*question.before, question.figure, stop), after))
        note(found, one.variation, gain(*first, *second),
             gain(one.before.value_or(*first), one.after.value_or(*second)));
    sort_by_change(found);
    return stop.stop_requested() ? std::vector<Influence>() : found;
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

// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/constant_making.h"

#include <algorithm>

namespace meshwright {

namespace {

/// By how much a figure changes with one constant.
std::optional<Derivation> changeOf(const std::vector<Influence> &influences, const Derivation &constant,
                                   const char *figure, const char *title, Quantity quantity) {
    const auto found = std::find_if(influences.begin(), influences.end(), [&](const Influence &influence) {
        return influence.variation.pointer == constant.field;
    });
    if (found == influences.end() || found->before == 0)
        return std::nullopt;
    const std::string with = constant.title + " at " + found->variation.to;
    return derived({"change", std::string("change of the ") + title + " with " + with, Quantity::share}, found->change,
                   "(after - before) / abs(before)", "whole evaluations of the plan",
                   {by_procedure({"after", std::string(title) + " with " + with, quantity}, found->after, "evaluate",
                                 "the plan with this constant changed", {constant}),
                    reference_to(figure, {"before", title, quantity}, found->before)});
}

} // namespace

std::optional<Derivation> constantMaking(const QString &figure, const Assumptions &plan,
                                         const PlanInfluences &influences) {
    const auto count = [](const char *name, const char *title, auto number) {
        return by_procedure({name, title, Quantity::count}, static_cast<double>(number), "count", "the registry", {});
    };
    if (figure == QLatin1String("constants"))
        return count("constants", "constants of the registry", constants().size());
    if (figure == QLatin1String("fitted"))
        return count("fitted", "constants that are fitted to measured runs",
                     std::count_if(constants().begin(), constants().end(),
                                   [](const Constant &constant) { return constant.provenance == Provenance::fitted; }));
    const Constant *const constant = find_constant(figure.section(QLatin1Char('.'), 1).toStdString());
    if (constant == nullptr)
        return std::nullopt;
    const QString part = figure.section(QLatin1Char('.'), 0, 0);
    if (part == QLatin1String("range"))
        return constant_value(constant->id, Assumptions());
    const Derivation own = constant_value(constant->id, plan);
    if (part == QLatin1String("constant"))
        return own;
    if (part == QLatin1String("influence_step"))
        return changeOf(influences.step, own, "step.seconds", "time of a step", Quantity::seconds);
    if (part == QLatin1String("influence_memory"))
        return changeOf(influences.memory, own, "memory.peak_bytes", "peak memory", Quantity::bytes);
    return std::nullopt;
}

} // namespace meshwright

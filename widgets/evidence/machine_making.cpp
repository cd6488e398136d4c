// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/machine_making.h"

#include <cmath>

namespace meshwright {

namespace {

constexpr const char *fitting = "most probable values given these runs and the registry: Tarantola 2005, section 3.2";

/// Of a figure that was measured: what the model says with the registry's constants, and with the fitted ones.
struct Fitted {
    std::optional<FittedFigure> FittedRun::*figure;
    double FittedFigure::*predicted;
    Quantity quantity;
    const char *constants;
};

std::optional<Fitted> fittedOf(const QString &what) {
    const bool isStep = what.startsWith(QLatin1String("step"));
    const bool isBefore = what.endsWith(QLatin1String("before"));
    if (!isBefore && !what.endsWith(QLatin1String("after")))
        return std::nullopt;
    return Fitted{isStep ? &FittedRun::step : &FittedRun::memory,
                  isBefore ? &FittedFigure::before : &FittedFigure::after, isStep ? Quantity::seconds : Quantity::bytes,
                  isBefore ? "with the registry's constants" : "with the fitted constants"};
}

std::optional<Derivation> errorOf(const FittedRun &run, const Fitted &which, std::string name, const std::string &title,
                                  bool absolute) {
    const std::optional<FittedFigure> &figure = run.*which.figure;
    if (!figure)
        return std::nullopt;
    const double predicted = (*figure).*which.predicted;
    const double error = predicted / figure->measured - 1;
    return derived(
        {std::move(name), title, Quantity::share}, absolute ? std::abs(error) : error,
        absolute ? "abs(predicted / measured - 1)" : "predicted / measured - 1", "definition",
        {by_procedure({"predicted", "what the model says", which.quantity}, predicted, "evaluate", which.constants, {}),
         published({"measured", "what was measured", which.quantity}, figure->measured, "the run")});
}

std::optional<Derivation> meanError(const MachineFit &fit, const QString &what, const std::vector<MachineRun> &runs) {
    const std::optional<Fitted> which = fittedOf(what);
    if (!which)
        return std::nullopt;
    std::vector<Derivation> errors;
    std::string sum;
    double total = 0;
    for (std::size_t i = 0; i < fit.runs.size(); ++i) {
        const std::string name = "error_" + std::to_string(i + 1);
        const std::string title = i < runs.size() ? runs[i].name : name;
        if (std::optional<Derivation> error = errorOf(fit.runs[i], *which, name, title, true)) {
            total += error->value;
            sum += (sum.empty() ? "" : " + ") + name;
            errors.push_back(std::move(*error));
        }
    }
    if (errors.empty())
        return std::nullopt;
    const auto count = static_cast<double>(errors.size());
    errors.push_back(by_procedure({"rows", "runs with it", Quantity::count}, count, "count", "the runs", {}));
    return derived({"mean_error", std::string("mean error ") + which->constants, Quantity::share}, total / count,
                   "(" + sum + ") / rows", "definition", std::move(errors));
}

std::optional<Derivation> ofRun(const QString &what, const MachineRun &run, const FittedRun *fitted) {
    if (what == QLatin1String("step") && run.step_seconds)
        return published({"measured", "measured step", Quantity::seconds}, *run.step_seconds, run.name);
    if (what == QLatin1String("memory") && run.peak_bytes)
        return published({"measured", "measured peak memory", Quantity::bytes}, *run.peak_bytes, run.name);
    const std::optional<Fitted> which = fittedOf(what);
    return which && fitted != nullptr ? errorOf(*fitted, *which, "error", "error on " + run.name, false) : std::nullopt;
}

std::optional<Derivation> ofConstant(const QString &what, const FittedConstant &fitted) {
    const std::string title(fitted.constant->meaning);
    Derivation before = published({"registry", title}, fitted.before, std::string(fitted.constant->source));
    if (what == QLatin1String("before"))
        return before;
    if (what == QLatin1String("after"))
        return by_procedure({"fitted", title}, fitted.after, "fit", fitting, {std::move(before)});
    return by_procedure({"information", "how much of its value these runs determine", Quantity::share},
                        fitted.information, "fit", "one less its variance after the fit over its variance before", {});
}

} // namespace

std::optional<Derivation> machineMaking(const QString &figure, const std::vector<MachineRun> &runs,
                                        const MachineFit *fit) {
    const QString part = figure.section(QLatin1Char('.'), 0, 0);
    const QString place = figure.section(QLatin1Char('.'), 1, 1);
    const QString what = figure.section(QLatin1Char('.'), 2);
    const auto index = static_cast<std::size_t>(place.toUInt());
    if (figure == QLatin1String("machine.runs"))
        return by_procedure({"runs", "measured runs of this machine", Quantity::count},
                            static_cast<double>(runs.size()), "count", "the rows below", {});
    if (part == QLatin1String("machine_run") && index < runs.size())
        return ofRun(what, runs[index], fit != nullptr && index < fit->runs.size() ? &fit->runs[index] : nullptr);
    if (fit == nullptr)
        return std::nullopt;
    if (part == QLatin1String("machine"))
        return meanError(*fit, place + QLatin1Char('_') + what, runs);
    if (part == QLatin1String("machine_constant") && index < fit->constants.size())
        return ofConstant(what, fit->constants[index]);
    return std::nullopt;
}

} // namespace meshwright

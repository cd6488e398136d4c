// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/machine_derivation.h"

#include "evidence/prediction_derivation.h"
#include "figures/figure_ref.h"

#include <cmath>

namespace meshwright {

namespace {

constexpr const char *fitting =
    "most probable values given these runs and the default constants: Tarantola 2005, section 3.2";

/// Selects a measured figure and its prediction, with the default or with the fitted constants.
struct Fitted {
    std::optional<FittedFigure> FittedRun::*figure;
    double FittedFigure::*predicted;
    bool isStep;
    QLatin1String when; ///< "before" or "after"
    const char *constants;
};

constexpr QLatin1String runPart("machine_run");
constexpr QLatin1String before("before");
constexpr QLatin1String after("after");

struct PredictedMachineRun {
    const MachineRun &run;
    const FittedRun &fitted;
    std::size_t index;
};

std::optional<Fitted> fittedOf(const QString &what) {
    const bool isStep = what.startsWith(QLatin1String("step"));
    const bool isBefore = what.endsWith(before);
    if (!isBefore && !what.endsWith(after))
        return std::nullopt;
    return Fitted{isStep ? &FittedRun::step : &FittedRun::memory,
                  isBefore ? &FittedFigure::before : &FittedFigure::after, isStep, isBefore ? before : after,
                  isBefore ? "with the default constants" : "with the fitted constants"};
}

std::optional<Derivation> errorOf(const PredictedMachineRun &of, const Fitted &which) {
    const std::optional<FittedFigure> &figure = of.fitted.*which.figure;
    if (!figure)
        return std::nullopt;
    const double value = (*figure).*which.predicted;
    const PredictedRun run{&of.run.plan, of.run.batch_share, FigureView::evidence,
                           QStringLiteral("%1.%2.%3").arg(runPart).arg(of.index).arg(which.when)};
    Derivation predicted = which.isStep ? predictedStep(run, value) : predictedMemory(run, of.run.memory_kind, value);
    predicted.title = std::string("prediction ") + which.constants;
    return derived({"error", "error on " + of.run.name, Quantity::share}, value / figure->measured - 1,
                   "predicted / measured - 1", "definition",
                   {std::move(predicted),
                    published({"measured", "measured value", which.isStep ? Quantity::seconds : Quantity::bytes},
                              figure->measured, of.run.name)});
}

std::optional<Derivation> ofRun(const QString &what, const MachineRun &run, const FittedRun *fitted,
                                std::size_t index) {
    if (what == QLatin1String("step") && run.step_seconds)
        return published({"measured", "measured step time", Quantity::seconds}, *run.step_seconds, run.name);
    if (what == QLatin1String("memory") && run.peak_bytes)
        return published({"measured", "measured peak memory", Quantity::bytes}, *run.peak_bytes, run.name);
    const std::optional<Fitted> which = fittedOf(what);
    return which && fitted != nullptr ? errorOf({run, *fitted, index}, *which) : std::nullopt;
}

std::optional<Derivation> ofConstant(const QString &what, const FittedConstant &fitted) {
    const std::string title(fitted.constant->meaning);
    Derivation registry = named("registry", constant_value(fitted.constant->id, Assumptions()));
    if (what == before)
        return registry;
    const auto fromRuns = [&](Labelled which, double value, const char *how) {
        return by_simulation(std::move(which), value, "fit", how, {std::move(registry)});
    };
    return what == after
        ? fromRuns({"fitted", title, registry.quantity}, fitted.after, fitting)
        : fromRuns({"information", "fraction of the constant's variance that these runs remove", Quantity::share},
                   fitted.information, "1 - variance after the fit / variance before the fit");
}

bool isOf(const MachineFit *fit, const std::vector<MachineRun> &runs) {
    return fit != nullptr && fit->runs.size() == runs.size();
}

} // namespace

std::optional<Derivation> machineDerivation(const QString &figure, const std::vector<MachineRun> &runs,
                                            const MachineFit *fit) {
    const QString part = figure.section(QLatin1Char('.'), 0, 0);
    const QString place = figure.section(QLatin1Char('.'), 1, 1);
    const QString what = figure.section(QLatin1Char('.'), 2);
    const auto index = static_cast<std::size_t>(place.toUInt());
    if (part == runPart && index < runs.size())
        return ofRun(what, runs[index], isOf(fit, runs) ? &fit->runs[index] : nullptr, index);
    if (!isOf(fit, runs))
        return std::nullopt;
    if (part == QLatin1String("machine_constant") && index < fit->constants.size())
        return ofConstant(what, fit->constants[index]);
    return std::nullopt;
}

std::optional<Plan> machinePlan(const QString &name, const std::vector<MachineRun> &runs, const MachineFit *fit) {
    const auto index = name.section(QLatin1Char('.'), 1, 1).toULong();
    if (!name.startsWith(runPart) || !isOf(fit, runs) || index >= runs.size())
        return std::nullopt;
    std::map<std::string, double> constants = runs[index].plan.own_assumptions();
    for (const FreeParameter &parameter : machine_parameters())
        constants.erase(parameter.name);
    if (name.endsWith(after))
        for (const auto &[constant, value] : fit->moved())
            constants[constant] = value;
    return planWith(runs[index].plan, constants, runs[index].name);
}

} // namespace meshwright

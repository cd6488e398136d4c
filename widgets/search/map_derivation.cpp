// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/map_derivation.h"

#include "evidence/prediction_derivation.h"
#include "figures/figure_ref.h"

#include <algorithm>

namespace meshwright {

namespace {

const EvidenceTable &table() {
    return *EvidenceTable::standard();
}

PredictedRun runOf(const MeasuredConfiguration &configuration) {
    const RunPlan &run = table().plans[configuration.row];
    return {&run.plan, run.batch_share, FigureView::search, QStringLiteral("row.%1").arg(configuration.row)};
}

Derivation predictedOf(const MeasuredConfiguration &configuration, std::string name) {
    return named(std::move(name), predictedStep(runOf(configuration), configuration.predicted_seconds));
}

Derivation measuredOf(const MeasuredConfiguration &configuration, std::string name, const char *title) {
    return published({std::move(name), title, Quantity::seconds}, configuration.measured_seconds,
                     table().runs[configuration.row].source);
}

Derivation choiceLossOf(const MeasuredBest &measured) {
    const auto &all = measured.configurations;
    const auto chosen = std::min_element(
        all.begin(), all.end(), [](const auto &a, const auto &b) { return a.predicted_seconds < b.predicted_seconds; });
    return derived(
        {"cell_choice_loss",
         "extra step time of the configuration predicted to be fastest, relative to the fastest measured one",
         Quantity::share},
        measured.order.choice_loss, "chosen / fastest - 1", "definition",
        {measuredOf(*chosen, "chosen", "measured step time of the configuration predicted to be fastest"),
         measuredOf(all[measured.fastest], "fastest", "measured step time of the fastest configuration")});
}

Derivation measuredMfu(const MeasuredBest &measured) {
    const MeasuredConfiguration &fastest = measured.configurations[measured.fastest];
    const PredictedRun run = runOf(fastest);
    const Cluster &cluster = run.plan->cluster;
    const double peak = cluster.accelerator.peak(run.plan->precision.compute);
    const auto accelerators = static_cast<double>(run.plan->site_accelerators());
    const double flops = measured.mfu * peak * accelerators * fastest.measured_seconds / run.batchShare;
    return derived({"cell_measured_mfu", "MFU of the fastest measured configuration", Quantity::share}, measured.mfu,
                   "flops * batch_share / (accelerators * peak * seconds)",
                   "model FLOPs per step / peak FLOPs during the step time",
                   {figureOfRun(run, "flops.per_step",
                                {"flops", "model FLOPs per step of the run's plan", Quantity::flops}, flops),
                    batchShareOf(run),
                    published({"accelerators", "accelerators of the run", Quantity::count}, accelerators,
                              table().runs[fastest.row].source),
                    hardware_fact({"peak", "peak throughput of an accelerator in the run's number format",
                                   Quantity::flops_per_second},
                                  peak, cluster.accelerator.name),
                    measuredOf(fastest, "seconds", "measured step time of the fastest configuration")});
}

} // namespace

std::optional<Plan> mapPlan(const QString &name) {
    const auto row = name.section(QLatin1Char('.'), 1).toULong();
    if (!name.startsWith(QLatin1String("row.")) || row >= table().plans.size() || !table().plans[row].skipped.empty())
        return std::nullopt;
    const Plan &plan = table().plans[row].plan;
    return planWith(plan, plan.assumptions, table().runs[row].model_name + " (" + table().runs[row].id + ")");
}

std::optional<Derivation> mapDerivation(const QString &figure, const MapCell *cell) {
    if (cell == nullptr || !cell->measured)
        return std::nullopt;
    const MeasuredBest &measured = *cell->measured;
    const MeasuredConfiguration &fastest = measured.configurations[measured.fastest];
    if (figure == QLatin1String("cell_measured"))
        return measuredOf(fastest, "cell_measured", "measured step time of the fastest configuration");
    if (figure == QLatin1String("cell_measured_mfu"))
        return measuredMfu(measured);
    if (figure == QLatin1String("cell_predicted"))
        return predictedOf(fastest, "cell_predicted");
    if (figure == QLatin1String("cell_choice_loss"))
        return choiceLossOf(measured);
    return std::nullopt;
}

} // namespace meshwright

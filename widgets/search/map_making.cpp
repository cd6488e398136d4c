// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/map_making.h"

#include "evidence/prediction_making.h"
#include "figures/figure_ref.h"

#include <algorithm>

namespace meshwright {

namespace {

Derivation count(const char *name, const char *title, double value, const char *source) {
    return by_procedure({name, title, Quantity::count}, value, "count", source, {});
}

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

/// How a cell's configurations are ordered: a figure of both their lists.
Derivation orderOf(const MeasuredBest &measured, Labelled what, double OrderAgreement::*figure, const char *procedure) {
    std::vector<Derivation> steps;
    for (std::size_t i = 0; i < measured.configurations.size(); ++i) {
        const std::string number = std::to_string(i + 1);
        steps.push_back(predictedOf(measured.configurations[i], "predicted_" + number));
        steps.push_back(measuredOf(measured.configurations[i], "measured_" + number, "measured step"));
    }
    return by_procedure(std::move(what), measured.order.*figure, procedure, measured.source, std::move(steps));
}

Derivation choiceLossOf(const MeasuredBest &measured, std::string name, std::string title) {
    const auto &all = measured.configurations;
    const auto chosen = std::min_element(
        all.begin(), all.end(), [](const auto &a, const auto &b) { return a.predicted_seconds < b.predicted_seconds; });
    return derived({std::move(name), std::move(title), Quantity::share}, measured.order.choice_loss,
                   "chosen / fastest - 1", "definition",
                   {measuredOf(*chosen, "chosen", "measured step of the one predicted fastest"),
                    measuredOf(all[measured.fastest], "fastest", "measured step of the fastest")});
}

/// A figure of the map: the median over the cells of what is known of each.
struct OverCells {
    const char *name;
    const char *title;
    double OrderAgreement::*figure;
    const char *source;
};
constexpr OverCells overCells[] = {
    {"map_spearman", "agreement of the orders, Spearman", &OrderAgreement::spearman,
     "Spearman 1904: correlation of the ranks"},
    {"map_kendall", "agreement of the orders, Kendall", &OrderAgreement::kendall, "Kendall 1945: tau-b"},
    {"map_choice_loss", "how much longer the choice takes", &OrderAgreement::choice_loss,
     "the measured step of the one predicted fastest over the fastest, less one"}};

Derivation medianOver(const OverCells &what, double value, const ConfigurationMap &map) {
    const bool isLoss = what.figure == &OrderAgreement::choice_loss;
    const Quantity quantity = isLoss ? Quantity::share : Quantity::number;
    std::vector<Derivation> cells;
    for (const MapCell &cell : map.cells) {
        if (!cell.measured)
            continue;
        const std::string name = "cell_" + std::to_string(cells.size() + 1);
        const std::string title = text_of(cell.parameters, Quantity::parameters) + " on "
            + std::to_string(cell.accelerators) + " accelerators";
        cells.push_back(isLoss ? choiceLossOf(*cell.measured, name, title)
                               : orderOf(*cell.measured, {name, title, quantity}, what.figure,
                                         what.figure == &OrderAgreement::spearman ? "spearman" : "kendall"));
    }
    return by_procedure({what.name, what.title, quantity}, value, "median", what.source, std::move(cells));
}

/// MFU of the fastest that ran.
Derivation measuredMfu(const MeasuredBest &measured) {
    const MeasuredConfiguration &fastest = measured.configurations[measured.fastest];
    const PredictedRun run = runOf(fastest);
    const Cluster &cluster = run.plan->cluster;
    const double peak = cluster.accelerator.peak(run.plan->precision.compute);
    const auto accelerators = static_cast<double>(run.plan->site_accelerators());
    const double flops = measured.mfu * peak * accelerators * fastest.measured_seconds / run.batchShare;
    return derived(
        {"cell_measured_mfu", "MFU of the fastest that ran", Quantity::share}, measured.mfu,
        "flops * batch_share / (accelerators * peak * seconds)",
        "model FLOPs of a step over what the accelerators can do in it",
        {figureOfRun(run, "flops.per_step", {"flops", "model FLOPs of a step of its plan", Quantity::flops}, flops),
         batchShareOf(run), count("accelerators", "accelerators of the run", accelerators, "its row"),
         hardware_fact({"peak", "peak of an accelerator in the run's format", Quantity::flops_per_second}, peak,
                       cluster.accelerator.name),
         measuredOf(fastest, "seconds", "measured step of the fastest")});
}

std::optional<Derivation> ofCell(const QString &figure, const MeasuredBest &measured) {
    const MeasuredConfiguration &fastest = measured.configurations[measured.fastest];
    if (figure == QLatin1String("cell_runs"))
        return count("cell_runs", "configurations of this cell that ran", static_cast<double>(measured.order.count),
                     "measured runs of one source, software, model, cluster, batch and number format");
    if (figure == QLatin1String("cell_measured"))
        return measuredOf(fastest, "cell_measured", "measured step of the fastest");
    if (figure == QLatin1String("cell_measured_mfu"))
        return measuredMfu(measured);
    if (figure == QLatin1String("cell_predicted"))
        return predictedOf(fastest, "cell_predicted");
    if (figure == QLatin1String("cell_choice_loss"))
        return choiceLossOf(measured, "cell_choice_loss", "how much longer the one predicted fastest took");
    return std::nullopt;
}

} // namespace

std::optional<Plan> mapPlan(const QString &name) {
    const auto row = name.section(QLatin1Char('.'), 1).toULong();
    if (!name.startsWith(QLatin1String("row.")) || row >= table().plans.size() || !table().plans[row].skipped.empty())
        return std::nullopt;
    const Plan &plan = table().plans[row].plan;
    return planWith(plan, plan.assumptions, table().runs[row].model_name + " (" + table().runs[row].id + ")");
}

std::optional<Derivation> mapMaking(const QString &figure, const ConfigurationMap &map, const MapCell *cell) {
    if (cell != nullptr && cell->measured)
        if (std::optional<Derivation> made = ofCell(figure, *cell->measured))
            return made;
    const OrderSummary order = map.order();
    if (figure == QLatin1String("map_cells"))
        return product_of(
            {"map_cells", "cells of the map", Quantity::count}, "a cell for each pair",
            {count("sizes", "model sizes", static_cast<double>(map.question.parameters.size()), "asked"),
             count("columns", "numbers of nodes", static_cast<double>(map.question.nodes.size()), "asked")});
    if (figure == QLatin1String("map_done"))
        return count("map_done", "cells that have been searched",
                     static_cast<double>(std::count_if(map.cells.begin(), map.cells.end(),
                                                       [](const MapCell &each) { return each.done; })),
                     "the search, few nodes first");
    if (figure == QLatin1String("map_seconds"))
        return by_procedure({"map_seconds", "time that the map took", Quantity::seconds}, map.seconds, "clock",
                            "measured on this machine", {});
    if (figure == QLatin1String("map_groups"))
        return count("map_groups", "cells with measured configurations", static_cast<double>(order.groups),
                     "runs that differ in their layout alone, at least five of them");
    if (figure == QLatin1String("map_runs"))
        return count("map_runs", "measured configurations of these cells", static_cast<double>(order.runs),
                     "the program's table of measured runs");
    for (const OverCells &each : overCells)
        if (figure == QLatin1String(each.name))
            return medianOver(each,
                              each.figure == &OrderAgreement::spearman      ? order.spearman
                                  : each.figure == &OrderAgreement::kendall ? order.kendall
                                                                            : order.choice_loss,
                              map);
    return std::nullopt;
}

} // namespace meshwright

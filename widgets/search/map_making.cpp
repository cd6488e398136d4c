// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/map_making.h"

#include <algorithm>

namespace meshwright {

namespace {

Derivation count(const char *name, const char *title, double value, const char *source) {
    return by_procedure({name, title, Quantity::count}, value, "count", source, {});
}

/// The median over the cells of what is known of each.
Derivation medianOver(const char *name, const char *title, double value, Quantity quantity, const ConfigurationMap &map,
                      double OrderAgreement::*figure, const char *source) {
    std::vector<Derivation> cells;
    for (const MapCell &cell : map.cells)
        if (cell.measured)
            cells.push_back(by_procedure({"cell_" + std::to_string(cells.size() + 1),
                                          text_of(cell.parameters, Quantity::parameters) + " on "
                                              + std::to_string(cell.accelerators) + " accelerators",
                                          quantity},
                                         cell.measured->order.*figure, "order", cell.measured->source,
                                         {count("configurations", "configurations that ran",
                                                static_cast<double>(cell.measured->order.count), "measured")}));
    return by_procedure({name, title, quantity}, value, "median", source, std::move(cells));
}

std::optional<Derivation> ofCell(const QString &figure, const MeasuredBest &measured) {
    Derivation seconds = published({"fastest", "measured step of the fastest", Quantity::seconds},
                                   measured.step_seconds, measured.source);
    if (figure == QLatin1String("cell_runs"))
        return count("cell_runs", "configurations of this cell that ran", static_cast<double>(measured.order.count),
                     "measured runs of one source, software, model, cluster, batch and number format");
    if (figure == QLatin1String("cell_measured"))
        return named("cell_measured", std::move(seconds));
    if (figure == QLatin1String("cell_measured_mfu"))
        return by_procedure(
            {"cell_measured_mfu", "MFU of the fastest that ran", Quantity::share}, measured.mfu, "mfu",
            "model FLOPs of a step, causal attention, over the peak of the accelerators and the measured "
            "step",
            {std::move(seconds)});
    if (figure == QLatin1String("cell_predicted"))
        return by_procedure({"cell_predicted", "predicted step of the fastest that ran", Quantity::seconds},
                            measured.predicted_seconds, "evaluate",
                            "the model's evaluation of the run's own configuration", {});
    if (figure != QLatin1String("cell_choice_loss"))
        return std::nullopt;
    Derivation chosen = published({"chosen", "measured step of the one predicted fastest", Quantity::seconds},
                                  (1 + measured.order.choice_loss) * measured.step_seconds, measured.source);
    return derived({"cell_choice_loss", "how much longer the one predicted fastest took", Quantity::share},
                   measured.order.choice_loss, "chosen / fastest - 1", "definition",
                   {std::move(chosen), std::move(seconds)});
}

} // namespace

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
    if (figure == QLatin1String("map_spearman"))
        return medianOver("map_spearman", "agreement of the orders, Spearman", order.spearman, Quantity::number, map,
                          &OrderAgreement::spearman, "Spearman 1904: correlation of the ranks");
    if (figure == QLatin1String("map_kendall"))
        return medianOver("map_kendall", "agreement of the orders, Kendall", order.kendall, Quantity::number, map,
                          &OrderAgreement::kendall, "Kendall 1945: tau-b");
    if (figure == QLatin1String("map_choice_loss"))
        return medianOver("map_choice_loss", "how much longer the choice takes", order.choice_loss, Quantity::share,
                          map, &OrderAgreement::choice_loss,
                          "the measured step of the one predicted fastest over the fastest, less one");
    return std::nullopt;
}

} // namespace meshwright

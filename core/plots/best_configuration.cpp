// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/plots.h"
#include "search/configuration_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace meshwright::plots {

namespace {

std::vector<PlotCell> configuration_row(const ConfigurationMap &map, const MapCell &cell) {
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    const double capacity = map.question.plan.cluster.accelerator.memory_bytes;
    std::vector<PlotCell> row{text_of(cell.parameters, Quantity::parameters),
                              static_cast<double>(map.question.nodes[cell.column]),
                              static_cast<double>(cell.accelerators)};
    if (cell.best) {
        const Parallelism &split = cell.best->plan.parallelism;
        row.insert(row.end(),
                   {cell.best->mfu, cell.best->peak_bytes / capacity, cell.best->peak_bytes, cell.best->step_seconds});
        for (const std::int64_t degree :
             {split.tensor, split.pipeline, split.data, split.context, split.expert,
              static_cast<std::int64_t>(split.zero_stage), cell.best->plan.batch.micro_sequences})
            row.emplace_back(static_cast<double>(degree));
    } else {
        constexpr std::size_t figures = 11;
        row.insert(row.end(), figures, PlotCell(unknown));
    }
    row.emplace_back(cell.measured ? cell.measured->mfu : unknown);
    row.emplace_back(cell.best ? std::string() : cell.problem.empty() ? "no configuration fits" : cell.problem);
    return row;
}

} // namespace

Plot best_configuration(const PlotRequest &request) {
    MapQuestion question;
    question.plan = request.plan;
    const Cluster &cluster = question.plan.cluster;
    Plot plot{.caption = fmt::format("MFU and peak memory of the fastest configuration of each model size on 1 to {} "
                                     "nodes with {} x {} each: models of the plan's family, {} sequences of {} tokens "
                                     "per batch. Within a model size, the number of nodes doubles from left to right.",
                                     *std::max_element(question.nodes.begin(), question.nodes.end()),
                                     std::max<std::int64_t>(1, cluster.accelerators_per_node), cluster.accelerator.name,
                                     question.global_sequences, grouped(static_cast<double>(question.sequence_length))),
              .source = "Search over all configurations; model sizes, node counts and batch size from the Ultra-Scale "
                        "Playbook, Hugging Face, 2025; measured MFU from the table of measured runs",
              .form = PlotForm::bars,
              .columns = {{"model", "Model size", PlotRole::y},
                          {"nodes", "Nodes", PlotRole::x, Quantity::count},
                          {"accelerators", "Accelerators", PlotRole::detail, Quantity::count},
                          {"mfu", "MFU", PlotRole::bar, Quantity::share},
                          {"memory_share", "Memory in use", PlotRole::bar, Quantity::share},
                          {"peak_bytes", "Peak memory", PlotRole::detail, Quantity::bytes},
                          {"step_seconds", "Step time", PlotRole::detail, Quantity::seconds},
                          {"tensor", "Tensor", PlotRole::detail, Quantity::count},
                          {"pipeline", "Pipeline", PlotRole::detail, Quantity::count},
                          {"data", "Data", PlotRole::detail, Quantity::count},
                          {"context", "Context", PlotRole::detail, Quantity::count},
                          {"expert", "Expert", PlotRole::detail, Quantity::count},
                          {"zero_stage", "ZeRO stage", PlotRole::detail, Quantity::count},
                          {"micro_sequences", "Microbatch", PlotRole::detail, Quantity::count},
                          {"measured_mfu", "MFU of the fastest measured run", PlotRole::detail, Quantity::share},
                          {"problem", "Problem"}}};
    const ConfigurationMap map = configuration_map(question, request.library, *EvidenceTable::standard(), request.stop);
    const auto is_found = [](const MapCell &cell) { return cell.best.has_value(); };
    for (const MapCell &cell : map.cells)
        if (cell.done)
            plot.rows.push_back(configuration_row(map, cell));
    if (std::none_of(map.cells.begin(), map.cells.end(), is_found))
        plot.problem = "No configuration fits for any of these model sizes and node counts";
    return plot;
}

} // namespace meshwright::plots

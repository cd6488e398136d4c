// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/weights.h"
#include "evidence/error_statistics.h"
#include "evidence/evidence_table.h"
#include "plots/plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace meshwright::plots {

namespace {

struct SizeClass {
    double below; ///< parameters
    const char *name;
};
constexpr std::array size_classes{SizeClass{1e9, "under 1B"},      SizeClass{3e9, "1B to 3B"},
                                  SizeClass{10e9, "3B to 10B"},    SizeClass{30e9, "10B to 30B"},
                                  SizeClass{100e9, "30B to 100B"}, SizeClass{300e9, "100B to 300B"},
                                  SizeClass{1e30, "over 300B"}};

std::size_t class_of(double parameters) {
    const auto *const found = std::find_if(size_classes.begin(), size_classes.end(),
                                           [parameters](const SizeClass &each) { return parameters < each.below; });
    return static_cast<std::size_t>(found - size_classes.begin());
}

struct DrawnRun {
    std::size_t size_class;
    double nodes;
    double mfu;
    std::vector<PlotCell> row;
};

DrawnRun drawn_run(const MeasuredRun &run, const RunPlan &planned, double seconds) {
    const Plan &plan = planned.plan;
    const Parallelism &split = plan.parallelism;
    const double parameters = parameters_of(plan.model).total;
    const auto accelerators = static_cast<double>(plan.site_accelerators());
    const double sequences = static_cast<double>(plan.batch.global_sequences) * planned.batch_share;
    const double rate = sequences * static_cast<double>(plan.batch.sequence_length) / seconds / accelerators;
    DrawnRun drawn{.size_class = class_of(parameters),
                   .nodes =
                       std::ceil(accelerators
                                 / static_cast<double>(std::max<std::int64_t>(1, plan.cluster.accelerators_per_node))),
                   .mfu = share_of_peak(planned, seconds, plan.precision.compute),
                   .row = {}};
    drawn.row = {run.id,
                 size_classes.at(drawn.size_class).name,
                 drawn.nodes,
                 drawn.mfu,
                 rate,
                 run.model_name,
                 parameters,
                 accelerators,
                 plan.cluster.accelerator.name,
                 seconds,
                 static_cast<double>(split.tensor),
                 static_cast<double>(split.pipeline),
                 static_cast<double>(split.data),
                 run.framework,
                 run.source};
    return drawn;
}

} // namespace

Plot measured_runs(const PlotRequest &) {
    const std::shared_ptr<const EvidenceTable> table = EvidenceTable::standard();
    std::vector<DrawnRun> drawn;
    for (std::size_t i = 0; i < table->runs.size(); ++i) {
        const std::optional<double> seconds = table->runs[i].measured_seconds();
        if (!table->plans[i].skipped.empty() || !seconds)
            continue;
        DrawnRun run = drawn_run(table->runs[i], table->plans[i], *seconds);
        if (std::isfinite(run.mfu))
            drawn.push_back(std::move(run));
    }
    // Sorts cells by model size, then by number of nodes. Within a cell, the run with the highest MFU is first.
    std::stable_sort(drawn.begin(), drawn.end(), [](const DrawnRun &a, const DrawnRun &b) {
        return std::tie(a.size_class, a.nodes, b.mfu) < std::tie(b.size_class, b.nodes, a.mfu);
    });
    Plot plot{
        .caption = fmt::format(
            "{} measured training runs by nodes and model size. The color of a dot is its MFU; within a cell, the dot "
            "with the highest MFU is in the middle. The larger a dot, the higher its throughput per accelerator among "
            "models of the same size.",
            grouped(static_cast<double>(drawn.size()))),
        .source = "The table of measured runs; each row names its source",
        .form = PlotForm::cells,
        .columns = {{"run", "Run", PlotRole::name},
                    {"model_size", "Model size", PlotRole::y},
                    {"nodes", "Nodes", PlotRole::x, Quantity::count},
                    {"mfu", "MFU", PlotRole::shade, Quantity::share},
                    {"tokens_per_second_per_accelerator", "Tokens per second per accelerator", PlotRole::size,
                     Quantity::number},
                    {"model", "Model"},
                    {"parameters", "Parameters", PlotRole::detail, Quantity::parameters},
                    {"accelerators", "Accelerators", PlotRole::detail, Quantity::count},
                    {"accelerator", "Accelerator"},
                    {"step_seconds", "Step time", PlotRole::detail, Quantity::seconds},
                    {"tensor", "Tensor", PlotRole::detail, Quantity::count},
                    {"pipeline", "Pipeline", PlotRole::detail, Quantity::count},
                    {"data", "Data", PlotRole::detail, Quantity::count},
                    {"framework", "Software"},
                    {"source", "Source"}}};
    for (DrawnRun &run : drawn)
        plot.rows.push_back(std::move(run.row));
    if (plot.rows.empty())
        plot.problem = "The table of measured runs is missing";
    return plot;
}

} // namespace meshwright::plots

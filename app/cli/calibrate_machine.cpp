// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/calibrate_machine.h"

#include "calibration/machine_preset.h"
#include "catalog/library.h"
#include "catalog/preset_file.h"
#include "cli/documents.h"
#include "cli/failure.h"
#include "cli/standard_output.h"
#include "cli/text_table.h"
#include "input/json_document.h"
#include "plan/plan_json.h"
#include "quantities/text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace meshwright {

namespace {

using Json = nlohmann::ordered_json;

Cluster clusterOf(const MachineOptions &options, const MachineRuns &runs) {
    if (!options.plan.empty()) {
        const Library &library = Library::standard();
        return naming(options.plan, [&] {
            return plan_from_json(loadPlan({.name = options.plan, .sets = {}}, library), library).cluster;
        });
    }
    const auto largest =
        std::max_element(runs.runs.begin(), runs.runs.end(), [](const MachineRun &a, const MachineRun &b) {
            return a.plan.cluster.accelerators() < b.plan.cluster.accelerators();
        });
    return largest->plan.cluster;
}

Json presetOf(const MachineOptions &options, const MachineRuns &runs, const MachineFit &fit) {
    const PresetName name{.id = options.id, .name = options.name};
    const Cluster cluster = clusterOf(options, runs);
    return options.kind == "cluster" ? fitted_cluster(cluster, fit, name)
                                     : fitted_accelerator(cluster.accelerator, fit, name);
}

std::string figure(const std::optional<FittedFigure> &figure, double scale) {
    return figure ? fmt::format("{:.4g}", figure->measured / scale) : std::string();
}

std::string error(const std::optional<FittedFigure> &figure, double FittedFigure::*predicted) {
    return figure ? fmt::format("{:+.1f}", 100 * ((*figure).*predicted / figure->measured - 1)) : std::string();
}

void printText(const MachineFit &fit) {
    TextTable constants({{"constant"},
                         {"registry", Alignment::right},
                         {"fitted", Alignment::right},
                         {"from", Alignment::right},
                         {"to", Alignment::right},
                         {"determined %", Alignment::right}});
    for (const FittedConstant &fitted : fit.constants)
        constants.add({std::string(fitted.constant->name), fmt::format("{:.4g}", fitted.before),
                       fitted.moved() ? fmt::format("{:.4g}", fitted.after) : std::string("unchanged"),
                       fmt::format("{:.4g}", fitted.constant->low), fmt::format("{:.4g}", fitted.constant->high),
                       fmt::format("{:.0f}", 100 * fitted.information)});
    TextTable runs({{"run"},
                    {"step s", Alignment::right},
                    {"before %", Alignment::right},
                    {"after", Alignment::right},
                    {"peak GB", Alignment::right},
                    {"before %", Alignment::right},
                    {"after", Alignment::right}});
    for (const FittedRun &run : fit.runs)
        runs.add({run.name, figure(run.step, 1), error(run.step, &FittedFigure::before),
                  error(run.step, &FittedFigure::after), figure(run.memory, 1e9),
                  error(run.memory, &FittedFigure::before), error(run.memory, &FittedFigure::after)});
    writeText(joined(constants.lines()) + "\n" + joined(runs.lines()) + "\n");
    const auto summary = [](const char *what, const FitErrors &errors) {
        if (errors.before.count > 0)
            writeText(fmt::format("{}: mean error {} before, {} after the fit\n", what,
                                  percent_text(errors.before.mean_absolute), percent_text(errors.after.mean_absolute)));
    };
    summary("step time", fit.step);
    summary("memory", fit.memory);
    for (const std::string &note : notes(fit))
        writeText(note + "\n");
    for (const SkippedRun &run : fit.skipped)
        writeText(fmt::format("skipped {}: {}\n", run.name, run.reason));
}

} // namespace

void calibrateMachine(const std::vector<MeasuredRun> &rows, const MachineOptions &options, bool json) {
    if (!is_preset_id(options.id))
        throw Failure(
            ExitStatus::usage,
            fmt::format("--id: \"{}\" is not a valid preset id; expected letters, digits, dots, dashes and underscores",
                        options.id.substr(0, 60)));
    const MachineRuns runs = machine_runs(rows, RunRules::standard(), Library::standard());
    const MachineFit fit = naming("measured runs", [&] { return fit_machine(runs, machine_parameters()); });
    const Json preset = presetOf(options, runs, fit);
    if (!options.out.empty())
        naming(options.out, [&] { write_file_atomically(options.out, document_text(preset)); });
    if (!json) {
        printText(fit);
        return;
    }
    Json answer = to_json(fit);
    answer["preset"] = preset;
    writeJson(answer);
}

} // namespace meshwright

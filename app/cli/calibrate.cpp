// SPDX-License-Identifier: GPL-3.0-or-later
#include "calibration/fit.h"
#include "catalog/library.h"
#include "catalog/preset_file.h"
#include "cli/calibrate_machine.h"
#include "cli/failure.h"
#include "cli/standard_output.h"
#include "cli/text_table.h"
#include "cli/verbs.h"
#include "evidence/source_name.h"
#include "input/json_document.h"
#include "quantities/text.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

namespace meshwright {

namespace {

struct CalibrateArguments {
    std::vector<std::string> files;
    std::string parameters;
    std::string fitted = "step-time";
    std::string left_out = "source";
    int rounds = 8;
    int rounds_without = 1; ///< Gauss-Newton iterations of each held-out fit
    bool json = false;
    bool table = false;
    MachineOptions machine;
};

using Json = nlohmann::ordered_json;

/// Signed relative errors of the predictions for the rows, with the given parameter values.
std::vector<double> errorsWith(const Fit &fit, const std::vector<std::size_t> &rows,
                               const std::vector<double> &values) {
    std::vector<double> errors;
    errors.reserve(rows.size());
    for (const std::size_t row : rows)
        errors.push_back(std::exp(fit.error(row, values)) - 1);
    return errors;
}

/// Errors of one group of rows with three sets of constants: those of the presets, those fitted to all rows, and those
/// fitted to all other groups (held out).
struct GroupErrors {
    std::string name;
    std::vector<std::size_t> rows;
    Errors presets;
    Errors fitted;
    Errors left_out;
    std::vector<double> each_left_out;
};

struct Calibration {
    std::vector<MeasuredRun> runs;
    Fit fit;
    std::vector<double> before;
    int rounds_without = 1;
};

std::vector<MeasuredRun> readRuns(const std::vector<std::string> &files) {
    std::vector<MeasuredRun> runs;
    for (const std::string &file : files)
        naming(file, [&] {
            std::vector<MeasuredRun> read = measured_runs(read_csv(read_file(file)));
            std::move(read.begin(), read.end(), std::back_inserter(runs));
        });
    return runs;
}

Calibration calibrated(const CalibrateArguments &options) {
    const Library &library = Library::standard();
    std::vector<MeasuredRun> runs = readRuns(options.files);
    const std::filesystem::path own = library.own_folder() / "evidence" / "free-parameters.json";
    const std::filesystem::path file = options.parameters.empty() ? own : std::filesystem::path(options.parameters);
    const bool of_memory = options.fitted == "memory";
    std::vector<FreeParameter> parameters = naming(file.string(), [&] {
        return read_free_parameters(read_json_file(file), library, of_memory ? "memory_parameters" : "parameters");
    });
    FitRows rows = fit_rows(runs, plans_of(runs, RunRules::standard(), library),
                            of_memory ? FitQuantity::memory : FitQuantity::step_time);
    Calibration made{std::move(runs), Fit(std::move(rows), std::move(parameters)), {}};
    made.before = made.fit.values();
    made.fit.run(options.rounds);
    made.rounds_without = options.rounds_without;
    return made;
}

const std::string &sourceOf(const Calibration &made, std::size_t row) {
    return made.runs[made.fit.rows().rows[row]].source;
}

/// Kind of the row's memory figure, "allocated" or "reserved"; empty for step times.
std::string kindOf(const Calibration &made, std::size_t row) {
    const FitRows &rows = made.fit.rows();
    if (rows.quantity == FitQuantity::step_time)
        return {};
    const MeasuredMemory kind = rows.kinds[row];
    return kind == MeasuredMemory::allocated_on_last_rank
        ? measured_memory_names()[static_cast<std::size_t>(MeasuredMemory::allocated)]
        : measured_memory_names()[static_cast<std::size_t>(kind)];
}

using RowGroups = std::map<std::string, std::vector<std::size_t>>;

RowGroups groupsOf(const Calibration &made, const std::string &by) {
    RowGroups groups;
    for (std::size_t row = 0; row < made.fit.rows().plans.size(); ++row) {
        const Plan &plan = made.fit.rows().plans[row].plan;
        groups[by == "stack"             ? plan.stack_id
                   : by == "accelerator" ? plan.cluster.accelerator_id
                                         : sourceOf(made, row)]
            .push_back(row);
    }
    return groups;
}

/// Parameter values fitted to all rows except the given ones.
std::vector<double> valuesWithout(const Calibration &made, const std::vector<std::size_t> &rows) {
    const Fit &fit = made.fit;
    std::vector<bool> out(fit.rows().plans.size(), false);
    for (const std::size_t row : rows)
        out[row] = true;
    return fit.values_without(out, made.rounds_without);
}

std::vector<GroupErrors> errorsOf(const Calibration &made, const RowGroups &groups) {
    std::vector<GroupErrors> errors;
    for (const auto &[name, rows] : groups) {
        std::vector<double> each = errorsWith(made.fit, rows, valuesWithout(made, rows));
        errors.push_back({.name = name,
                          .rows = rows,
                          .presets = errors_of(errorsWith(made.fit, rows, made.before), 0),
                          .fitted = errors_of(errorsWith(made.fit, rows, made.fit.values()), 0),
                          .left_out = errors_of(each, 0),
                          .each_left_out = each});
    }
    return errors;
}

Json toJson(const Errors &errors) {
    return {{"count", errors.count},
            {"median_absolute_error", errors.median_absolute},
            {"mean_absolute_error", errors.mean_absolute},
            {"p90_absolute_error", errors.p90_absolute},
            {"bias", errors.bias}};
}

Json rowToJson(const Calibration &made, const GroupErrors &group, std::size_t i) {
    const std::string kind = kindOf(made, group.rows[i]);
    Json row{{"id", made.runs[made.fit.rows().rows[group.rows[i]]].id}};
    if (!kind.empty())
        row["memory_kind"] = kind;
    row["left_out"] = group.name;
    row["error"] = group.each_left_out[i];
    return row;
}

void printJson(const Calibration &made, const std::vector<GroupErrors> &groups) {
    Json json{{"schema", "meshwright.calibration/1"},
              {"parameters", Json::array()},
              {"groups", Json::object()},
              {"rows", Json::array()}};
    for (std::size_t j = 0; j < made.before.size(); ++j) {
        const FreeParameter &parameter = made.fit.parameters()[j];
        Json stacks = Json::array();
        for (const auto &[id, preset] : parameter.stacks)
            stacks.push_back(id);
        json["parameters"].push_back({{"name", parameter.name},
                                      {"stacks", stacks},
                                      {"field", parameter.field},
                                      {"expected", parameter.expected},
                                      {"before", made.before[j]},
                                      {"fitted", made.fit.values()[j]}});
    }
    for (const GroupErrors &group : groups) {
        json["groups"][group.name] = {
            {"presets", toJson(group.presets)}, {"fitted", toJson(group.fitted)}, {"left_out", toJson(group.left_out)}};
        for (std::size_t i = 0; i < group.rows.size(); ++i)
            json["rows"].push_back(rowToJson(made, group, i));
    }
    writeJson(json);
}

void printText(const Calibration &made, const std::vector<GroupErrors> &groups) {
    constexpr std::size_t widest = 56;
    TextTable values(
        {{"parameter"}, {"expected", Alignment::right}, {"preset", Alignment::right}, {"fitted", Alignment::right}});
    for (std::size_t j = 0; j < made.before.size(); ++j)
        values.add({made.fit.parameters()[j].name, fmt::format("{:.4g}", made.fit.parameters()[j].expected),
                    fmt::format("{:.4g}", made.before[j]), fmt::format("{:.4g}", made.fit.values()[j])});
    TextTable errors({{"held out"},
                      {"rows", Alignment::right},
                      {"preset", Alignment::right},
                      {"fitted", Alignment::right},
                      {"held out", Alignment::right},
                      {"mean", Alignment::right},
                      {"p90", Alignment::right},
                      {"bias", Alignment::right}});
    double presets = 0;
    double fitted = 0;
    double left_out = 0;
    for (const GroupErrors &group : groups) {
        presets += group.presets.median_absolute;
        fitted += group.fitted.median_absolute;
        left_out += group.left_out.median_absolute;
        errors.add({group.name.substr(0, widest), std::to_string(group.rows.size()),
                    inPercent(group.presets.median_absolute), inPercent(group.fitted.median_absolute),
                    inPercent(group.left_out.median_absolute), inPercent(group.left_out.mean_absolute),
                    inPercent(group.left_out.p90_absolute), inPercent(group.left_out.bias)});
    }
    const double count = std::max(1.0, static_cast<double>(groups.size()));
    errors.add({"mean of all groups", "", inPercent(presets / count), inPercent(fitted / count),
                inPercent(left_out / count), "", "", ""});
    writeText(joined(values.lines()) + "\n" + joined(errors.lines()));
}

/// Prints the accuracy table in Markdown. Each source is predicted with constants fitted to all other sources. Step
/// times have one row per organization that measured them; memory figures have one row per organization and kind of
/// figure.
void printMarkdown(const Calibration &made) {
    using Group = std::pair<std::string, std::string>;
    std::map<Group, std::vector<double>> families;
    std::map<std::string, std::vector<double>> kinds;
    for (const auto &[source, rows] : groupsOf(made, "source")) {
        const std::vector<double> values = valuesWithout(made, rows);
        for (const std::size_t row : rows) {
            const double error = std::exp(made.fit.error(row, values)) - 1;
            families[{kindOf(made, row), short_source(source)}].push_back(error);
            kinds[kindOf(made, row)].push_back(error);
        }
    }
    const bool apart = made.fit.rows().quantity == FitQuantity::memory;
    writeText(
        apart ? "| memory | measured by | rows | median | mean | 90% within | bias |\n|---|---|--:|--:|--:|--:|--:|\n"
              : "| measured by | rows | median | mean | 90% within | bias |\n|---|--:|--:|--:|--:|--:|\n");
    const auto line = [&](const std::string &kind, const std::string &name, std::vector<double> errors) {
        const Errors found = errors_of(std::move(errors), 0);
        writeText(fmt::format("| {}{} | {} | {} | {} | {} | {} |\n", apart ? kind + " | " : kind, name, found.count,
                              percent_text(found.median_absolute), percent_text(found.mean_absolute),
                              percent_text(found.p90_absolute), signed_percent_text(found.bias)));
    };
    for (auto &[group, errors] : families)
        line(group.first, group.second, std::move(errors));
    for (auto &[kind, errors] : kinds)
        line(kind, "all", std::move(errors));
}

void run(const CalibrateArguments &options) {
    if (options.machine.wanted) {
        calibrateMachine(readRuns(options.files), options.machine, options.json);
        return;
    }
    const Calibration made = calibrated(options);
    if (options.table) {
        printMarkdown(made);
        return;
    }
    const std::vector<GroupErrors> groups = errorsOf(made, groupsOf(made, options.left_out));
    if (options.json)
        printJson(made, groups);
    else
        printText(made, groups);
}

} // namespace

void addCalibrate(CLI::App &program) {
    CLI::App *const verb = program.add_subcommand("calibrate", "Fit the model's free parameters to measured runs");
    const auto options = std::make_shared<CalibrateArguments>();
    verb->add_option("FILE", options->files, "Tables of measured runs (CSV)")->required();
    verb->add_option("--parameters", options->parameters,
                     "Free parameters and their prior values (JSON); default: the built-in ones");
    CLI::Option *const fitted = verb->add_option("--of", options->fitted, "Measured quantity to fit")
                                    ->check(CLI::IsMember({"step-time", "memory"}));
    verb->add_option("--leave-out", options->left_out,
                     "Hold out all runs with the same source, stack or accelerator together in cross-validation")
        ->check(CLI::IsMember({"source", "stack", "accelerator"}));
    verb->add_option("--rounds", options->rounds, "Gauss-Newton iterations")->check(CLI::Range(0, 100));
    verb->add_option(
            "--refit-rounds", options->rounds_without,
            "Gauss-Newton iterations of each held-out fit, starting from the fit to all rows; more than one is slow")
        ->check(CLI::Range(1, 100));
    verb->add_flag("--table", options->table, "Print only the held-out errors, as a Markdown table");
    verb->add_flag("--json", options->json, "Print JSON");
    CLI::Option *const machine = verb->add_flag(
        "--machine", options->machine.wanted, "Treat all runs as runs of one machine and fit that machine's constants");
    machine->excludes(fitted); // --machine always fits to both step time and memory
    verb->add_option("--preset", options->machine.kind, "Kind of the fitted preset")
        ->check(CLI::IsMember({"cluster", "accelerator"}))
        ->needs(machine);
    verb->add_option("--plan", options->machine.plan,
                     "A plan that contains the machine's cluster; default: the cluster of the largest run")
        ->needs(machine);
    verb->add_option("--id", options->machine.id, "Id of the fitted preset")->needs(machine);
    verb->add_option("--name", options->machine.name, "Name of the fitted preset")->needs(machine);
    verb->add_option("--out", options->machine.out, "File to write the fitted preset to")->needs(machine);
    verb->callback([options] { run(*options); });
}

} // namespace meshwright

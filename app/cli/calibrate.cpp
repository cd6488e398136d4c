// SPDX-License-Identifier: GPL-3.0-or-later
#include "calibration/fit.h"
#include "catalog/library.h"
#include "catalog/preset_file.h"
#include "cli/failure.h"
#include "cli/standard_output.h"
#include "cli/text_table.h"
#include "cli/verbs.h"
#include "input/json_document.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <map>
#include <memory>

namespace meshwright {

namespace {

struct Options {
    std::vector<std::string> files;
    std::string parameters;
    std::string left_out = "source";
    int rounds = 8;
    bool json = false;
};

using Json = nlohmann::ordered_json;

std::string percent(double share) {
    return fmt::format("{:.1f}", 100 * share);
}

/// Errors of some rows with some values.
Errors errorsWith(const Fit &fit, const std::vector<std::size_t> &rows, const std::vector<double> &values) {
    std::vector<double> errors;
    errors.reserve(rows.size());
    for (const std::size_t row : rows)
        errors.push_back(std::exp(fit.error(row, values)) - 1);
    return errors_of(std::move(errors), 0);
}

void run(const Options &options) {
    const Library &library = Library::standard();
    std::vector<MeasuredRun> runs;
    for (const std::string &file : options.files)
        naming(file, [&] {
            std::vector<MeasuredRun> read = measured_runs(read_csv(read_preset_text(file)));
            std::move(read.begin(), read.end(), std::back_inserter(runs));
        });
    const std::filesystem::path own = library.own_folder() / "evidence" / "free-parameters.json";
    const std::filesystem::path file = options.parameters.empty() ? own : std::filesystem::path(options.parameters);
    std::vector<FreeParameter> parameters =
        naming(file.string(), [&] { return read_free_parameters(read_json_file(file), library); });
    Fit fit(fit_rows(runs, plans_of(runs, RunRules::standard(), library)), std::move(parameters));
    const std::vector<double> before = fit.values();
    fit.run(options.rounds);
    std::map<std::string, std::vector<std::size_t>> groups;
    for (std::size_t row = 0; row < fit.rows().plans.size(); ++row)
        groups[options.left_out == "stack" ? fit.rows().plans[row].plan.stack_id : runs[fit.rows().rows[row]].source]
            .push_back(row);
    Json json{{"parameters", Json::array()}, {"groups", Json::object()}};
    TextTable values(
        {{"parameter"}, {"expected", Alignment::right}, {"preset", Alignment::right}, {"fitted", Alignment::right}});
    for (std::size_t j = 0; j < before.size(); ++j) {
        const FreeParameter &parameter = fit.parameters()[j];
        values.add({parameter.name, fmt::format("{:.4g}", parameter.expected), fmt::format("{:.4g}", before[j]),
                    fmt::format("{:.4g}", fit.values()[j])});
        Json stacks = Json::array();
        for (const auto &[id, preset] : parameter.stacks)
            stacks.push_back(id);
        json["parameters"].push_back({{"name", parameter.name},
                                      {"stacks", stacks},
                                      {"field", parameter.field},
                                      {"expected", parameter.expected},
                                      {"before", before[j]},
                                      {"fitted", fit.values()[j]}});
    }
    TextTable errors({{"left out"},
                      {"rows", Alignment::right},
                      {"preset", Alignment::right},
                      {"fitted", Alignment::right},
                      {"left out", Alignment::right},
                      {"mean", Alignment::right},
                      {"p90", Alignment::right},
                      {"bias", Alignment::right}});
    double macro[3] = {0, 0, 0};
    for (const auto &[name, rows] : groups) {
        std::vector<bool> out(fit.rows().plans.size(), false);
        for (const std::size_t row : rows)
            out[row] = true;
        const Errors with_presets = errorsWith(fit, rows, before);
        const Errors fitted = errorsWith(fit, rows, fit.values());
        const Errors left_out = errorsWith(fit, rows, fit.values_without(out));
        macro[0] += with_presets.median_absolute;
        macro[1] += fitted.median_absolute;
        macro[2] += left_out.median_absolute;
        errors.add({name.substr(0, 56), std::to_string(rows.size()), percent(with_presets.median_absolute),
                    percent(fitted.median_absolute), percent(left_out.median_absolute), percent(left_out.mean_absolute),
                    percent(left_out.p90_absolute), percent(left_out.bias)});
    }
    const auto count = static_cast<double>(groups.size());
    errors.add({"mean over all", "", percent(macro[0] / count), percent(macro[1] / count), percent(macro[2] / count),
                "", "", ""});
    if (options.json) {
        writeJson(json);
        return;
    }
    writeText(joined(values.lines()) + "\n" + joined(errors.lines()));
}

} // namespace

void addCalibrate(CLI::App &program) {
    CLI::App *const verb = program.add_subcommand("calibrate", "Fit the model's free parameters to measured runs");
    const auto options = std::make_shared<Options>();
    verb->add_option("FILE", options->files, "Tables of measured runs (CSV)")->required();
    verb->add_option("--parameters", options->parameters,
                     "The parameters that may move, with what is expected of them");
    verb->add_option("--leave-out", options->left_out, "What is left out at a time")
        ->check(CLI::IsMember({"source", "stack"}));
    verb->add_option("--rounds", options->rounds, "Rounds of Gauss-Newton")->check(CLI::Range(0, 100));
    verb->add_flag("--json", options->json, "Print JSON");
    verb->callback([options] { run(*options); });
}

} // namespace meshwright

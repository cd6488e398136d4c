// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/library.h"
#include "catalog/preset_file.h"
#include "cli/failure.h"
#include "cli/standard_output.h"
#include "cli/text_table.h"
#include "cli/verbs.h"
#include "evidence/error_statistics.h"
#include "evidence/rank_correlation.h"
#include "evidence/similar_runs.h"
#include "input/diagnostic.h"
#include "input/files.h"
#include "quantities/text.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <map>
#include <memory>
#include <numeric>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

struct EvidenceArguments {
    std::vector<std::string> files;
    std::vector<std::string> blank;
    bool json = false;
};

struct Evidence : EvidenceTable {
    std::vector<Prediction> predictions;
};

Json toJson(const Errors &errors) {
    return {{"count", errors.count},
            {"skipped", errors.skipped},
            {"median_absolute_error", errors.median_absolute},
            {"mean_absolute_error", errors.mean_absolute},
            {"p90_absolute_error", errors.p90_absolute},
            {"bias", errors.bias}};
}

Json toJson(const EvidenceSummary &summary) {
    return {{"step", toJson(summary.step)},
            {"step_with_stalled", toJson(summary.step_with_stalled)},
            {"memory", toJson(summary.memory)},
            {"fits", {{"count", summary.fits_count}, {"accuracy", summary.fits_accuracy}}},
            {"coverage", summary.coverage},
            {"interval_width", summary.interval_width},
            {"memory_coverage", summary.memory_coverage},
            {"memory_interval_width", summary.memory_interval_width}};
}

/// Returns null for an impossible measurement; the row's `skipped` states the reason.
Json measurement(const std::optional<double> &value) {
    return value && *value >= 0 ? Json(*value) : Json(nullptr);
}

Json rowJson(const Evidence &evidence, std::size_t row) {
    const MeasuredRun &run = evidence.runs[row];
    const Prediction &predicted = evidence.predictions[row];
    const bool has = predicted.skipped.empty();
    const auto number = [has](double value) { return has ? Json(value) : Json(nullptr); };
    const auto measured = [has, &run](double value) {
        return has && run.peak_memory_bytes ? Json(value) : Json(nullptr);
    };
    return {{"id", run.id},
            {"source", run.source},
            {"predicted_step_seconds", number(predicted.step_seconds)},
            {"low_step_seconds", number(predicted.low_seconds)},
            {"high_step_seconds", number(predicted.high_seconds)},
            {"measured_step_seconds", measurement(run.measured_seconds())},
            {"predicted_peak_bytes", number(predicted.memory_bytes(run.memory_kind))},
            {"low_peak_bytes", measured(predicted.low_bytes)},
            {"high_peak_bytes", measured(predicted.high_bytes)},
            {"measured_peak_bytes", measurement(run.peak_memory_bytes)},
            {"predicted_fits", has ? Json(predicted.fits) : Json(nullptr)},
            {"outcome", run.outcome.empty() ? "ok" : run.outcome},
            {"skipped", has ? Json(nullptr) : Json(predicted.skipped)},
            {"stalled", is_stalled(run, evidence.plans[row])},
            {"stack", evidence.plans[row].plan.stack_id},
            {"assumed", evidence.plans[row].assumed}};
}

std::vector<std::size_t> allRows(const Evidence &evidence) {
    std::vector<std::size_t> rows(evidence.runs.size());
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    return rows;
}

EvidenceSummary summaryOf(const Evidence &evidence, const std::vector<std::size_t> &rows) {
    return summarise(evidence.runs, evidence.plans, evidence.predictions, rows);
}

void printJson(const Evidence &evidence) {
    Json rows = Json::array();
    for (std::size_t i = 0; i < evidence.runs.size(); ++i)
        rows.push_back(rowJson(evidence, i));
    Json sources = Json::object();
    for (const auto &[source, members] : rows_by_source(evidence.runs))
        sources[source] = toJson(summaryOf(evidence, members));
    const OrderSummary order = order_summary(evidence, evidence.predictions);
    writeJson({{"schema", "meshwright.evidence/1"},
               {"rows", std::move(rows)},
               {"summary", toJson(summaryOf(evidence, allRows(evidence)))},
               {"by_source", std::move(sources)},
               {"order",
                {{"groups", order.groups},
                 {"runs", order.runs},
                 {"spearman", order.spearman},
                 {"kendall", order.kendall},
                 {"choice_loss", order.choice_loss}}}});
}

std::vector<std::string> cells(const std::string &name, const EvidenceSummary &summary) {
    constexpr std::size_t widest = 40;
    const auto shown = [](const Errors &errors, double value) {
        return errors.count > 0 ? inPercent(value) : std::string();
    };
    const auto count = [](std::size_t value) { return value > 0 ? std::to_string(value) : std::string(); };
    const Errors &step = summary.step;
    const Errors &memory = summary.memory;
    return {name.size() > widest ? name.substr(0, widest - 3) + "..." : name,
            count(step.count),
            shown(step, step.median_absolute),
            shown(step, step.mean_absolute),
            shown(step, step.p90_absolute),
            shown(step, step.bias),
            count(step.skipped + memory.skipped),
            count(memory.count),
            shown(memory, memory.median_absolute),
            shown(memory, memory.bias),
            summary.fits_count > 0 ? inPercent(summary.fits_accuracy) : std::string()};
}

void printTable(const Evidence &evidence) {
    TextTable table({{"source"},
                     {"steps", Alignment::right},
                     {"median %", Alignment::right},
                     {"mean", Alignment::right},
                     {"p90", Alignment::right},
                     {"bias", Alignment::right},
                     {"skipped", Alignment::right},
                     {"memory", Alignment::right},
                     {"median %", Alignment::right},
                     {"bias", Alignment::right},
                     {"fits %", Alignment::right}});
    for (const auto &[source, members] : rows_by_source(evidence.runs))
        table.add(cells(source, summaryOf(evidence, members)));
    const EvidenceSummary all = summaryOf(evidence, allRows(evidence));
    table.add(cells("all", all));
    writeText(joined(table.lines()));
    writeText("\n");
    if (all.step.count > 0)
        writeText(fmt::format("{} of the measured step times are within their 80% interval; median width {}.\n",
                              percent_text(all.coverage), percent_text(all.interval_width)));
    if (all.memory.count > 0)
        writeText(fmt::format("{} of the measured memory figures are within their 80% interval; median width {}.\n",
                              percent_text(all.memory_coverage), percent_text(all.memory_interval_width)));
    if (const OrderSummary order = order_summary(evidence, evidence.predictions); order.groups > 0)
        writeText(fmt::format("{} groups of runs that differ only in their configuration: median rank correlation with "
                              "the measured order {:.2f} (Spearman) and {:.2f} (Kendall); the configuration predicted "
                              "fastest is {} slower than the one measured fastest (median).\n",
                              order.groups, order.spearman, order.kendall, percent_text(order.choice_loss)));
    const Errors &whole = all.step_with_stalled;
    if (whole.count > all.step.count)
        writeText(fmt::format("skipped {}: the step is stalled (less than {} of the accelerators' peak FLOP/s); if "
                              "these runs are included, the step time errors are {} (median), {} (mean) and {} (90th "
                              "percentile)\n",
                              whole.count - all.step.count, percent_text(stalled_share, 0),
                              percent_text(whole.median_absolute), percent_text(whole.mean_absolute),
                              percent_text(whole.p90_absolute)));
    std::map<std::string, std::size_t> reasons;
    for (const Prediction &prediction : evidence.predictions)
        if (!prediction.skipped.empty())
            ++reasons[prediction.skipped];
    for (const auto &[reason, count] : reasons)
        writeText(fmt::format("skipped {}: {}\n", count, reason));
}

/// Clears columns, as if the sources did not report them.
void blank(CsvTable &table, const std::vector<std::string> &columns) {
    for (const std::string &name : columns) {
        const std::size_t column = table.column(name);
        if (column == CsvTable::missing)
            throw InputError("/1", "has no column \"" + name + "\" to blank", "expected one of its columns");
        for (std::vector<std::string> &cells : table.rows)
            cells[column].clear();
    }
}

void run(const EvidenceArguments &options) {
    std::vector<MeasuredRun> all;
    for (const std::string &file : options.files)
        naming(file, [&] {
            CsvTable table = read_csv(read_file(file));
            blank(table, options.blank);
            std::vector<MeasuredRun> runs = measured_runs(table);
            std::move(runs.begin(), runs.end(), std::back_inserter(all));
        });
    Evidence evidence{evidence_table(std::move(all), RunRules::standard(), Library::standard()), {}};
    evidence.predictions = evidence.predict();
    add_intervals(evidence, *KnownRuns::standard(), evidence.predictions);
    if (options.json)
        printJson(evidence);
    else
        printTable(evidence);
}

} // namespace

void addEvidence(CLI::App &program) {
    CLI::App *const verb = program.add_subcommand("evidence", "Predict measured runs and print the errors");
    const auto options = std::make_shared<EvidenceArguments>();
    verb->add_option("FILE", options->files, "Tables of measured runs (CSV)")->required();
    verb->add_option("--blank", options->blank, "Clear these columns first, to test predictions without their values");
    verb->add_flag("--json", options->json, "Print every row and the prediction errors as JSON");
    verb->callback([options] { run(*options); });
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
// A table of measured runs: its columns are guessed and its rows read as plans, predicted with intervals and opened as
// plans.
#include "catalog/library.h"
#include "evaluated_plan.h"
#include "evidence/column_mapping.h"
#include "evidence/evidence_table.h"
#include "evidence/run_document.h"
#include "evidence/run_rules.h"
#include "evidence/similar_runs.h"
#include "fuzz_target.h"
#include "plan/plan_json.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace {

using namespace meshwright;

void predict_all(std::vector<MeasuredRun> runs) {
    constexpr std::size_t max_rows = 6; // further rows find nothing new and cost as much time each
    if (runs.size() > max_rows)
        return;
    const Library &library = Library::standard();
    const EvidenceTable table = evidence_table(std::move(runs), RunRules::standard(), library);
    std::vector<Prediction> predictions = table.predict();
    add_intervals(table, *KnownRuns::standard(), predictions);
    for (std::size_t i = 0; i < predictions.size(); ++i) {
        if (!predictions[i].skipped.empty())
            continue;
        fuzz::require(std::isfinite(predictions[i].step_seconds) && predictions[i].step_seconds > 0,
                      "a step takes time");
        fuzz::require(std::isfinite(predictions[i].reserved_bytes) && predictions[i].reserved_bytes > 0,
                      "a run takes memory");
        fuzz::went_all_the_way();
        // Reads the document that opens in the window: some rows violate a rule for plans and are rejected there.
        (void)read_plan(run_document(table.plans[i], library), library);
    }
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    return fuzz::refusing([&] {
        const CsvTable table = read_csv(fuzz::text_of(data, size));
        (void)missing_columns(guessed_mapping(table));
        predict_all(measured_runs(reads_without_mapping(table) ? table : as_run_table(table)));
    });
}

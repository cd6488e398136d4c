// SPDX-License-Identifier: GPL-3.0-or-later
// Input: a table of measured runs. Its columns are guessed, and its rows are read as plans, predicted with intervals
// and opened as separate plans.
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
    constexpr std::size_t max_rows = 6; // more rows cost time without testing more
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
        // Opens rows as plans, as the window does; rows that break a rule for plans are rejected.
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

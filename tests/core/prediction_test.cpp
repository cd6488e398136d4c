// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/prediction.h"

#include "catalog/library.h"
#include "evidence/evidence_table.h"
#include "evidence/run_document.h"
#include "explained_plans.h"
#include "recomputed.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {

using testing::for_each_node;

void expect_same(double a, double b, const std::string &what) {
    EXPECT_NEAR(a, b, 1e-9 * std::abs(b)) << what;
}

void expect_evaluation(const RunPlan &run, const Prediction &predicted, const std::string &row) {
    const Result result = evaluate_as_run(whole_plan(run.plan, Library::standard()), Depth::numbers);
    expect_same(result.step.seconds * run.batch_share, predicted.step_seconds, row + ": step");
    const double workspace = run.plan.cluster.accelerator.workspace_bytes;
    double allocated = 0;
    for (const StageMemory &stage : result.memory.stages)
        allocated = std::max(allocated, stage.total_bytes - stage.runtime_bytes + workspace);
    expect_same(allocated, predicted.allocated_bytes, row + ": allocated");
    const StageMemory &last = result.memory.stages.back();
    expect_same(last.total_bytes - last.runtime_bytes + workspace, predicted.last_allocated_bytes, row + ": last");
    expect_same(result.memory.reserved_bytes, predicted.device_bytes, row + ": device");
    expect_same(result.memory.reserved_bytes - result.memory.outside_bytes, predicted.reserved_bytes,
                row + ": reserved");
}

} // namespace

/// The prediction for a measured run equals the evaluation of the run's plan.
TEST(PredictionOfARun, IsTheEvaluationOfItsPlan) {
    const EvidenceTable &table = *EvidenceTable::standard();
    const std::vector<Prediction> predictions = table.predict();
    std::size_t compared = 0;
    for (std::size_t row = 0; row < table.runs.size(); ++row)
        if (table.plans[row].skipped.empty() && predictions[row].skipped.empty()) {
            ++compared;
            expect_evaluation(table.plans[row], predictions[row], table.runs[row].id);
        }
    EXPECT_GT(compared, 3000u);
}

/// Explanations also hold for the plans of measured runs, which are not among the presets.
TEST(PredictionOfARun, OpensWithFormulasThatGiveTheirValues) {
    const EvidenceTable &table = *EvidenceTable::standard();
    constexpr std::size_t stride = 61; // selects some runs of every source
    for (std::size_t row = 0; row < table.runs.size(); row += stride) {
        if (!table.plans[row].skipped.empty())
            continue;
        const Plan plan = whole_plan(table.plans[row].plan, Library::standard());
        for_each_node(explain(evaluate_as_run(plan, Depth::numbers)), [&](const Derivation &node) {
            if (node.inputs.empty() || node.origin == Origin::simulation)
                return;
            const double value = testing::recomputed(node);
            EXPECT_NEAR(value, node.value, 1e-9 * std::max(std::abs(value), 1e-9))
                << table.runs[row].id << ": " << node.name << " = " << node.formula;
        });
    }
}

/// No row of a foreign table crashes the program or exhausts its memory; an impossible row states why it is left out.
TEST(PredictionOfARun, LeavesOutARowThatNoRunHas) {
    const std::string header = "id,model,framework,year,accelerator,accelerators,layers,hidden,heads,sequence_length,"
                               "tensor,pipeline,context,data,micro_batch,global_batch,schedule,step_seconds\n";
    struct Row {
        const char *cells;
        const char *reason; ///< beginning of the reason; null if the row is predicted
    };
    const Row rows[] = {
        {"a,,Megatron-LM,2021,A100,8,24,2048,16,2048,1,1,1,8,1,64,,1\n", nullptr},
        {"b,,Megatron-LM,2021,A100,8,24,2048,16,2048,1,10000000,1,1,1,64,,1\n", "pipeline 1e+07, expected 1 to 4096"},
        {"c,,Megatron-LM,2021,A100,8,24,2048,16,2048,1,-1,1,8,1,64,,1\n", "pipeline -1, expected"},
        {"d,,Megatron-LM,2021,A100,8,24,1e18,16,2048,1,1,1,8,1,64,,1\n", "hidden 1e+18, expected"},
        {"e,,Megatron-LM,2021,A100,8,24,2048,0,2048,1,1,1,8,1,64,,1\n", "heads 0, expected"},
        {"f,,Megatron-LM,2021,A100,8,24,2048,16,1e300,1,1,1,8,1,64,,1\n", "sequence_length 1e+300, expected"},
        {"g,,Megatron-LM,2021,A100,8,24,2048,16,2048,1e6,1e3,1e6,1,1,64,,1\n",
         "the product of the parallel degrees is 1e+15 accelerators"}};
    std::string text = header;
    for (const Row &row : rows)
        text += row.cells;
    const std::vector<RunPlan> plans =
        plans_of(measured_runs(read_csv(text)), RunRules::standard(), Library::standard());
    const std::vector<Prediction> predictions = predict(plans, {});
    ASSERT_EQ(predictions.size(), std::size(rows));
    for (std::size_t i = 0; i < std::size(rows); ++i) {
        const std::string reason = rows[i].reason == nullptr ? "" : rows[i].reason;
        EXPECT_EQ(predictions[i].skipped.substr(0, reason.size()), reason) << rows[i].cells;
        EXPECT_EQ(predictions[i].skipped.empty(), reason.empty()) << rows[i].cells << predictions[i].skipped;
    }
}

} // namespace meshwright

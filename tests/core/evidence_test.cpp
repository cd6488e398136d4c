// SPDX-License-Identifier: GPL-3.0-or-later
#include "calibration/fit.h"
#include "calibration/free_parameters.h"
#include "catalog/preset_file.h"
#include "evidence/described_cluster.h"
#include "evidence/error_statistics.h"
#include "input/diagnostic.h"
#include "input/json_document.h"
#include "preset_plans.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace meshwright {
namespace {

const RunRules &rules() {
    static const RunRules shipped(
        read_json_file(std::filesystem::path(MESHWRIGHT_PRESETS) / "evidence" / "assumptions.json"), shipped_presets());
    return shipped;
}

RunPlan plan_from(const std::string &columns, const std::string &cells) {
    const std::vector<MeasuredRun> runs = measured_runs(read_csv(columns + "\n" + cells + "\n"));
    return plan_of(runs.at(0), rules(), shipped_presets());
}

TEST(CsvTable, ReadsQuotesAndFillsShortRows) {
    const CsvTable table = read_csv("\xef\xbb\xbfid,words,n\r\na,\"one, \"\"two\"\"\nthree\",4\n\nb\n");
    EXPECT_EQ(table.columns, (std::vector<std::string>{"id", "words", "n"}));
    ASSERT_EQ(table.rows.size(), 2u);
    EXPECT_EQ(table.rows[0][1], "one, \"two\"\nthree");
    EXPECT_EQ(table.rows[1], (std::vector<std::string>{"b", "", ""}));
}

TEST(CsvTable, RejectsWhatIsNoTable) {
    for (const char *text : {"", "id", "id,id\n", "id,a\n1,2,3\n", "id,a\n1,\"open", "id,a\n\"x\"y,1\n"})
        EXPECT_THROW(read_csv(text), InputError) << text;
    EXPECT_THROW(measured_runs(read_csv("a,b\n1,2\n")), InputError);
}

TEST(CsvTable, RejectsWhatWouldTakeTheMemory) {
    std::string wide = "id";
    for (std::size_t i = 0; i < max_csv_columns; ++i)
        wide += fmt::format(",c{}", i);
    EXPECT_THROW(read_csv(wide), InputError);
    std::string padded = wide.substr(0, wide.rfind(',')) + '\n';
    for (std::size_t row = 0; row <= max_csv_cells / max_csv_columns; ++row)
        padded += "a\n";
    EXPECT_THROW(read_csv(padded), InputError);
    try {
        read_csv(std::string_view("id,a\n1,\0\n", 9));
        FAIL() << "a NUL byte was accepted";
    } catch (const InputError &error) {
        EXPECT_EQ(error.diagnostics().front().fields.front(), "/2");
    }
}

TEST(RunPlan, LeavesOutARowThatNoMachineCanRun) {
    const std::string columns = "id,layers,hidden,sequence_length,accelerator,accelerators,tensor,pipeline,context,"
                                "data,global_batch,step_seconds";
    EXPECT_EQ(plan_from(columns, "a,32,4096,4096,h100-sxm-80gb,8,8,1,1,1,8,1").skipped, "");
    for (const char *stages : {"100000", "10000000", "2147483648", "1e300"}) {
        const RunPlan run = plan_from(columns, fmt::format("a,32,4096,4096,h100-sxm-80gb,8,1,{},1,1,8,1", stages));
        EXPECT_NE(run.skipped.find(", expected 1 to 4096"), std::string::npos) << run.skipped;
    }
    EXPECT_NE(plan_from(columns, "a,32,4096,4096,h100-sxm-80gb,8,1e9,1,1e9,1e9,8,1").skipped, "");
}

TEST(Predictions, AreMadeOfAPlanThatIsTooLongToBeExecuted) {
    RunPlan run = plan_from("id,layers,hidden,sequence_length,accelerator,accelerators,data,global_batch",
                            "a,10000,64,128,h100-sxm-80gb,8,8,8");
    run.plan.parallelism.pipeline = 70'000; // too many stages for the pipeline to be executed
    ASSERT_EQ(run.skipped, "");
    const std::vector<Prediction> predicted = predict({run, run});
    ASSERT_EQ(predicted.size(), 2U);
    EXPECT_EQ(predicted[0].skipped, "");
    EXPECT_TRUE(std::isfinite(predicted[0].step_seconds) && predicted[0].step_seconds > 0);
}

RC_GTEST_PROP(CsvTable, NoTextDoesMoreThanBeRejected, ()) {
    const std::string text =
        *rc::gen::container<std::string>(rc::gen::elementOf(std::string("id,\"\n\r,layers1e9 -.hidden\x00\xff", 27)));
    try {
        const std::vector<MeasuredRun> runs = measured_runs(read_csv("id,layers,hidden,sequence_length\n" + text));
        for (const Prediction &prediction : predict(plans_of(runs, rules(), shipped_presets())))
            RC_ASSERT(!prediction.skipped.empty() || std::isfinite(prediction.step_seconds));
    } catch (const InputError &) {
        return;
    }
}

TEST(MeasuredRun, TakesItsStepFromTheRateWhereOnlyThatIsPrinted) {
    const auto runs = measured_runs(read_csv(
        "id,accelerators,global_batch,sequence_length,tokens_per_second_per_accelerator,step_seconds,memory_kind\n"
        "a,8,64,2048,4096,,device\nb,8,64,2048,4096,3.5,\nc,8,64,2048,,1,allocated-on-last-rank\n"));
    EXPECT_DOUBLE_EQ(runs[0].measured_seconds().value(), 4);
    EXPECT_DOUBLE_EQ(runs[1].measured_seconds().value(), 3.5);
    EXPECT_EQ(runs[0].memory_kind, MeasuredMemory::device);
    EXPECT_EQ(runs[1].memory_kind, MeasuredMemory::unknown);
    EXPECT_EQ(runs[2].memory_kind, MeasuredMemory::allocated_on_last_rank);
}

TEST(NetworkShare, ReadsTheWordsOfSources) {
    EXPECT_DOUBLE_EQ(network_share("NVL8 + 8x400Gb", 8).value(), 50e9);
    EXPECT_DOUBLE_EQ(network_share("8x NVLink node; inter-node RoCE 1600 Gbps/node", 8).value(), 25e9);
    EXPECT_DOUBLE_EQ(network_share("8x NVLink node; 4x OmniPath 100Gb links/node (Jean Zay)", 8).value(), 6.25e9);
    EXPECT_DOUBLE_EQ(network_share("NVL8 + 8x HDR200 IB (Selene)", 8).value(), 25e9);
    EXPECT_DOUBLE_EQ(network_share("NVL8 + 400Gb/s RDMA per GPU", 8).value(), 50e9);
    EXPECT_DOUBLE_EQ(network_share("NVL8 + 8x50GB/s IB", 8).value(), 50e9);
    EXPECT_DOUBLE_EQ(network_share("IBM Vela: 8xA100, 2x100Gb Ethernet (RoCE)", 8).value(), 3.125e9);
    EXPECT_FALSE(network_share("NVL8 single node", 8).has_value());
    EXPECT_FALSE(network_share(std::string(100000, '8'), 8).has_value());
}

TEST(RunPlan, PutsEachSliceOfAPodOnLinksOfItsOwn) {
    const std::string columns = "id,model,framework,accelerator,accelerators,global_batch,sequence_length,interconnect";
    const auto tiers = [&](const char *words) {
        return plan_from(columns, std::string("x,Llama 3.1 8B,MaxText/JAX,tpu v5p,512,512,8192,") + words)
            .plan.cluster.tiers;
    };
    ASSERT_EQ(tiers("ICI").size(), 1u);
    ASSERT_EQ(tiers("ICI; 4 slices of 128").size(), 2u);
    EXPECT_EQ(tiers("ICI; 4 slices of 128").front().accelerators, 128);
    EXPECT_TRUE(tiers("ICI; 4 slices of 128").front().torus);
    EXPECT_FALSE(tiers("ICI; 4 slices of 128").back().torus);
    EXPECT_EQ(tiers("slices of 0").size(), 1u);
}

TEST(RunPlan, ReadsARowAndNamesWhatItAssumes) {
    const RunPlan read =
        plan_from("id,year,framework,layers,hidden,heads,ffn_hidden,vocabulary,accelerator,accelerators,tensor,"
                  "pipeline,data,micro_"
                  "batch,global_batch,sequence_length,precision",
                  "x,2021,Megatron-LM 2021,96,12288,96,49152,51200,a100-sxm-80gb,96,8,12,1,1,1536,2048,fp16");
    ASSERT_EQ(read.skipped, "");
    EXPECT_EQ(read.plan.stack_id, "megatron-lm-2021");
    EXPECT_EQ(read.plan.recompute.mode, RecomputeMode::full);
    EXPECT_EQ(read.plan.site_accelerators(), 96);
    EXPECT_EQ(read.plan.microbatches(), 1536);
    EXPECT_FALSE(read.assumed.empty());
}

/// Zero Bubble (arXiv 2401.10241), table 4: 30 layers on 8 ranks. With the embedding and the head they count as 32, a
/// multiple of 8.
TEST(RunPlan, CountsEmbeddingAndHeadAsLayersWhereMegatronCutsStages) {
    const auto chunks = [](const char *framework) {
        return plan_from("id,year,framework,layers,hidden,heads,vocabulary,accelerator,accelerators,tensor,pipeline,"
                         "data,micro_batch,global_batch,sequence_length,schedule",
                         fmt::format("x,2023,{},22,2304,24,50304,A100,8,1,8,1,6,144,1024,interleaved", framework))
            .plan.parallelism.chunks;
    };
    EXPECT_EQ(chunks("Megatron-LM"), 3);
    EXPECT_EQ(chunks("DeepSpeed"), 2);
}

TEST(RunRules, KeyOnlyOnTheSoftwareAndItsSettings) {
    const nlohmann::ordered_json document =
        read_json_file(std::filesystem::path(MESHWRIGHT_PRESETS) / "evidence" / "assumptions.json");
    const std::set<std::string> allowed{"framework", "not_framework", "overlap",   "not_overlap",      "interconnect",
                                        "optimizer", "accelerator",   "precision", "recompute_detail", "from",
                                        "to",        "zero_stage",    "pipelined", "tensor_split",     "notes"};
    for (const auto &rule : document["rules"]) {
        const nlohmann::ordered_json where = rule.value("where", nlohmann::ordered_json::object());
        for (const auto &[key, value] : where.items())
            EXPECT_TRUE(allowed.contains(key)) << key;
    }
    nlohmann::ordered_json other = document;
    other["rules"][0]["where"] = {{"model", {"gpt"}}};
    EXPECT_THROW(RunRules(other, shipped_presets()), InputError);
}

TEST(RunRules, TakeAWordWithAnEqualsSignAsAWholePart) {
    const std::string columns = "id,year,framework,model,accelerator,accelerators,tensor,pipeline,global_batch,"
                                "sequence_length,overlap";
    const std::string cells = "x,2025,Megatron-Bridge,Llama 3.1 8B,H100,8,8,1,8,8192,";
    const auto overlap = [&](const char *words) { return plan_from(columns, cells + words).plan.stack.tensor_overlap; };
    EXPECT_EQ(overlap("none"), 0);
    EXPECT_EQ(overlap("CE fusion; none"), 0);
    EXPECT_GT(overlap("cuda_graph_impl=none; cuda_graph_scope=full_iteration"), 0);
    EXPECT_GT(overlap(""), 0);
}

TEST(RunRules, KnowAcceleratorsByTheWordsOfTheirSources) {
    EXPECT_EQ(rules().accelerator("h100-sxm-80gb"), "h100-sxm-80gb");
    EXPECT_EQ(rules().accelerator("V100-SXM3-32GB (DGX-2)"), "v100-sxm3-32gb");
    EXPECT_EQ(rules().accelerator("B200 (power limited)"), "b200-750w");
    EXPECT_EQ(rules().accelerator("B200-class 184GiB (inferred)"), "gb200"); // PyTorch reports 178 GiB for a B200
    EXPECT_EQ(rules().accelerator("DGX B200"), "b200");
    EXPECT_EQ(rules().accelerator("abacus"), std::nullopt);
}

TEST(RunRules, CutWhatAPipelineGetsAtOnceAsItsSoftwareDoes) {
    const auto micro = [&](const char *year, const char *framework, const char *micro_batch) {
        return plan_from("id,year,framework,model,accelerator,accelerators,tensor,pipeline,data,micro_batch,"
                         "global_batch,sequence_length",
                         fmt::format("x,{},{},Llama 3.1 405B,H100,512,8,8,8,{},256,8192", year, framework, micro_batch))
            .plan.batch.micro_sequences;
    };
    EXPECT_EQ(micro("2024", "torchtitan (FSDP2)", "32"), 4); // the local batch gives as many microbatches as stages
    EXPECT_EQ(micro("2024", "torchtitan (FSDP2)", ""), 4);
    EXPECT_EQ(micro("2024", "torchtitan (FSDP2)", "2"), 2);
    EXPECT_EQ(micro("2025", "torchtitan (FSDP2)", "32"), 1);
    EXPECT_EQ(micro("2024", "NeMo", "32"), 32);
    EXPECT_EQ(micro("2026", "KempnerForge", ""), 4); // the local batch of 32 gives each of eight stages one microbatch
}

TEST(RunRules, KnowFullyShardedSoftwareByItsKindAndYear) {
    const auto stack = [&](const char *year, const char *framework, const char *tensor, const char *pipeline) {
        return plan_from(
                   "id,year,framework,model,accelerator,accelerators,tensor,pipeline,global_batch,sequence_length",
                   fmt::format("x,{},{},Llama 3.1 8B,H100,8,{},{},8,8192", year, framework, tensor, pipeline))
            .plan.stack_id;
    };
    EXPECT_EQ(stack("2023", "PyTorch FSDP", "1", "1"), "llm-foundry-2023");
    EXPECT_EQ(stack("2024", "PyTorch FSDP with Accelerate", "1", "1"), "torchtitan-2024-eager");
    EXPECT_EQ(stack("2024", "PyTorch FSDP1 + torch.compile", "1", "1"), "llm-foundry-2023");
    EXPECT_EQ(stack("2024", "torchtitan (FSDP2)", "1", "1"), "torchtitan-2024");
    EXPECT_EQ(stack("2026", "KempnerForge (FSDP2/DTensor)", "1", "1"), "kempnerforge-2026");
    EXPECT_EQ(stack("2026", "KempnerForge (FSDP2/DTensor)", "4", "1"), "kempnerforge-2026-eager");
    EXPECT_EQ(stack("2026", "KempnerForge (FSDP2/DTensor)", "1", "2"), "kempnerforge-2026-eager");
    EXPECT_EQ(stack("2024", "Levanter", "1", "1"), "maxtext-2024");
}

std::vector<FreeParameter> shipped_parameters(const char *list) {
    return read_free_parameters(
        read_json_file(std::filesystem::path(MESHWRIGHT_PRESETS) / "evidence" / "free-parameters.json"),
        shipped_presets(), list);
}

TEST(FreeParameters, HaveOneValueInAllStacksThatShareThem) {
    EXPECT_LE(shipped_parameters("parameters").size(), 46u);
    EXPECT_LE(shipped_parameters("memory_parameters").size(), 8u);
    for (const char *list : {"parameters", "memory_parameters"})
        for (const FreeParameter &parameter : shipped_parameters(list))
            for (const auto &[stack, value] : parameter.stacks)
                EXPECT_EQ(value, parameter.stacks.begin()->second) << parameter.field << " of " << stack;
}

TEST(RunPlan, TakesAModelOfTheCatalogueWhereNoDimensionsArePrinted) {
    const std::string columns = "id,model,accelerator,accelerators,global_batch,sequence_length";
    EXPECT_EQ(plan_from(columns, "x,Llama 3.1 8B,H100 SXM,8,8,8192").plan.model.hidden, 4096);
    EXPECT_NE(plan_from(columns, "x,A model that nobody knows,H100,8,8,8192").skipped, "");
    EXPECT_NE(plan_from(columns, "x,Llama 3.1 8B,Abacus,8,8,8192").skipped, "");
}

TEST(Errors, AreSummarisedAsDefined) {
    const Errors errors = errors_of({-0.1, 0.2, 0.05, -0.3, 0.1}, 2);
    EXPECT_EQ(errors.count, 5u);
    EXPECT_EQ(errors.skipped, 2u);
    EXPECT_DOUBLE_EQ(errors.median_absolute, 0.1);
    EXPECT_DOUBLE_EQ(errors.mean_absolute, 0.15);
    EXPECT_DOUBLE_EQ(errors.p90_absolute, 0.26);
    EXPECT_DOUBLE_EQ(errors.bias, 0.05);
}

/// The shipped runs with predictions, calculated once.
struct Shipped {
    std::vector<MeasuredRun> runs;
    std::vector<RunPlan> plans;
    std::vector<Prediction> predictions;
};

const Shipped &shipped() {
    static const Shipped all = [] {
        Shipped made;
        made.runs = measured_runs(
            read_csv(read_file(std::filesystem::path(MESHWRIGHT_PRESETS) / "evidence" / "measured-runs.csv")));
        made.plans = plans_of(made.runs, rules(), shipped_presets());
        made.predictions = predict(made.plans);
        return made;
    }();
    return all;
}

TEST(MeasuredRuns, ArePredictedAsWellAsWasSeen) {
    std::vector<std::size_t> all(shipped().runs.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    const EvidenceSummary summary = summarise(shipped().runs, shipped().plans, shipped().predictions, all);
    EXPECT_EQ(all.size(), 3993u);
    EXPECT_LE(summary.step.median_absolute, 0.08);
    EXPECT_GE(summary.fits_accuracy, 0.93);
}

/// Median error of memory predictions for one kind of measured memory, on runs of a source left out of the fit.
double left_out_memory_error(std::string_view source, const std::vector<MeasuredMemory> &kinds) {
    static const Fit fit = [] {
        Fit made(fit_rows(shipped().runs, shipped().plans, FitQuantity::memory),
                 shipped_parameters("memory_parameters"));
        made.run(3);
        return made;
    }();
    const FitRows &rows = fit.rows();
    std::vector<bool> left_out(rows.rows.size());
    for (std::size_t i = 0; i < rows.rows.size(); ++i)
        left_out[i] = shipped().runs[rows.rows[i]].source.find(source) != std::string::npos;
    const std::vector<double> values = fit.values_without(left_out, 1);
    std::vector<double> errors;
    for (std::size_t i = 0; i < rows.rows.size(); ++i)
        if (left_out[i] && std::find(kinds.begin(), kinds.end(), rows.kinds[i]) != kinds.end())
            errors.push_back(std::exp(fit.error(i, values)) - 1);
    return errors_of(std::move(errors), 0).median_absolute;
}

TEST(MeasuredMemory, IsPredictedFromOtherSources) {
    using enum MeasuredMemory;
    EXPECT_LE(left_out_memory_error("SimuMax", {allocated}), 0.02);
    EXPECT_LE(left_out_memory_error("functional_tests", {allocated_on_last_rank}), 0.04);
    EXPECT_LE(left_out_memory_error("bigscience", {device}), 0.05);
    EXPECT_LE(left_out_memory_error("torchtitan", {reserved}), 0.06);
}

TEST(MeasuredRuns, AreHardlyEverSkipped) {
    const auto skipped = std::count_if(shipped().predictions.begin(), shipped().predictions.end(),
                                       [](const Prediction &prediction) { return !prediction.skipped.empty(); });
    EXPECT_LE(skipped, 10);
}

} // namespace
} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "advise/advice.h"

#include "advise/changes.h"
#include "advise/complete_result.h"
#include "evaluate/evaluate.h"
#include "input/json_document.h"
#include "quantities/text.h"
#include "random_plans.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace meshwright {
namespace {

using Json = nlohmann::ordered_json;

Json preset_document(const char *id) {
    return shipped_presets().json(PresetKind::plan, id);
}

Json patched(Json document, const Fix &fix) {
    merge_patch(document, Json::parse(fix.patch));
    return document;
}

const Diagnostic *find(const std::vector<Diagnostic> &diagnostics, const std::string &code) {
    const auto found = std::find_if(diagnostics.begin(), diagnostics.end(),
                                    [&](const Diagnostic &diagnostic) { return diagnostic.code == code; });
    return found == diagnostics.end() ? nullptr : &*found;
}

/// The sentence that the fix of this diagnostic must contain if the changed plan evaluates to `after`; empty for a fix
/// with a constant text.
std::string promised(const std::string &code, const Result &before, const Result &after) {
    const EvaluatedChange change{.change = {},
                                 .fits = after.verdict.fits,
                                 .step_seconds = after.step.seconds,
                                 .run_seconds = after.run.seconds,
                                 .headroom_bytes = after.verdict.headroom_bytes};
    if (code == "does-not-fit" || code == "tight")
        return memory_gain(change, before);
    if (code == "wan-stalls")
        return "\u2212" + text_of(before.run.seconds - after.run.seconds, Quantity::seconds);
    for (const char *timed : {"bubble", "data-traffic", "tensor-leaves-inner-tier", "format-not-supported"})
        if (code == timed)
            return time_gain(change, before);
    return {};
}

/// Applies every fix that the document's diagnostics offer, as an editor would.
int expect_fixes_to_keep_their_word(const Json &document, const std::string &name) {
    const Outcome outcome = evaluate_document(document, shipped_presets());
    if (outcome.result == nullptr) {
        ADD_FAILURE() << name << ": " << one_line(name, outcome.diagnostics);
        return 0;
    }
    const Result &before = *outcome.result;
    int fixes = 0;
    for (const Diagnostic &diagnostic : outcome.diagnostics)
        for (const Fix &fix : diagnostic.fixes) {
            ++fixes;
            const std::string where = name + ": " + diagnostic.code + ": " + fix.title + " " + fix.patch;
            const Outcome fixed = evaluate_document(patched(document, fix), shipped_presets());
            if (fixed.result == nullptr) {
                ADD_FAILURE() << where << ": " << one_line(name, fixed.diagnostics);
                continue;
            }
            const Result &after = *fixed.result;
            if (const std::string gain = promised(diagnostic.code, before, after); !gain.empty()) {
                EXPECT_EQ(fix.gain, gain) << where;
            }
            if (diagnostic.code == "does-not-fit" || diagnostic.code == "tight") {
                EXPECT_GT(after.verdict.headroom_bytes, before.verdict.headroom_bytes) << where;
            }
            if (diagnostic.code == "bubble" || diagnostic.code == "data-traffic"
                || diagnostic.code == "tensor-leaves-inner-tier") {
                EXPECT_LT(after.step.seconds, before.step.seconds) << where;
                EXPECT_TRUE(after.verdict.fits || !before.verdict.fits) << where;
            }
            if (diagnostic.code == "wan-stalls") {
                EXPECT_LT(after.run.seconds, before.run.seconds) << where;
            }
            if (fix.gain == "same step time and memory") {
                EXPECT_EQ(after.step.terms, before.step.terms) << where;
                EXPECT_EQ(after.memory.peak_bytes, before.memory.peak_bytes) << where;
            }
        }
    return fixes;
}

class AdvisedPreset : public ::testing::TestWithParam<std::string> { };

TEST_P(AdvisedPreset, GainsWhatEachFixPromises) {
    expect_fixes_to_keep_their_word(preset_document(GetParam().c_str()), GetParam());
}

INSTANTIATE_TEST_SUITE_P(All, AdvisedPreset, ::testing::ValuesIn(evaluable_plans()),
                         [](const auto &test) { return test_name(test.param); });

/// A plan with only the required fields, so that the defaults of all others are derived again after each fix.
Json sparse(const char *model, std::int64_t accelerators, Json parallelism = Json::object()) {
    Json document = parse_json(R"({"schema": "meshwright.plan/1", "cluster": {"accelerator": "h100-sxm-80gb"}})");
    document["model"] = model;
    document["cluster"]["tiers"] = Json::array(
        {{{"name", "nvlink"}, {"accelerators", 8}, {"bandwidth_bytes_per_second", 450e9}, {"latency_seconds", 3e-6}}});
    if (accelerators > 8)
        document["cluster"]["tiers"].push_back({{"name", "network"},
                                                {"accelerators", accelerators},
                                                {"bandwidth_bytes_per_second", 50e9},
                                                {"latency_seconds", 7e-6}});
    if (!parallelism.empty())
        document["parallelism"] = std::move(parallelism);
    return document;
}

TEST(Fix, OfAPlanThatLeavesEverythingToDefaultsGainsWhatItPromises) {
    int fixes = 0;
    for (const char *model : {"llama-3.1-8b", "llama-2-70b", "mixtral-8x7b", "gpt3-175b"})
        for (const std::int64_t accelerators : {8, 64, 512}) {
            fixes += expect_fixes_to_keep_their_word(sparse(model, accelerators), model);
            fixes +=
                expect_fixes_to_keep_their_word(sparse(model, accelerators, {{"tensor", 4}, {"pipeline", 2}}), model);
            fixes += expect_fixes_to_keep_their_word(sparse(model, accelerators, {{"pipeline", 8}}), model);
        }
    EXPECT_GT(fixes, 40);
}

Json without_fitting(const char *id) {
    Json document = preset_document(id);
    document["recompute"] = {{"mode", "none"}};
    return document;
}

TEST(SmallestFit, OfAPlanThatDoesNotFitFits) {
    std::vector<Json> documents;
    for (const char *id : {"ten-to-25", "gpt3-175b-1k", "llama3-405b-8k", "mt-nlg-530b", "deepseek-v3"})
        documents.push_back(without_fitting(id));
    for (const char *model : {"llama-3.1-8b", "llama-2-70b", "mixtral-8x7b", "gpt3-175b"})
        for (const std::int64_t accelerators : {8, 64, 512})
            documents.push_back(sparse(model, accelerators));
    int found = 0;
    for (const Json &document : documents) {
        const Result before = evaluate(plan_of(document), Depth::numbers);
        if (before.verdict.fits)
            continue;
        const std::optional<Fix> fix = smallest_fit(before.plan);
        if (!fix)
            continue;
        ++found;
        const Outcome after = evaluate_document(patched(document, *fix), shipped_presets());
        ASSERT_NE(after.result, nullptr) << fix->patch << ": " << one_line("", after.diagnostics);
        EXPECT_TRUE(after.result->verdict.fits) << fix->title << " " << fix->patch;
        EXPECT_EQ(fix->gain, promised("does-not-fit", before, *after.result)) << fix->patch;
    }
    EXPECT_GE(found, 5);
}

TEST(SmallestFit, OfLlama405BOnEightAcceleratorsIsNothing) {
    Json document = sparse("llama-3.1-405b", 8);
    document["offload"] = {{"outer", false}};
    EXPECT_FALSE(smallest_fit(plan_of(document)).has_value());
}

TEST(SmallestFit, OfAPlanThatIsNotValidIsNothing) {
    Plan plan = preset_plan("ten-to-25");
    plan.parallelism.tensor = 7;
    EXPECT_FALSE(smallest_fit(plan).has_value());
}

TEST(SmallestFit, SetsOneFieldWhereOneIsEnough) {
    const Plan plan = plan_of(without_fitting("gpt3-175b-1k"));
    const std::optional<Fix> fix = smallest_fit(plan);
    ASSERT_TRUE(fix);
    EXPECT_EQ(fix->title.find(','), std::string::npos) << fix->title;
}

std::vector<Diagnostic> advice_on(const Json &document) {
    const Outcome outcome = evaluate_document(document, shipped_presets());
    EXPECT_NE(outcome.result, nullptr) << one_line("", outcome.diagnostics);
    return outcome.diagnostics;
}

TEST(Advice, OnTheSeedRunNamesItsKnownTraps) {
    Json document = preset_document("ten-to-25");
    document["outer"]["up"]["index"] = "none";
    document["outer"]["error_feedback"] = false;
    document["recompute"]["mode"] = "none";
    const std::vector<Diagnostic> found = advice_on(document);
    for (const char *code : {"does-not-fit", "tensor-leaves-inner-tier", "wan-stalls", "no-index", "no-error-feedback",
                             "outside-evidence", "zero-without-effect"})
        EXPECT_NE(find(found, code), nullptr) << code;
    EXPECT_EQ(found.front().severity, Severity::error);
}

TEST(Advice, OffersZero0OnASingleRankOnlyWhereFiguresStayTheSame) {
    Json document = preset_document("llama-1b-profile");
    document["stack"] = "torchtitan-2024-eager";
    document["precision"] = {
        {"compute", "bf16"}, {"weights", "bf16"}, {"gradients", "fp32"}, {"master", "fp32"}, {"moments", "fp32"}};
    document["parallelism"]["zero_stage"] = 1;
    EXPECT_NE(find(advice_on(document), "zero-without-effect"), nullptr);
    EXPECT_GE(expect_fixes_to_keep_their_word(document, "ZeRO 1"), 1);
    document["parallelism"]["zero_stage"] = 3; // FSDP stores no BF16 weights besides its FP32 shards
    EXPECT_EQ(find(advice_on(document), "zero-without-effect"), nullptr);
}

TEST(Advice, NamesAFormatThatTheAcceleratorLacks) {
    Json document = preset_document("gpt3-175b-1k");
    document["precision"]["compute"] = "fp8";
    EXPECT_NE(find(advice_on(document), "format-not-supported"), nullptr);
}

TEST(Advice, NamesAStepThatIsFasterThanTheHardware) {
    Json document = preset_document("pretrain-8b");
    EXPECT_EQ(find(advice_on(document), "beyond-the-peak"), nullptr);
    document["stack"] = shipped_presets().json(PresetKind::stack, document["stack"].get<std::string>());
    document["stack"]["matrix_efficiency_factor"] = 99;
    EXPECT_NE(find(advice_on(document), "beyond-the-peak"), nullptr);
}

TEST(Advice, NamesALargeBubble) {
    EXPECT_NE(find(advice_on(sparse("llama-2-70b", 64, {{"tensor", 1}, {"pipeline", 8}})), "bubble"), nullptr);
}

TEST(Advice, NamesAPipelineThatIsTooLongToBeExecuted) {
    Plan plan = plan_of(preset_document("gpt3-175b-1k"));
    plan.batch.global_sequences = 20'000 * plan.parallelism.data * plan.batch.micro_sequences;
    plan.model.layers.front().count = plan.parallelism.pipeline = 256;
    EXPECT_FALSE(find(advise(evaluate_as_run(plan, Depth::numbers), {}), "pipeline-not-executed"));
    plan.model.layers.front().count = plan.parallelism.pipeline = 2000;
    const Result result = evaluate_as_run(plan, Depth::numbers);
    EXPECT_FALSE(result.memory.executed);
    EXPECT_FALSE(result.pipeline.closed_form_makespan_seconds);
    EXPECT_TRUE(find(advise(result, {}), "pipeline-not-executed"));
}

TEST(Advice, NamesGatheringInsideAPipeline) {
    const Json document = sparse("llama-2-70b", 64, {{"pipeline", 8}, {"zero_stage", 3}});
    EXPECT_NE(find(advice_on(document), "zero3-in-pipeline"), nullptr);
}

TEST(Advice, NamesCopiedKeyValueHeads) {
    const Json document = sparse("qwen2-0.5b", 8, {{"tensor", 1}, {"pipeline", 8}});
    EXPECT_EQ(find(advice_on(document), "kv-copies"), nullptr);
    EXPECT_NE(find(advice_on(preset_document("palm-540b")), "kv-copies"), nullptr);
}

TEST(Advice, NamesRecomputationWithoutEffect) {
    Json document = sparse("llama-3.1-8b", 64);
    document["recompute"] = {{"mode", "selective"}};
    EXPECT_NE(find(advice_on(document), "selective-without-effect"), nullptr);
    document["stack"] = "torchtitan-2024"; // torchtitan recomputes more than the attention core
    EXPECT_EQ(find(advice_on(document), "selective-without-effect"), nullptr);
}

TEST(Advice, NamesASequenceLongerThanItsPositions) {
    Json document = sparse("gpt3-175b", 512, {{"tensor", 8}, {"pipeline", 8}});
    document["batch"] = {{"sequence_length", 8192}};
    EXPECT_NE(find(advice_on(document), "sequence-too-long"), nullptr);
}

TEST(Advice, NamesFailuresThatLeaveLittleTime) {
    Json document = preset_document("llama3-405b-16k");
    document["faults"] = {{"accelerator_mtbf_seconds", 2e7}, {"recovery_seconds", 1200}};
    EXPECT_NE(find(advice_on(document), "goodput"), nullptr);
}

TEST(Advice, PutsTheMostSeriousFirst) {
    for (const std::string &id : evaluable_plans()) {
        const std::vector<Diagnostic> found = advice_on(preset_document(id.c_str()));
        EXPECT_TRUE(std::is_sorted(found.begin(), found.end(), [](const Diagnostic &a, const Diagnostic &b) {
            return a.severity < b.severity;
        })) << id;
    }
}

} // namespace
} // namespace meshwright

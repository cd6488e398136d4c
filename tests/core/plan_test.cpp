// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/plan_json.h"

#include "catalog/library.h"
#include "input/diagnostic.h"
#include "input/json_document.h"
#include "plan/layout.h"
#include "preset_plans.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <numeric>

namespace meshwright {
namespace {

using Json = nlohmann::ordered_json;

class PresetPlan : public ::testing::TestWithParam<std::string> {
protected:
    static const Json &document() { return shipped_presets().json(PresetKind::plan, GetParam()); }
};

TEST_P(PresetPlan, ReadsWithoutAnError) {
    const PlanReading reading = read_plan(document(), shipped_presets());
    EXPECT_TRUE(reading.valid()) << one_line(GetParam(), reading.diagnostics);
}

TEST_P(PresetPlan, IsTheSamePlanAfterBeingWrittenAndReadAgain) {
    const Plan plan = plan_from_json(document(), shipped_presets());
    const Json written = to_json(plan);
    EXPECT_EQ(plan_from_json(written, shipped_presets()), plan);
    EXPECT_EQ(to_json(plan_from_json(parse_json(written.dump()), shipped_presets())), written);
}

TEST_P(PresetPlan, NamesASourceForWhatItTakesFromOthers) {
    EXPECT_EQ(document()["id"], GetParam());
    EXPECT_FALSE(document()["description"].get<std::string>().empty());
    ASSERT_TRUE(document().contains("sources"));
    for (const auto &[field, source] : document()["sources"].items()) {
        const Json *place = &document();
        for (std::size_t at = 0; at <= field.size() && place != nullptr;) {
            const std::size_t dot = std::min(field.find('.', at), field.size());
            const std::string key = field.substr(at, dot - at);
            place = place->is_object() && place->contains(key) ? &(*place)[key] : nullptr;
            at = dot + 1;
        }
        EXPECT_NE(place, nullptr) << field << " has a source but is missing from the plan";
    }
}

TEST_P(PresetPlan, ComparesWithItsMakersFiguresByTheirSource) {
    if (document().contains("published")) {
        EXPECT_FALSE(document()["published"]["source"].get<std::string>().empty());
    }
}

INSTANTIATE_TEST_SUITE_P(All, PresetPlan, ::testing::ValuesIn(evaluable_plans()),
                         [](const auto &test) { return test_name(test.param); });

/// The document of `ten-to-25` has buckets of 512 MB for 144e9 parameters in 16 bits. The document of `pretrain-70b-1k`
/// has 1.5T tokens, batches of 4M tokens, FP8 and $4 per hour.
TEST(PresetPlans, SayWhatTheirDocumentsSay) {
    const auto plan = [](const char *id) {
        return plan_from_json(shipped_presets().json(PresetKind::plan, id), shipped_presets());
    };
    EXPECT_EQ(plan("ten-to-25").outer.fragments, std::ceil(144e9 * 2 / 512e6));
    EXPECT_EQ(plan("ten-to-25-36").outer.fragments, 36);
    const Plan guide = plan("pretrain-70b-1k");
    EXPECT_EQ(guide.run.tokens, 1.5e12);
    EXPECT_EQ(guide.batch.global_sequences * guide.batch.sequence_length, 4'194'304);
    EXPECT_EQ(guide.precision.compute, DataType::fp8);
    EXPECT_EQ(guide.run.rental_dollars_per_accelerator_hour, 4);
    EXPECT_EQ(plan("pretrain-70b-1k-design").run.tokens, 2e12);
}

TEST(PresetPlans, HoldEveryRunThatTheContractNames) {
    for (const char *id :
         {"ten-to-25",    "ten-to-25-a100", "llama3-405b-8k", "llama3-405b-16k", "llama3-405b-16k-long",
          "llama1-65b",   "llama2-70b",     "llama3-70b",     "palm-540b",       "deepseek-67b",
          "deepseek-v2",  "deepseek-v3",    "pretrain-8b",    "pretrain-70b-1k", "pretrain-70b-1k-design",
          "ten-to-25-36", "gpt3-175b-1k",   "bloom-176b",     "smollm-135m",     "llama-1b-profile",
          "intellect-1"}) {
        const std::optional<PresetEntry> entry = shipped_presets().find(PresetKind::plan, id);
        ASSERT_TRUE(entry) << id;
        EXPECT_TRUE(entry->evaluable) << id;
    }
    for (const char *id : {"palm-2", "gemini-1.0", "gemini-1.5"}) {
        const std::optional<PresetEntry> entry = shipped_presets().find(PresetKind::plan, id);
        ASSERT_TRUE(entry) << id;
        EXPECT_FALSE(entry->evaluable) << id;
    }
}

TEST(Card, IsRefusedAsAPlanInOneSentence) {
    const PlanReading reading = read_plan(shipped_presets().json(PresetKind::plan, "palm-2"), shipped_presets());
    ASSERT_EQ(reading.diagnostics.size(), 1u);
    EXPECT_EQ(reading.diagnostics.front().fields.front(), "/schema");
}

Json smallest() {
    return parse_json(R"({"schema": "meshwright.plan/1", "model": "llama-3.1-8b",
        "cluster": {"accelerator": "h100-sxm-80gb",
                    "tiers": [{"accelerators": 8, "bandwidth_bytes_per_second": 450e9},
                              {"accelerators": 64, "bandwidth_bytes_per_second": 50e9}]}})");
}

TEST(Plan, TakesTheDocumentedDefaultsForWhatIsLeftOut) {
    const Plan plan = plan_from_json(smallest(), shipped_presets());
    EXPECT_EQ(plan.stack_id, "megatron-core-2025");
    EXPECT_EQ(plan.parallelism.data, 64);
    EXPECT_EQ(plan.parallelism.schedule, Schedule::one_f_one_b);
    EXPECT_FALSE(plan.parallelism.sequence_parallel);
    EXPECT_EQ(plan.batch.sequence_length, 4096);
    EXPECT_EQ(plan.batch.global_sequences, 64);
    EXPECT_EQ(plan.precision.compute, DataType::bf16);
    EXPECT_EQ(plan.precision.master, DataType::fp32);
    EXPECT_EQ(plan.outer.method, OuterMethod::none);
}

TEST(Plan, TakesFormatsThatItDoesNotNameFromItsSoftware) {
    Json document = smallest();
    document["stack"] = "kempnerforge-2026";
    const Plan plan = plan_from_json(document, shipped_presets());
    EXPECT_EQ(plan.precision.master, DataType::none);
    EXPECT_EQ(plan.precision.moments, DataType::bf16);
    document["precision"] = {{"master", "fp32"}, {"moments", "fp32"}};
    const Plan named = plan_from_json(document, shipped_presets());
    EXPECT_EQ(named.precision.master, DataType::fp32);
    EXPECT_EQ(named.precision.moments, DataType::fp32);
}

TEST(Plan, DerivesDataAndTheBatchFromTheOtherDegrees) {
    Json document = smallest();
    document["parallelism"] = {{"tensor", 4}, {"pipeline", 2}};
    const Plan plan = plan_from_json(document, shipped_presets());
    EXPECT_EQ(plan.parallelism.data, 8);
    EXPECT_TRUE(plan.parallelism.sequence_parallel);
    EXPECT_EQ(plan.microbatches(), 8); // four microbatches per stage
}

TEST(Plan, TakesChunksForInterleaving) {
    Json document = smallest();
    document["parallelism"] = {{"pipeline", 4}, {"chunks", 2}};
    EXPECT_EQ(plan_from_json(document, shipped_presets()).parallelism.schedule, Schedule::interleaved);
}

TEST(Plan, AveragesGradientsBetweenSitesUnlessItSaysOtherwise) {
    Json document = smallest();
    document["cluster"]["sites"] = 3;
    document["cluster"]["wan"] = {{"uplink_bits_per_second", 1e9}, {"downlink_bits_per_second", 1e9}};
    EXPECT_EQ(plan_from_json(document, shipped_presets()).outer.method, OuterMethod::data_parallel);
    document["outer"] = {{"method", "streaming-diloco"}};
    const Outer outer = plan_from_json(document, shipped_presets()).outer;
    EXPECT_EQ(outer.fragments, 11); // 32 layers, three per fragment
    EXPECT_EQ(outer.quorum, 3);
    EXPECT_EQ(outer.up.bits, 4);
}

TEST(Plan, TreatsNullAsLeftOut) {
    Json document = smallest();
    document["parallelism"] = {{"tensor", nullptr}, {"group", nullptr}, {"layout", nullptr}};
    document["outer"] = nullptr;
    document["stack"] = nullptr;
    EXPECT_EQ(plan_from_json(document, shipped_presets()), plan_from_json(smallest(), shipped_presets()));
}

TEST(Plan, WritesAClusterPresetOutInFull) {
    Json document = smallest();
    document["cluster"] = "dgx-h100";
    Plan plan = plan_from_json(document, shipped_presets());
    EXPECT_EQ(plan.cluster_id, "dgx-h100");
    const Json written = to_json(plan);
    EXPECT_EQ(written["cluster"]["tiers"].back()["accelerators"], 1024);
    plan.cluster_id.clear();
    EXPECT_EQ(plan_from_json(written, shipped_presets()), plan);
}

Json after(const char *assignment) {
    Json document = smallest();
    set_field(document, assignment, shipped_presets());
    return document;
}

TEST(Assignment, TakesJsonWhereItIsJsonAndTextOtherwise) {
    EXPECT_EQ(after("parallelism.tensor=4")["parallelism"]["tensor"], 4);
    EXPECT_EQ(after("model=llama-3.1-70b")["model"], "llama-3.1-70b");
    EXPECT_EQ(after("name=a = b")["name"], "a = b");
    EXPECT_EQ(after("parallelism.layout=[16,16]")["parallelism"]["layout"], Json::parse("[16,16]"));
    EXPECT_EQ(after("outer={\"method\":\"none\"}")["outer"]["method"], "none");
    EXPECT_EQ(after("cluster.tiers.1.accelerators=128")["cluster"]["tiers"][1]["accelerators"], 128);
    EXPECT_TRUE(after("model=null")["model"].is_null());
}

TEST(Assignment, ChangesThePlanThatIsRead) {
    EXPECT_EQ(plan_from_json(after("parallelism.tensor=8"), shipped_presets()).parallelism.tensor, 8);
}

TEST(Assignment, SpellsOutThePresetWhoseFieldItSets) {
    const Plan plain = plan_from_json(smallest(), shipped_presets());
    const auto changed = [](const char *assignment) { return plan_from_json(after(assignment), shipped_presets()); };
    EXPECT_EQ(changed("model.hidden=2048").model.hidden, 2048);
    EXPECT_EQ(changed("model.hidden=2048").model.layer_count(), plain.model.layer_count());
    Stack waiting = plain.stack; // the default stack, because the plan names none
    waiting.launches_wait = true;
    EXPECT_EQ(changed("stack.launches_wait=true").stack, waiting);
    Json named = smallest();
    named["stack"] = "torchtitan-2024";
    set_field(named, "stack.host_seconds_per_layer=0.002", shipped_presets());
    Stack slower = *shipped_presets().stack("torchtitan-2024");
    slower.host_seconds_per_layer = 0.002;
    EXPECT_EQ(plan_from_json(named, shipped_presets()).stack, slower);
    Json whole = smallest();
    whole["cluster"] = "jean-zay";
    set_field(whole, "cluster.tiers.0.latency_seconds=1e-5", shipped_presets());
    EXPECT_EQ(plan_from_json(whole, shipped_presets()).cluster.tiers[0].latency_seconds, 1e-5);
    whole["cluster"] = "no-such-cluster";
    EXPECT_THROW(set_field(whole, "cluster.sites=2", shipped_presets()), InputError);
}

TEST(Assignment, IsRefusedWhereItNamesNoField) {
    for (const std::string &assignment : {std::string("tensor"), std::string("=4"), std::string("schema.of=1"),
                                          std::string("cluster.tiers.7.accelerators=1"), std::string("name=\xff"),
                                          std::string("na\xffme=1"), std::string(70'000, '.') + "=1"}) {
        Json document = smallest();
        EXPECT_THROW(set_field(document, assignment, shipped_presets()), InputError) << assignment.substr(0, 40);
    }
}

TEST(MergePatch, IsThatOfRfc7396) {
    const auto merged = [](const char *target, const char *patch) {
        Json document = Json::parse(target);
        merge_patch(document, Json::parse(patch));
        return document;
    };
    // The test cases of RFC 7396, appendix A.
    EXPECT_EQ(merged(R"({"a":"b"})", R"({"a":"c"})"), Json::parse(R"({"a":"c"})"));
    EXPECT_EQ(merged(R"({"a":"b"})", R"({"b":"c"})"), Json::parse(R"({"a":"b","b":"c"})"));
    EXPECT_EQ(merged(R"({"a":"b"})", R"({"a":null})"), Json::parse(R"({})"));
    EXPECT_EQ(merged(R"({"a":["b"]})", R"({"a":"c"})"), Json::parse(R"({"a":"c"})"));
    EXPECT_EQ(merged(R"({"a":{"b":"c"}})", R"({"a":{"b":"d","c":null}})"), Json::parse(R"({"a":{"b":"d"}})"));
    EXPECT_EQ(merged(R"({"a":[{"b":"c"}]})", R"({"a":[1]})"), Json::parse(R"({"a":[1]})"));
    EXPECT_EQ(merged(R"(["a","b"])", R"(["c","d"])"), Json::parse(R"(["c","d"])"));
    EXPECT_EQ(merged(R"({"a":"foo"})", R"("bar")"), Json::parse(R"("bar")"));
    EXPECT_EQ(merged(R"({"e":null})", R"({"a":1})"), Json::parse(R"({"e":null,"a":1})"));
    EXPECT_EQ(merged(R"([1,2])", R"({"a":"b","c":null})"), Json::parse(R"({"a":"b"})"));
    EXPECT_EQ(merged(R"({})", R"({"a":{"bb":{"ccc":null}}})"), Json::parse(R"({"a":{"bb":{}}})"));
}

TEST(Layout, ReadsMegatronsString) {
    // DeepSeek-V3 on 32 virtual stages: three layers share a stage with the embedding, and the MTP module shares one
    // with the loss.
    const std::vector<LayoutStage> stages = read_layout("Et*3|(tt|)*29,m|L");
    ASSERT_EQ(stages.size(), 32u);
    EXPECT_EQ(stages.front(), (LayoutStage{.layers = 3, .embedding = true}));
    EXPECT_EQ(stages[30], (LayoutStage{.prediction_modules = 1}));
    EXPECT_EQ(stages.back(), (LayoutStage{.loss = true}));
    EXPECT_EQ(std::accumulate(stages.begin(), stages.end(), std::int64_t{0},
                              [](std::int64_t sum, const LayoutStage &stage) { return sum + stage.layers; }),
              61);
}

TEST(Layout, IsTheSameAfterBeingWrittenAndReadAgain) {
    for (const char *text : {"Et*3|(tt|)*29,m|L", "EtL", "E|t|t|L", "Ettt|tttmmL", "|||", ""})
        EXPECT_EQ(read_layout(write_layout(read_layout(text))), read_layout(text)) << text;
}

TEST(Layout, IsCheckedAgainstTheStagesOfThePlan) {
    Json document = smallest();
    document["parallelism"] = {{"pipeline", 4}, {"layout", "Et*7|t*8|t*8|t*9L"}};
    const Plan plan = plan_from_json(document, shipped_presets());
    EXPECT_EQ(stage_layers(plan), (std::vector<std::int64_t>{7, 8, 8, 9}));
    document["parallelism"]["layout"] = "Et*7|t*8|t*8|t*8L";
    EXPECT_THROW(plan_from_json(document, shipped_presets()), InputError);
}

TEST(Stages, AreEvenAndLeaveTheEndsTheShorterOnes) {
    Json document = smallest();
    document["parallelism"] = {{"pipeline", 8}, {"chunks", 3}};
    const Plan plan = plan_from_json(document, shipped_presets());
    const std::vector<std::int64_t> layers = stage_layers(plan); // 32 layers on 24 virtual stages
    EXPECT_EQ(std::accumulate(layers.begin(), layers.end(), std::int64_t{0}), 32);
    EXPECT_EQ(layers.front(), 1);
    EXPECT_EQ(layers.back(), 1);
}

} // namespace
} // namespace meshwright

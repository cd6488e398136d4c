// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/runnable.h"

#include "advise/complete_result.h"
#include "advise/software_changes.h"
#include "evaluate/evaluate.h"
#include "plan/software_rules.h"
#include "random_plans.h"
#include "search/search.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace meshwright {
namespace {

using Json = nlohmann::ordered_json;

/// A plan on 64 H100 with a dense model of 32 layers or a mixture of 64 experts.
Plan plan_on(const char *stack, const char *patch, const char *model = "llama-3.1-8b") {
    Json document = Json::parse(R"({
      "schema": "meshwright.plan/1",
      "cluster": {"accelerator": "h100-sxm-80gb",
        "tiers": [{"name": "node", "accelerators": 8, "bandwidth_bytes_per_second": 450e9, "latency_seconds": 3e-6},
                  {"name": "network", "accelerators": 64, "bandwidth_bytes_per_second": 50e9, "latency_seconds": 7e-6}]},
      "batch": {"sequence_length": 4096, "global_sequences": 256},
      "precision": {"compute": "bf16", "weights": "bf16", "gradients": "fp32", "master": "fp32", "moments": "fp32"}})");
    document["model"] = model;
    document["stack"] = stack;
    merge_patch(document, Json::parse(patch));
    return plan_of(document);
}

struct LauncherRule {
    const char *stack;
    const char *patch;
    std::optional<SoftwareLimit> limit; ///< the limit that the plan exceeds; none if it can be launched
    const char *model = "llama-3.1-8b";
};

void PrintTo(const LauncherRule &rule, std::ostream *stream) {
    *stream << rule.stack << ' ' << rule.patch;
}

class LauncherRules : public ::testing::TestWithParam<LauncherRule> { };

TEST_P(LauncherRules, AreHeldAgainstAPlan) {
    const LauncherRule &rule = GetParam();
    const std::optional<NotRunnable> found = cannot_run(plan_on(rule.stack, rule.patch, rule.model));
    ASSERT_EQ(found.has_value(), rule.limit.has_value()) << (found ? found->reason : "");
    if (!found)
        return;
    EXPECT_EQ(found->limit, *rule.limit) << found->reason;
    EXPECT_FALSE(found->source.empty());
    EXPECT_FALSE(found->fields.empty());
}

const LauncherRule launcher_rules[]{
    // Megatron-LM derives the schedule from the chunks and has no option for another.
    {"megatron-core-2025", R"({"parallelism":{"pipeline":4,"chunks":2,"schedule":"interleaved"}})", {}},
    {"megatron-core-2025", R"({"parallelism":{"pipeline":4,"schedule":"1f1b","zero_stage":1}})", {}},
    {"megatron-core-2025", R"({"parallelism":{"pipeline":4,"schedule":"1f1b","zero_stage":2}})",
     SoftwareLimit::zero_stage},
    {"megatron-core-2025", R"({"parallelism":{"pipeline":4,"chunks":4,"schedule":"seq1f1b"}})",
     SoftwareLimit::schedule},
    {"megatron-core-2025", R"({"parallelism":{"pipeline":4,"schedule":"zb-h1"}})", SoftwareLimit::schedule},
    {"megatron-core-2025", R"({"parallelism":{"pipeline":4,"schedule":"gpipe"}})", SoftwareLimit::schedule},
    // --pipeline-model-parallel-layout allows any number of layers per stage; earlier releases divide layers evenly.
    {"megatron-core-2025", R"({"parallelism":{"pipeline":4,"layout":[5,9,9,9]}})", {}},
    {"megatron-core-2023", R"({"parallelism":{"pipeline":4,"layout":[7,9,9,7]}})", SoftwareLimit::layout},
    {"megatron-core-2023", R"({"parallelism":{"zero_stage":2}})", SoftwareLimit::zero_stage},
    // --seq-length must be a multiple of 2 x --context-parallel-size.
    {"megatron-core-2025", R"({"parallelism":{"context":4},"batch":{"sequence_length":4100}})", SoftwareLimit::context},
    {"megatron-core-2025", R"({"parallelism":{"context":4},"batch":{"sequence_length":4104}})", {}},
    // --optimizer-cpu-offload and formats of optimizer states require --use-precision-aware-optimizer, which requires
    // the distributed optimizer.
    {"megatron-core-2025", R"({"parallelism":{"zero_stage":0},"precision":{"moments":"bf16"}})",
     SoftwareLimit::zero_stage},
    {"megatron-core-2025", R"({"parallelism":{"zero_stage":1},"precision":{"moments":"bf16"}})", {}},
    // A mixture of experts with tensor parallelism requires --sequence-parallel.
    {"megatron-core-2025", R"({"parallelism":{"tensor":2,"expert":8,"sequence_parallel":false}})",
     SoftwareLimit::sequence_parallel, "mixtral-8x7b"},
    {"megatron-core-2025", R"({"parallelism":{"tensor":2,"expert":8,"sequence_parallel":true}})", {}, "mixtral-8x7b"},
    {"megatron-lm-2021", R"({"parallelism":{"context":2,"zero_stage":0}})", SoftwareLimit::context},
    {"megatron-lm-2021", R"({"parallelism":{"zero_stage":1}})", SoftwareLimit::zero_stage},
    // torchtitan always combines tensor parallelism with sequence parallelism, allows ZeRO 2 and 3 with a pipeline, and
    // has no ZeRO 1.
    {"torchtitan-2024", R"({"parallelism":{"tensor":2,"sequence_parallel":false,"zero_stage":3}})",
     SoftwareLimit::sequence_parallel},
    {"torchtitan-2024", R"({"parallelism":{"pipeline":4,"chunks":2,"schedule":"interleaved-zb","zero_stage":2}})", {}},
    {"torchtitan-2024", R"({"parallelism":{"pipeline":4,"chunks":2,"schedule":"zb-v","zero_stage":3}})", {}},
    {"torchtitan-2024", R"({"parallelism":{"pipeline":4,"schedule":"zb-h1","zero_stage":2}})", SoftwareLimit::schedule},
    {"torchtitan-2024", R"({"parallelism":{"zero_stage":1}})", SoftwareLimit::zero_stage},
    {"torchtitan-2024", R"({"parallelism":{"zero_stage":0}})", {}},
    {"torchtitan-2024", R"({"parallelism":{"tensor":2,"sequence_parallel":true,"zero_stage":0}})",
     SoftwareLimit::zero_stage},
    {"torchtitan-2024", R"({"parallelism":{"zero_stage":3,"shard_group":8}})", {}},
    {"torchtitan-2024", R"({"parallelism":{"zero_stage":3},"recompute":{"mode":"layers","layers":4}})",
     SoftwareLimit::recompute},
    {"torchtitan-2024", R"({"parallelism":{"zero_stage":3},"offload":{"optimizer":0.5}})",
     SoftwareLimit::optimizer_offload},
    // expert_tensor_parallel_degree is 1 or the tensor degree.
    {"torchtitan-2024",
     R"({"parallelism":{"tensor":4,"sequence_parallel":true,"expert":8,"expert_tensor":2,"zero_stage":3}})",
     SoftwareLimit::expert_tensor, "mixtral-8x7b"},
    {"torchtitan-2024",
     R"({"parallelism":{"tensor":4,"sequence_parallel":true,"expert":8,"expert_tensor":4,"zero_stage":3}})",
     {},
     "mixtral-8x7b"},
    // DeepSpeed's pipeline engine requires a ZeRO stage below 2, and its schedule is 1F1B.
    {"megatron-deepspeed-2022", R"({"parallelism":{"pipeline":4,"zero_stage":2}})", SoftwareLimit::zero_stage},
    {"megatron-deepspeed-2022", R"({"parallelism":{"pipeline":4,"zero_stage":1}})", {}},
    {"megatron-deepspeed-2022", R"({"parallelism":{"pipeline":4,"schedule":"zb-h1"}})", SoftwareLimit::schedule},
    {"megatron-deepspeed-2024", R"({"parallelism":{"pipeline":4,"schedule":"zb-h1","zero_stage":1}})", {}},
    {"megatron-deepspeed-2024", R"({"parallelism":{"tensor":2,"sequence_parallel":true}})",
     SoftwareLimit::sequence_parallel},
    {"megatron-deepspeed-2022", R"({"parallelism":{"pipeline":4,"zero_stage":1,"layout":[8,9,8,7]}})", {}},
    // It divides the key-value heads among the tensor ranks.
    {"megatron-deepspeed-2022", R"({"parallelism":{"tensor":16,"sequence_parallel":true,"zero_stage":1}})",
     SoftwareLimit::kv_heads},
    // Ulysses requires tensor and pipeline degrees of 1.
    {"megatron-deepspeed-2024", R"({"parallelism":{"context":4,"zero_stage":1}})", {}},
    {"megatron-deepspeed-2024", R"({"parallelism":{"context":4,"tensor":2,"sequence_parallel":false,"zero_stage":1}})",
     SoftwareLimit::context},
    {"megatron-deepspeed-2022", R"({"parallelism":{"context":2,"pipeline":4,"zero_stage":1}})", SoftwareLimit::context},
    {"megatron-core-2025", R"({"parallelism":{"context":2,"tensor":2,"pipeline":4,"zero_stage":1}})", {}},
    {"deepspeed-2023", R"({"parallelism":{"zero_stage":3}})", {}},
    {"deepspeed-2023", R"({"parallelism":{"pipeline":4,"chunks":2,"schedule":"interleaved","zero_stage":1}})",
     SoftwareLimit::schedule},
    {"deepspeed-2023", R"({"parallelism":{"zero_stage":2,"shard_group":8}})", SoftwareLimit::shard_group},
    // nanotron offers GPipe (all forward, all backward) and 1F1B, allows at most as many tensor ranks as key-value
    // heads, and has no selective recomputation.
    {"nanotron-2024", R"({"parallelism":{"pipeline":4,"schedule":"gpipe","zero_stage":1}})", {}},
    {"nanotron-2024", R"({"parallelism":{"pipeline":4,"chunks":2,"schedule":"interleaved","zero_stage":1}})",
     SoftwareLimit::schedule},
    {"nanotron-2024", R"({"parallelism":{"tensor":16,"sequence_parallel":true,"zero_stage":1}})",
     SoftwareLimit::kv_heads},
    {"nanotron-2024", R"({"parallelism":{"zero_stage":3}})", SoftwareLimit::zero_stage},
    {"nanotron-2024", R"({"recompute":{"mode":"selective"}})", SoftwareLimit::recompute},
    {"nanotron-2024", R"({"precision":{"compute":"fp8"}})", SoftwareLimit::compute},
    {"nanotron-2024", R"({"parallelism":{"expert":8}})", SoftwareLimit::expert, "mixtral-8x7b"},
    // llm-foundry supports only FSDP.
    {"llm-foundry-2023", R"({"parallelism":{"tensor":2,"zero_stage":3}})", SoftwareLimit::tensor},
    {"llm-foundry-2023", R"({"parallelism":{"pipeline":2,"zero_stage":3}})", SoftwareLimit::schedule},
    {"llm-foundry-2023", R"({"parallelism":{"zero_stage":3},"recompute":{"mode":"full"}})", {}},
    // The software has no option for other rank orders. A plan with the default order gets the software's own order.
    {"torchtitan-2024",
     R"({"parallelism":{"pipeline":4,"zero_stage":2,"placement":["data","context","expert","tensor","pipeline"],
                        "tensor":2,"sequence_parallel":true}})",
     SoftwareLimit::placement},
    {"torchtitan-2024",
     R"({"parallelism":{"pipeline":4,"zero_stage":2,"placement":["tensor","context","expert","data","pipeline"],
                        "tensor":2,"sequence_parallel":true}})",
     {}},
};

INSTANTIATE_TEST_SUITE_P(Launchers, LauncherRules, ::testing::ValuesIn(launcher_rules));

TEST(Runnable, EveryPresetPlanRunsOnItsSoftware) {
    for (const std::string &id : evaluable_plans()) {
        const Plan plan = preset_plan(id.c_str());
        const std::optional<NotRunnable> limit = cannot_run(plan);
        EXPECT_FALSE(limit) << id << ": " << limit->reason;
    }
}

TEST(Runnable, HoldsNothingAgainstAPlanWhoseStackSaysNothing) {
    Plan plan = plan_on("megatron-core-2025", R"({"parallelism":{"pipeline":4,"chunks":4,"schedule":"seq1f1b"}})");
    plan.stack.can_run = {};
    plan.stack.name = "Mine";
    const Runnability found = runnability_of(plan);
    EXPECT_TRUE(found.is_runnable());
    EXPECT_EQ(found.reason(plan), "unknown what Mine can run");
}

TEST(Runnable, RefusesAStackThatNamesAScheduleThatThereIsNot) {
    Json document = to_json(plan_on("megatron-core-2025", "{}"));
    document["stack"] = {{"can_run", {{"schedules", {"1f1b", "2f2b"}}}}};
    const PlanReading reading = read_plan(document, shipped_presets());
    ASSERT_FALSE(reading.valid());
    EXPECT_EQ(reading.diagnostics.front().fields.front(), "/stack");
    EXPECT_NE(reading.diagnostics.front().message.text.find("schedules: 2f2b"), std::string::npos);
}

TEST(Runnable, NamesWhatIsNotKnownOfTheSoftware) {
    Plan plan = plan_on("megatron-core-2025", R"({"parallelism":{"context":2}})");
    plan.stack.can_run.context.reset();
    EXPECT_EQ(runnability_of(plan).reason(plan), "unknown whether Megatron-Core 2025 supports context parallelism");
}

TEST(Runnable, WarnsOfAScheduleThatNoOneCanLaunchAndOffersThoseThatCanBe) {
    const Plan plan =
        plan_on("megatron-core-2025", R"({"parallelism":{"tensor":4,"sequence_parallel":true,"pipeline":4,"chunks":4,
                                         "schedule":"seq1f1b"}})");
    const Outcome outcome = evaluate_document(to_json(plan), shipped_presets());
    const auto warning = std::find_if(outcome.diagnostics.begin(), outcome.diagnostics.end(),
                                      [](const Diagnostic &one) { return one.code == "software-cannot-run"; });
    ASSERT_NE(warning, outcome.diagnostics.end());
    EXPECT_EQ(warning->severity, Severity::warning);
    EXPECT_EQ(warning->message.text, "Megatron-Core 2025 does not support the schedule seq1f1b");
    EXPECT_TRUE(warning->expected.text.starts_with("supported: 1f1b or interleaved (Megatron-LM"))
        << warning->expected.text;
    EXPECT_EQ(warning->fields.front(), "/parallelism/schedule");
    ASSERT_FALSE(warning->fixes.empty());
    for (const Fix &fix : warning->fixes) {
        Json document = to_json(plan);
        merge_patch(document, Json::parse(fix.patch));
        EXPECT_FALSE(cannot_run(plan_of(document))) << fix.title;
        EXPECT_FALSE(fix.gain.empty());
    }
}

/// For any plan, each fix gives a valid plan that the software can run, and its patch produces that plan.
RC_GTEST_PROP(SoftwareChanges, LeadToPlansThatCanBeRun, ()) {
    const std::optional<Plan> plan = valid_plan(random_document({}));
    RC_PRE(plan.has_value());
    RC_PRE(cannot_run(*plan).has_value());
    for (const Change &change : software_changes(*plan)) {
        RC_ASSERT(!cannot_run(change.plan));
        RC_ASSERT(check_plan(change.plan).empty());
        Json document = to_json(*plan);
        merge_patch(document, Json::parse(change.patch));
        RC_ASSERT(plan_of(document) == change.plan);
    }
}

TEST(Search, ListsNoScheduleThatTheSoftwareDoesNotHave) {
    SearchOptions options;
    options.wanted = {.top = 50, .pareto = true, .curves = false, .by_schedule = true};
    const SearchResult found = search(preset_plan("pretrain-70b-1k"), shipped_presets(), options);
    ASSERT_EQ(found.results.size(), 50U);
    for (const std::vector<SearchEntry> &entries : {found.results, found.pareto, found.best_by_schedule})
        for (const SearchEntry &entry : entries) {
            EXPECT_TRUE(entry.runnable) << entry.reason;
            EXPECT_FALSE(cannot_run(entry.plan));
        }
    EXPECT_EQ(found.best_by_schedule.front().order, found.results.front().order);
}

TEST(Search, HasABestOfPlain1F1BHoweverFastASingleStageIs) {
    SearchOptions options;
    options.wanted = {.top = 5, .pareto = false, .curves = false, .by_schedule = true};
    const SearchResult found = search(preset_plan("pretrain-70b-1k"), shipped_presets(), options);
    std::vector<std::string> seen;
    for (const SearchEntry &entry : found.best_by_schedule)
        seen.push_back(entry.plan.parallelism.pipeline > 1 ? name_of(entry.plan.parallelism.schedule) : "none");
    EXPECT_EQ(std::count(seen.begin(), seen.end(), "1f1b"), 1);
    std::sort(seen.begin(), seen.end());
    EXPECT_EQ(std::adjacent_find(seen.begin(), seen.end()), seen.end());
    EXPECT_TRUE(std::is_sorted(found.best_by_schedule.begin(), found.best_by_schedule.end(),
                               [](const SearchEntry &a, const SearchEntry &b) { return a.order < b.order; }));
    Plan narrow = preset_plan("pretrain-70b-1k");
    narrow.constraints_json = R"({"constraints": {"allowed": {"schedule": ["1f1b"], "pipeline": [2, 4, 8, 16]}}})";
    const SearchResult alone = search(narrow, shipped_presets(), {});
    const auto plain =
        std::find_if(found.best_by_schedule.begin(), found.best_by_schedule.end(), [](const SearchEntry &entry) {
            return entry.plan.parallelism.pipeline > 1 && entry.plan.parallelism.schedule == Schedule::one_f_one_b;
        });
    ASSERT_FALSE(alone.results.empty());
    EXPECT_EQ(plain->order, alone.results.front().order);
    EXPECT_EQ(plain->plan.constraints_json, found.results.front().plan.constraints_json);
}

TEST(Search, SaysWhyNoOneCanLaunchWhatItListsWithAnySoftware) {
    Json document = shipped_presets().json(PresetKind::plan, "pretrain-70b-1k");
    document["constraints"]["any_software"] = true;
    const SearchResult found = search(plan_of(document), shipped_presets(), {});
    ASSERT_FALSE(found.results.empty());
    EXPECT_FALSE(found.results.front().runnable);
    EXPECT_NE(found.results.front().reason.find("Megatron-Core 2025 does not support the schedule"), std::string::npos);
}

} // namespace
} // namespace meshwright

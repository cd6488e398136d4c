// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/plan_json.h"

#include "input/json_document.h"
#include "pipeline/order.h"
#include "plan/valid_values.h"
#include "preset_plans.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <ostream>

namespace meshwright {
namespace {

using Json = nlohmann::ordered_json;

std::vector<Diagnostic> errors_of(const Json &document) {
    std::vector<Diagnostic> found = read_plan(document, shipped_presets()).diagnostics;
    std::erase_if(found, [](const Diagnostic &diagnostic) { return diagnostic.severity != Severity::error; });
    return found;
}

bool has_code(const std::vector<Diagnostic> &diagnostics, const std::string &code) {
    return std::any_of(diagnostics.begin(), diagnostics.end(),
                       [&](const Diagnostic &diagnostic) { return diagnostic.code == code; });
}

Json fixed(Json document, const Fix &fix) {
    merge_patch(document, parse_json(fix.patch));
    return document;
}

struct Broken {
    const char *plan;
    std::vector<const char *> assignments;
    const char *code;
    const char *pointer;
    std::size_t fixes; ///< minimum number of fixes
};

/// Prints a case of a failing test.
void PrintTo(const Broken &broken, std::ostream *out) {
    *out << broken.plan << " with " << broken.code;
}

class BrokenPlan : public ::testing::TestWithParam<Broken> {
protected:
    static Json document() {
        Json json = shipped_presets().json(PresetKind::plan, GetParam().plan);
        for (const char *assignment : GetParam().assignments)
            set_field(json, assignment, shipped_presets());
        return json;
    }
};

TEST_P(BrokenPlan, IsRejectedWithTheFieldAndWhatWasExpected) {
    const std::vector<Diagnostic> errors = errors_of(document());
    const auto found = std::find_if(errors.begin(), errors.end(),
                                    [](const Diagnostic &error) { return error.code == GetParam().code; });
    ASSERT_NE(found, errors.end()) << one_line("plan", errors);
    EXPECT_EQ(found->fields.front(), GetParam().pointer);
    EXPECT_FALSE(found->message.text.empty());
    EXPECT_FALSE(found->expected.text.empty());
    EXPECT_GE(found->fixes.size(), GetParam().fixes);
}

TEST_P(BrokenPlan, IsRightInThatRespectAfterAnyFix) {
    for (const Diagnostic &error : errors_of(document()))
        for (const Fix &fix : error.fixes)
            EXPECT_FALSE(has_code(errors_of(fixed(document(), fix)), error.code))
                << error.message.text << " | " << fix.patch;
}

INSTANTIATE_TEST_SUITE_P(
    OneFault, BrokenPlan,
    ::testing::Values(
        Broken{"ten-to-25", {"parallelism.tensor=4"}, "parallelism-product", "/parallelism/data", 1},
        Broken{"ten-to-25",
               {"parallelism.data=null", "parallelism.tensor=6"},
               "parallelism-product",
               "/parallelism/data",
               1},
        Broken{"ten-to-25",
               {"parallelism.data=null", "parallelism.pipeline=3", "parallelism.context=5"},
               "parallelism-product",
               "/parallelism/data",
               1},
        Broken{"pretrain-8b",
               {"parallelism.tensor=64", "parallelism.context=1", "parallelism.data=1"},
               "tensor-does-not-divide",
               "/parallelism/tensor",
               1},
        Broken{"pretrain-8b", {"parallelism.expert=2"}, "no-experts", "/parallelism/expert", 1},
        Broken{"deepseek-v3", {"parallelism.expert=48"}, "expert-does-not-divide", "/parallelism/expert", 1},
        Broken{"deepseek-v3", {"parallelism.expert_tensor=3"}, "expert-does-not-divide", "/parallelism/expert", 1},
        Broken{"deepseek-v3",
               {"parallelism.pipeline=128", "parallelism.data=16", "parallelism.expert=16", "parallelism.layout=null"},
               "more-stages-than-layers",
               "/parallelism/pipeline",
               1},
        Broken{"bloom-176b", {"parallelism.layout=[6,6]"}, "layout", "/parallelism/layout", 1},
        Broken{"pretrain-8b", {"batch.global_sequences=500"}, "microbatches", "/batch/global_sequences", 2},
        Broken{"ten-to-25", {"batch.sequence_length=4095"}, "sequence-does-not-divide", "/batch/sequence_length", 2},
        Broken{"olmo-2-32b", {"parallelism.shard_group=60"}, "shard-group", "/parallelism/shard_group", 1},
        Broken{"ten-to-25", {"outer.method=none"}, "sites-without-outer-loop", "/outer/method", 1},
        Broken{"ten-to-25", {"cluster.wan=null"}, "no-wan", "/cluster/wan", 0},
        Broken{"ten-to-25", {"outer.quorum=73"}, "quorum", "/outer/quorum", 1},
        Broken{"ten-to-25", {"outer.overlap_steps=10000000"}, "too-much-overlap", "/outer/overlap_steps", 1},
        Broken{"intellect-1", {"outer.fragments=4"}, "fragments", "/outer/fragments", 1},
        Broken{"ten-to-25", {"parallelism.chunks=2"}, "chunks", "/parallelism/chunks", 2},
        Broken{"llama3-405b-16k", {"parallelism.schedule=1f1b"}, "chunks", "/parallelism/chunks", 2},
        Broken{"ten-to-25", {"parallelism.schedule=zb-v"}, "chunks", "/parallelism/chunks", 1},
        Broken{"llama3-405b-16k", {"parallelism.group=8"}, "group", "/parallelism/group", 1},
        Broken{"llama3-405b-16k",
               {"parallelism.group=2", "batch.global_sequences=512"},
               "schedule-microbatches",
               "/batch/global_sequences",
               2},
        Broken{"pretrain-70b-1k-design",
               {"batch.global_sequences=2112", "parallelism.group=4"},
               "schedule-microbatches",
               "/batch/global_sequences",
               2},
        Broken{"deepseek-v3", {"batch.global_sequences=3968"}, "schedule-microbatches", "/batch/global_sequences", 2},
        Broken{"deepseek-v3", {"batch.global_sequences=2048"}, "schedule-microbatches", "/batch/global_sequences", 2},
        Broken{"ten-to-25-a100",
               {"parallelism.schedule=zb-h2", "batch.global_sequences=8"},
               "schedule-microbatches",
               "/batch/global_sequences",
               2},
        Broken{"deepseek-67b",
               {"parallelism.pipeline=1", "parallelism.data=256", "parallelism.layout=null",
                "parallelism.schedule=1f1b", "parallelism.zero_stage=7"},
               "field",
               "/parallelism/zero_stage",
               0}));

/// Every accepted plan runs to its end with every schedule, and every rejection has a fix. The rules require more than
/// an order that ends: they follow the schedule's software and paper.
TEST(Check, AcceptsNothingThatASchedulesOrderCannotRun) {
    Plan plan = plan_from_json(shipped_presets().json(PresetKind::plan, "ten-to-25"), shipped_presets());
    plan.parallelism.data = plan.batch.micro_sequences = 1;
    plan.parallelism.layout.clear();
    for (std::size_t named = 0; named < schedule_names().size(); ++named) {
        plan.parallelism.schedule = static_cast<Schedule>(named);
        for (const std::int64_t stages : {2, 3, 4, 6, 8})
            for (std::int64_t microbatches = 1; microbatches <= 3 * stages + 2; ++microbatches)
                for (std::int64_t chunks = 1; chunks <= 3; ++chunks) {
                    plan.parallelism.pipeline = stages;
                    plan.parallelism.chunks = chunks;
                    plan.batch.global_sequences = microbatches;
                    const std::vector<ScheduleProblem> problems = schedule_problems(plan);
                    std::string fault;
                    try {
                        fault = order_fault(operation_order({.schedule = plan.parallelism.schedule,
                                                             .ranks = stages,
                                                             .microbatches = microbatches,
                                                             .chunks = chunks,
                                                             .group = interleaving_group(plan)}));
                    } catch (const InputError &error) {
                        fault = error.what();
                    }
                    EXPECT_TRUE(fault.empty() || !problems.empty())
                        << schedule_names()[named] << " " << stages << " stages, " << microbatches << " microbatches, "
                        << chunks << " chunks: " << fault;
                    for (const ScheduleProblem &problem : problems)
                        EXPECT_FALSE(problem.fixes.empty()) << problem.message;
                }
    }
}

TEST(Check, RefusesDualPipeOverAnOddNumberOfStages) {
    Json document = shipped_presets().json(PresetKind::plan, "ten-to-25-a100");
    for (const char *assignment : {"parallelism.pipeline=3", "parallelism.data=2", "parallelism.schedule=dualpipe"})
        set_field(document, assignment, shipped_presets());
    const std::vector<Diagnostic> errors = errors_of(document);
    ASSERT_TRUE(has_code(errors, "odd-stages"));
    for (const Diagnostic &error : errors)
        for (const Fix &fix : error.fixes)
            EXPECT_FALSE(has_code(errors_of(fixed(document, fix)), error.code)) << fix.patch;
}

/// A field that divisibility depends on, with a value that may or may not suit the plan.
Json random_field_patch() {
    struct Field {
        const char *object;
        const char *name;
    };
    static const std::vector<Field> fields{
        {"parallelism", "tensor"},     {"parallelism", "context"},   {"parallelism", "pipeline"},
        {"parallelism", "chunks"},     {"parallelism", "expert"},    {"parallelism", "expert_tensor"},
        {"parallelism", "data"},       {"parallelism", "group"},     {"parallelism", "shard_group"},
        {"parallelism", "schedule"},   {"parallelism", "layout"},    {"batch", "sequence_length"},
        {"batch", "global_sequences"}, {"batch", "micro_sequences"}, {"outer", "fragments"},
        {"outer", "quorum"},           {"outer", "method"},          {"cluster", "sites"}};
    const Field field = *rc::gen::elementOf(fields);
    const std::string name = field.name;
    Json value;
    if (name == "schedule")
        value = *rc::gen::elementOf(schedule_names());
    else if (name == "method")
        value = *rc::gen::elementOf(outer_method_names());
    else if (name == "layout")
        value = *rc::gen::element<std::string>("Et*3|(tt|)*29,m|L", "Et*46|t*46L", "t");
    else
        value = *rc::gen::weightedOneOf<std::int64_t>(
            {{6, rc::gen::element<std::int64_t>(1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 32, 64, 100, 128)},
             {2, rc::gen::inRange<std::int64_t>(1, 20'000)},
             {1, rc::gen::inRange<std::int64_t>(1, 1'000'000'001)}});
    return Json{{field.object, {{field.name, value}}}};
}

RC_GTEST_PROP(Check, OffersOnlyFixesThatRemoveTheErrorOrLeaveFewer, ()) {
    static const std::vector<std::string> plans = evaluable_plans();
    Json document = shipped_presets().json(PresetKind::plan, *rc::gen::elementOf(plans));
    if (*rc::gen::arbitrary<bool>())
        merge_patch(document, Json{{"parallelism", {{"data", nullptr}}}});
    for (int changes = *rc::gen::inRange(1, 5); changes > 0; --changes)
        merge_patch(document, random_field_patch());
    const std::vector<Diagnostic> errors = errors_of(document);
    RC_CLASSIFY(errors.empty());
    for (const Diagnostic &error : errors)
        for (const Fix &fix : error.fixes) {
            RC_ASSERT(!fix.title.empty());
            const std::vector<Diagnostic> left = errors_of(fixed(document, fix));
            if (left.size() < errors.size() || !has_code(left, error.code))
                continue;
            RC_LOG() << document.dump() << '\n' << error.message.text << '\n' << fix.patch << '\n';
            RC_FAIL("a fix that fixes nothing");
        }
}

RC_GTEST_PROP(Check, ReadsEveryPlanThatItAcceptsBackToTheSamePlan, ()) {
    static const std::vector<std::string> plans = evaluable_plans();
    Json document = shipped_presets().json(PresetKind::plan, *rc::gen::elementOf(plans));
    for (int changes = *rc::gen::inRange(1, 4); changes > 0; --changes)
        merge_patch(document, random_field_patch());
    const PlanReading reading = read_plan(document, shipped_presets());
    if (!reading.valid())
        return;
    RC_ASSERT(plan_from_json(to_json(reading.plan), shipped_presets()) == reading.plan);
    const std::vector<std::int64_t> layers = stage_layers(reading.plan);
    RC_ASSERT(static_cast<std::int64_t>(layers.size()) == reading.plan.virtual_stages());
}

} // namespace
} // namespace meshwright

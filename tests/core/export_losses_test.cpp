// SPDX-License-Identifier: GPL-3.0-or-later
// What a plan loses on the way to a target and back is what the head of the exported files says.
#include "catalog/weights.h"
#include "cost/placement.h"
#include "evaluate/evaluate.h"
#include "imported_plan.h"
#include "launch/exporters.h"
#include "launch/model_shape.h"
#include "launch/rank_order.h"
#include "plan/valid_values.h"
#include "random_plans.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string_view>

using namespace meshwright;
using meshwright::testing_launch::example;
using meshwright::testing_launch::import_texts;

namespace {

/// A form that can be read again, and the files that say the plan.
struct ReadableTarget {
    const char *id;
    std::vector<const char *> files;
    bool maps_ranks = true; ///< its run.sbatch gives each accelerator the rank that the plan's order asks for
};
const ReadableTarget readable_targets[]{{"megatron", {"train.sh"}},
                                        {"megatron-bridge", {"overrides.yaml"}},
                                        {"torchtitan", {"train.toml", "meshwright_model.py"}},
                                        {"deepspeed", {"train.sh", "ds_config.json"}, false},
                                        {"nanotron", {"config.yaml"}},
                                        {"accelerate", {"train.sh", "accelerate.yaml"}, false}};

/// Words by which a sentence of the head names a field.
const std::map<std::string, std::vector<const char *>> words_of_field{
    {"sites", {"outer loop"}},
    {"tokens", {"outer loop"}},
    {"schedule", {"schedule ", "chunk"}},
    {"chunks", {"schedule ", "chunk"}},
    {"layout", {"layers", "stages"}},
    {"group", {"groups", "schedule "}},
    {"sequence_parallel", {"sequence parallelism"}},
    {"expert_tensor", {"expert tensor"}},
    {"zero_stage", {"ZeRO"}},
    {"shard_group", {"shard"}},
    {"placement", {"ranks", "place"}},
    {"recompute", {"recomput"}},
    {"optimizer", {"optimizer"}},
    {"offload.optimizer", {"offload"}},
    {"offload.activations", {"offload"}},
    {"compute", {"GEMMs in", "compute"}},
    {"weights", {"weights"}},
    {"gradients", {"gradients"}},
    {"master", {"master"}},
    {"moments", {"moments"}},
    {"parameters", {"No option describes", " has no ", "vocabulary", "learned positions", "shared experts", "dense"}}};

Recompute in_effect(Recompute recompute) {
    if (recompute.mode != RecomputeMode::layers)
        recompute.layers = 0;
    if (recompute.mode != RecomputeMode::modules)
        recompute.modules.clear();
    if (recompute.mode == RecomputeMode::modules && recompute.modules == std::vector<std::string>{"core_attn"})
        recompute = {.mode = RecomputeMode::selective};
    return recompute;
}

/// Fields in which a plan that came back runs differently from the plan that left.
std::set<std::string> changed_fields(const Plan &left, const Plan &back, const ReadableTarget &target) {
    std::set<std::string> changed;
    const auto compare = [&](const char *field, bool same) {
        if (!same)
            changed.insert(field);
    };
    const Parallelism &a = left.parallelism;
    const Parallelism &b = back.parallelism;
    compare("tensor", a.tensor == b.tensor);
    compare("context", a.context == b.context);
    compare("pipeline", a.pipeline == b.pipeline);
    compare("expert", a.expert == b.expert);
    compare("data", a.data == b.data);
    compare("sites", left.cluster.sites == back.cluster.sites);
    compare("sequence_parallel", a.tensor == 1 || a.sequence_parallel == b.sequence_parallel);
    compare("expert_tensor", a.expert == 1 || a.expert_tensor == b.expert_tensor);
    if (a.pipeline > 1) {
        compare("schedule", a.schedule == b.schedule);
        compare("chunks", a.chunks == b.chunks);
        compare("layout", a.chunks != b.chunks || stage_layers(left) == stage_layers(back));
        compare("group",
                a.chunks == 1 || a.schedule != b.schedule || !definition_of(a.schedule).takes_groups
                    || interleaving_group(left) == interleaving_group(back));
    }
    if (a.data * a.context > 1) {
        compare("zero_stage", a.zero_stage == b.zero_stage);
        compare("shard_group",
                a.zero_stage == 0 || b.zero_stage == 0 || shard_groups_of(left).dense == shard_groups_of(back).dense);
    }
    compare("placement", target.maps_ranks || is_in_order(rank_digits(left, back)));
    compare("micro_sequences", left.batch.micro_sequences == back.batch.micro_sequences);
    compare("global_sequences", left.batch.global_sequences == back.batch.global_sequences);
    compare("sequence_length", left.batch.sequence_length == back.batch.sequence_length);
    const double step = static_cast<double>(left.batch.global_sequences * left.batch.sequence_length);
    compare("tokens", std::abs(left.run.tokens - back.run.tokens) <= step);
    compare("recompute", in_effect(left.recompute) == in_effect(back.recompute));
    compare("optimizer", left.optimizer.kind == back.optimizer.kind);
    compare("offload.optimizer", left.offload.optimizer == back.offload.optimizer);
    compare("offload.activations", left.offload.activations == back.offload.activations);
    compare("compute", left.precision.compute == back.precision.compute);
    compare("weights", left.precision.weights == back.precision.weights);
    compare("gradients", left.precision.gradients == back.precision.gradients);
    compare("master", left.precision.master == back.precision.master);
    compare("moments", left.precision.moments == back.precision.moments);
    compare("parameters", parameters_of(left.model).total == parameters_of(back.model).total);
    return changed;
}

bool is_said(const std::string &field, const std::vector<std::string> &lost) {
    const auto words = words_of_field.find(field);
    return words != words_of_field.end() && std::any_of(lost.begin(), lost.end(), [&](const std::string &sentence) {
               return std::any_of(words->second.begin(), words->second.end(),
                                  [&](const char *word) { return sentence.find(word) != std::string::npos; });
           });
}

struct Trip {
    Plan back;
    std::vector<std::string> lost;
};

/// Writes a plan for a target and reads the files again. Nothing where the target refuses one of its degrees.
std::optional<Trip> trip_to(const Plan &plan, const ReadableTarget &target) {
    LaunchExport written;
    try {
        written = export_target(target.id)->write(evaluate(plan, Depth::closed_forms), shipped_presets());
    } catch (const InputError &) {
        return std::nullopt;
    }
    std::vector<LaunchFile> files;
    for (const char *name : target.files)
        for (const ExportFile &file : written.files)
            if (file.name == name)
                files.push_back({.name = file.name, .text = file.text()});
    return Trip{.back = read_plan(import_texts(files).document, shipped_presets()).plan, .lost = written.lost};
}

void expect_losses_said(const Plan &plan, const Trip &trip, const ReadableTarget &target) {
    std::string head;
    for (const std::string &sentence : trip.lost)
        head += "\n" + sentence;
    for (const std::string &field : changed_fields(plan, trip.back, target))
        EXPECT_TRUE(is_said(field, trip.lost)) << target.id << " changes " << field << "; its head:" << head;
}

class ExportLosses : public ::testing::TestWithParam<std::string> { };

TEST_P(ExportLosses, are_said_before_the_plan_leaves) {
    const Plan plan = preset_plan(GetParam().c_str());
    for (const ReadableTarget &target : readable_targets)
        if (const auto trip = trip_to(plan, target))
            expect_losses_said(plan, *trip, target);
}

INSTANTIATE_TEST_SUITE_P(All, ExportLosses, ::testing::ValuesIn(evaluable_plans()),
                         [](const auto &given) { return test_name(given.param); });

} // namespace

TEST(ImportedFiles, come_back_from_their_own_target_as_they_went_there) {
    const std::pair<const char *, std::vector<const char *>> files[]{
        {"megatron", {"megatron.sh", "megatron.yaml"}},
        {"megatron-bridge", {"bridge.yaml", "nemo.yaml"}},
        {"torchtitan", {"torchtitan.toml", "torchtitan.sh", "torchtitan_main.json", "torchtitan_diloco.toml"}},
        {"deepspeed", {"megatron_deepspeed.sh", "deepspeed.json", "deepspeed_auto.json"}},
        {"nanotron", {"nanotron.yaml"}},
        {"accelerate", {"accelerate.yaml", "trainer.sh", "trainer.yaml"}}};
    for (const auto &[id, names] : files)
        for (const char *const name : names) {
            SCOPED_TRACE(name);
            const auto target =
                std::find_if(std::begin(readable_targets), std::end(readable_targets),
                             [wanted = std::string_view(id)](const ReadableTarget &each) { return each.id == wanted; });
            const Plan plan = read_plan(import_texts({example(name)}).document, shipped_presets()).plan;
            const auto trip = trip_to(plan, *target);
            ASSERT_TRUE(trip);
            expect_losses_said(plan, *trip, *target);
            // What the target runs it runs again.
            const auto second = trip_to(trip->back, *target);
            ASSERT_TRUE(second);
            EXPECT_EQ(changed_fields(trip->back, second->back, *target), std::set<std::string>());
        }
}

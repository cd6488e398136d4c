// SPDX-License-Identifier: GPL-3.0-or-later
// The comment at the top of exported files lists exactly what a plan loses when it is written for a target and read
// back.
#include "catalog/weights.h"
#include "cost/placement.h"
#include "evaluate/evaluate.h"
#include "imported_plan.h"
#include "launch/exporters.h"
#include "launch/model_shape.h"
#include "launch/rank_order.h"
#include "launch/torchtitan_target.h"
#include "plan/plan_json.h"
#include "plan/valid_values.h"
#include "quantities/text.h"
#include "random_plans.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>

using namespace meshwright;
using meshwright::testing_launch::example;
using meshwright::testing_launch::import_texts;

namespace {

/// A target whose files can be imported, with the files that describe the plan.
struct ReadableTarget {
    const char *id;
    std::vector<const char *> files;
    bool maps_ranks = true; ///< run.sbatch assigns ranks to accelerators in the plan's order
};
const ReadableTarget readable_targets[]{{"megatron", {"train.sh"}},
                                        {"megatron-bridge", {"overrides.yaml", "train.sh"}},
                                        {"torchtitan", {"train.toml", "train.sh", "meshwright_model.py"}},
                                        {"deepspeed", {"train.sh", "ds_config.json"}, false},
                                        {"nanotron", {"config.yaml", "train.sh"}},
                                        {"accelerate", {"train.sh", "accelerate.yaml"}, false}};

Recompute in_effect(Recompute recompute) {
    if (recompute.mode != RecomputeMode::layers)
        recompute.layers = 0;
    if (recompute.mode != RecomputeMode::modules)
        recompute.modules.clear();
    if (recompute.mode == RecomputeMode::modules && recompute.modules == std::vector<std::string>{"core_attn"})
        recompute = {.mode = RecomputeMode::selective};
    return recompute;
}

template <typename Compare>
void compare_outer_loops(const Plan &left, const Plan &back, const Compare &compare) {
    const Outer &a = left.outer;
    const Outer &b = back.outer;
    compare("/outer/method", a.method == b.method);
    compare("/outer/inner_steps", a.inner_steps == b.inner_steps);
    compare("/outer/fragments", a.fragments == b.fragments);
    compare("/outer/overlap_steps", a.overlap_steps == b.overlap_steps);
    compare("/outer/up/bits", a.up.bits == b.up.bits);
    compare("/outer/up/density", a.up.density == b.up.density);
    compare("/outer/up/index", a.up.index == b.up.index);
    compare("/outer/up/scale_bits", a.up.scale_bits == b.up.scale_bits);
    compare("/outer/down/bits", a.down.bits == b.down.bits);
    compare("/outer/down/density", a.down.density == b.down.density);
    compare("/outer/down/index", a.down.index == b.down.index);
    compare("/outer/down/scale_bits", a.down.scale_bits == b.down.scale_bits);
    compare("/outer/error_feedback", a.error_feedback == b.error_feedback);
    compare("/outer/quorum", a.quorum == b.quorum);
    compare("/outer/pattern", a.fragments == 1 || a.pattern == b.pattern);
    compare("/outer/late_updates", a.late_updates == b.late_updates);
    compare("/outer/release", a.release == b.release);
    compare("/outer/steps_by_speed", a.steps_by_speed == b.steps_by_speed);
    compare("/aggregation", left.aggregation.topology == back.aggregation.topology);
}

/// Pointers of the fields in which the reimported plan differs from the exported plan.
std::set<std::string> changed_fields(const Plan &left, const Plan &back, const ReadableTarget &target) {
    std::set<std::string> changed;
    const auto compare = [&](const char *field, bool same) {
        if (!same)
            changed.insert(field);
    };
    const Parallelism &a = left.parallelism;
    const Parallelism &b = back.parallelism;
    compare("/parallelism/tensor", a.tensor == b.tensor);
    compare("/parallelism/context", a.context == b.context);
    compare("/parallelism/pipeline", a.pipeline == b.pipeline);
    compare("/parallelism/expert", a.expert == b.expert);
    compare("/parallelism/data", a.data == b.data);
    compare("/cluster/sites", left.cluster.sites == back.cluster.sites);
    compare("/parallelism/sequence_parallel", a.tensor == 1 || a.sequence_parallel == b.sequence_parallel);
    compare("/parallelism/expert_tensor", a.expert == 1 || a.expert_tensor == b.expert_tensor);
    if (a.pipeline > 1) {
        compare("/parallelism/schedule", a.schedule == b.schedule);
        compare("/parallelism/chunks", a.chunks == b.chunks);
        compare("/parallelism/layout", a.chunks != b.chunks || stage_layers(left) == stage_layers(back));
        compare("/parallelism/group",
                a.chunks == 1 || a.schedule != b.schedule || !definition_of(a.schedule).takes_groups
                    || interleaving_group(left) == interleaving_group(back));
    }
    compare("/parallelism/zero_stage", a.zero_stage == b.zero_stage);
    if (a.data * a.context > 1)
        compare("/parallelism/shard_group",
                a.zero_stage == 0 || b.zero_stage == 0 || shard_groups_of(left).dense == shard_groups_of(back).dense);
    compare("/parallelism/placement", target.maps_ranks || is_in_order(rank_digits(left, back)));
    compare("/batch/micro_sequences", left.batch.micro_sequences == back.batch.micro_sequences);
    compare("/batch/global_sequences", left.batch.global_sequences == back.batch.global_sequences);
    compare("/batch/sequence_length", left.batch.sequence_length == back.batch.sequence_length);
    const double step =
        static_cast<double>(back.cluster.sites * left.batch.global_sequences * left.batch.sequence_length);
    compare("/run/tokens", std::abs(left.run.tokens - back.run.tokens) <= step);
    const Recompute recomputed = in_effect(left.recompute);
    const Recompute again = in_effect(back.recompute);
    compare("/recompute/mode", recomputed.mode == again.mode);
    compare("/recompute/layers", recomputed.mode != again.mode || recomputed.layers == again.layers);
    compare("/recompute/modules", recomputed.mode != again.mode || recomputed.modules == again.modules);
    compare("/optimizer/name", left.optimizer.kind == back.optimizer.kind);
    compare("/offload/optimizer", left.offload.optimizer == back.offload.optimizer);
    compare("/offload/activations", left.offload.activations == back.offload.activations);
    compare("/precision/compute", left.precision.compute == back.precision.compute);
    compare("/precision/weights", left.precision.weights == back.precision.weights);
    compare("/precision/gradients", left.precision.gradients == back.precision.gradients);
    compare("/precision/master", left.precision.master == back.precision.master);
    compare("/precision/moments", left.precision.moments == back.precision.moments);
    compare("/model", parameters_of(left.model).total == parameters_of(back.model).total);
    compare("/model/longest_sequence",
            left.model.longest_sequence == 0 || left.model.longest_sequence == back.model.longest_sequence);
    compare("/stack", left.stack_id == back.stack_id);
    compare("/outer", left.outer.method == OuterMethod::none || back.outer.method != OuterMethod::none);
    if (back.outer.method != OuterMethod::none)
        compare_outer_loops(left, back, compare);
    compare("/cluster/accelerators_per_node",
            left.site_accelerators() % left.cluster.accelerators_per_node != 0
                || left.cluster.accelerators_per_node == back.cluster.accelerators_per_node);
    return changed;
}

struct Trip {
    Plan back;
    std::vector<Loss> lost;
    std::string script; ///< text of the first file, with the prediction at its top
};

/// Exports a plan to a target and imports the files. Returns nothing if the target rejects one of the plan's degrees.
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
    return Trip{.back = read_plan(import_texts(files).document, shipped_presets()).plan,
                .lost = written.lost,
                .script = files.front().text};
}

void expect_losses_said(const Plan &plan, const Trip &trip, const ReadableTarget &target) {
    const nlohmann::ordered_json document = to_json(plan);
    std::set<std::string> said;
    std::string head;
    for (const Loss &loss : trip.lost) {
        head += "\n" + loss.sentence;
        EXPECT_FALSE(loss.fields.empty()) << target.id << " lists a loss without a field: " << loss.sentence;
        said.insert(loss.fields.begin(), loss.fields.end());
    }
    for (const std::string &field : said)
        EXPECT_TRUE(document.contains(nlohmann::ordered_json::json_pointer(field).parent_pointer()))
            << target.id << " lists " << field << ", which is not a field of the plan, in its comment:" << head;
    const std::set<std::string> changed = changed_fields(plan, trip.back, target);
    std::set<std::string> unsaid;
    std::set_difference(changed.begin(), changed.end(), said.begin(), said.end(), std::inserter(unsaid, unsaid.end()));
    EXPECT_EQ(unsaid, std::set<std::string>()) << target.id << "; its head:" << head;
}

const ReadableTarget &target_named(std::string_view id) {
    return *std::find_if(std::begin(readable_targets), std::end(readable_targets),
                         [id](const ReadableTarget &each) { return each.id == id; });
}

/// A plan of one data-parallel rank.
Plan one_replica(int tensor, int stage) {
    return plan_of({{"schema", "meshwright.plan/1"},
                    {"cluster",
                     {{"accelerator", "h100-sxm-80gb"},
                      {"accelerators_per_node", tensor},
                      {"tiers",
                       nlohmann::ordered_json::array({{{"name", "nvlink"},
                                                       {"accelerators", tensor},
                                                       {"bandwidth_bytes_per_second", 450e9},
                                                       {"latency_seconds", 3e-6}}})}}},
                    {"model", "llama-3.1-8b"},
                    {"stack", "deepspeed-2023"},
                    {"parallelism", {{"tensor", tensor}, {"data", 1}, {"zero_stage", stage}}},
                    {"batch", {{"sequence_length", 4096}, {"micro_sequences", 1}, {"global_sequences", 1}}}});
}

class ExportLosses : public ::testing::TestWithParam<std::string> { };

TEST_P(ExportLosses, are_said_before_the_plan_leaves) {
    const Plan plan = preset_plan(GetParam().c_str());
    for (const ReadableTarget &target : readable_targets)
        if (const auto trip = trip_to(plan, target))
            expect_losses_said(plan, *trip, target);
}

class ExportPredictions : public ::testing::TestWithParam<std::string> { };

TEST_P(ExportPredictions, are_of_the_run_that_the_files_start) {
    const Plan plan = preset_plan(GetParam().c_str());
    for (const ReadableTarget &target : readable_targets) {
        const auto trip = trip_to(plan, target);
        if (!trip || trip->lost.empty())
            continue;
        SCOPED_TRACE(target.id);
        Plan run = trip->back;
        const std::int64_t sites = run.cluster.sites;
        run.cluster = plan.cluster; // files do not describe the network
        run.cluster.sites = sites;
        const Result result = evaluate(run, Depth::executed);
        const std::string step = text_of(result.step.seconds, Quantity::seconds);
        EXPECT_NE(trip->script.find("Predicted: " + step + " per step"), std::string::npos)
            << step << "\n"
            << trip->script.substr(0, trip->script.find("\n\n"));
        EXPECT_EQ(trip->script.find("This run does not fit") == std::string::npos, result.verdict.fits);
    }
}

INSTANTIATE_TEST_SUITE_P(All, ExportPredictions, ::testing::ValuesIn(evaluable_plans()),
                         [](const auto &given) { return test_name(given.param); });

INSTANTIATE_TEST_SUITE_P(All, ExportLosses, ::testing::ValuesIn(evaluable_plans()),
                         [](const auto &given) { return test_name(given.param); });

} // namespace

TEST(ExportedModels, keep_which_layers_slide_and_which_have_gated_delta_net) {
    for (const char *const model : {"gpt-oss-120b", "gemma-3-27b", "qwen3-next-80b-a3b"})
        for (const ReadableTarget &target : {readable_targets[0], readable_targets[1]}) {
            SCOPED_TRACE(std::string(model) + " to " + target.id);
            const nlohmann::ordered_json document{
                {"schema", "meshwright.plan/1"}, {"cluster", "dgx-h100"}, {"model", model}};
            const Plan plan = read_plan(document, shipped_presets()).plan;
            const auto trip = trip_to(plan, target);
            ASSERT_TRUE(trip);
            const ModelShape left = shape_of(plan.model).shape;
            const ModelShape back = shape_of(trip->back.model).shape;
            EXPECT_EQ(back.window, left.window);
            EXPECT_EQ(back.windowed, left.windowed);
            EXPECT_EQ(back.has_delta_net, left.has_delta_net);
            EXPECT_EQ(back.delta_net, left.delta_net);
            EXPECT_FALSE(left.windowed.empty() && left.has_delta_net.empty());
        }
}

// The table of flavors also has those of torchtitan's main branch, which v0.2.2 does not know.
TEST(ExportedModels, of_torchtitan_have_flavors_that_its_release_has) {
    const std::tuple<const char *, const char *, const char *> models[]{
        {"llama-3.1-8b", "llama3", "8B"},
        {"llama-3.2-1b", "qwen3", "meshwright"}, // main: llama3 1B, with tied embeddings
        {"qwen3.5-27b", "qwen3", "meshwright"}, // main: qwen3_5 27B
        {"kimi-k2.5", "deepseek_v3", "meshwright"}}; // main: kimi_k2_7 Kimi-K2.5
    for (const auto &[model, family, flavor] : models) {
        SCOPED_TRACE(model);
        const nlohmann::ordered_json document{
            {"schema", "meshwright.plan/1"}, {"cluster", "dgx-h100"}, {"model", model}};
        const Plan plan = read_plan(document, shipped_presets()).plan;
        const TorchtitanTarget target = torchtitan_target(plan, shipped_presets());
        EXPECT_EQ(target.model, family);
        EXPECT_EQ(target.flavor, flavor);
        const auto trip = trip_to(plan, target_named("torchtitan"));
        ASSERT_TRUE(trip);
        expect_losses_said(plan, *trip, target_named("torchtitan"));
    }
}

// models/*/infra/parallelize.py of torchtitan v0.2.2: qwen3 applies FSDP only if it shards, the others also with
// experts.
TEST(ExportedModels, of_torchtitan_have_no_expert_parallelism_without_fsdp) {
    const auto planned = [](const char *model) {
        nlohmann::ordered_json document = to_json(one_replica(4, 0));
        document["model"] = model;
        document["stack"] = "torchtitan-2024";
        document["parallelism"]["sequence_parallel"] = true;
        document["parallelism"]["expert"] = 4;
        document["parallelism"]["expert_tensor"] = 1;
        return plan_of(document);
    };
    EXPECT_THROW(torchtitan_target(planned("deepseek-v2"), shipped_presets()), InputError);
    const TorchtitanTarget target = torchtitan_target(planned("qwen3-vl-30b-a3b"), shipped_presets());
    EXPECT_EQ(target.target.plan.precision.compute, DataType::fp32);
}

// torchtitan v0.2.2 cannot tie weights of different stages, and registers no pipeline parallelism for qwen3.
TEST(ExportedModels, of_torchtitan_run_in_stages) {
    const auto planned = [](const char *model, int pipeline) {
        const nlohmann::ordered_json document{{"schema", "meshwright.plan/1"},
                                              {"cluster", "dgx-h100"},
                                              {"model", model},
                                              {"parallelism", {{"pipeline", pipeline}}}};
        return read_plan(document, shipped_presets()).plan;
    };
    const auto separates_head = [](const TorchtitanTarget &target) {
        return std::any_of(target.target.lost.begin(), target.target.lost.end(), [](const Loss &loss) {
            return loss.sentence.find("tied embeddings") != std::string::npos
                && loss.fields == std::vector<std::string>{"/model"};
        });
    };
    for (const Plan &plan : {planned("qwen3-1.7b", 2), planned("qwen3-8b", 2), preset_plan("gpt3-175b-1k")}) {
        SCOPED_TRACE(plan.model.name);
        ASSERT_GT(plan.parallelism.pipeline, 1);
        const TorchtitanTarget target = torchtitan_target(plan, shipped_presets());
        EXPECT_TRUE(target.is_own_flavor());
        EXPECT_FALSE(target.target.shape.tied_embeddings);
        EXPECT_EQ(separates_head(target), plan.model.tied_embeddings);
        EXPECT_EQ(target.registers_pipeline(), target.model == "qwen3");
        const auto trip = trip_to(plan, target_named("torchtitan"));
        ASSERT_TRUE(trip);
        expect_losses_said(plan, *trip, target_named("torchtitan"));
        EXPECT_FALSE(trip->back.model.tied_embeddings);
    }
    EXPECT_EQ(torchtitan_target(preset_plan("gpt3-175b-1k"), shipped_presets()).model, "llama3");
    const TorchtitanTarget whole = torchtitan_target(planned("qwen3-1.7b", 1), shipped_presets());
    EXPECT_EQ(whole.flavor, "1.7B");
    EXPECT_FALSE(separates_head(whole));
    const LaunchExport written =
        export_target("torchtitan")->write(evaluate(planned("qwen3-1.7b", 2), Depth::closed_forms), shipped_presets());
    const auto file = std::find_if(written.files.begin(), written.files.end(),
                                   [](const ExportFile &each) { return each.name == "meshwright_model.py"; });
    ASSERT_NE(file, written.files.end());
    EXPECT_NE(file->text().find("register_train_spec(\"qwen3\", replace(get_train_spec(\"qwen3\"), "
                                "pipelining_fn=pipeline_llm))"),
              std::string::npos)
        << file->text();
}

// torchtitan v0.2.2 fails at the start if DualPipeV overlaps expert communication and layers are recomputed.
TEST(ExportedPipelines, of_torchtitan_overlap_expert_communication_only_without_recomputation) {
    const auto overlap_is_off = [](const char *recompute, const char *schedule) {
        const nlohmann::ordered_json document{
            {"schema", "meshwright.plan/1"},
            {"cluster", "dgx-h100"},
            {"model", "deepseek-v3"},
            {"stack", "torchtitan-2024"},
            {"parallelism", {{"pipeline", 16}, {"chunks", 2}, {"schedule", schedule}, {"expert", 32}}},
            {"batch", {{"sequence_length", 4096}, {"global_sequences", 2048}, {"micro_sequences", 1}}},
            {"recompute", {{"mode", recompute}}}};
        const Result result = evaluate(plan_of(document), Depth::closed_forms);
        const LaunchExport written = export_target("torchtitan")->write(result, shipped_presets());
        const bool said = std::any_of(written.lost.begin(), written.lost.end(), [](const Loss &loss) {
            return loss.sentence.find("overlaps expert communication") != std::string::npos;
        });
        const bool stated =
            written.files.front().text().find("pipeline_parallel_expert_parallel_overlap = false") != std::string::npos;
        EXPECT_EQ(said, stated);
        return stated;
    };
    EXPECT_TRUE(overlap_is_off("full", "dualpipe-v"));
    EXPECT_FALSE(overlap_is_off("none", "dualpipe-v"));
    EXPECT_FALSE(overlap_is_off("full", "interleaved"));
}

// BLOOM counts the embedding and the head as layers. Megatron-DeepSpeed counts only transformer layers
// (partition_method='type:transformer' in megatron/model/gpt_model.py).
TEST(ExportedPipelines, of_megatron_deepspeed_name_the_layout_that_it_cannot_express) {
    const auto trip = trip_to(preset_plan("bloom-176b"), target_named("deepspeed"));
    ASSERT_TRUE(trip);
    EXPECT_TRUE(std::any_of(trip->lost.begin(), trip->lost.end(), [](const Loss &loss) {
        return std::find(loss.fields.begin(), loss.fields.end(), "/parallelism/layout") != loss.fields.end();
    }));
}

TEST(ExportedPipelines, keep_zero_bubble_on_megatron_deepspeed_without_sequence_parallelism) {
    nlohmann::ordered_json document = shipped_presets().json(PresetKind::plan, "mt-nlg-530b");
    document["stack"] = "megatron-deepspeed-2024";
    document["parallelism"]["schedule"] = "zb-h1";
    document["parallelism"]["sequence_parallel"] = false;
    const Plan plan = plan_of(document);
    const ReadableTarget &target = target_named("deepspeed");
    const auto trip = trip_to(plan, target);
    ASSERT_TRUE(trip);
    expect_losses_said(plan, *trip, target);
    EXPECT_EQ(trip->back.parallelism.schedule, plan.parallelism.schedule);
    EXPECT_EQ(trip->back.stack_id, "megatron-deepspeed-2024");
    document["parallelism"]["sequence_parallel"] = true;
    const auto sharded = trip_to(plan_of(document), target);
    ASSERT_TRUE(sharded);
    EXPECT_FALSE(sharded->back.parallelism.sequence_parallel);
    EXPECT_TRUE(std::any_of(sharded->lost.begin(), sharded->lost.end(), [](const Loss &loss) {
        return loss.sentence
            == "Megatron-DeepSpeed with ZB-H1 does not support sequence parallelism; instead: sequence parallelism is "
               "off.";
    }));
}

TEST(ExportedPlans, of_one_data_parallel_rank_keep_their_stage_or_name_another) {
    for (const int tensor : {1, 8})
        for (const int stage : {0, 1, 2, 3})
            for (const ReadableTarget &target : readable_targets) {
                SCOPED_TRACE(std::to_string(stage) + " on " + std::to_string(tensor) + " to " + target.id);
                const Plan plan = one_replica(tensor, stage);
                const auto trip = trip_to(plan, target);
                ASSERT_TRUE(trip);
                expect_losses_said(plan, *trip, target);
            }
    const auto stage_after = [](const char *id) {
        return trip_to(one_replica(1, 3), target_named(id))->back.parallelism.zero_stage;
    };
    EXPECT_EQ(stage_after("deepspeed"), 3);
    EXPECT_EQ(stage_after("torchtitan"), 0);
    EXPECT_EQ(stage_after("nanotron"), 1);
}

// torchtitan v0.2.2 disables mixed precision there (maybe_enable_amp() in distributed/utils.py).
TEST(ExportedPlans, of_torchtitan_are_in_fp32_with_tensor_parallelism_but_without_fsdp) {
    const auto compute_after = [](int tensor) {
        return trip_to(one_replica(tensor, 0), target_named("torchtitan"))->back.precision.compute;
    };
    EXPECT_EQ(compute_after(8), DataType::fp32);
    EXPECT_EQ(compute_after(1), DataType::bf16);
    Plan plan = one_replica(8, 0);
    plan.precision = {.compute = DataType::fp8,
                      .weights = DataType::fp32,
                      .gradients = DataType::fp32,
                      .master = DataType::none,
                      .moments = DataType::fp32};
    const auto trip = trip_to(plan, target_named("torchtitan"));
    ASSERT_TRUE(trip);
    expect_losses_said(plan, *trip, target_named("torchtitan"));
    EXPECT_EQ(trip->back.precision.compute, DataType::fp8);
    EXPECT_EQ(trip->back.precision.weights, DataType::fp32);
}

TEST(ExportedPlans, name_the_optimizer_that_a_target_does_not_support) {
    for (const ReadableTarget &target : readable_targets) {
        SCOPED_TRACE(target.id);
        const Plan plan =
            plan_of({{"schema", "meshwright.plan/1"},
                     {"cluster", "dgx-h100"},
                     {"model", "llama-3.1-8b"},
                     {"optimizer", {{"name", target.id == std::string_view("accelerate") ? "muon" : "adafactor"}}}});
        const auto trip = trip_to(plan, target);
        ASSERT_TRUE(trip);
        expect_losses_said(plan, *trip, target);
        EXPECT_EQ(trip->back.optimizer.kind, OptimizerKind::adamw);
        EXPECT_EQ(
            std::count_if(trip->lost.begin(), trip->lost.end(),
                          [](const Loss &loss) { return loss.fields == std::vector<std::string>{"/optimizer/name"}; }),
            1);
    }
}

// Megatron reduces gradients in the format of FP16 weights (megatron/training/arguments.py).
TEST(ExportedPrecision, of_megatron_keeps_gradients_in_fp16) {
    for (const char *const id : {"megatron", "megatron-bridge"})
        for (const char *const gradients : {"fp16", "fp32"}) {
            SCOPED_TRACE(std::string(gradients) + " to " + id);
            nlohmann::ordered_json document = shipped_presets().json(PresetKind::plan, "pretrain-8b");
            document["precision"] = {
                {"compute", "fp16"}, {"weights", "fp16"}, {"gradients", gradients}, {"master", "fp32"}};
            const Plan plan = plan_of(document);
            const auto trip = trip_to(plan, target_named(id));
            ASSERT_TRUE(trip);
            expect_losses_said(plan, *trip, target_named(id));
            EXPECT_EQ(trip->back.precision.gradients, plan.precision.gradients);
        }
}

TEST(ImportedFiles, come_back_from_their_own_target_as_they_went_there) {
    const std::pair<const char *, std::vector<const char *>> files[]{
        {"megatron", {"megatron.sh", "megatron.yaml"}},
        {"megatron-bridge", {"bridge.yaml", "nemo.yaml"}},
        {"torchtitan", {"torchtitan.toml", "torchtitan.sh", "torchtitan_main.json", "torchtitan_diloco.toml"}},
        {"deepspeed", {"megatron_deepspeed.sh", "deepspeed.json", "deepspeed_auto.json"}},
        {"nanotron", {"nanotron.yaml"}},
        {"accelerate", {"accelerate.yaml", "accelerate_deepspeed.yaml", "trainer.sh", "trainer.yaml"}}};
    for (const auto &[id, names] : files)
        for (const char *const name : names) {
            SCOPED_TRACE(name);
            const ReadableTarget &target = target_named(id);
            const Plan plan = read_plan(import_texts({example(name)}).document, shipped_presets()).plan;
            const auto trip = trip_to(plan, target);
            ASSERT_TRUE(trip);
            expect_losses_said(plan, *trip, target);
            // A second export and import changes nothing.
            const auto second = trip_to(trip->back, target);
            ASSERT_TRUE(second);
            EXPECT_EQ(changed_fields(trip->back, second->back, target), std::set<std::string>());
        }
}

TEST(ImportedFiles, of_accelerate_with_deepspeed_come_back_as_they_were) {
    const ReadableTarget &target = target_named("accelerate");
    const Plan plan = read_plan(import_texts({example("accelerate_deepspeed.yaml")}).document, shipped_presets()).plan;
    const auto trip = trip_to(plan, target);
    ASSERT_TRUE(trip);
    EXPECT_EQ(trip->lost.size(), 0u);
    EXPECT_EQ(changed_fields(plan, trip->back, target), std::set<std::string>());
    EXPECT_EQ(trip->back.stack_id, "deepspeed-2023");
    EXPECT_EQ(trip->back.precision.gradients, DataType::bf16);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Files written for a target are imported as the plan that the target runs.
#include "catalog/weights.h"
#include "cost/placement.h"
#include "evaluate/evaluate.h"
#include "imported_plan.h"
#include "launch/accelerate_target.h"
#include "launch/deepspeed_target.h"
#include "launch/exporters.h"
#include "launch/megatron_target.h"
#include "launch/nanotron_target.h"
#include "launch/option_list.h"
#include "launch/rank_order.h"
#include "launch/torchtitan_target.h"
#include "plan/valid_values.h"
#include "random_plans.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <set>

using namespace meshwright;
using meshwright::testing_launch::faults_of;
using meshwright::testing_launch::import_texts;

namespace {

/// Whether the target's files describe a model by its sizes or by the name of a preset.
enum class ModelSaid { sizes, preset };

struct Expected {
    TargetPlan target;
    ModelSaid model = ModelSaid::sizes;
};

Expected megatron(const Plan &plan) {
    return {.target = megatron_target(plan, *shipped_presets().stack("megatron-core-2025"))};
}
Expected bridge(const Plan &plan) {
    return {.target = megatron_bridge_target(plan, *shipped_presets().stack("megatron-bridge-2025"))};
}
Expected torchtitan(const Plan &plan) {
    return {.target = torchtitan_target(plan, shipped_presets()).target};
}
Expected deepspeed(const Plan &plan) {
    return {.target = deepspeed_target(plan, shipped_presets())};
}
Expected nanotron(const Plan &plan) {
    return {.target = nanotron_target(plan, shipped_presets()).target};
}
Expected accelerate(const Plan &plan) {
    return {.target = accelerate_target(plan, shipped_presets()).target, .model = ModelSaid::preset};
}

struct RoundTrip {
    const char *id;
    Expected (*expected)(const Plan &plan);
    std::vector<const char *> read; ///< the files that describe the plan
};
const RoundTrip round_trips[]{{"megatron", megatron, {"train.sh"}},
                              {"megatron-bridge", bridge, {"overrides.yaml"}},
                              {"torchtitan", torchtitan, {"train.toml", "meshwright_model.py"}},
                              {"deepspeed", deepspeed, {"train.sh", "ds_config.json"}},
                              {"nanotron", nanotron, {"config.yaml"}},
                              {"accelerate", accelerate, {"train.sh", "accelerate.yaml"}}};

std::vector<LaunchFile> files_of(const LaunchExport &written, const RoundTrip &trip) {
    std::vector<LaunchFile> files;
    for (const char *name : trip.read)
        for (const ExportFile &file : written.files)
            if (file.name == name)
                files.push_back({.name = file.name, .text = file.text()});
    return files;
}

/// Finds the fields in which the imported plan differs from the expected one.
class Differences {
public:
    Differences(const Expected &expected, const Plan &read)
        : m_expected(expected)
        , m_written(with_own_model(expected))
        , m_read(read) { }

    std::string find() {
        degrees();
        if (m_written.parallelism.pipeline > 1)
            stages();
        same("batch", m_written.batch == m_read.batch);
        same("precision", m_written.precision == m_read.precision);
        same("recompute", m_written.recompute == m_read.recompute);
        same("optimizer", m_written.optimizer.kind == m_read.optimizer.kind);
        same("offload", m_written.offload == m_read.offload);
        same("sites", m_written.cluster.sites == m_read.cluster.sites);
        same("outer", m_written.outer == m_read.outer);
        same("aggregation", m_written.aggregation == m_read.aggregation);
        const double step = static_cast<double>(m_written.cluster.sites * m_written.batch.global_sequences
                                                * m_written.batch.sequence_length);
        same("tokens", std::abs(m_written.run.tokens - m_read.run.tokens) <= std::max(step, 1.0));
        if (m_expected.model == ModelSaid::sizes)
            sizes();
        else if (m_expected.model == ModelSaid::preset && !m_written.model_id.empty())
            same("model", m_written.model_id == m_read.model_id);
        return m_found;
    }

private:
    /// Returns the plan with the model that the target's files describe, because some software balances its stages by
    /// it.
    static Plan with_own_model(const Expected &expected) {
        Plan plan = expected.target.plan;
        OptionList options{{}};
        const TargetPlan &target = expected.target;
        if (expected.model == ModelSaid::sizes)
            plan.model = target.hybrid ? *hybrid_model_of(*target.hybrid, target.shape, "written", options)
                                       : *model_of(target.shape, "written", options);
        return plan;
    }

    void same(const char *field, bool is_same) { m_found += is_same ? "" : std::string(field) + " "; }

    void degrees() {
        const Parallelism &written = m_written.parallelism;
        const Parallelism &read = m_read.parallelism;
        same("tensor", written.tensor == read.tensor);
        same("context", written.context == read.context);
        same("pipeline", written.pipeline == read.pipeline);
        same("data", written.data == read.data);
        same("sequence_parallel", written.tensor == 1 || written.sequence_parallel == read.sequence_parallel);
        same("zero_stage", written.zero_stage == read.zero_stage);
        if (m_expected.target.shape.experts.value_or(0) > 0 && m_expected.model == ModelSaid::sizes) {
            same("expert", written.expert == read.expert);
            same("expert_tensor", written.expert_tensor == read.expert_tensor);
        }
        if (written.zero_stage > 0)
            same("shard_group", shard_groups_of(m_written).dense == shard_groups_of(m_read).dense);
        same("placement", is_in_order(rank_digits(m_written, m_read)));
    }

    void stages() {
        same("schedule", m_written.parallelism.schedule == m_read.parallelism.schedule);
        same("chunks", m_written.parallelism.chunks == m_read.parallelism.chunks);
        if (m_expected.model == ModelSaid::sizes)
            same("layout", stage_layers(m_written) == stage_layers(m_read));
        if (m_written.parallelism.chunks > 1 && definition_of(m_written.parallelism.schedule).takes_groups)
            same("group", interleaving_group(m_written) == interleaving_group(m_read));
    }

    void sizes() {
        same("parameters", parameters_of(m_written.model) == parameters_of(m_read.model));
        const auto plain = [](const Model &model) {
            ModelShape shape = shape_of(model).shape;
            shape.longest_sequence.reset();
            return shape;
        };
        same("shape", plain(m_written.model) == plain(m_read.model));
    }

    const Expected &m_expected;
    const Plan m_written;
    const Plan &m_read;
    std::string m_found;
};

/// Exports a plan to a target and imports it. Returns the differences, or "" if there are none.
std::string round_trip(const Result &result, const RoundTrip &trip) {
    const LaunchExport written = export_target(trip.id)->write(result, shipped_presets());
    const Expected expected = trip.expected(result.plan);
    const Imported imported = import_texts(files_of(written, trip));
    Plan read = read_plan(imported.document, shipped_presets()).plan;
    std::string found = Differences(expected, read).find();
    if (!imported.faults.empty() && expected.model == ModelSaid::sizes)
        found += "faults: " + faults_of(imported);
    return found;
}

/// Returns the pointer of the field for which a target rejects a plan; empty if it accepts the plan.
std::string refusal(const Result &result, const char *target) {
    try {
        export_target(target)->write(result, shipped_presets());
        return {};
    } catch (const InputError &error) {
        return error.diagnostics().front().fields.front();
    }
}

const std::set<std::string> degrees{"/parallelism/tensor", "/parallelism/context", "/parallelism/pipeline",
                                    "/parallelism/expert"};

class ExportedPresets : public ::testing::TestWithParam<std::string> { };

TEST_P(ExportedPresets, are_read_back_as_the_target_runs_them) {
    const Result result = evaluate(preset_plan(GetParam().c_str()), Depth::numbers);
    for (const RoundTrip &trip : round_trips)
        if (const std::string refused = refusal(result, trip.id); refused.empty())
            EXPECT_EQ(round_trip(result, trip), "") << trip.id;
        else
            EXPECT_EQ(degrees.count(refused), 1) << trip.id << " refuses " << refused;
}

TEST_P(ExportedPresets, run_on_a_target_as_they_are_once_they_fit_it) {
    const Plan plan = preset_plan(GetParam().c_str());
    for (const RoundTrip &trip : round_trips) {
        Plan fitted;
        try {
            fitted = trip.expected(plan).target.plan;
        } catch (const InputError &) {
            continue;
        }
        const Plan again = trip.expected(fitted).target.plan;
        EXPECT_EQ(again.parallelism, fitted.parallelism) << trip.id;
        EXPECT_EQ(again.precision, fitted.precision) << trip.id;
        EXPECT_EQ(again.recompute, fitted.recompute) << trip.id;
        EXPECT_EQ(again.offload, fitted.offload) << trip.id;
    }
}

INSTANTIATE_TEST_SUITE_P(All, ExportedPresets, ::testing::ValuesIn(evaluable_plans()),
                         [](const auto &given) { return test_name(given.param); });

} // namespace

RC_GTEST_PROP(ExportedPlans, of_any_kind_are_read_back_as_the_target_runs_them, ()) {
    const Plan plan = plan_of(nlohmann::ordered_json::parse(random_document({})));
    const Result result = evaluate(plan, Depth::closed_forms);
    for (const RoundTrip &trip : round_trips)
        if (const std::string refused = refusal(result, trip.id); refused.empty())
            RC_ASSERT(std::string(trip.id) + ": " + round_trip(result, trip) == std::string(trip.id) + ": ");
        else
            RC_ASSERT(degrees.count(refused) == 1u);
}

TEST(ExportRefusals, name_the_degree_that_a_target_does_not_have) {
    const Result experts = evaluate(preset_plan("deepseek-v3"), Depth::closed_forms);
    EXPECT_EQ(refusal(experts, "nanotron"), "/parallelism/expert");
    EXPECT_EQ(refusal(experts, "accelerate"), "/parallelism/expert");
    EXPECT_EQ(refusal(experts, "megatron"), "");
    // 2,048 tokens are not divisible by twice the 12 tensor-parallel ranks.
    EXPECT_EQ(refusal(evaluate(preset_plan("palm-540b"), Depth::closed_forms), "torchtitan"), "/parallelism/tensor");
    // Megatron-DeepSpeed divides the KV heads, 1 in PaLM, among the tensor-parallel ranks.
    EXPECT_EQ(refusal(evaluate(preset_plan("palm-540b"), Depth::closed_forms), "deepspeed"), "/parallelism/tensor");
}

TEST(ExportRefusals, name_ulysses_with_tensor_or_pipeline_parallelism) {
    const auto refused = [](std::int64_t tensor, std::int64_t pipeline, std::int64_t context) {
        Plan plan = preset_plan("pretrain-70b-1k-design");
        const std::int64_t ranks =
            plan.parallelism.tensor * plan.parallelism.pipeline * plan.parallelism.context * plan.parallelism.data;
        plan.parallelism = {};
        plan.parallelism.tensor = tensor;
        plan.parallelism.pipeline = pipeline;
        plan.parallelism.context = context;
        plan.parallelism.data = ranks / (tensor * pipeline * context);
        return refusal(evaluate(plan, Depth::closed_forms), "deepspeed");
    };
    EXPECT_EQ(refused(2, 1, 2), "/parallelism/context");
    EXPECT_EQ(refused(1, 2, 2), "/parallelism/context");
    EXPECT_EQ(refused(1, 1, 2), "");
    EXPECT_EQ(refused(2, 2, 1), "");
}

TEST(ExportRefusals, name_the_pipeline_of_models_that_accelerate_does_not_give_to_megatron) {
    for (const char *const preset : {"bloom-176b", "falcon-180b", "nemotron-4-340b"})
        EXPECT_EQ(refusal(evaluate(preset_plan(preset), Depth::closed_forms), "accelerate"), "/parallelism/pipeline")
            << preset;
    // 95 layers in 8 stages.
    EXPECT_EQ(refusal(evaluate(preset_plan("deepseek-67b"), Depth::closed_forms), "accelerate"),
              "/parallelism/pipeline");
    EXPECT_EQ(refusal(evaluate(preset_plan("llama3-70b"), Depth::closed_forms), "accelerate"), "");
}

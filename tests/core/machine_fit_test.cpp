// SPDX-License-Identifier: GPL-3.0-or-later
#include "calibration/machine_preset.h"
#include "catalog/preset_file.h"
#include "evidence/prediction.h"
#include "input/diagnostic.h"
#include "input/json_document.h"
#include "plan/plan_json.h"
#include "random_plans.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck/gtest.h>

#include <cmath>

namespace meshwright {
namespace {

const std::vector<FreeParameter> &parameters() {
    static const std::vector<FreeParameter> shipped = read_free_parameters(
        read_json_file(std::filesystem::path(MESHWRIGHT_PRESETS) / "evidence" / "machine-parameters.json"),
        shipped_presets());
    return shipped;
}

/// Runs as a machine with these constants would measure them.
MachineRun run_on(const MeasuredConstants &machine, Plan plan, std::string name) {
    const Prediction predicted = predict(plan, 1, Assumptions(machine));
    return {.name = std::move(name),
            .plan = std::move(plan),
            .step_seconds = predicted.step_seconds,
            .peak_bytes = predicted.allocated_bytes,
            .memory_kind = MeasuredMemory::allocated};
}

Plan on_h100(std::int64_t tensor, std::int64_t micro) {
    Plan plan = preset_plan("pretrain-8b");
    plan.parallelism.context = 1;
    plan.recompute.mode = RecomputeMode::full;
    plan.parallelism.data = plan.site_accelerators() / tensor;
    plan.parallelism.tensor = tensor;
    plan.batch.micro_sequences = micro;
    return plan;
}

MachineRuns runs_on(const MeasuredConstants &machine) {
    return {{run_on(machine, on_h100(1, 1), "a"), run_on(machine, on_h100(2, 1), "b"),
             run_on(machine, on_h100(4, 1), "c"), run_on(machine, on_h100(8, 1), "d")},
            {}};
}

const FittedConstant *constant_of(const MachineFit &fit, const char *name) {
    for (const FittedConstant &fitted : fit.constants)
        if (fitted.constant->name == name)
            return &fitted;
    return nullptr;
}

TEST(MachineFit, LeavesARegularMachineAsItIs) {
    const MachineFit fit = fit_machine(runs_on({}), parameters());
    for (const FittedConstant &fitted : fit.constants)
        EXPECT_NEAR(fitted.after / fitted.before, 1, 1e-6) << fitted.constant->name;
    EXPECT_LT(fit.step.after.mean_absolute, 1e-6);
}

TEST(MachineFit, FindsTheSlowMultipliesOfAMachineTheBetterTheMoreRunsThereAre) {
    const double slow = find_constant("matrix-efficiency-hopper")->value * 0.85;
    MachineRuns runs = runs_on({{"matrix-efficiency-hopper", slow}});
    const MachineFit four = fit_machine(runs, parameters());
    for (const MachineRun &run : runs_on({{"matrix-efficiency-hopper", slow}}).runs)
        for (int copy = 0; copy < 3; ++copy)
            runs.runs.push_back(run);
    const MachineFit sixteen = fit_machine(runs, parameters());
    const FittedConstant *const little = constant_of(four, "matrix-efficiency-hopper");
    const FittedConstant *const much = constant_of(sixteen, "matrix-efficiency-hopper");
    ASSERT_TRUE(little != nullptr && much != nullptr);
    EXPECT_LT(little->after, little->before * 0.95);
    EXPECT_LT(much->after, little->after);
    EXPECT_GE(much->after, slow);
    EXPECT_EQ(much->determined(), Determined::well);
    EXPECT_GT(four.step.before.mean_absolute, 0.06);
    EXPECT_LT(four.step.after.mean_absolute, four.step.before.mean_absolute * 0.6);
    EXPECT_LT(sixteen.step.after.mean_absolute, four.step.after.mean_absolute);
    EXPECT_LT(four.step.left_out->mean_absolute, four.step.before.mean_absolute);
    EXPECT_EQ(four.carries_over(), true);
}

TEST(MachineFit, BelievesOneRunOnlyInPart) {
    MachineRun run = run_on({}, on_h100(4, 1), "a");
    *run.step_seconds *= 1.3;
    run.peak_bytes.reset();
    const MachineFit fit = fit_machine({{run}, {}}, parameters());
    const FittedFigure &step = *fit.runs.front().step;
    EXPECT_GT(step.after, step.before * 1.02);
    EXPECT_LT(step.after, step.measured * 0.98);
    EXPECT_FALSE(step.left_out);
    EXPECT_FALSE(fit.carries_over());
}

TEST(MachineFit, KeepsWhatTheRunsDoNotDetermine) {
    const MachineFit fit = fit_machine(runs_on({{"host-time-factor", 3}}), parameters());
    std::size_t kept = 0;
    for (const FittedConstant &fitted : fit.constants)
        if (fitted.determined() == Determined::hardly) {
            EXPECT_EQ(fitted.after, fitted.before) << fitted.constant->name;
            ++kept;
        }
    EXPECT_GT(kept, 0u);
    EXPECT_EQ(constant_of(fit, "matrix-efficiency-ampere"), nullptr);
    EXPECT_EQ(constant_of(fit, "grouped-matrix-factor"), nullptr);
}

RC_GTEST_PROP(MachineFit, StaysInEveryRangeAndFitsNoWorseAMachineThatIsSlowAllOver, ()) {
    MachineRuns runs = runs_on({});
    const int slower = *rc::gen::inRange(-20, 150);
    for (MachineRun &run : runs.runs)
        *run.step_seconds *= std::exp((slower + *rc::gen::inRange(-5, 5)) / 100.0);
    const MachineFit fit = fit_machine(runs, parameters());
    for (const FittedConstant &fitted : fit.constants) {
        RC_ASSERT(fitted.after >= fitted.constant->low);
        RC_ASSERT(fitted.after <= fitted.constant->high);
    }
    RC_ASSERT(fit.step.after.mean_absolute <= fit.step.before.mean_absolute + 0.02);
}

TEST(MachineFit, RefusesWhatNoMachineMeasures) {
    const auto refused = [](const MachineRuns &runs) {
        try {
            fit_machine(runs, parameters());
        } catch (const InputError &error) {
            return error.diagnostics().front().message;
        }
        return std::string();
    };
    const MachineRun run = run_on({}, on_h100(4, 1), "a");
    EXPECT_NE(refused({}).find("no run"), std::string::npos);
    MachineRun fast = run;
    fast.step_seconds = *run.step_seconds / 100;
    EXPECT_NE(refused({{fast}, {}}).find("peak"), std::string::npos);
    MachineRun full = run;
    full.peak_bytes = 1e12;
    EXPECT_NE(refused({{full}, {}}).find("more than the accelerator"), std::string::npos);
    MachineRun empty = run;
    empty.step_seconds.reset();
    empty.peak_bytes.reset();
    EXPECT_NE(refused({{empty}, {}}).find("neither"), std::string::npos);
    MachineRun other = run;
    other.plan.cluster.accelerator = *shipped_presets().accelerator("a100-sxm-80gb");
    EXPECT_NE(refused({{run, other}, {}}).find("ran on"), std::string::npos);
}

TEST(MachineFit, StopsWhenAskedTo) {
    std::stop_source source;
    source.request_stop();
    EXPECT_TRUE(fit_machine(runs_on({}), parameters(), source.get_token()).constants.empty());
}

TEST(MachinePreset, PredictsTheFittedFigures) {
    const double slow = find_constant("matrix-efficiency-hopper")->value * 0.85;
    const MachineRuns runs = runs_on({{"matrix-efficiency-hopper", slow}, {"host-time-factor", 2}});
    const MachineFit fit = fit_machine(runs, parameters());
    const Plan &measured = runs.runs.front().plan;
    nlohmann::ordered_json document = to_json(measured);
    document["cluster"] = fitted_cluster(measured.cluster, fit, {.id = "mine", .name = "Mine"});
    const Plan plan = plan_from_json(document, shipped_presets());
    EXPECT_EQ(plan.assumptions, fit.moved());
    EXPECT_TRUE(plan.own_assumptions().empty());
    EXPECT_NEAR(predict(plan, 1, Assumptions(plan.assumptions)).step_seconds, fit.runs.front().step->after, 1e-9);
    EXPECT_EQ(plan_from_json(to_json(plan), shipped_presets()).assumptions, plan.assumptions);
}

TEST(MachinePreset, OfAnAcceleratorHasTheDevicesOwnConstants) {
    const MachineFit fit =
        fit_machine(runs_on({{"matrix-efficiency-hopper", 0.55}, {"network-efficiency", 0.4}, {"host-time-factor", 3}}),
                    parameters());
    const auto preset =
        fitted_accelerator(*shipped_presets().accelerator("h100-sxm-80gb"), fit, {.id = "mine", .name = "Mine"});
    EXPECT_TRUE(preset.at("constants").contains("matrix-efficiency-hopper"));
    EXPECT_FALSE(preset.at("constants").contains("host-time-factor"));
}

TEST(MeasuredConstants, YieldToThePlansOwn) {
    nlohmann::ordered_json document = to_json(preset_plan("pretrain-8b"));
    document["cluster"]["constants"] = {{"link-efficiency", 0.6}, {"kernel-gap", 5e-6}};
    document["assumptions"] = {{"link-efficiency", 0.9}};
    const Plan plan = plan_from_json(document, shipped_presets());
    EXPECT_EQ(plan.assumptions.at("link-efficiency"), 0.9);
    EXPECT_EQ(plan.assumptions.at("kernel-gap"), 5e-6);
    EXPECT_EQ(plan.own_assumptions(), (std::map<std::string, double>{{"link-efficiency", 0.9}}));
    document["cluster"]["constants"] = {{"link-efficiency", 7}};
    EXPECT_THROW(plan_from_json(document, shipped_presets()), InputError);
    document["cluster"]["constants"] = {{"no-such-constant", 7}};
    EXPECT_THROW(plan_from_json(document, shipped_presets()), InputError);
}

} // namespace
} // namespace meshwright

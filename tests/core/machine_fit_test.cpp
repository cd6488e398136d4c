// SPDX-License-Identifier: GPL-3.0-or-later
#include "calibration/machine_preset.h"
#include "catalog/preset_file.h"
#include "evidence/error_statistics.h"
#include "evidence/similar_runs.h"
#include "input/diagnostic.h"
#include "input/field_reader.h"
#include "input/json_document.h"
#include "plan/plan_json.h"
#include "random_plans.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

namespace meshwright {
namespace {

const std::vector<FreeParameter> &parameters() {
    static const std::vector<FreeParameter> shipped = read_free_parameters(
        read_json_file(std::filesystem::path(MESHWRIGHT_PRESETS) / "evidence" / "machine-parameters.json"),
        shipped_presets());
    return shipped;
}

/// Runs as measured on a machine with these constants.
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
            return error.diagnostics().front().message.text;
        }
        return std::string();
    };
    const MachineRun run = run_on({}, on_h100(4, 1), "a");
    EXPECT_NE(refused({}).find("no usable run"), std::string::npos);
    MachineRun fast = run;
    fast.step_seconds = *run.step_seconds / 100;
    EXPECT_NE(refused({{fast}, {}}).find("peak"), std::string::npos);
    MachineRun full = run;
    full.peak_bytes = 1e12;
    EXPECT_NE(refused({{full}, {}}).find("exceeds the accelerator"), std::string::npos);
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

/// Runs of the same machine narrow the interval of the next plan more than runs of other machines do, if the fit
/// reproduces them to a few percent.
TEST(MachinePreset, NarrowsTheIntervalsOfPlansOnItsMachine) {
    const MachineRuns runs = runs_on({{"matrix-efficiency-hopper", 0.55}, {"host-time-factor", 2}});
    const MachineFit fit = fit_machine(runs, parameters());
    Plan plan = runs.runs.front().plan;
    plan.stack = *shipped_presets().stack(plan.stack_id);
    const auto known = KnownRuns::standard();
    const IntervalFactors before = known->step_interval(plan);
    EXPECT_EQ(before.low, known->step_interval(features_of(plan)).low);
    nlohmann::ordered_json document = to_json(plan);
    document["cluster"] = fitted_cluster(plan.cluster, fit, {.id = "mine", .name = "Mine"});
    const Plan own = plan_from_json(document, shipped_presets());
    ASSERT_EQ(own.cluster.own_runs.size(), fit.runs.size());
    for (std::size_t i = 0; i < fit.runs.size(); ++i) {
        EXPECT_EQ(own.cluster.own_runs[i].shape, shape_of(runs.runs[i].plan));
        EXPECT_EQ(own.cluster.own_runs[i].step->predicted, *fit.runs[i].step->left_out);
    }
    const IntervalFactors after = known->step_interval(own);
    EXPECT_LT(after.high / after.low, 0.9 * before.high / before.low);
    EXPECT_EQ(known->nearest(own, 10).front().id, fit.runs.front().name);
    Plan moved = own;
    moved.cluster.accelerator.architecture = "ampere"; // the measured machine has another architecture
    EXPECT_NE(known->nearest(moved, 10).front().id, fit.runs.front().name);
    EXPECT_EQ(plan_from_json(to_json(own), shipped_presets()).cluster, own.cluster);
}

/// Half of a source's runs calibrate the machine; the other half shows how often the measured step time is inside the
/// interval.
TEST(MachinePreset, GivesIntervalsThatHoldOnItsOtherRuns) {
    const auto table = EvidenceTable::standard();
    const auto known = KnownRuns::standard();
    std::map<std::string, std::vector<std::size_t>> machines;
    for (std::size_t i = 0; i < table->runs.size(); ++i)
        if (table->plans[i].skipped.empty() && table->runs[i].measured_seconds()
            && !is_stalled(table->runs[i], table->plans[i]))
            machines[table->runs[i].source + table->plans[i].plan.cluster.accelerator.name].push_back(i);
    constexpr std::size_t given = 6;
    constexpr std::size_t asked = 40;
    double inside = 0;
    double count = 0;
    for (auto &[name, rows] : machines) {
        if (rows.size() < 3 * given)
            continue;
        std::shuffle(rows.begin(), rows.end(), std::minstd_rand(1)); // NOLINT(cert-msc51-cpp): the same order each time
        MachineRuns runs;
        for (std::size_t i = 0; i < given; ++i)
            runs.runs.push_back({.name = table->runs[rows[i]].id,
                                 .plan = table->plans[rows[i]].plan,
                                 .batch_share = table->plans[rows[i]].batch_share,
                                 .step_seconds = table->runs[rows[i]].measured_seconds(),
                                 .peak_bytes = {},
                                 .memory_kind = {}});
        const MachineFit fit = fit_machine(runs, parameters());
        const nlohmann::ordered_json preset =
            fitted_cluster(runs.runs.front().plan.cluster, fit, {.id = "mine", .name = "Mine"});
        std::vector<Diagnostic> problems;
        FieldReader reader(preset, "", problems);
        Cluster fitted;
        read_fields(reader, fitted, shipped_presets());
        for (std::size_t i = given; i < std::min(rows.size(), given + asked); ++i) {
            Plan plan = table->plans[rows[i]].plan;
            plan.cluster.own_runs = fitted.own_runs;
            std::map<std::string, double> constants = plan.own_assumptions();
            for (const auto &[constant, value] : fit.moved())
                constants[constant] = value;
            const double predicted =
                predict(plan, table->plans[rows[i]].batch_share, Assumptions(constants)).step_seconds;
            const double measured = *table->runs[rows[i]].measured_seconds();
            const IntervalFactors interval = known->step_interval(plan, table->runs[rows[i]].source);
            inside += measured >= predicted * interval.low && measured <= predicted * interval.high ? 1 : 0;
            count += 1;
        }
    }
    EXPECT_GT(count, 300);
    EXPECT_GE(inside / count, 0.75); // about 80% of runs lie inside 80% intervals
    EXPECT_LE(inside / count, 0.92);
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

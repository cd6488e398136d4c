// SPDX-License-Identifier: GPL-3.0-or-later
#include "derived_formulas.h"
#include "formulas/formula.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace meshwright::testing {

namespace {

void schedules_are_summed_step_by_step() {
    for (const double warmup : {0.0, 1.0, 250.0, 1000.0}) {
        double cosine = 0;
        double line = 0;
        double stable = 0;
        for (int step = 0; step <= 1000; ++step) {
            const auto rate = [&](const char *name) {
                return given("learning-rate-schedule", name,
                             {{"peak_rate", 3e-4},
                              {"step", step},
                              {"warmup_steps", warmup},
                              {"total_steps", 1000},
                              {"final_share", 0.2},
                              {"decay_share", 0.3}});
            };
            const double half = step == 0 || step == 1000 ? 0.5 : 1;
            if (warmup < 1000) { // no decay is left
                cosine += half * rate("cosine_rate");
                line += half * rate("linear_rate");
            }
            if (warmup <= 700)
                stable += half * rate("wsd_rate");
        }
        const auto area = [&](const char *name) {
            return given("learning-rate-exposure", name,
                         {{"peak_rate", 3e-4},
                          {"warmup_steps", warmup},
                          {"total_steps", 1000},
                          {"final_share", 0.2},
                          {"decay_share", 0.3},
                          {"batch_tokens", 4e6}});
        };
        if (warmup < 1000) {
            near(area("area"), cosine);
            near(area("area"), line);
        }
        if (warmup <= 700)
            near(area("wsd_area"), stable);
        else
            EXPECT_FALSE(std::isfinite(area("wsd_area"))) << "the decay starts during the warm-up";
        near(area("exposure"), area("area") * 4e6);
    }
    // Twice the batch size and rate in half the steps.
    const auto run = [](double factor, const char *name) {
        return given("learning-rate-exposure", name,
                     {{"peak_rate", 3e-4 * factor},
                      {"warmup_steps", 2000 / factor},
                      {"total_steps", 1e5 / factor},
                      {"batch_tokens", 4e6 * factor}});
    };
    near(run(2, "area"), run(1, "area"));
    near(run(2, "exposure"), 2 * run(1, "exposure"));
}

void microbatches_are_counted_one_by_one() {
    constexpr double microbatch = 0.12;
    constexpr double reduction = 0.05;
    const auto at = [&](double time, const char *name) {
        return given("accumulation-timeline", name,
                     {{"accumulation_steps", 3},
                      {"micro_batch_seconds", microbatch},
                      {"all_reduce_seconds", reduction},
                      {"time_seconds", time}});
    };
    double now = 0;
    int microbatches = 0;
    for (int update = 1; update <= 4; ++update) {
        for (int i = 0; i < 3; ++i) {
            const auto start = given("accumulation-timeline", "microbatch_start_seconds",
                                     {{"accumulation_steps", 3},
                                      {"micro_batch_seconds", microbatch},
                                      {"all_reduce_seconds", reduction},
                                      {"microbatch", microbatches + 1}});
            near(start, now);
            now += microbatch;
            ++microbatches;
            EXPECT_EQ(at(now + 1e-6, "microbatches"), microbatches);
            EXPECT_EQ(at(now - 1e-6, "microbatches"), microbatches - 1);
        }
        near(given("accumulation-timeline", "reduction_start_seconds",
                   {{"accumulation_steps", 3},
                    {"micro_batch_seconds", microbatch},
                    {"all_reduce_seconds", reduction},
                    {"update", update}}),
             now);
        EXPECT_EQ(at(now + 1e-6, "updates"), update - 1);
        now += reduction;
        EXPECT_EQ(at(now + 1e-6, "updates"), update);
        EXPECT_EQ(at(now + 1e-6, "microbatches"), microbatches) << "none ends during an all-reduce";
    }
    near(now,
         4
             * given(
                 "accumulated-step", "seconds",
                 {{"accumulation_steps", 3}, {"micro_batch_seconds", microbatch}, {"all_reduce_seconds", reduction}}));
}

void a_crash_repeats_what_no_checkpoint_holds() {
    double last = 0;
    double lost = 0;
    for (int step = 1; step <= 2000; ++step) {
        if (step % 410 == 0)
            last = step;
        const auto crash = [&](const char *name) {
            return given("crash-cost", name,
                         {{"step", step},
                          {"checkpoint_steps", 410},
                          {"step_seconds", 10},
                          {"recovery_seconds", 98},
                          {"accelerators", 512},
                          {"price_per_hour", 2}});
        };
        EXPECT_EQ(crash("lost_steps"), step - last);
        if (step <= 3 * 410)
            lost += crash("lost_seconds") - 98;
        near(crash("accelerator_hours"), crash("lost_seconds") * 512 / 3600);
        near(crash("dollars"), crash("accelerator_hours") * 2);
    }
    // On average half an interval, but for the step at which the checkpoint is written.
    near(lost / (3 * 410), (410 - 1) / 2.0 * 10);
}

void a_point_of_mfu_is_a_shorter_run() {
    const auto days = [](double mfu) {
        return given("training-time", "days",
                     {{"flops", 3.79e25}, {"accelerators", 16384}, {"peak", 989e12}, {"mfu", mfu}});
    };
    const auto gain = [](const char *name) {
        return given("mfu-value", name,
                     {{"flops", 3.79e25},
                      {"accelerators", 16384},
                      {"peak", 989e12},
                      {"mfu", 0.4},
                      {"gain", 0.01},
                      {"price_per_hour", 2}});
    };
    near(gain("days"), days(0.4) - days(0.41));
    near(gain("days") / days(0.4), 1.0 / 41);
    near(gain("dollars"),
         given("rental-cost", "dollars", {{"accelerators", 16384}, {"days", gain("days")}, {"price_per_hour", 2}}));
}

/// Integral of the normal density by Simpson's rule.
double normal_between(double low, double high) {
    constexpr int steps = 4000;
    double sum = 0;
    for (int i = 0; i <= steps; ++i) {
        const double z = low + (high - low) * i / steps;
        const double weight = i == 0 || i == steps ? 1 : i % 2 == 1 ? 4 : 2;
        sum += weight * std::exp(-z * z / 2);
    }
    return sum * (high - low) / steps / 3 / std::sqrt(2 * std::numbers::pi);
}

void small_gradients_are_integrated() {
    struct Format {
        double index;
        double normal;
        double subnormal;
        double largest;
    };
    for (const Format &format : {Format{0, 0x1p-14, 0x1p-24, 65504}, Format{1, 0x1p-126, 0x1p-133, 0x1.fep127},
                                 Format{2, 0x1p-6, 0x1p-9, 448}, Format{3, 0x1p-14, 0x1p-16, 57344}})
        for (const double scale : {1.0, 1024.0, 65536.0}) {
            constexpr double median = 3e-6;
            constexpr double spread = 2.5;
            const auto share = [&](const char *name) {
                return given("gradient-underflow", name,
                             {{"format", format.index}, {"median", median}, {"spread", spread}, {"scale", scale}});
            };
            const auto below = [&](double limit) {
                const double z = std::log2(limit / (median * scale)) / spread;
                return z < -9 ? 0 : normal_between(-9, std::min(z, 9.0));
            };
            EXPECT_NEAR(share("below_normal"), below(format.normal), 1e-10);
            EXPECT_NEAR(share("below_subnormal"), below(format.subnormal), 1e-10);
            EXPECT_NEAR(share("rounded_to_zero"), below(format.subnormal / 2), 1e-10);
            EXPECT_NEAR(share("above_largest"), 1 - below(format.largest), 1e-10);
        }
}

} // namespace

std::vector<DerivedFormula> derived_training_formulas() {
    return {{"learning-rate-exposure", "a sum over the steps", schedules_are_summed_step_by_step},
            {"accumulation-timeline", "a walk over the microbatches", microbatches_are_counted_one_by_one},
            {"crash-cost", "a walk over the steps", a_crash_repeats_what_no_checkpoint_holds},
            {"mfu-value", "two runs", a_point_of_mfu_is_a_shorter_run},
            {"gradient-underflow", "the integral of the density", small_gradients_are_integrated}};
}

} // namespace meshwright::testing

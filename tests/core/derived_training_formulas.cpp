// SPDX-License-Identifier: GPL-3.0-or-later
#include "derived_formulas.h"
#include "formulas/formula.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

namespace meshwright::testing {

namespace {

double listed(const char *formula, const char *result,
              const std::map<std::string, std::string, std::less<>> &arguments) {
    const Calculation calculation = calculate(formula, arguments);
    for (const Calculation::Value &value : calculation.values)
        if (value.result->name == result)
            return value.value;
    ADD_FAILURE() << formula << " gives no " << result;
    return std::nan("");
}

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
            cosine += half * rate("cosine_rate");
            line += half * rate("linear_rate");
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
        near(area("area"), cosine);
        near(area("area"), line);
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
    // On average half an interval is lost, not counting the step that writes the checkpoint.
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

void documents_are_masked_pair_by_pair() {
    const std::vector<int> documents{5, 3, 30, 1, 17, 8, 2};
    constexpr int length = 16;
    std::string list;
    std::vector<std::pair<int, int>> place; // sequence and document of each token
    int document = 0;
    for (const int tokens : documents) {
        list += (list.empty() ? "" : ",") + std::to_string(tokens);
        for (int i = 0; i < tokens; ++i)
            place.emplace_back(static_cast<int>(place.size()) / length, document);
        ++document;
    }
    double masked = 0;
    for (std::size_t query = 0; query < place.size(); ++query)
        for (std::size_t key = 0; key <= query; ++key)
            masked += place[key] == place[query] ? 1 : 0;
    const double sequences = std::ceil(static_cast<double>(place.size()) / length);
    double causal = 0;
    for (int query = 0; query < length; ++query)
        causal += sequences * (query + 1);
    const std::map<std::string, std::string, std::less<>> given_list{
        {"sequence", std::to_string(length)}, {"document_tokens", list}, {"layers", "3"}, {"width", "64"}};
    const auto packed = [&](const char *name) { return listed("document-packing", name, given_list); };
    near(packed("tokens"), static_cast<double>(place.size()));
    near(packed("sequences"), sequences);
    near(packed("useful_share"), static_cast<double>(place.size()) / (sequences * length));
    near(packed("padded_sequences"), 9); // documents of 30 and 17 tokens take two sequences each
    near(packed("padded_useful_share"), static_cast<double>(place.size()) / (9 * length));
    near(packed("attention_share"), masked / causal);
    // Two GEMMs forward and four backward, with a multiply and an add each.
    near(packed("masked_flops"), masked * 3 * 64 * 2 * 6);
    near(packed("flops"), causal * 3 * 64 * 2 * 6);
    near(packed("imbalance"), 1); // a single rank
}

void every_microbatch_weighs_the_same() {
    const std::vector<double> tokens{100, 300, 50, 550};
    const std::map<std::string, std::string, std::less<>> arguments{{"microbatch_tokens", "100,300,50,550"},
                                                                    {"microbatch", "3"}};
    // The gradient of one token is 1 and that of all others 0, so the mean gradient is the token's weight.
    double all = 0;
    for (const double one : tokens)
        all += one;
    const auto naive = [&](double of) { return 1 / of / static_cast<double>(tokens.size()); };
    near(listed("accumulation-weights", "most_weight", arguments), naive(50) / (1 / all));
    near(listed("accumulation-weights", "least_weight", arguments), naive(550) / (1 / all));
    near(listed("accumulation-weights", "tokens", arguments), all);
    near(listed("accumulation-weights", "naive_share", arguments), 0.25);
    near(listed("accumulation-weights", "token_share", arguments), 0.05);
    double moved = 0; // the excess weight of some microbatches is the missing weight of the others
    for (const double one : tokens)
        moved += std::max(0.0, 0.25 - one / all);
    near(listed("accumulation-weights", "misplaced_share", arguments), moved);
    near(listed("accumulation-weights", "misplaced_share", {{"microbatch_tokens", "7,7,7"}}), 0);
}

void tensors_are_made_and_freed() {
    for (const bool kept : {false, true}) {
        constexpr double parameters = 1e9;
        constexpr double activations = 9e9;
        double gradients = 0;
        double moments = 0;
        for (int step = 1; step <= 4; ++step) {
            const auto at = [&](const char *name) {
                return given("first-steps-memory", name,
                             {{"parameters", parameters},
                              {"activation_bytes", activations},
                              {"step", step},
                              {"keeps_gradients", kept ? 1 : 0}});
            };
            const double weights = parameters * (2 + 4);
            near(at("start_bytes"), weights + moments);
            const double forward = weights + moments + gradients + activations;
            near(at("forward_bytes"), forward);
            gradients = parameters * 2;
            near(at("backward_bytes"), weights + moments + gradients);
            moments = parameters * 8;
            near(at("update_bytes"), weights + moments + gradients);
            near(at("peak_bytes"), std::max(forward, weights + moments + gradients));
            gradients = kept ? gradients : 0;
        }
    }
}

} // namespace

std::vector<DerivedFormula> derived_training_formulas() {
    return {{"learning-rate-exposure", "a sum over the steps", schedules_are_summed_step_by_step},
            {"accumulation-timeline", "a walk over the microbatches", microbatches_are_counted_one_by_one},
            {"crash-cost", "a walk over the steps", a_crash_repeats_what_no_checkpoint_holds},
            {"mfu-value", "two runs", a_point_of_mfu_is_a_shorter_run},
            {"gradient-underflow", "the integral of the density", small_gradients_are_integrated},
            {"document-packing", "a count of the pairs", documents_are_masked_pair_by_pair},
            {"accumulation-weights", "the weight of one token", every_microbatch_weighs_the_same},
            {"first-steps-memory", "a walk over the tensors", tensors_are_made_and_freed}};
}

} // namespace meshwright::testing

// SPDX-License-Identifier: GPL-3.0-or-later
#include "derived_formulas.h"
#include "formulas/formula.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace meshwright::testing {

void near(double actual, double expected) {
    EXPECT_NEAR(actual, expected, 1e-9 * std::max(std::abs(expected), 1e-9));
}

double given(std::string_view formula, std::string_view result,
             std::initializer_list<std::pair<std::string_view, double>> arguments) {
    const Formula &found = *find_formula(formula);
    const FormulaResult &wanted = *found.find_result(result);
    std::vector<double> values;
    for (const std::string_view name : wanted.arguments) {
        const auto *const argument =
            std::find_if(arguments.begin(), arguments.end(), [&](const auto &each) { return each.first == name; });
        const Symbol &symbol = *found.find_symbol(name);
        EXPECT_TRUE(argument != arguments.end() || symbol.otherwise) << formula << " lacks " << name;
        values.push_back(argument != arguments.end() ? argument->second : symbol.otherwise.value_or(0));
    }
    return wanted.function(values);
}

namespace {

constexpr double besiroglu = 1;

void the_optimum_has_the_lowest_loss() {
    for (const double law : {0.0, besiroglu})
        for (const double flops : {1e21, 5.76e23, 1e25}) {
            const double parameters = given("compute-optimal", "parameters", {{"flops", flops}, {"law", law}});
            const double tokens = given("compute-optimal", "tokens", {{"flops", flops}, {"law", law}});
            near(6 * parameters * tokens, flops);
            const auto loss = [&](double factor) {
                return given("predicted-loss", "loss",
                             {{"parameters", parameters * factor}, {"tokens", tokens / factor}, {"law", law}});
            };
            near(given("compute-optimal", "loss", {{"flops", flops}, {"law", law}}), loss(1));
            for (const double factor : {0.5, 0.9, 0.99, 1.01, 1.1, 2.0})
                EXPECT_GT(loss(factor), loss(1)) << factor;
        }
    // Llama 3's fit gives the tokens; the parameters follow from the compute budget.
    const double tokens = given("compute-optimal", "tokens", {{"flops", 3.8e25}, {"law", 2}});
    near(tokens, 0.29 * std::pow(3.8e25, 0.53));
    near(6 * given("compute-optimal", "parameters", {{"flops", 3.8e25}, {"law", 2}}) * tokens, 3.8e25);
}

void less_computation_gives_the_worse_loss() {
    const double times =
        given("compute-for-optimal-loss", "times", {{"flops", 1e24}, {"growth", 0.01}, {"law", besiroglu}});
    const auto loss = [](double flops) {
        return given("compute-optimal", "loss", {{"flops", flops}, {"law", besiroglu}});
    };
    near(loss(1e24 / times), 1.01 * loss(1e24));
}

void the_power_law_turns_back() {
    const double times = given("compute-for-loss", "times", {{"growth", 0.01}});
    near(std::pow(times, -0.0477) * 1.01, 1); // L ~ C^-0.0477
}

void rings_and_stars_take_their_rounds() {
    constexpr double bytes = 18e9, rate = 1e8, latency = 0.1;
    double ring = 0;
    for (int round = 0; round < 2 * (72 - 1); ++round) // reduce-scatter, then all-gather
        ring += bytes / 72 * 8 / rate + latency;
    near(given("outer-exchange", "ring_seconds",
               {{"sites", 72}, {"bytes", bytes}, {"bits_per_second", rate}, {"latency", latency}}),
         ring);
    double gathered = latency;
    for (int site = 1; site < 72; ++site)
        gathered += bytes * 8 / rate;
    near(given("outer-exchange", "all_gather_seconds",
               {{"sites", 72}, {"bytes", bytes}, {"bits_per_second", rate}, {"latency", latency}}),
         gathered);
    near(given("outer-exchange", "star_seconds",
               {{"bytes", bytes},
                {"bits_per_second", rate},
                {"latency", latency},
                {"down_bytes", 36e9},
                {"downlink", 2e8}}),
         1440 + 1440 + 2 * latency);
}

/// Time until the last fragment is uploaded, averaged and downloaded, if several fragments are sent at once.
double last_of(int together, double up, double down) {
    double sent = 0, received = 0;
    for (int fragment = 0; fragment < together; ++fragment) {
        sent += up;
        received = std::max(received, sent) + down;
    }
    return received;
}

void fragments_queue_in_two_stages() {
    for (const auto &[up, down] : {std::pair{3.0, 1.0}, {1.0, 3.0}, {2.0, 2.0}})
        for (const int together : {1, 2, 5})
            near(given("outer-lag", "lag_seconds",
                       {{"up_seconds", up},
                        {"down_seconds", down},
                        {"together", together},
                        {"round_trip_seconds", 0.25},
                        {"waiting_seconds", 0.5}}),
                 last_of(together, up, down) + 0.75);
}

/// Compute utilization of a site whose rounds each wait for the exchange of the round before the previous one.
double utilisation_of_queue(double inner, double busy) {
    double computed = 0, sent = 0, sent_before = 0, earlier = 0;
    for (int round = 0; round < 1200; ++round) {
        computed = std::max(computed, sent_before) + inner;
        sent_before = sent;
        sent = std::max(sent, computed) + busy;
        if (round == 199)
            earlier = computed;
    }
    return inner * 1000 / (computed - earlier);
}

void links_bound_rounds() {
    for (const auto &[up, down] : {std::pair{1440.0, 5760.0}, {1440.0, 1440.0}, {2880.0, 2880.0}})
        for (const bool full_duplex : {false, true})
            near(given("outer-round", "utilisation_bound",
                       {{"inner_seconds", 3200},
                        {"up_seconds", up},
                        {"down_seconds", down},
                        {"full_duplex", full_duplex ? 1 : 0}}),
                 utilisation_of_queue(3200, full_duplex ? std::max(up, down) : up + down));
    double steps = 0;
    while (steps * 23 < 1440)
        ++steps;
    near(given("outer-round", "overlap_steps", {{"transfer_seconds", 1440}, {"step_seconds", 23}}), steps);
}

void the_needed_link_gives_the_utilisation() {
    constexpr double inner = 3200, step = 25, bits = 144e9;
    for (const double fragments : {1.0, 8.0, 300.0})
        for (const double overlap : {0.0, 1.0, 5.0})
            for (const double wanted : {0.5, 0.9, 0.99}) {
                const double rate = given("outer-star-bandwidth", "bits_per_second",
                                          {{"up_bits", bits},
                                           {"down_bits", 4 * bits},
                                           {"inner_seconds", inner},
                                           {"step_seconds", step},
                                           {"fragments", fragments},
                                           {"inner_steps", 128},
                                           {"overlap_steps", overlap},
                                           {"utilisation", wanted}});
                const double up = bits / rate, down = 4 * bits / rate;
                const double lag =
                    last_of(static_cast<int>(std::ceil(fragments / 128)), up / fragments, down / fragments);
                const double late = given("outer-stalls", "utilisation",
                                          {{"inner_seconds", inner},
                                           {"fragments", fragments},
                                           {"lag_seconds", lag},
                                           {"overlap_seconds", overlap * step}});
                near(std::min(late, utilisation_of_queue(inner, down)), wanted);
            }
}

void outer_states_are_fp32_tensors() {
    near(given("outer-memory", "state_bytes", {{"parameters", 1e9}, {"error_feedback", 1}}), (4 + 4 + 4) * 1e9);
    near(36 * given("outer-memory", "fragment_bytes", {{"parameters", 1e9}, {"fragments", 36}}), 4e9);
    near(8 * given("outer-memory", "share", {{"rank_parameters", 1e9}, {"data", 8}}), 1e9);
    near(given("aggregator-memory", "bytes", {{"parameters", 144e9}}),
         given("outer-memory", "state_bytes", {{"parameters", 144e9}})
             + given("outer-memory", "fragment_bytes", {{"parameters", 144e9}, {"fragments", 1}}));
}

void rejoining_is_a_transfer() {
    near(given("rejoin-time", "seconds", {{"parameters", 144e9}, {"bytes_per_parameter", 2}, {"bits_per_second", 1e8}}),
         given("transfer-time", "seconds", {{"bytes", 288e9}, {"bits_per_second", 1e8}}));
}

void sites_come_and_go() {
    std::mt19937_64 random(3);
    std::exponential_distribution<double> lifetime(1.0 / 3e5);
    double up = 0, down = 0;
    for (int failure = 0; failure < 200000; ++failure) {
        up += lifetime(random);
        down += 12000 + 3000;
    }
    EXPECT_NEAR(given("site-availability", "availability",
                      {{"mtbf_seconds", 3e5}, {"repair_seconds", 12000}, {"rejoin_seconds", 3000}}),
                up / (up + down), 0.001);
}

void width_favours_pipelines_between_sites() {
    const auto bound = [](double width) { // for 96 layers
        return given("wan-pipeline", "utilisation_bound",
                     {{"parameters", 96 * 12 * width * width},
                      {"batch_tokens", 1e6},
                      {"stages", 8},
                      {"stage_flops_per_second", 1e16},
                      {"hidden", width},
                      {"bits_per_second", 1e8}});
    };
    near(bound(4096) / bound(2048), 2); // square-cube law
    near(given("wan-pipeline", "seconds", {{"batch_tokens", 1e6}, {"hidden", 4096}, {"bits_per_second", 1e8}}),
         given("transfer-time", "seconds", {{"bytes", 1e6 * 4096 * 2}, {"bits_per_second", 1e8}}));
    near(given("wan-pipeline", "needed_bits_per_second",
               {{"parameters", 96 * 12 * 4096.0 * 4096},
                {"stages", 8},
                {"stage_flops_per_second", 1e16},
                {"hidden", 4096},
                {"utilisation", bound(4096)}}),
         1e8);
}

void doublings_cost_alike() {
    const auto factor = [](double accelerators) {
        return given("straggler", "factor", {{"loss_per_doubling", 0.003}, {"accelerators", accelerators}});
    };
    near(factor(1), 1);
    near(factor(8), 1);
    for (double accelerators = 8; accelerators < 1e5; accelerators *= 2)
        near(factor(2 * accelerators) - factor(accelerators), 0.003);
}

void steps_are_microbatches_one_after_another() {
    near(given("microbatches-of-a-step", "step_seconds", {{"microbatches", 64}, {"seconds", 0.12}}) + 0.05,
         given("accumulated-step", "seconds",
               {{"accumulation_steps", 64}, {"micro_batch_seconds", 0.12}, {"all_reduce_seconds", 0.05}}));
}

void the_last_stage_starts_late() {
    double start = 0;
    for (int stage = 1; stage < 8; ++stage) // the stage waits for the forward passes of all earlier stages
        start += 1;
    const auto bubble = [](const char *formula) {
        return given(formula, "bubble_seconds",
                     {{"stages", 8}, {"forward", 1}, {"input_gradient", 1}, {"weight_gradient", 1}});
    };
    near(bubble("zb-2p-bubble"), start);
    near(bubble("zb-2p-bubble"), bubble("zb-h2-bubble")); // equal where all passes take the same time
}

void blocking_writes_block() {
    const double write = given("checkpoint-write", "seconds", {{"bytes", 980e9}, {"bandwidth", 1e10}});
    near(given("blocking-write", "seconds", {{"write_seconds", write}}), write);
    near(given("blocking-write", "seconds", {{"write_seconds", write}, {"blocking_share", 0.1}}), write / 10);
}

void prices_are_paid_back() {
    const auto hour = [](double price, double energy) {
        return given("accelerator-price", "price_per_hour",
                     {{"price", price},
                      {"years", 4},
                      {"utilised_share", 0.9},
                      {"watts", 700},
                      {"pue", 1.3},
                      {"price_per_kwh", energy}});
    };
    near(hour(30000, 0) * 4 * 365.25 * 24 * 0.9, 30000);
    near(hour(30000, 0.1) - hour(30000, 0),
         given("energy-cost", "dollars",
               {{"accelerators", 1}, {"watts", 700}, {"days", 1.0 / 24}, {"price_per_kwh", 0.1}, {"pue", 1.3}}));
}

void mean_power_takes_its_share() {
    const auto joules = [](double watts) {
        return given("energy-cost", "joules", {{"accelerators", 8}, {"watts", watts}, {"days", 1}});
    };
    near(joules(given("mean-power", "watts", {{"rated_watts", 700}, {"power_share", 0.6}})), 0.6 * joules(700));
}

void a_first_tier_has_one_price() {
    near(given("egress-cost", "dollars",
               {{"rounds", 10}, {"sites", 10}, {"bytes", 1e11}, {"dollars_per_gigabyte", 0.09}}),
         given("egress-tiers", "dollars", {{"bytes", 1e13}, {"months", 1}}));
    near(given("egress-cost", "bytes_sent", {{"rounds", 10}, {"sites", 10}, {"bytes", 1e11}}), 1e13);
}

} // namespace

std::vector<DerivedFormula> derived_run_formulas() {
    return {{"compute-optimal", "the predicted loss round the optimum", the_optimum_has_the_lowest_loss},
            {"compute-for-optimal-loss", "the loss at less computation", less_computation_gives_the_worse_loss},
            {"compute-for-loss", "the power law turned back", the_power_law_turns_back},
            {"outer-exchange", "a sum over rounds", rings_and_stars_take_their_rounds},
            {"outer-lag", "a queue of two stages", fragments_queue_in_two_stages},
            {"outer-round", "rounds one after another on a busy link", links_bound_rounds},
            {"outer-star-bandwidth", "the utilisation that this link gives", the_needed_link_gives_the_utilisation},
            {"outer-memory", "a count of tensors", outer_states_are_fp32_tensors},
            {"aggregator-memory", "a site's state and one update", outer_states_are_fp32_tensors},
            {"rejoin-time", "a transfer", rejoining_is_a_transfer},
            {"site-availability", "drawn lifetimes", sites_come_and_go},
            {"wan-pipeline", "the square-cube law, and a transfer", width_favours_pipelines_between_sites},
            {"straggler", "one doubling after another", doublings_cost_alike},
            {"microbatches-of-a-step", "a step with accumulation", steps_are_microbatches_one_after_another},
            {"zb-2p-bubble", "the start of the last stage, and ZB-H2", the_last_stage_starts_late},
            {"blocking-write", "a whole write", blocking_writes_block},
            {"accelerator-price", "what is paid in its years, and the energy of an hour", prices_are_paid_back},
            {"mean-power", "the energy of a day", mean_power_takes_its_share},
            {"egress-cost", "the first tier of a price list", a_first_tier_has_one_price}};
}

} // namespace meshwright::testing

// SPDX-License-Identifier: GPL-3.0-or-later
#include "derived_formulas.h"
#include "formulas/formula.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace meshwright::testing {

namespace {

constexpr double unlimited = 1e21; ///< a rate so high that the time is negligible

void recurrent_state_is_passed_four_times() {
    double flops = 0;
    for (int token = 0; token < 3; ++token)
        for (int element = 0; element < 4 * 16 * 32; ++element)
            for (int pass = 0; pass < 4; ++pass) // decay, read by the key, rank-one update, read by the query
                flops += 2;
    near(given("recurrent-mixer", "flops", {{"tokens", 3}, {"heads", 4}, {"key_width", 16}, {"value_width", 32}}),
         flops);
    const double seconds = given("recurrent-mixer", "seconds",
                                 {{"tokens", 3},
                                  {"heads", 4},
                                  {"key_width", 16},
                                  {"value_width", 32},
                                  {"passes", 2},
                                  {"rate", 1e9},
                                  {"moved", 1e6},
                                  {"memory_rate", 1e9}});
    near(seconds, 2 * flops / 1e9 + given("memory-bound-kernel", "seconds", {{"bytes", 1e6}, {"memory_rate", 1e9}}));
}

void fused_attention_counts_every_pair() {
    double pairs = 0;
    for (int query = 0; query < 64; ++query)
        for (int key = 0; key < 64; ++key)
            pairs += 1;
    const auto flops = [](double seen) {
        return given(
            "fused-attention", "flops",
            {{"query_tokens", 64}, {"key_tokens", 64}, {"attended_fraction", seen}, {"heads", 3}, {"widths", 32 + 16}});
    };
    near(flops(1), pairs * 3 * (2 * 32 + 2 * 16)); // scores, and the weighted sum of values
    near(flops(0.5), flops(1) / 2); // FlashAttention-2, section 4.1: a causal mask halves the FLOPs
    const auto rate = [](double heads, double half) {
        return given("fused-attention", "rate",
                     {{"query_tokens", 4096},
                      {"key_tokens", 4096},
                      {"heads", heads},
                      {"long_rate", 1e14},
                      {"half_tokens", half}});
    };
    near(rate(132, 0), 1e14);
    near(rate(132, 4096), 0.5e14);
    near(rate(1, 0), 1e14 * 32 / 132); // 32 tiles of 128 queries each on 132 multiprocessors
    const auto seconds = [](const char *pass) {
        return given("fused-attention", pass,
                     {{"query_tokens", 4096},
                      {"key_tokens", 4096},
                      {"heads", 32},
                      {"widths", 256},
                      {"long_rate", 1e14},
                      {"half_tokens", 400}});
    };
    // Five GEMMs in backward for two in forward.
    near(seconds("backward_seconds"), 5.0 / 2.0 * seconds("forward_seconds"));
}

void unfused_attention_passes_every_score() {
    // Forward pass: scores written, softmax (read, written), dropout (read, mask, written), read for the weighted sum
    // of values.
    constexpr double forward = 2 + (2 + 2) + (2 + 1 + 2) + 2;
    // Backward pass: gradient written, dropout (read, mask, written), softmax (two read, one written), gradient of the
    // scores read for queries and for keys, scores read for the gradient of the values.
    constexpr double backward = 2 + (2 + 1 + 2) + (2 + 2 + 2) + 2 * 2 + 2;
    const auto seconds = [](const char *pass, double rate, double memory_rate) {
        return given("unfused-attention", pass,
                     {{"query_tokens", 512},
                      {"key_tokens", 512},
                      {"heads", 8},
                      {"widths", 128},
                      {"rate", rate},
                      {"memory_rate", memory_rate}});
    };
    near(seconds("forward_seconds", unlimited, 1e9),
         forward * 512 * 512 * 8 / 1e9 + 2 * 512 * 512 * 8 * 128 / unlimited);
    near(seconds("backward_seconds", unlimited, 1e9),
         backward * 512 * 512 * 8 / 1e9 + 4 * 512 * 512 * 8 * 128 / unlimited);
    const double flops =
        given("fused-attention", "flops",
              {{"query_tokens", 512}, {"key_tokens", 512}, {"attended_fraction", 1}, {"heads", 8}, {"widths", 128}});
    near(seconds("forward_seconds", 1e9, 1e18), flops / 1e9 + forward * 512 * 512 * 8 / 1e18);
}

void smooth_maximum_has_its_limits() {
    const auto seconds = [](double kernels, double launches) {
        return given("launch-bound-layer", "seconds", {{"kernel_seconds", kernels}, {"launch_seconds", launches}});
    };
    near(seconds(1, 1e-3), 1);
    near(seconds(1e-3, 1), 1);
    near(seconds(1, 0), 1);
    near(given("launch-bound-layer", "seconds", {{"kernel_seconds", 1}, {"launch_seconds", 2}, {"wait_seconds", 3}}),
         seconds(1, 2) + 3);
    near(seconds(0.3, 0.4), seconds(0.4, 0.3));
    for (const double launches : {0.5, 0.9, 1.0, 1.1, 2.0}) {
        EXPECT_GE(seconds(1, launches), std::max(1.0, launches));
        EXPECT_LE(seconds(1, launches), std::pow(2, 1.0 / 6) * std::max(1.0, launches) + 1e-12);
    }
}

void launches_are_slowed_by_each_cause_alone() {
    const auto host = [](double low_precision, double split, double graph) {
        return given(
            "layer-launches", "layer_launch_seconds",
            {{"launch_seconds", 1}, {"low_precision", low_precision}, {"tensor_split", split}, {"graph_share", graph}});
    };
    near(host(0, 0, 0), 1);
    EXPECT_GT(host(1, 0, 0), 1);
    EXPECT_GT(host(0, 1, 0), 1);
    EXPECT_LT(host(0, 0, 1), 0.1);
    near(host(1, 1, 0.5), host(1, 0, 0) * host(0, 1, 0) * host(0, 0, 0.5));
}

void memory_bound_is_the_roofline_s_other_side() {
    const double bytes = given("matrix-multiply", "forward_bytes", {{"rows", 64}, {"columns", 256}, {"depth", 512}});
    near(given("memory-bound-kernel", "seconds", {{"bytes", bytes}, {"memory_rate", 1e12}, {"gap", 4e-6}}),
         given("matrix-multiply", "forward_seconds",
               {{"rows", 64},
                {"columns", 256},
                {"depth", 512},
                {"rate", unlimited},
                {"memory_rate", 1e12},
                {"gap", 4e-6}}));
    const double rate =
        given("roofline", "rate", {{"flops", 1}, {"bytes", bytes}, {"peak", unlimited}, {"memory_bandwidth", 1e12}});
    near(given("memory-bound-kernel", "seconds", {{"bytes", bytes}, {"memory_rate", 1e12}}), 1 / rate);
}

void tiers_hops_make_one_ring() {
    const auto hops = [](const char *kind, double inside, double within) {
        return given("tier-of-a-group", kind,
                     {{"members", 64}, {"inside", inside}, {"within", within}, {"latency", 1}});
    };
    near(hops("ring_seconds", 1, 8) + hops("ring_seconds", 8, 64), 63); // N - 1 hops in total
    near(hops("chain_seconds", 1, 8), 7);
    near(hops("tree_seconds", 8, 64), 3);
    std::set<int> in_the_node; // the group has every second accelerator of a node of eight
    for (int member = 0; member < 64; ++member)
        if (member * 2 < 8)
            in_the_node.insert(member);
    near(given("tier-of-a-group", "members_inside", {{"accelerators", 8}, {"stride", 2}, {"members", 64}}),
         static_cast<double>(in_the_node.size()));
    near(given("tier-of-a-group", "tier_bandwidth", {{"inside", 4}, {"bandwidth", 25e9}}), 4 * 25e9);
    near(given("tier-of-a-group", "tier_bandwidth", {{"inside", 4}, {"bandwidth", 25e9}, {"axes_share", 0.5}}),
         2 * 25e9);
    for (const int axes : {1, 2, 3}) // a torus with 8 accelerators along each of three axes
        near(given("torus-axes", "axes_share", {{"ranks", std::pow(8, axes)}, {"accelerators", 512}}), axes / 3.0);
}

void sends_are_a_mean_over_boundaries() {
    const std::vector<bool> crosses{false, true, false, true, false, true, false};
    double sum = 0;
    for (const bool between_nodes : crosses)
        sum += between_nodes ? 4e6 / 50e9 : 0;
    near(given("stage-send", "tier_seconds", {{"crossing", 3}, {"boundaries", 7}, {"bytes", 4e6}, {"bandwidth", 50e9}}),
         sum / 7);
    near(given("stage-send", "seconds", {{"wire_seconds", 1e-4}, {"factor", 1.5}, {"base_seconds", 2e-5}}), 1.8e-4);
}

void one_tier_is_a_plain_all_gather() {
    near(given("tiers-all-gather", "seconds",
               {{"ranks", 8}, {"bytes", 1e9}, {"bandwidth", 3e11}, {"ring_seconds", 7 * 3e-6}}),
         given("all-gather", "seconds", {{"ranks", 8}, {"bytes", 1e9}, {"bandwidth", 3e11}, {"latency", 3e-6}}));
}

void sums_in_switches_meet_trees_where_switches_are_free() {
    const auto over = [](double nodes) {
        const double passes = given("tiers-all-reduce", "tree_passes", {{"nodes", nodes}});
        return given("tiers-all-reduce", "switch_trees_seconds",
                     {{"inside", 8},
                      {"bytes", 1e9},
                      {"switch_bandwidth", 1e18},
                      {"passes", passes},
                      {"bandwidth", 3e11},
                      {"tree_seconds", 3 * 3e-6},
                      {"switch_seconds", 0}});
    };
    near(over(8),
         given("tiers-all-reduce", "trees_seconds", {{"bytes", 1e9}, {"bandwidth", 3e11}, {"tree_seconds", 3 * 3e-6}}));
    // Each of two nodes sends half of the data and the sum of the other half.
    near(over(2) - 6 * 3e-6, (over(8) - 6 * 3e-6) / 2);
}

void one_tier_is_a_plain_all_reduce() {
    near(given("tiers-all-reduce", "seconds",
               {{"ranks", 8}, {"bytes", 1e9}, {"bandwidth", 3e11}, {"ring_seconds", 7 * 3e-6}}),
         given("ring-all-reduce", "seconds", {{"ranks", 8}, {"bytes", 1e9}, {"bandwidth", 3e11}, {"latency", 3e-6}}));
    near(given("tiers-all-reduce", "trees_seconds", {{"bytes", 1e9}, {"bandwidth", 3e11}, {"tree_seconds", 3 * 3e-6}}),
         given("tree-all-reduce", "seconds", {{"ranks", 8}, {"bytes", 1e9}, {"bandwidth", 3e11}, {"latency", 3e-6}}));
    // Each rank sends all of its data and the sum of its own shard: 1 + 1 / ranks times the data.
    const auto summed = [](double ranks) {
        return given("tiers-all-reduce", "switch_sum_seconds",
                     {{"ranks", ranks}, {"bytes", 1e9}, {"bandwidth", 3e11}, {"switch_seconds", 25e-6}});
    };
    near(summed(1) - 25e-6, 2 * 1e9 / 3e11);
    near(summed(8) - 25e-6, 9.0 / 8 * 1e9 / 3e11);
    sums_in_switches_meet_trees_where_switches_are_free();
}

void measured_bandwidths_are_joined_on_logarithmic_axes() {
    const auto at = [](double bytes) {
        return given(
            "measured-bandwidth", "bandwidth",
            {{"below", 1e6}, {"below_bandwidth", 10e9}, {"above", 1e8}, {"above_bandwidth", 40e9}, {"at", bytes}});
    };
    near(at(1e6), 10e9);
    near(at(1e8), 40e9);
    near(at(1e7), std::sqrt(10e9 * 40e9)); // halfway on a logarithmic scale
    near(given("measured-bandwidth", "shared_bandwidth", {{"below_bandwidth", 40e9}, {"groups", 8}}), 5e9);
}

void expert_traffic_is_two_all_to_alls() {
    near(given("expert-traffic", "bytes_per_rank",
               {{"tokens", 4096}, {"hidden", 7168}, {"experts_per_token", 8}, {"ranks", 64}}),
         2 * given("all-to-all", "bytes_per_rank", {{"ranks", 64}, {"bytes", 4096.0 * 8 * 7168 * 2}}));
}

void keys_go_round_a_ring() {
    double sent = 0;
    for (int step = 1; step < 16; ++step)
        sent += 2 * (8192.0 / 16) * 1024 * 2; // a block of keys and a block of values, in 16 bits
    near(given("ring-attention", "bytes_per_rank",
               {{"micro_batch", 1}, {"sequence", 8192}, {"kv_width", 1024}, {"ranks", 16}}),
         sent);
}

void a_ring_hides_behind_attention() {
    const auto seen = [](const char *pass, double attention) {
        return given("ring-exposed", pass, {{"exchange_seconds", 0.008}, {"attention_seconds", attention}});
    };
    near(seen("forward_seconds", 0), 0.008);
    near(seen("forward_seconds", 1), 0.002); // the first of four ring steps is always exposed
    near(seen("backward_seconds", 0), 2 * seen("forward_seconds", 0));
    near(seen("backward_seconds", 1), 2 * seen("forward_seconds", 1));
    near(given("ring-exposed", "bytes", {{"tokens", 8192}, {"kv_width", 1024}}) * 15 / 16,
         given("ring-attention", "bytes_per_rank",
               {{"micro_batch", 1}, {"sequence", 8192}, {"kv_width", 1024}, {"ranks", 16}}));
}

void tensor_parallelism_gathers_as_megatron_does() {
    const auto of = [](const char *pass, double overlap) {
        return given("tensor-exposed", pass, {{"parts", 2}, {"gather_seconds", 1}, {"overlap", overlap}});
    };
    // The forward pass has two all-gathers and two reduce-scatters. The backward pass has as many, and two further
    // all-gathers that are half hidden.
    near(of("forward_seconds", 0), 2 + 2);
    near(of("backward_seconds", 0), 2 + 2 + 2 * 0.5);
    near(of("forward_seconds", 1), 0);
    // Each collective that changes the order of its data adds an exposed copy, which reads and writes the data.
    const auto copied = [](const char *pass) {
        return given("tensor-exposed", pass,
                     {{"parts", 2}, {"gather_seconds", 1}, {"overlap", 1}, {"copy_seconds", 0.5}});
    };
    near(copied("forward_seconds"), 4 * 0.5);
    near(copied("backward_seconds"), 5 * 0.5);
    near(given("tensor-exposed", "copied_seconds", {{"bytes", 1e9}, {"memory_rate", 2e12}}), 1e-3);
    // An all-reduce is a reduce-scatter and an all-gather.
    near(given("tensor-exposed", "reduced_seconds", {{"parts", 2}, {"reduce_seconds", 2}}), of("forward_seconds", 0));
}

void data_parallel_traffic_has_its_limits() {
    const auto seen = [](double window, double share) {
        return given("data-exposed", "seconds",
                     {{"traffic_seconds", 2}, {"window_seconds", window}, {"exposed_share", share}});
    };
    near(seen(0, 0.3), 2);
    near(seen(100, 0), 0);
    near(seen(100, 0.3), 0.6);
    const auto sharded = [](double pass, double share) {
        return given("data-exposed", "sharded_seconds",
                     {{"traffic_seconds", 2},
                      {"pass_seconds", pass},
                      {"layers", 8},
                      {"exposed_share", share},
                      {"busy_seconds", 2}});
    };
    near(sharded(1e-12, 0), 2 + 2.0 / 8); // no overlap is possible, and the first layer's traffic is always exposed
    near(sharded(100, 0), 2.0 / 8);
    // Half of the time in which links are busy is exposed, but none of their latency.
    near(sharded(100, 0.5), 2.0 / 8 + 1);
    near(given("data-exposed", "busy_links_seconds", {{"traffic_seconds", 2}, {"bytes", 5e9}, {"bandwidth", 1e10}}),
         0.5);
    double step = 0.5;
    for (int microbatch = 0; microbatch < 6; ++microbatch)
        step += 0.25;
    near(given("data-exposed", "reductions", {{"microbatches", 6}, {"in_a_row", 4}}), 2);
    near(given("data-exposed", "step_seconds", {{"times", 6}, {"each_seconds", 0.25}, {"once_seconds", 0.5}}), step);
}

void windows_are_parts_of_passes() {
    near(given("traffic-window", "seconds", {{"pass_seconds", 3}, {"share", 1}}), 3);
    near(given("traffic-window", "chunked_seconds", {{"pass_seconds", 3}, {"microbatches", 8}, {"stages", 2}}),
         given("traffic-window", "chunked_seconds", {{"pass_seconds", 3}, {"microbatches", 2}, {"stages", 8}}));
    near(given("traffic-window", "chunked_seconds", {{"pass_seconds", 3}, {"microbatches", 1}, {"stages", 2}}), 1.5);
    near(given("traffic-window", "reduction_seconds",
               {{"backward_seconds", 2}, {"forward_seconds", 1}, {"window_seconds", 100}}),
         2.5);
}

void adamw_moves_its_states() {
    // Reads the gradient, master weights and both moments; writes the last three and the 16-bit weights; reads the
    // gradient again for its norm.
    constexpr double bytes = 4 + 4 + 4 + 4 + (4 + 4 + 4) + 2 + 4;
    near(given("optimizer-time", "seconds", {{"parameters", 1e9}, {"memory_rate", 1e12}}),
         given("memory-bound-kernel", "seconds", {{"bytes", bytes * 1e9}, {"memory_rate", 1e12}}));
    // The gradient norm and the loss add one number each, whatever the size of the update.
    near(given("optimizer-time", "seconds",
               {{"parameters", 0}, {"memory_rate", 1e12}, {"software_seconds", 0.01}, {"sums_seconds", 0.002}}),
         0.01 + given("optimizer-time", "summed_seconds", {{"reduce_seconds", 0.001}}));
    // All ranks together update every parameter once.
    near(64 * given("optimizer-time", "updated", {{"dense", 7e9}, {"experts", 0}, {"dense_shards", 64}}), 7e9);
}

void a_pass_again_is_a_pass() {
    const auto again = [](double early_stop) {
        return given("recomputed-forward", "seconds",
                     {{"forward_seconds", 3}, {"last_multiply_seconds", 1}, {"early_stop", early_stop}});
    };
    near(again(0), 3);
    near(again(1), 2);
}

void rates_scale_with_peaks() {
    const auto rate = [](double peak) {
        return given("attention-rate", "long_rate",
                     {{"measured_rate", 200e12}, {"measured_peak", 312e12}, {"peak", peak}});
    };
    near(rate(312e12), 200e12);
    near(rate(624e12), 400e12);
    near(given("sustained-bandwidth", "memory_rate", {{"bandwidth", 3.35e12}, {"efficiency", 1}}), 3.35e12);
    near(given("sustained-bandwidth", "memory_rate", {{"bandwidth", 3e12}, {"efficiency", 0.8}}),
         given("sustained-rate", "rate", {{"peak", 3e12}, {"efficiency", 0.8}}));
}

void tokens_see_those_before_them() {
    for (const double window : {1.0, 7.0, 64.0, 100.0}) {
        double seen = 0;
        for (int token = 0; token < 64; ++token)
            seen += std::min(token + 0.5, window); // the pair of a token with itself counts half
        near(given("causal-keys", "keys", {{"sequence", 64}, {"window", window}}), seen / 64);
    }
}

void nodes_are_counted_over_all_draws() {
    double reached = 0;
    for (int draw = 0; draw < 1024; ++draw) {
        std::set<int> nodes;
        for (int copy = 0, left = draw; copy < 5; ++copy, left /= 4)
            nodes.insert(left % 4);
        reached += static_cast<double>(nodes.size());
    }
    near(given("distinct-nodes", "nodes_reached", {{"nodes", 4}, {"copies", 5}}), reached / 1024);
}

} // namespace

std::vector<DerivedFormula> derived_machine_formulas() {
    return {
        {"recurrent-mixer", "a count over the state's elements", recurrent_state_is_passed_four_times},
        {"fused-attention", "a count of pairs, and the curve's limits", fused_attention_counts_every_pair},
        {"unfused-attention", "a count of what is read and written", unfused_attention_passes_every_score},
        {"launch-bound-layer", "the limits of a maximum", smooth_maximum_has_its_limits},
        {"layer-launches", "its causes one by one; the sizes are fitted", launches_are_slowed_by_each_cause_alone},
        {"memory-bound-kernel", "the roofline", memory_bound_is_the_roofline_s_other_side},
        {"tier-of-a-group", "conservation of hops", tiers_hops_make_one_ring},
        {"stage-send", "a mean over listed boundaries", sends_are_a_mean_over_boundaries},
        {"tiers-all-gather", "the ring all-gather on one tier", one_tier_is_a_plain_all_gather},
        {"tiers-all-reduce", "the ring all-reduce on one tier", one_tier_is_a_plain_all_reduce},
        {"measured-bandwidth", "the measurements, and their mean", measured_bandwidths_are_joined_on_logarithmic_axes},
        {"expert-traffic", "two all-to-alls", expert_traffic_is_two_all_to_alls},
        {"ring-attention", "a count of blocks", keys_go_round_a_ring},
        {"ring-exposed", "limits, and ring attention's bytes", a_ring_hides_behind_attention},
        {"tensor-exposed", "a count of collectives", tensor_parallelism_gathers_as_megatron_does},
        {"data-exposed", "limits, and a sum over microbatches", data_parallel_traffic_has_its_limits},
        {"traffic-window", "limits", windows_are_parts_of_passes},
        {"optimizer-time", "a count of what AdamW reads and writes", adamw_moves_its_states},
        {"recomputed-forward", "limits", a_pass_again_is_a_pass},
        {"attention-rate", "the part that was measured, and one twice as fast", rates_scale_with_peaks},
        {"sustained-bandwidth", "the data sheet, and the sustained rate's form", rates_scale_with_peaks},
        {"causal-keys", "a mean over tokens", tokens_see_those_before_them},
        {"distinct-nodes", "all possible draws", nodes_are_counted_over_all_draws}};
}

} // namespace meshwright::testing

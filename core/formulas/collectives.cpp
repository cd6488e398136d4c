// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/collectives.h"

#include "formulas/catalogue.h"
#include "formulas/collective_comparison.h"

namespace meshwright::catalogue {

using namespace formula;
using enum Quantity;

namespace {

Symbol ranks(double low = 1) {
    return whole("ranks", "N", "ranks in the group", low);
}
Symbol data(std::string_view meaning) {
    return or_zero(amount(bytes, "bytes", "S", meaning));
}
Symbol bandwidth() {
    return amount(bytes_per_second, "bandwidth", "B", "bus bandwidth per rank, one direction");
}
Symbol latency() {
    return otherwise(or_zero(amount(seconds, "latency", "a", "latency per hop")), 0);
}

Formula ring_all_reduce() {
    return {
        .id = "ring-all-reduce",
        .title = "Ring all-reduce",
        .topic = topic::communication,
        .symbols = {ranks(), data("data per rank"), bandwidth(), latency()},
        .results = {result({"bytes_per_rank", "S_r", "data sent by each rank", bytes}, {"ranks", "bytes"},
                           ring_all_reduce_bytes),
                    result({"seconds", "t", "duration", seconds}, {"ranks", "bytes", "bandwidth", "latency"},
                           ring_all_reduce_seconds),
                    result({"steps", "n", "sequential hops", count}, {"ranks"}, ring_all_reduce_steps)},
        .source = "Patarasuk and Yuan, Bandwidth optimal all-reduce algorithms for clusters of workstations, 2009",
        .notes =
            "The 2 (N - 1) steps already include reduce-scatter and all-gather; another factor of 2 would count the "
            "time twice. For 7.38 GB over 128 ranks, each rank sends 14.645 GB. Of two printed values, 14.63 GB is an "
            "arithmetic slip, and 14.76 GB leaves out the factor (N - 1) / N."};
}

Formula naive_all_reduce() {
    return {.id = "naive-all-reduce",
            .title = "Naive all-reduce",
            .topic = topic::communication,
            .symbols = {ranks(2), data("data per rank"), bandwidth(), latency()},
            .results = {result({"root_bytes", "S_0", "data that the root receives, and then sends", bytes},
                               {"ranks", "bytes"}, naive_root_bytes),
                        result({"seconds", "t", "duration", seconds}, {"ranks", "bytes", "bandwidth", "latency"},
                               naive_all_reduce_seconds),
                        result({"times_ring", "u", "duration relative to a ring all-reduce", Quantity::number},
                               {"ranks", "bytes", "bandwidth", "latency"}, naive_to_ring)},
            .source = "Derived by counting: the root receives every other rank's tensor over its only link, adds them "
                      "up, and sends the sum to each rank. Ring: Patarasuk and Yuan 2009",
            .notes = "If latency is negligible, this takes N times as long as a ring, because all links but the root's "
                     "are idle."};
}

Formula tree_all_reduce() {
    return {.id = "tree-all-reduce",
            .title = "Tree all-reduce",
            .topic = topic::communication,
            .symbols = {ranks(), data("data per rank"), bandwidth(), latency()},
            .results = {result({"steps", "n", "sequential hops", count}, {"ranks"}, tree_all_reduce_steps),
                        result({"seconds", "t", "duration with two pipelined trees", seconds},
                               {"ranks", "bytes", "bandwidth", "latency"}, tree_all_reduce_seconds),
                        result({"single_tree_seconds", "t_1", "duration with a single tree, not pipelined", seconds},
                               {"ranks", "bytes", "bandwidth", "latency"}, single_tree_seconds),
                        result({"equal_bytes", "S_e", "size up to which two trees are faster than a ring", bytes},
                               {"ranks", "bandwidth", "latency"}, ring_equals_trees_bytes),
                        result({"single_tree_equal_bytes", "S_1",
                                "size up to which a single tree is faster than a ring", bytes},
                               {"ranks", "bandwidth", "latency"}, ring_equals_single_tree_bytes)},
            .source =
                "Sanders, Speck and Traeff, Two-tree algorithms for full bandwidth broadcast, reduction and scan, "
                "2009",
            .notes = "A single tree sends all data over each link of its root. NCCL uses two trees with half of the "
                     "data each; every rank is a leaf in one of them. `seconds` is the time of two trees."};
}

Formula half_ring(std::string_view id, std::string_view title) {
    return {.id = id,
            .title = title,
            .topic = topic::communication,
            .symbols = {ranks(), data("size of the whole tensor"), bandwidth(), latency()},
            .results = {result({"bytes_per_rank", "S_r", "data sent by each rank", bytes}, {"ranks", "bytes"},
                               ring_half_bytes),
                        result({"seconds", "t", "duration", seconds}, {"ranks", "bytes", "bandwidth", "latency"},
                               ring_half_seconds)},
            .source =
                "Thakur, Rabenseifner and Gropp, Optimization of collective communication operations in MPICH, 2005",
            .notes = "The size is that of the whole tensor, not of one rank's shard."};
}

Formula all_to_all() {
    return {.id = "all-to-all",
            .title = "All-to-all",
            .topic = topic::communication,
            .symbols = {ranks(), data("data that each rank distributes"), bandwidth(), latency()},
            .results = {result({"bytes_per_rank", "S_r", "data that each rank sends", bytes}, {"ranks", "bytes"},
                               all_to_all_bytes),
                        result({"seconds", "t", "duration", seconds}, {"ranks", "bytes", "bandwidth", "latency"},
                               all_to_all_seconds)},
            .source = "Thakur, Rabenseifner and Gropp 2005: pairwise exchange"};
}

Formula bus() {
    return {.id = "bus-bandwidth",
            .title = "Bus bandwidth",
            .topic = topic::communication,
            .symbols = {ranks(2), amount(bytes, "bytes", "S", "data per rank"),
                        amount(seconds, "seconds", "t", "measured duration of the all-reduce")},
            .results = {result({"bytes_per_second", "B", "bus bandwidth", bytes_per_second},
                               {"ranks", "bytes", "seconds"}, bus_bandwidth),
                        result({"algorithm_bytes_per_second", "B_a", "algorithm bandwidth", bytes_per_second},
                               {"bytes", "seconds"}, algorithm_bandwidth)},
            .source = "NCCL tests, doc/PERFORMANCE.md"};
}

Formula hierarchical() {
    const Symbol slow_links = otherwise(whole("slow_links_per_node", "l", "inter-node links per node", 1, 1e4), 1);
    return {
        .id = "hierarchical-all-reduce",
        .title = "All-reduce over two tiers",
        .topic = topic::communication,
        .symbols = {data("data per rank"), whole("ranks_per_node", "n", "ranks per node"), whole("nodes", "M", "nodes"),
                    amount(bytes_per_second, "fast_bandwidth", "B_1", "intra-node bandwidth, one direction"),
                    amount(bytes_per_second, "slow_bandwidth", "B_2",
                           "bandwidth of one inter-node link, one direction"),
                    slow_links},
        .results = {result({"slow_seconds", "t_2", "inter-node time", seconds},
                           {"bytes", "nodes", "slow_bandwidth", "slow_links_per_node"}, hierarchical_slow_seconds),
                    result({"slow_seconds_with_a_link_per_rank", "t_3", "inter-node time if each rank had its own link",
                            seconds},
                           {"bytes", "nodes", "slow_bandwidth", "ranks_per_node"}, hierarchical_slow_seconds),
                    result({"fast_seconds", "t_1", "intra-node time: reduce-scatter and all-gather", seconds},
                           {"bytes", "ranks_per_node", "fast_bandwidth"}, hierarchical_fast_seconds),
                    result(
                        {"seconds", "t", "total time, one tier after the other", seconds},
                        {"bytes", "ranks_per_node", "nodes", "fast_bandwidth", "slow_bandwidth", "slow_links_per_node"},
                        hierarchical_seconds)},
        .source = "Patarasuk and Yuan 2009 for the ring in each tier; nodes exchange the shards of the intra-node "
                  "reduce-scatter",
        .notes =
            "With one link per node, the whole tensor crosses that link: 350 ms for 20 GB over 8 nodes at 100 GB/s. If "
            "each of 8 ranks has its own link, each link carries an eighth of the tensor, which takes 44 ms."};
}

Formula expert_nodes() {
    return {
        .id = "distinct-nodes",
        .title = "Nodes that a token is sent to",
        .topic = topic::communication,
        .symbols = {whole("nodes", "M", "nodes"), whole("copies", "k", "experts per token, drawn at random", 1, 1e4)},
        .results = {result({"nodes_reached", "m", "mean number of distinct nodes", Quantity::number},
                           {"nodes", "copies"}, distinct_nodes)},
        .source =
            "Experts are drawn with replacement. A token is sent to each node only once, as in DeepSeek-V2, arXiv "
            "2405.04434, section 2.2.2"};
}

} // namespace

std::vector<Formula> collective_formulas() {
    return {ring_all_reduce(),
            naive_all_reduce(),
            tree_all_reduce(),
            half_ring("all-gather", "Ring all-gather"),
            half_ring("reduce-scatter", "Ring reduce-scatter"),
            all_to_all(),
            bus(),
            hierarchical(),
            expert_nodes()};
}

std::vector<Formula> overlap_formulas() {
    const Symbol layers = whole("layers", "L", "layers, each with its own gradient reduction", 1, 1e6);
    const Symbol backward = amount(seconds, "backward_seconds", "t_b", "time of the backward pass over all layers");
    const Symbol communication =
        amount(seconds, "layer_communication_seconds", "t_c", "time to reduce one layer's gradients");
    return {
        {.id = "overlap",
         .title = "Overlap of gradient reduction with the backward pass",
         .topic = topic::communication,
         .symbols = {layers, backward, communication},
         .results = {result({"overlapped_fraction", "o", "fraction of the communication that is overlapped", share},
                            {"layers", "backward_seconds", "layer_communication_seconds"}, overlapped_fraction),
                     result({"exposed_seconds", "t_e", "exposed communication", seconds},
                            {"layers", "backward_seconds", "layer_communication_seconds"}, overlap_exposed_seconds)},
         .source = "Derived: one layer's reduction overlaps with the backward pass of the next layer, and reductions "
                   "run one at a time",
         .notes = "If each reduction is shorter than a layer's backward pass, only the last one is exposed. Otherwise "
                  "each layer delays the last reduction by the difference between these two times."},
        {.id = "communication-to-mfu",
         .title = "MFU with exposed communication",
         .topic = topic::communication,
         .symbols = {amount(share, "mfu", "U", "MFU during computation"),
                     amount(seconds, "compute_seconds", "t_c", "compute time"),
                     or_zero(amount(seconds, "exposed_seconds", "t_e", "exposed communication"))},
         .results = {result({"mfu", "U'", "MFU of the whole step", share},
                            {"mfu", "compute_seconds", "exposed_seconds"}, mfu_with_exposed)},
         .source = "Definition of MFU, PaLM, arXiv 2204.02311, section 4.1"},
        {.id = "communication-compute-ratio",
         .title = "Gradient all-reduce relative to computation",
         .topic = topic::communication,
         .symbols = {amount(parameters, "parameters", "P", "parameters whose gradients are reduced"),
                     whole("ranks", "N", "data-parallel size"),
                     amount(bytes_per_second, "bandwidth", "B", "bus bandwidth per rank, one direction"),
                     amount(flops, "flops", "F", "FLOPs per step on one accelerator"),
                     amount(flops_per_second, "peak", "Q", "sustained FLOP/s of the accelerator"),
                     otherwise(amount(bytes, "gradient_bytes", "b", "bytes per gradient"), 2)},
         .results = {result({"ratio", "r", "all-reduce time / compute time", Quantity::number},
                            {"parameters", "ranks", "bandwidth", "flops", "peak", "gradient_bytes"},
                            gradient_to_compute_ratio)},
         .source =
             "Ring all-reduce time (Patarasuk and Yuan 2009) divided by the time of the FLOPs at the given rate"}};
}

} // namespace meshwright::catalogue

// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/collectives.h"

#include "formulas/catalogue.h"

namespace meshwright::catalogue {

using namespace formula;
using enum Quantity;

namespace {

constexpr std::string_view topic = "Communication";

Symbol ranks(double low = 1) {
    return whole("ranks", "N", "accelerators that take part", low);
}
Symbol data(std::string_view meaning) {
    return or_zero(amount(bytes, "bytes", "S", meaning));
}
Symbol bandwidth() {
    return amount(bytes_per_second, "bandwidth", "B", "bus bandwidth of a rank, one way");
}
Symbol latency() {
    return otherwise(or_zero(amount(seconds, "latency", "a", "time of one hop")), 0);
}

Formula ring_all_reduce() {
    return {.id = "ring-all-reduce",
            .title = "Ring all-reduce",
            .topic = topic,
            .symbols = {ranks(), data("data on each rank"), bandwidth(), latency()},
            .results = {result({"bytes_per_rank", "S_r", "sent by each rank", bytes, "2 * (ranks - 1) / ranks * bytes"},
                               {"ranks", "bytes"}, ring_all_reduce_bytes),
                        result({"seconds", "t", "duration", seconds,
                                "2 * (ranks - 1) / ranks * bytes / bandwidth + 2 * (ranks - 1) * latency"},
                               {"ranks", "bytes", "bandwidth", "latency"}, ring_all_reduce_seconds),
                        result({"steps", "n", "hops one after another", count, "2 * (ranks - 1)"}, {"ranks"},
                               ring_all_reduce_steps)},
            .source = "Patarasuk and Yuan, Bandwidth optimal all-reduce algorithms for clusters of workstations, 2009",
            .notes =
                "2 (N - 1) steps are both phases already: multiplying by two again doubles the time. 7.38 GB over 128 "
                "ranks are 14.645 GB; 14.63 is a slip. Leaving (N - 1) / N out gives 14.76."};
}

Formula tree_all_reduce() {
    return {
        .id = "tree-all-reduce",
        .title = "Tree all-reduce",
        .topic = topic,
        .symbols = {ranks(), data("data on each rank"), bandwidth(), latency()},
        .results = {result({"steps", "n", "hops one after another", count, "2 * ceil(log2(ranks))"}, {"ranks"},
                           tree_all_reduce_steps),
                    result({"seconds", "t", "duration, two pipelined trees", seconds,
                            "ranks > 1 ? 2 * bytes / bandwidth + 2 * ceil(log2(ranks)) * latency : 0"},
                           {"ranks", "bytes", "bandwidth", "latency"}, tree_all_reduce_seconds)},
        .source = "Sanders, Speck and Traeff, Two-tree algorithms for full bandwidth broadcast, reduction and scan, "
                  "2009",
        .notes = "A single tree sends all data over each link of its root. Two trees that share the data, each rank "
                 "a leaf in one of them, are what NCCL runs and what the time is of."};
}

Formula half_ring(std::string_view id, std::string_view title) {
    return {.id = id,
            .title = title,
            .topic = topic,
            .symbols = {ranks(), data("the whole tensor"), bandwidth(), latency()},
            .results = {result({"bytes_per_rank", "S_r", "sent by each rank", bytes, "(ranks - 1) / ranks * bytes"},
                               {"ranks", "bytes"}, ring_half_bytes),
                        result({"seconds", "t", "duration", seconds,
                                "(ranks - 1) / ranks * bytes / bandwidth + (ranks - 1) * latency"},
                               {"ranks", "bytes", "bandwidth", "latency"}, ring_half_seconds)},
            .source =
                "Thakur, Rabenseifner and Gropp, Optimization of collective communication operations in MPICH, 2005",
            .notes = "Bytes are those of the whole tensor, not of one rank's shard of it."};
}

Formula all_to_all() {
    return {.id = "all-to-all",
            .title = "All-to-all",
            .topic = topic,
            .symbols = {ranks(), data("data that each rank distributes"), bandwidth(), latency()},
            .results = {result({"bytes_per_rank", "S_r", "sent to other ranks", bytes, "(ranks - 1) / ranks * bytes"},
                               {"ranks", "bytes"}, all_to_all_bytes),
                        result({"seconds", "t", "duration", seconds,
                                "(ranks - 1) / ranks * bytes / bandwidth + (ranks - 1) * latency"},
                               {"ranks", "bytes", "bandwidth", "latency"}, all_to_all_seconds)},
            .source = "Thakur, Rabenseifner and Gropp 2005: pairwise exchange"};
}

Formula bus() {
    return {.id = "bus-bandwidth",
            .title = "Bus bandwidth",
            .topic = topic,
            .symbols = {ranks(2), amount(bytes, "bytes", "S", "data on each rank"),
                        amount(seconds, "seconds", "t", "measured duration of the all-reduce")},
            .results = {result({"bytes_per_second", "B", "bus bandwidth", bytes_per_second,
                                "bytes / seconds * (2 * (ranks - 1) / ranks)"},
                               {"ranks", "bytes", "seconds"}, bus_bandwidth),
                        result({"algorithm_bytes_per_second", "B_a", "algorithm bandwidth", bytes_per_second,
                                "bytes / seconds"},
                               {"bytes", "seconds"}, algorithm_bandwidth)},
            .source = "NCCL tests, doc/PERFORMANCE.md"};
}

Formula hierarchical() {
    const Symbol slow_links =
        otherwise(whole("slow_links_per_node", "l", "links between nodes that each node has", 1, 1e4), 1);
    constexpr std::string_view slow_text = "2 * (nodes - 1) / nodes * bytes / (slow_bandwidth * slow_links_per_node)";
    return {.id = "hierarchical-all-reduce",
            .title = "All-reduce over two tiers",
            .topic = topic,
            .symbols = {data("data on each rank"), whole("ranks_per_node", "n", "accelerators in a node"),
                        whole("nodes", "M", "nodes"),
                        amount(bytes_per_second, "fast_bandwidth", "B_1", "inside a node, one way"),
                        amount(bytes_per_second, "slow_bandwidth", "B_2", "of one link between nodes"), slow_links},
            .results =
                {result({"slow_seconds", "t_2", "between nodes", seconds, slow_text},
                        {"bytes", "nodes", "slow_bandwidth", "slow_links_per_node"}, hierarchical_slow_seconds),
                 result({"slow_seconds_with_a_link_per_rank", "t_3", "between nodes, had each accelerator its own link",
                         seconds, "2 * (nodes - 1) / nodes * bytes / (slow_bandwidth * ranks_per_node)"},
                        {"bytes", "nodes", "slow_bandwidth", "ranks_per_node"}, hierarchical_slow_seconds),
                 result({"fast_seconds", "t_1", "inside a node: reduce-scatter, later all-gather", seconds,
                         "2 * (ranks_per_node - 1) / ranks_per_node * bytes / fast_bandwidth"},
                        {"bytes", "ranks_per_node", "fast_bandwidth"}, hierarchical_fast_seconds),
                 result({"seconds", "t", "both tiers one after the other", seconds,
                         "2 * (ranks_per_node - 1) / ranks_per_node * bytes / fast_bandwidth"
                         " + 2 * (nodes - 1) / nodes * bytes / (slow_bandwidth * slow_links_per_node)"},
                        {"bytes", "ranks_per_node", "nodes", "fast_bandwidth", "slow_bandwidth", "slow_links_per_node"},
                        hierarchical_seconds)},
            .source = "Two ring all-reduces, Patarasuk and Yuan 2009, of parts that a reduce-scatter makes",
            .notes =
                "With one link a node the whole tensor crosses it: 350 ms for 20 GB over 8 nodes at 100 GB/s. Where "
                "each of 8 accelerators has a link, each link carries an eighth and the same takes 44 ms."};
}

Formula expert_nodes() {
    return {
        .id = "distinct-nodes",
        .title = "Nodes that a token's experts lie on",
        .topic = topic,
        .symbols = {whole("nodes", "M", "nodes"), whole("copies", "k", "experts of a token, drawn at random", 1, 1e4)},
        .results = {result({"nodes_reached", "m", "distinct nodes on average", Quantity::number,
                            "nodes * (1 - (1 - 1 / nodes) ^ copies)"},
                           {"nodes", "copies"}, distinct_nodes)},
        .source = "Draws with replacement; why a token is sent once to each node: DeepSeek-V2, arXiv 2405.04434, "
                  "section 2.2.2"};
}

} // namespace

std::vector<Formula> collective_formulas() {
    return {ring_all_reduce(),
            tree_all_reduce(),
            half_ring("all-gather", "Ring all-gather"),
            half_ring("reduce-scatter", "Ring reduce-scatter"),
            all_to_all(),
            bus(),
            hierarchical(),
            expert_nodes()};
}

std::vector<Formula> overlap_formulas() {
    const Symbol layers = whole("layers", "L", "layers, each with its own reduction", 1, 1e6);
    const Symbol backward = amount(seconds, "backward_seconds", "t_b", "whole backward pass");
    const Symbol communication = amount(seconds, "layer_communication_seconds", "t_c", "one layer's reduction");
    constexpr std::string_view exposed =
        "layer_communication_seconds"
        " + (layers - 1) * max(0, layer_communication_seconds - backward_seconds / layers)";
    return {
        {.id = "overlap",
         .title = "Reductions behind the backward pass",
         .topic = topic,
         .symbols = {layers, backward, communication},
         .results = {result({"overlapped_fraction", "o", "part of the communication that is hidden", share,
                             "1 - (layer_communication_seconds"
                             " + (layers - 1) * max(0, layer_communication_seconds - backward_seconds / layers))"
                             " / (layers * layer_communication_seconds)"},
                            {"layers", "backward_seconds", "layer_communication_seconds"}, overlapped_fraction),
                     result({"exposed_seconds", "t_e", "what is not hidden", seconds, exposed},
                            {"layers", "backward_seconds", "layer_communication_seconds"}, overlap_exposed_seconds)},
         .source = "Derived: one layer's reduction runs behind the backward pass of the next, on one queue",
         .notes =
             "Only the last reduction stays exposed while each is shorter than a layer's backward pass; beyond that "
             "the queue grows by the difference at every layer."},
        {.id = "communication-to-mfu",
         .title = "Utilisation with exposed communication",
         .topic = topic,
         .symbols = {amount(share, "mfu", "U", "utilisation while computing"),
                     amount(seconds, "compute_seconds", "t_c", "computing"),
                     or_zero(amount(seconds, "exposed_seconds", "t_e", "communication that nothing hides"))},
         .results = {result({"mfu", "U'", "utilisation of the whole step", share,
                             "mfu * compute_seconds / (compute_seconds + exposed_seconds)"},
                            {"mfu", "compute_seconds", "exposed_seconds"}, mfu_with_exposed)},
         .source = "Definition of utilisation, PaLM, arXiv 2204.02311, section 4.1"},
        {.id = "communication-compute-ratio",
         .title = "Gradient all-reduce against computation",
         .topic = topic,
         .symbols = {amount(parameters, "parameters", "P", "parameters whose gradients are reduced"),
                     whole("ranks", "N", "data-parallel ranks"),
                     amount(bytes_per_second, "bandwidth", "B", "bus bandwidth of a rank, one way"),
                     amount(flops, "flops", "F", "computation of a step on one accelerator"),
                     amount(flops_per_second, "peak", "Q", "what the accelerator computes in a second"),
                     otherwise(amount(bytes, "gradient_bytes", "b", "bytes of one gradient"), 2)},
         .results = {result({"ratio", "r", "time of the all-reduce over time of the computation", Quantity::number,
                             "2 * (ranks - 1) / ranks * parameters * gradient_bytes / bandwidth / (flops / peak)"},
                            {"parameters", "ranks", "bandwidth", "flops", "peak", "gradient_bytes"},
                            gradient_to_compute_ratio)},
         .source = "Ring all-reduce, Patarasuk and Yuan 2009, over FLOPs at the given rate"}};
}

} // namespace meshwright::catalogue

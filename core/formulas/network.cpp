// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/network.h"

#include "formulas/catalogue.h"

namespace meshwright::catalogue {

using namespace formula;
using enum Quantity;

namespace {

constexpr std::string_view tuning = "Thakur, Rabenseifner and Gropp 2005, summed over tiers as in NCCL's tuning model";

Symbol members() {
    return real("members", "N", "members of the group", 1, 1e9);
}
Symbol inside() {
    return otherwise(real("inside", "n_i", "group members in one domain of the tier below", 1, 1e9), 1);
}
Symbol within() {
    return real("within", "n", "group members in one domain of this tier", 1, 1e9);
}
Symbol latency() {
    return or_zero(amount(seconds, "latency", "a", "latency per hop"));
}
Symbol base() {
    return otherwise(or_zero(amount(seconds, "base_seconds", "t_0", "launch and handshake time")), 0);
}
Symbol tensor_bytes() {
    return or_zero(amount(bytes, "bytes", "S", "size of the whole tensor"));
}
Symbol bandwidth() {
    return amount(bytes_per_second, "bandwidth", "B", "bandwidth of the slowest tier crossed by the group");
}
Symbol ring() {
    return otherwise(or_zero(amount(seconds, "ring_seconds", "t_r", "latency of all hops around the ring")), 0);
}
Symbol ranks() {
    return real("ranks", "N", "ranks in the group", 1, 1e9);
}

Symbol axes() {
    return real("axes_share", "a", "fraction of an accelerator's links that the group uses; below 1 only in a torus", 0,
                1);
}

Formula torus_axes() {
    return {.id = "torus-axes",
            .title = "Torus axes that a group spans",
            .topic = topic::communication,
            .symbols = {real("ranks", "n", "group members in the torus", 2, 1e9),
                        real("accelerators", "A", "accelerators in the torus", 2, 1e9)},
            .results = {result(
                {"axes_share", "a", "fraction of an accelerator's links that the group uses", Quantity::share},
                {"ranks", "accelerators"}, axes_share)},
            .source = "Derived: a torus of A accelerators has A^(1/d) accelerators along each of its d equal axes, and "
                      "a collective along one axis uses only the links of that axis (How to Scale Your Model, "
                      "chapter 2, TPU networking).",
            .notes =
                "A group that does not fill an axis counts as a fraction of the axis: log n / log of the axis length."};
}

Formula tier() {
    return {.id = "tier-of-a-group",
            .title = "A group on one network tier",
            .topic = topic::communication,
            .symbols = {whole("accelerators", "A", "accelerators in one domain of the tier"),
                        otherwise(real("nodes", "M", "nodes spanned by the group", 1, 1e9), 2),
                        otherwise(whole("stride", "s", "rank distance between neighbors in the group"), 1), members(),
                        inside(), within(),
                        amount(bytes_per_second, "bandwidth", "B", "link bandwidth of the tier per accelerator"),
                        otherwise(axes(), 1), latency()},
            .results = {result({"members_inside", "n", "group members in one domain of the tier", Quantity::number},
                               {"accelerators", "stride", "members"}, members_inside),
                        result({"tier_bandwidth", "B_t", "tier bandwidth available to the group", bytes_per_second},
                               {"inside", "bandwidth", "axes_share"}, tier_bandwidth),
                        result({"ring_seconds", "t_r", "latency of the ring edges that cross the tier", seconds},
                               {"members", "inside", "within", "latency"}, ring_tier_seconds),
                        result({"tree_seconds", "t_t", "latency of the tree levels in the tier", seconds},
                               {"inside", "within", "latency"}, tree_tier_seconds),
                        result({"between_seconds", "t_n",
                                "extra start-up time across nodes, unless network health is nominal", seconds},
                               {"nodes", "latency"}, between_nodes_seconds),
                        result({"chain_seconds", "t_c",
                                "latency of a chain of ranks, which replaces the tree in the innermost tier", seconds},
                               {"inside", "within", "latency"}, chain_tier_seconds)},
            .source = tuning,
            .notes = "All members in one domain of the next lower tier send over their own links simultaneously."};
}

Formula gather() {
    return {
        .id = "tiers-all-gather",
        .title = "All-gather over a site's tiers",
        .topic = topic::communication,
        .symbols = {ranks(), tensor_bytes(), bandwidth(), ring(), base()},
        .results = {result({"seconds", "t", "duration (same for a reduce-scatter)", seconds},
                           {"ranks", "bytes", "bandwidth", "ring_seconds", "base_seconds"}, tiers_all_gather_seconds)},
        .source = tuning};
}

Formula reduce() {
    const Symbol tree =
        otherwise(or_zero(amount(seconds, "tree_seconds", "t_t", "latency of all hops down a tree")), 0);
    const Symbol in_switch =
        otherwise(or_zero(amount(seconds, "switch_seconds", "t_s", "setup time of in-switch reduction")), 0);
    return {
        .id = "tiers-all-reduce",
        .title = "All-reduce over a site's tiers",
        .topic = topic::communication,
        .symbols = {ranks(), otherwise(real("inside", "n_i", "ranks per node", 1, 1e9), 1), tensor_bytes(), bandwidth(),
                    amount(bytes_per_second, "switch_bandwidth", "B_s", "sustained bandwidth with in-switch reduction"),
                    otherwise(real("nodes", "M", "nodes spanned by the group", 1, 1e9), 3),
                    otherwise(or_zero(amount(Quantity::number, "passes", "x",
                                             "number of times the data crosses a node's network links")),
                              2),
                    ring(), tree, in_switch, base()},
        .results = {result({"seconds", "t", "ring duration", seconds},
                           {"ranks", "bytes", "bandwidth", "ring_seconds", "base_seconds"}, ring_reduce_seconds),
                    result({"trees_seconds", "t_2", "duration with two trees", seconds},
                           {"bytes", "bandwidth", "tree_seconds", "base_seconds"}, trees_reduce_seconds),
                    result({"switch_sum_seconds", "t_v", "duration with in-switch reduction", seconds},
                           {"ranks", "bytes", "bandwidth", "switch_seconds", "base_seconds"}, switch_reduce_seconds),
                    result({"switch_trees_seconds", "t_w",
                            "duration with in-switch reduction per node and two trees between nodes", seconds},
                           {"inside", "bytes", "switch_bandwidth", "passes", "bandwidth", "tree_seconds",
                            "switch_seconds", "base_seconds"},
                           switch_trees_seconds),
                    result({"tree_passes", "x", "number of times the data crosses a node's network links",
                            Quantity::number},
                           {"nodes"}, tree_passes)},
        .source = "Ring and trees: NCCL's tuning model; two trees: Sanders, Speck and Traeff 2009; in-switch "
                  "reduction: NVLink SHARP, checked against nccl-tests on H200; several nodes: NCCL's NVLSTree"};
}

Formula measured() {
    const auto point = [](const char *name, const char *symbol, const char *text) {
        return real(name, symbol, text, 1, 1e18);
    };
    return {
        .id = "measured-bandwidth",
        .title = "Bus bandwidth between two measurements",
        .topic = topic::communication,
        .symbols = {point("below", "x_1", "bytes or ranks of the lower measurement"),
                    amount(bytes_per_second, "below_bandwidth", "B_1", "bandwidth of the lower measurement"),
                    point("above", "x_2", "bytes or ranks of the upper measurement"),
                    amount(bytes_per_second, "above_bandwidth", "B_2", "bandwidth of the upper measurement"),
                    point("at", "x", "bytes or ranks at which to interpolate"),
                    otherwise(real("groups", "G", "groups that share a node's links", 1, 1e9), 1)},
        .results = {result({"bandwidth", "B", "interpolated bandwidth", bytes_per_second},
                           {"below", "below_bandwidth", "above", "above_bandwidth", "at"}, between_measured_bandwidth),
                    result(
                        {"shared_bandwidth", "B_g", "bandwidth of each group that shares the links", bytes_per_second},
                        {"below_bandwidth", "groups"}, shared_bandwidth)},
        .source =
            "Derived: linear interpolation on log-log axes, on which bus bandwidth is usually plotted. Accelerators "
            "of a node that send simultaneously share its links."};
}

Formula dispatch() {
    return {
        .id = "expert-dispatch",
        .title = "Expert dispatch",
        .topic = topic::communication,
        .symbols = {real("inside", "n_i", "expert-parallel ranks per node", 1, 1e9),
                    otherwise(real("nodes", "M", "nodes spanned by the group", 1, 1e9), 1),
                    or_zero(amount(bytes, "bytes", "S", "bytes each rank dispatches, including all copies of a token")),
                    otherwise(real("copies", "k", "experts per token", 1, 1e9), 1),
                    amount(bytes_per_second, "bandwidth", "B", "intra-node bandwidth, one direction"),
                    amount(bytes_per_second, "network_bandwidth", "B_n",
                           "inter-node bandwidth per rank, one direction"),
                    otherwise(amount(share, "efficiency", "e", "fraction of the bandwidth that an all-to-all achieves"),
                              1),
                    base()},
        .results = {result({"seconds", "t", "duration", seconds},
                           {"inside", "nodes", "bytes", "copies", "bandwidth", "network_bandwidth", "efficiency",
                            "base_seconds"},
                           expert_dispatch_seconds),
                    result({"inside_seconds", "t_i", "time of transfers inside a node", seconds},
                           {"inside", "bytes", "bandwidth"}, dispatch_inside_seconds),
                    result({"between_seconds", "t_b", "time of transfers between nodes", seconds},
                           {"nodes", "bytes", "copies", "network_bandwidth", "efficiency"}, dispatch_between_seconds),
                    result({"once_a_node", "u",
                            "fraction of token copies sent between nodes if each token goes to a node only once",
                            share},
                           {"nodes", "copies"}, once_a_node_share)},
        .source = "Pairwise exchange, Thakur, Rabenseifner and Gropp 2005; a token sent once to each node: "
                  "DeepSeek-V2, arXiv 2405.04434, section 2.2.2"};
}

Formula send() {
    return {.id = "stage-send",
            .title = "Point-to-point send between stages",
            .topic = topic::communication,
            .symbols = {or_zero(amount(Quantity::number, "crossing", "x", "stage boundaries that cross the tier")),
                        real("boundaries", "y", "boundaries between stages", 1, 1e9),
                        or_zero(amount(bytes, "bytes", "S", "activations of a microbatch")),
                        amount(bytes_per_second, "bandwidth", "B", "bandwidth of the tier"),
                        or_zero(amount(seconds, "wire_seconds", "t_w", "mean transfer time over all tiers")),
                        otherwise(real("factor", "f", "send time divided by (bytes / bandwidth)", 0, 1e3), 1), base()},
            .results = {result({"tier_seconds", "t_i", "contribution of the tier to the mean transfer time", seconds},
                               {"crossing", "boundaries", "bytes", "bandwidth"}, send_tier_seconds),
                        result({"seconds", "t", "time of one send", seconds},
                               {"wire_seconds", "factor", "base_seconds"}, stage_send_seconds)},
            .source = "Derived: the mean over a pipeline's stage boundaries inside and between nodes"};
}

} // namespace

std::vector<Formula> network_formulas() {
    return {tier(), torus_axes(), gather(), reduce(), measured(), dispatch(), send()};
}

} // namespace meshwright::catalogue

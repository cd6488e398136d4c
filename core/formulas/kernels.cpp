// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/kernels.h"

#include "formulas/catalogue.h"

namespace meshwright::catalogue {

using namespace formula;
using enum Quantity;

namespace {

constexpr std::string_view topic = "Kernels";

Symbol size(std::string_view name, std::string_view letter, std::string_view meaning) {
    return real(name, letter, meaning, 0, 1e12);
}
Symbol rate() {
    return amount(flops_per_second, "rate", "Q", "sustained rate of the multiplies");
}
Symbol memory_rate() {
    return amount(bytes_per_second, "memory_rate", "B", "sustained bandwidth of the accelerator's memory");
}
Symbol gap() {
    return otherwise(or_zero(amount(seconds, "gap", "g", "device time between two kernels")), 0);
}
Symbol traffic_factor() {
    return otherwise(real("traffic_factor", "f", "bytes moved against those of a fused kernel", 1e-3, 1e3), 1);
}
Symbol query_tokens() {
    return size("query_tokens", "q", "queries: tokens of a microbatch on a rank");
}
Symbol key_tokens() {
    return amount(Quantity::number, "key_tokens", "k", "keys: tokens of one sequence, or of its window");
}
Symbol heads() {
    return amount(Quantity::number, "heads", "a", "heads on a rank");
}
Symbol widths() {
    return amount(Quantity::number, "widths", "w", "width of a query and of a value together");
}

Formula sustained() {
    return {.id = "sustained-rate",
            .title = "What an accelerator sustains",
            .topic = topic,
            .symbols = {amount(flops_per_second, "peak", "Q_p", "dense peak in the format of the multiplies"),
                        amount(share, "efficiency", "e", "share of it that training sustains"),
                        otherwise(real("stack_factor", "f", "factor of the training software", 1e-3, 1e3), 1)},
            .results = {result({"rate", "Q", "sustained rate", flops_per_second, "peak * efficiency * stack_factor"},
                               {"peak", "efficiency", "stack_factor"}, sustained_matrix_rate)},
            .source = "Definition; the shares are constants of the registry, each with its own source"};
}

Formula memory() {
    return {.id = "sustained-bandwidth",
            .title = "Memory bandwidth that kernels reach",
            .topic = topic,
            .symbols = {amount(bytes_per_second, "bandwidth", "B_p", "of the accelerator's memory"),
                        amount(share, "efficiency", "e", "share of it that element-wise kernels reach")},
            .results = {result({"memory_rate", "B", "sustained bandwidth", bytes_per_second, "bandwidth * efficiency"},
                               {"bandwidth", "efficiency"}, sustained_memory_rate)},
            .source = "Definition; the share is a constant of the registry"};
}

Formula multiply() {
    constexpr std::string_view forward =
        "element_bytes * (rows * depth + groups * columns * depth) + 2 * byte * rows * columns";
    constexpr std::string_view by_inputs =
        "element_bytes * (rows * columns + groups * columns * depth) + 2 * byte * rows * depth";
    constexpr std::string_view by_weights =
        "element_bytes * (rows * depth + rows * columns) + 8 * byte * groups * columns * depth";
    constexpr std::string_view forward_time =
        "max(2 * flop * rows * columns * depth / rate + (groups > 1 ? element_bytes * groups * columns * depth /"
        " memory_rate : 0), (element_bytes * (rows * depth + groups * columns * depth) + 2 * byte * rows * columns) /"
        " memory_rate) + gap";
    constexpr std::string_view by_inputs_time =
        "max(2 * flop * rows * columns * depth / rate + (groups > 1 ? element_bytes * groups * columns * depth /"
        " memory_rate : 0), (element_bytes * (rows * columns + groups * columns * depth) + 2 * byte * rows * depth) /"
        " memory_rate) + gap";
    constexpr std::string_view by_weights_time =
        "max(2 * flop * rows * columns * depth / rate, (element_bytes * (rows * depth + rows * columns)"
        " + 8 * byte * groups * columns * depth) / memory_rate) + gap";
    return {
        .id = "matrix-multiply",
        .title = "Time of a matrix multiply",
        .topic = topic,
        .symbols = {size("rows", "m", "rows: tokens on a rank"), size("columns", "n", "columns: outputs on a rank"),
                    size("depth", "k", "depth: inputs on a rank"),
                    otherwise(size("groups", "G", "multiplies side by side that share the rows"), 1),
                    otherwise(amount(bytes, "element_bytes", "e", "bytes of an input element"), 2), rate(),
                    memory_rate(), gap()},
        .results = {result({"forward_seconds", "t", "forward", seconds, forward_time},
                           {"rows", "columns", "depth", "groups", "element_bytes", "rate", "memory_rate", "gap"},
                           matrix_forward_seconds),
                    result({"input_gradient_seconds", "t_I", "gradient by inputs", seconds, by_inputs_time},
                           {"rows", "columns", "depth", "groups", "element_bytes", "rate", "memory_rate", "gap"},
                           matrix_input_gradient_seconds),
                    result({"weight_gradient_seconds", "t_W", "gradient by weights", seconds, by_weights_time},
                           {"rows", "columns", "depth", "groups", "element_bytes", "rate", "memory_rate", "gap"},
                           matrix_weight_gradient_seconds),
                    result({"flops", "F", "computation of each of them", flops, "2 * flop * rows * columns * depth"},
                           {"rows", "columns", "depth"}, matrix_flops),
                    result({"forward_bytes", "S", "moved forward", bytes, forward},
                           {"rows", "columns", "depth", "groups", "element_bytes"}, matrix_forward_bytes),
                    result({"input_gradient_bytes", "S_I", "moved for the gradient by inputs", bytes, by_inputs},
                           {"rows", "columns", "depth", "groups", "element_bytes"}, matrix_input_gradient_bytes),
                    result({"weight_gradient_bytes", "S_W", "moved for the gradient by weights", bytes, by_weights},
                           {"rows", "columns", "depth", "groups", "element_bytes"}, matrix_weight_gradient_bytes)},
        .source = "Williams, Waterman and Patterson, Roofline, 2009; bytes counted from the tensors' shapes, weight "
                  "gradients accumulated in FP32",
        .notes = "The rate is the one that tiles in whole waves leave. Groups side by side read weights of their own, "
                 "which hides behind nothing: measured on grouped multiplies by rows a group, on B200 and A100 "
                 "(SimuMax's tables)."};
}

Formula tiles() {
    constexpr std::string_view reached =
        "multiprocessors > 0 ? 2 * flop * results * depth / min(ceil(tiles / multiprocessors) * (65536 * flop *"
        " tile_share * depth * multiprocessors / rate + tile_seconds), min(ceil(2 * tiles / multiprocessors) * (65536 *"
        " flop * tile_share * depth / 2 * multiprocessors / rate + tile_seconds) + 8 * byte * results / memory_rate,"
        " ceil(4 * tiles / multiprocessors) * (65536 * flop * tile_share * depth / 4 * multiprocessors / rate +"
        " tile_seconds) + 16 * byte * results / memory_rate)) : rate";
    return {
        .id = "matrix-tiles",
        .title = "Rate that tiles in whole waves leave",
        .topic = topic,
        .symbols = {size("tiles", "N", "tiles of 256 x 128 results"),
                    otherwise(amount(share, "tile_share", "s", "part of a tile that is computed"), 1),
                    size("results", "n", "results of all groups"), size("depth", "k", "depth of each result"), rate(),
                    memory_rate(),
                    otherwise(real("multiprocessors", "n_m", "of the accelerator; 0: a few large units", 0, 1e5), 132),
                    otherwise(or_zero(amount(seconds, "tile_seconds", "t_0", "start and end of a tile")), 5e-6)},
        .results = {result(
            {"reached_rate", "Q_w", "rate reached", flops_per_second, reached},
            {"tiles", "tile_share", "results", "depth", "rate", "memory_rate", "multiprocessors", "tile_seconds"},
            matrix_tiled_rate)},
        .source = "NVIDIA, Matrix multiplication background user's guide: tiles, waves and split-k",
        .notes = "The best of the depth in one piece, in two and in four, whose partial sums are written in FP32."};
}

Formula cover() {
    return {.id = "matrix-cover",
            .title = "Tiles that cover a matrix",
            .topic = topic,
            .symbols = {size("rows", "m", "rows of one group's result"), size("columns", "n", "its columns"),
                        otherwise(size("groups", "G", "results side by side"), 1)},
            .results = {result({"tiles", "N", "tiles, upright or lying", count,
                                "groups * min(ceil(rows / 256) * ceil(columns / 128),"
                                " ceil(rows / 128) * ceil(columns / 256))"},
                               {"rows", "columns", "groups"}, matrix_tiles),
                        result({"tile_share", "s", "part of a tile that is computed", share,
                                "min(1, ceil(rows / 16) / 8) * min(1, ceil(columns / 16) / 8)"},
                               {"rows", "columns"}, matrix_tile_share)},
            .source = "NVIDIA, Matrix multiplication background user's guide: 256 x 128 is the most efficient tile of "
                      "A100, H100 and their libraries",
            .notes = "Where results are narrower than a tile, kernels with tiles down to 16 wide take over."};
}

Formula expert_load() {
    return {
        .id = "expert-load",
        .title = "Tokens of the busiest expert rank",
        .topic = topic,
        .symbols = {or_zero(real("variation", "c", "standard deviation of an expert's tokens over their mean", 0, 10)),
                    size("rank_experts", "E_r", "routed experts of a rank"),
                    size("ranks", "n", "ranks that experts are spread over")},
        .results = {result({"load", "l", "tokens of the rank that receives most, over the mean", number,
                            "1 + variation * sqrt(2 * ln(max(1, ranks)) / rank_experts)"},
                           {"variation", "rank_experts", "ranks"}, busiest_expert_load)},
        .source = "Cramer, Mathematical Methods of Statistics, 1946, section 28.6: the largest of many normal "
                  "variables",
        .notes = "A step waits for the rank with most tokens: more ranks with fewer experts each lie further apart."};
}

Formula traffic() {
    return {.id = "memory-bound-kernel",
            .title = "Time of a kernel bound by memory",
            .topic = topic,
            .symbols = {or_zero(amount(bytes, "bytes", "S", "moved by a fused kernel")), traffic_factor(),
                        memory_rate(), gap()},
            .results = {result(
                {"seconds", "t", "duration", seconds, "bytes > 0 ? bytes * traffic_factor / memory_rate + gap : 0"},
                {"bytes", "traffic_factor", "memory_rate", "gap"}, memory_bound_seconds)},
            .source = "Williams, Waterman and Patterson, Roofline, 2009"};
}

Formula fused() {
    constexpr std::string_view reached = "long_rate * min(1, heads * ceil(query_tokens / 128) / multiprocessors)"
                                         " * key_tokens / (key_tokens + half_tokens)";
    constexpr std::string_view forward =
        "2 * flop * query_tokens * key_tokens * attended_fraction * heads * widths / (long_rate"
        " * min(1, heads * ceil(query_tokens / 128) / multiprocessors) * key_tokens / (key_tokens + half_tokens))"
        " + gap";
    constexpr std::string_view backward =
        "2.5 * (2 * flop * query_tokens * key_tokens * attended_fraction * heads * widths) / (long_rate"
        " * min(1, heads * ceil(query_tokens / 128) / multiprocessors) * key_tokens / (key_tokens + half_tokens))"
        " + gap";
    const Symbol queries = amount(Quantity::number, "query_tokens", "q", "queries: tokens of a microbatch on a rank");
    return {
        .id = "fused-attention",
        .title = "Time of fused attention",
        .topic = topic,
        .symbols = {queries, key_tokens(),
                    otherwise(amount(share, "attended_fraction", "c", "of the keys that a query sees on average"), 0.5),
                    heads(), widths(),
                    amount(flops_per_second, "long_rate", "Q_a", "the kernel's rate at long sequences"),
                    or_zero(amount(Quantity::number, "half_tokens", "k_h", "keys at which it reaches half of it")),
                    otherwise(whole("multiprocessors", "n_m", "of the accelerator"), 132), gap()},
        .results = {result({"forward_seconds", "t", "forward", seconds, forward},
                           {"query_tokens", "key_tokens", "attended_fraction", "heads", "widths", "long_rate",
                            "half_tokens", "multiprocessors", "gap"},
                           attention_forward_seconds),
                    result(
                        {"backward_seconds", "t_b", "backward: five multiplies for forward's two", seconds, backward},
                        {"query_tokens", "key_tokens", "attended_fraction", "heads", "widths", "long_rate",
                         "half_tokens", "multiprocessors", "gap"},
                        attention_backward_seconds),
                    result({"rate", "Q", "the rate that it reaches", flops_per_second, reached},
                           {"query_tokens", "key_tokens", "heads", "long_rate", "half_tokens", "multiprocessors"},
                           attention_rate),
                    result({"flops", "F", "computation, forward", flops,
                            "2 * flop * query_tokens * key_tokens * attended_fraction * heads * widths"},
                           {"query_tokens", "key_tokens", "attended_fraction", "heads", "widths"},
                           attention_core_flops)},
        .source = "FlashAttention-2, arXiv 2307.08691, section 4.1, for the FLOPs; the rate is a curve through the "
                  "published benchmarks of FlashAttention-2 and 3, arXiv 2407.08608, figures 5 and 6",
        .notes = "Tiles of 128 queries a head and sequence: too few of them leave multiprocessors idle."};
}

Formula long_rate() {
    return {.id = "attention-rate",
            .title = "Attention's rate on another accelerator",
            .topic = topic,
            .symbols = {amount(flops_per_second, "measured_rate", "Q_0", "measured at long sequences"),
                        amount(flops_per_second, "measured_peak", "P_0", "dense peak of where it was measured"),
                        amount(flops_per_second, "peak", "P", "dense 16-bit peak of the accelerator"),
                        otherwise(real("head_factor", "f", "for narrow heads", 1e-3, 10), 1)},
            .results = {result({"long_rate", "Q_a", "rate at long sequences", flops_per_second,
                                "measured_rate * peak / measured_peak * head_factor"},
                               {"measured_rate", "measured_peak", "peak", "head_factor"}, attention_long_rate)},
            .source = "Scaled by the peaks from FlashAttention-2 and 3, arXiv 2307.08691 and 2407.08608"};
}

Formula sliced() {
    return {.id = "sliced-attention",
            .title = "Attention over slices of a sequence",
            .topic = topic,
            .symbols = {whole("context", "c", "slices of a sequence"),
                        otherwise(real("factor", "f", "attention to another rank's keys against one's own", 1, 10), 1)},
            .results = {result({"share", "r", "against a kernel over all keys at once", Quantity::number,
                                "(1 + factor * (context - 1)) / context"},
                               {"context", "factor"}, sliced_attention_share)},
            .source = "Ring Attention, arXiv 2310.01889, with slices that give every rank as much to do (Striped "
                      "Attention, arXiv 2311.09431)"};
}

Formula unfused() {
    return {.id = "unfused-attention",
            .title = "Time of attention without a fused kernel",
            .topic = topic,
            .symbols = {query_tokens(), key_tokens(), heads(), widths(), rate(),
                        otherwise(real("score_factor", "f", "traffic of scores against a fused softmax", 1e-3, 1e3), 1),
                        memory_rate()},
            .results = {result({"forward_seconds", "t", "forward", seconds,
                                "2 * flop * query_tokens * key_tokens * heads * widths / rate"
                                " + 13 * byte * score_factor * query_tokens * key_tokens * heads / memory_rate"},
                               {"query_tokens", "key_tokens", "heads", "widths", "rate", "score_factor", "memory_rate"},
                               unfused_attention_forward_seconds),
                        result({"backward_seconds", "t_b", "backward", seconds,
                                "4 * flop * query_tokens * key_tokens * heads * widths / rate"
                                " + 19 * byte * score_factor * query_tokens * key_tokens * heads / memory_rate"},
                               {"query_tokens", "key_tokens", "heads", "widths", "rate", "score_factor", "memory_rate"},
                               unfused_attention_backward_seconds)},
            .source = "Counted: every score computed and moved for mask, softmax and dropout in 16 bits, as "
                      "FlashAttention, arXiv 2205.14135, algorithm 0, writes them out"};
}

Formula recurrent() {
    return {.id = "recurrent-mixer",
            .title = "Time of a recurrent mixer",
            .topic = topic,
            .symbols = {size("tokens", "s", "tokens of a microbatch on a rank"), heads(),
                        size("key_width", "d_k", "width of a key"), size("value_width", "d_v", "width of a value"),
                        otherwise(real("passes", "z", "1 forward, 2 backward", 1, 2), 1), rate(),
                        or_zero(amount(bytes, "moved", "S", "bytes of what the mixer reads and writes")),
                        traffic_factor(), memory_rate(), gap()},
            .results = {result({"seconds", "t", "duration", seconds,
                                "(moved > 0 ? moved * traffic_factor / memory_rate + gap : 0)"
                                " + passes * (8 * flop * tokens * heads * key_width * value_width) / rate"},
                               {"tokens", "heads", "key_width", "value_width", "passes", "rate", "moved",
                                "traffic_factor", "memory_rate", "gap"},
                               recurrent_seconds),
                        result({"flops", "F", "computation, forward", flops,
                                "8 * flop * tokens * heads * key_width * value_width"},
                               {"tokens", "heads", "key_width", "value_width"}, recurrent_flops)},
            .source = "Gated DeltaNet, arXiv 2412.06464, section 3.3; Mamba-2, arXiv 2405.21060, section 6"};
}

Formula launches() {
    const Symbol launch = or_zero(amount(seconds, "launch_seconds", "t_h", "host: one layer's forward kernels"));
    return {
        .id = "layer-launches",
        .title = "Launching a layer's kernels",
        .topic = topic,
        .symbols = {launch, otherwise(flag("low_precision", "x", "fewer than 16 bits: casts beside"), 0),
                    otherwise(flag("tensor_split", "y", "tensor parallelism: collectives beside"), 0),
                    otherwise(or_zero(amount(share, "graph_share", "s_g", "launches in captured graphs")), 0),
                    otherwise(real("members", "N", "members of the tensor-parallel group", 1, 1e6), 1),
                    otherwise(
                        or_zero(amount(seconds, "member_seconds", "t_n", "that sends between nodes add for each")), 0)},
        .results = {result({"layer_launch_seconds", "t_l", "host time of a layer, forward", seconds,
                            "launch_seconds * (1 + 0.35 * low_precision) * (1 + 0.1 * tensor_split)"
                            " * (1 - 0.95 * graph_share)"},
                           {"launch_seconds", "low_precision", "tensor_split", "graph_share"}, layer_launch_seconds),
                    result({"contended_seconds", "t_c", "on top, beside pipeline sends that leave the node", seconds,
                            "members > 1 ? members * member_seconds : 0"},
                           {"members", "member_seconds"}, contended_launch_seconds)},
        .source = "Fitted with the stacks' launch times to runs of small models"};
}

Formula bound_by_launches() {
    return {.id = "launch-bound-layer",
            .title = "Kernels that wait for their launches",
            .topic = topic,
            .symbols = {or_zero(amount(seconds, "kernel_seconds", "t_k", "kernels of the layer")),
                        or_zero(amount(seconds, "launch_seconds", "t_l", "host time for them")),
                        otherwise(or_zero(amount(seconds, "wait_seconds", "t_w",
                                                 "in which the host reads what the device computed")),
                                  0)},
            .results = {result({"seconds", "t", "duration", seconds,
                                "(launch_seconds > 0 ? (kernel_seconds ^ 6 + launch_seconds ^ 6) ^ (1 / 6)"
                                " : kernel_seconds) + wait_seconds"},
                               {"kernel_seconds", "launch_seconds", "wait_seconds"}, launch_bound_seconds),
                        result({"backward_launch_seconds", "t_lb", "host time of the backward pass", seconds,
                                "1.6 * launch_seconds"},
                               {"launch_seconds"}, backward_launch_seconds)},
            .source = "A smooth maximum: the larger where they differ, a little more where they meet",
            .notes = "A backward pass launches 1.6 kernels for each of the forward pass, counted in traces."};
}

Formula recomputed() {
    return {.id = "recomputed-forward",
            .title = "A forward pass done again",
            .topic = topic,
            .symbols = {or_zero(amount(seconds, "forward_seconds", "t_f", "kernels of the forward pass")),
                        or_zero(amount(seconds, "last_multiply_seconds", "t_m", "the layer's last multiply")),
                        otherwise(or_zero(amount(share, "early_stop", "x", "share of it that is left out")), 0)},
            .results = {result(
                {"seconds", "t", "duration", seconds, "max(0, forward_seconds - early_stop * last_multiply_seconds)"},
                {"forward_seconds", "last_multiply_seconds", "early_stop"}, recomputed_kernel_seconds)},
            .source = "Counted: the backward pass needs no output of the layer's last multiply"};
}

} // namespace

std::vector<Formula> kernel_formulas() {
    return {sustained(), expert_load(), memory(),  cover(),     tiles(),    multiply(),          traffic(),   fused(),
            long_rate(), sliced(),      unfused(), recurrent(), launches(), bound_by_launches(), recomputed()};
}

} // namespace meshwright::catalogue

// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/kernels.h"

#include "formulas/catalogue.h"

namespace meshwright::catalogue {

using namespace formula;
using enum Quantity;

namespace {

Symbol size(std::string_view name, std::string_view letter, std::string_view meaning) {
    return real(name, letter, meaning, 0, 1e12);
}
Symbol rate() {
    return amount(flops_per_second, "rate", "Q", "sustained GEMM rate");
}
Symbol memory_rate() {
    return amount(bytes_per_second, "memory_rate", "B", "sustained memory bandwidth");
}
Symbol gap() {
    return otherwise(or_zero(amount(seconds, "gap", "g", "device time between two kernels")), 0);
}
Symbol traffic_factor() {
    return otherwise(real("traffic_factor", "f", "bytes moved relative to a fused kernel", 1e-3, 1e3), 1);
}
Symbol query_tokens() {
    return size("query_tokens", "q", "number of queries: tokens of a microbatch per rank");
}
Symbol key_tokens() {
    return amount(Quantity::number, "key_tokens", "k", "number of keys: tokens of one sequence or of its window");
}
Symbol heads() {
    return amount(Quantity::number, "heads", "a", "attention heads per rank");
}
Symbol widths() {
    return amount(Quantity::number, "widths", "w", "query and value head dimensions, summed");
}

Formula sustained() {
    return {.id = "sustained-rate",
            .title = "Sustained compute rate",
            .topic = topic::kernels,
            .symbols = {amount(flops_per_second, "peak", "Q_p", "dense peak in the GEMM's format"),
                        amount(share, "efficiency", "e", "fraction of the peak sustained in training"),
                        otherwise(real("stack_factor", "f", "efficiency factor of the training stack", 1e-3, 1e3), 1)},
            .results = {result({"rate", "Q", "sustained rate", flops_per_second},
                               {"peak", "efficiency", "stack_factor"}, sustained_matrix_rate)},
            .source = "Definition; the fractions are registry constants, each with its own source"};
}

Formula memory() {
    return {.id = "sustained-bandwidth",
            .title = "Achieved memory bandwidth",
            .topic = topic::kernels,
            .symbols = {amount(bytes_per_second, "bandwidth", "B_p", "peak memory bandwidth of the accelerator"),
                        amount(share, "efficiency", "e", "fraction of the peak that element-wise kernels reach")},
            .results = {result({"memory_rate", "B", "sustained bandwidth", bytes_per_second},
                               {"bandwidth", "efficiency"}, sustained_memory_rate)},
            .source = "Definition; the fraction is an assumption of the model"};
}

Formula multiply() {
    return {.id = "matrix-multiply",
            .title = "Time of a GEMM",
            .topic = topic::kernels,
            .symbols = {size("rows", "m", "rows: tokens per rank"),
                        size("columns", "n", "columns: output features per rank"),
                        size("depth", "k", "depth: input features per rank"),
                        otherwise(size("groups", "G", "number of groups into which a grouped GEMM splits the rows"), 1),
                        otherwise(amount(bytes, "element_bytes", "e", "bytes per input element"), 2), rate(),
                        memory_rate(), gap()},
            .results = {result({"forward_seconds", "t", "forward", seconds},
                               {"rows", "columns", "depth", "groups", "element_bytes", "rate", "memory_rate", "gap"},
                               matrix_forward_seconds),
                        result({"input_gradient_seconds", "t_I", "input gradient", seconds},
                               {"rows", "columns", "depth", "groups", "element_bytes", "rate", "memory_rate", "gap"},
                               matrix_input_gradient_seconds),
                        result({"weight_gradient_seconds", "t_W", "weight gradient", seconds},
                               {"rows", "columns", "depth", "groups", "element_bytes", "rate", "memory_rate", "gap"},
                               matrix_weight_gradient_seconds),
                        result({"flops", "F", "FLOPs of each of the three GEMMs", flops}, {"rows", "columns", "depth"},
                               matrix_flops),
                        result({"forward_bytes", "S", "bytes moved, forward", bytes},
                               {"rows", "columns", "depth", "groups", "element_bytes"}, matrix_forward_bytes),
                        result({"input_gradient_bytes", "S_I", "bytes moved for the input gradient", bytes},
                               {"rows", "columns", "depth", "groups", "element_bytes"}, matrix_input_gradient_bytes),
                        result({"weight_gradient_bytes", "S_W", "bytes moved for the weight gradient", bytes},
                               {"rows", "columns", "depth", "groups", "element_bytes"}, matrix_weight_gradient_bytes)},
            .source =
                "Williams, Waterman and Patterson, Roofline, 2009; bytes counted from the tensors' shapes, weight "
                "gradients accumulated in FP32",
            .notes = "The rate includes wave quantization. In a grouped GEMM, each group reads its own weights before "
                     "it computes. SimuMax measured this on B200 and A100."};
}

Formula tiles() {
    return {
        .id = "matrix-tiles",
        .title = "GEMM rate after wave quantization",
        .topic = topic::kernels,
        .symbols =
            {size("tiles", "N", "tiles of 256 x 128 outputs"),
             otherwise(amount(share, "tile_share", "s", "computed fraction of a tile"), 1),
             size("results", "n", "outputs of all groups"), size("depth", "k", "length of each output's dot product"),
             rate(), memory_rate(),
             otherwise(
                 real("multiprocessors", "n_m",
                      "multiprocessors (SMs) of the accelerator; 0 for accelerators with a few large matrix units", 0,
                      1e5),
                 132),
             otherwise(or_zero(amount(seconds, "tile_seconds", "t_0", "prologue and epilogue time of a tile")), 5e-6)},
        .results = {result(
            {"reached_rate", "Q_w", "achieved rate", flops_per_second},
            {"tiles", "tile_share", "results", "depth", "rate", "memory_rate", "multiprocessors", "tile_seconds"},
            matrix_tiled_rate)},
        .source = "NVIDIA, Matrix multiplication background user's guide: tiles, waves and split-k",
        .notes = "Uses the fastest of split-k 1, 2 and 4; partial sums are written in FP32."};
}

Formula cover() {
    return {.id = "matrix-cover",
            .title = "Tiles that cover a matrix",
            .topic = topic::kernels,
            .symbols = {size("rows", "m", "output rows per group"), size("columns", "n", "output columns"),
                        otherwise(size("groups", "G", "grouped GEMMs"), 1)},
            .results = {result({"tiles", "N", "number of tiles, in the better orientation", count},
                               {"rows", "columns", "groups"}, matrix_tiles),
                        result({"tile_share", "s", "computed fraction of a tile", share}, {"rows", "columns"},
                               matrix_tile_share)},
            .source = "NVIDIA, Matrix multiplication background user's guide: 256 x 128 is the most efficient tile "
                      "size on A100 and H100",
            .notes = "For outputs narrower than a tile, kernels use tiles down to 16 wide."};
}

Formula expert_load() {
    return {.id = "expert-load",
            .title = "Load of the busiest expert-parallel rank",
            .topic = topic::kernels,
            .symbols = {or_zero(real("variation", "c",
                                     "standard deviation of an expert's tokens, relative to their mean", 0, 10)),
                        size("rank_experts", "E_r", "routed experts per rank"),
                        size("ranks", "n", "expert-parallel size")},
            .results = {result({"load", "l", "tokens of the busiest rank relative to the mean", number},
                               {"variation", "rank_experts", "ranks"}, busiest_expert_load)},
            .source =
                "Cramer, Mathematical Methods of Statistics, 1946, section 28.6: the maximum of many normal variables",
            .notes = "A step waits for the busiest rank. The spread grows with more ranks and fewer experts per rank."};
}

Formula traffic() {
    return {.id = "memory-bound-kernel",
            .title = "Time of a memory-bound kernel",
            .topic = topic::kernels,
            .symbols = {or_zero(amount(bytes, "bytes", "S", "bytes moved by a fused kernel")), traffic_factor(),
                        memory_rate(), gap()},
            .results = {result({"seconds", "t", "duration", seconds}, {"bytes", "traffic_factor", "memory_rate", "gap"},
                               memory_bound_seconds)},
            .source = "Williams, Waterman and Patterson, Roofline, 2009"};
}

Formula fused() {
    const Symbol queries =
        amount(Quantity::number, "query_tokens", "q", "number of queries: tokens of a microbatch per rank");
    return {
        .id = "fused-attention",
        .title = "Time of fused attention",
        .topic = topic::kernels,
        .symbols = {queries, key_tokens(),
                    otherwise(amount(share, "attended_fraction", "c", "mean attended fraction of the keys"), 0.5),
                    heads(), widths(),
                    amount(flops_per_second, "long_rate", "Q_a", "the kernel's rate at long sequences"),
                    or_zero(amount(Quantity::number, "half_tokens", "k_h",
                                   "sequence length (keys) at which the kernel reaches half of its maximum rate")),
                    otherwise(whole("multiprocessors", "n_m", "multiprocessors (SMs) of the accelerator"), 132), gap()},
        .results = {result({"forward_seconds", "t", "forward", seconds},
                           {"query_tokens", "key_tokens", "attended_fraction", "heads", "widths", "long_rate",
                            "half_tokens", "multiprocessors", "gap"},
                           attention_forward_seconds),
                    result({"backward_seconds", "t_b", "backward time, with five GEMMs instead of two", seconds},
                           {"query_tokens", "key_tokens", "attended_fraction", "heads", "widths", "long_rate",
                            "half_tokens", "multiprocessors", "gap"},
                           attention_backward_seconds),
                    result({"rate", "Q", "achieved rate", flops_per_second},
                           {"query_tokens", "key_tokens", "heads", "long_rate", "half_tokens", "multiprocessors"},
                           attention_rate),
                    result({"flops", "F", "forward FLOPs", flops},
                           {"query_tokens", "key_tokens", "attended_fraction", "heads", "widths"},
                           attention_core_flops)},
        .source = "FlashAttention-2, arXiv 2307.08691, section 4.1, for the FLOPs; the rate is a curve through the "
                  "published benchmarks of FlashAttention-2 and 3, arXiv 2407.08608, figures 5 and 6",
        .notes = "Kernels use one tile per 128 queries, head and sequence; too few tiles leave multiprocessors idle."};
}

Formula long_rate() {
    return {.id = "attention-rate",
            .title = "Attention rate scaled to a different accelerator",
            .topic = topic::kernels,
            .symbols = {amount(flops_per_second, "measured_rate", "Q_0", "rate measured at long sequences"),
                        amount(flops_per_second, "measured_peak", "P_0", "dense peak of the measured accelerator"),
                        amount(flops_per_second, "peak", "P", "dense 16-bit peak of the target accelerator"),
                        otherwise(real("head_factor", "f", "factor for small head dimensions", 1e-3, 10), 1)},
            .results = {result({"long_rate", "Q_a", "rate at long sequences", flops_per_second},
                               {"measured_rate", "measured_peak", "peak", "head_factor"}, attention_long_rate)},
            .source =
                "Benchmarks of FlashAttention-2 and 3, arXiv 2307.08691 and 2407.08608, scaled by the dense peak"};
}

Formula sliced() {
    return {.id = "sliced-attention",
            .title = "Attention with context parallelism",
            .topic = topic::kernels,
            .symbols = {whole("context", "c", "context-parallel size, equal to slices per sequence"),
                        otherwise(real("factor", "f", "slowdown for keys from other ranks", 1, 10), 1)},
            .results = {result({"share", "r", "attention time relative to one kernel over all keys", Quantity::number},
                               {"context", "factor"}, sliced_attention_share)},
            .source = "Ring Attention, arXiv 2310.01889, with slices that balance the ranks' work (Striped Attention, "
                      "arXiv 2311.09431)"};
}

Formula unfused() {
    return {.id = "unfused-attention",
            .title = "Time of unfused attention",
            .topic = topic::kernels,
            .symbols = {query_tokens(), key_tokens(), heads(), widths(), rate(),
                        otherwise(real("score_factor", "f", "score traffic relative to a fused softmax", 1e-3, 1e3), 1),
                        memory_rate()},
            .results = {result({"forward_seconds", "t", "forward", seconds},
                               {"query_tokens", "key_tokens", "heads", "widths", "rate", "score_factor", "memory_rate"},
                               unfused_attention_forward_seconds),
                        result({"backward_seconds", "t_b", "backward", seconds},
                               {"query_tokens", "key_tokens", "heads", "widths", "rate", "score_factor", "memory_rate"},
                               unfused_attention_backward_seconds)},
            .source = "Bytes counted per score: mask, softmax and dropout each write it in 16 bits; "
                      "FlashAttention, arXiv 2205.14135, algorithm 0"};
}

Formula recurrent() {
    return {.id = "recurrent-mixer",
            .title = "Time of a recurrent mixer",
            .topic = topic::kernels,
            .symbols = {size("tokens", "s", "tokens of a microbatch per rank"), heads(),
                        size("key_width", "d_k", "key head dimension"),
                        size("value_width", "d_v", "value head dimension"),
                        otherwise(real("passes", "z",
                                       "number of passes over the state: 1 in the forward pass, 2 in the backward pass",
                                       1, 2),
                                  1),
                        rate(), or_zero(amount(bytes, "moved", "S", "bytes that the mixer reads and writes")),
                        traffic_factor(), memory_rate(), gap()},
            .results = {result({"seconds", "t", "duration", seconds},
                               {"tokens", "heads", "key_width", "value_width", "passes", "rate", "moved",
                                "traffic_factor", "memory_rate", "gap"},
                               recurrent_seconds),
                        result({"flops", "F", "forward FLOPs", flops}, {"tokens", "heads", "key_width", "value_width"},
                               recurrent_flops)},
            .source = "Gated DeltaNet, arXiv 2412.06464, section 3.3; Mamba-2, arXiv 2405.21060, section 6"};
}

Formula launches() {
    const Symbol launch =
        or_zero(amount(seconds, "launch_seconds", "t_h", "host time for one layer's forward kernels"));
    return {
        .id = "layer-launches",
        .title = "Kernel launch time of a layer",
        .topic = topic::kernels,
        .symbols =
            {launch,
             otherwise(flag("low_precision", "x", "1 with formats below 16 bits (casts add launches), otherwise 0"), 0),
             otherwise(flag("tensor_split", "y", "1 with tensor parallelism (collectives add launches), otherwise 0"),
                       0),
             otherwise(or_zero(amount(share, "graph_share", "s_g", "fraction of launches in CUDA graphs")), 0),
             otherwise(real("members", "N", "tensor-parallel size", 1, 1e6), 1),
             otherwise(or_zero(amount(seconds, "member_seconds", "t_n",
                                      "host time that inter-node sends add per tensor-parallel rank")),
                       0)},
        .results = {result({"layer_launch_seconds", "t_l", "host time per layer, forward", seconds},
                           {"launch_seconds", "low_precision", "tensor_split", "graph_share"}, layer_launch_seconds),
                    result({"contended_seconds", "t_c", "extra host time with inter-node pipeline sends", seconds},
                           {"members", "member_seconds"}, contended_launch_seconds)},
        .source = "Fitted to runs of small models, jointly with the stacks' launch times"};
}

Formula bound_by_launches() {
    return {.id = "launch-bound-layer",
            .title = "Launch-bound layer time",
            .topic = topic::kernels,
            .symbols = {or_zero(amount(seconds, "kernel_seconds", "t_k", "kernel time of the layer")),
                        or_zero(amount(seconds, "launch_seconds", "t_l", "host time to launch the layer's kernels")),
                        otherwise(or_zero(amount(seconds, "wait_seconds", "t_w",
                                                 "time that the host waits for a result of the device")),
                                  0)},
            .results = {result({"seconds", "t", "duration", seconds},
                               {"kernel_seconds", "launch_seconds", "wait_seconds"}, launch_bound_seconds),
                        result({"backward_launch_seconds", "t_lb", "host time of the backward pass", seconds},
                               {"launch_seconds"}, backward_launch_seconds)},
            .source = "A smooth maximum: slightly above the larger value when both are close",
            .notes = "A backward pass launches 1.6 kernels per forward kernel, counted in traces."};
}

Formula recomputed() {
    return {.id = "recomputed-forward",
            .title = "Recomputed forward pass",
            .topic = topic::kernels,
            .symbols = {or_zero(amount(seconds, "forward_seconds", "t_f", "kernel time of the forward pass")),
                        or_zero(amount(seconds, "last_multiply_seconds", "t_m", "time of the layer's last GEMM")),
                        otherwise(or_zero(amount(share, "early_stop", "x", "skipped fraction of the last GEMM")), 0)},
            .results = {result({"seconds", "t", "duration", seconds},
                               {"forward_seconds", "last_multiply_seconds", "early_stop"}, recomputed_kernel_seconds)},
            .source = "The backward pass does not need the output of the layer's last GEMM"};
}

} // namespace

std::vector<Formula> kernel_formulas() {
    return {sustained(), expert_load(), memory(),  cover(),     tiles(),    multiply(),          traffic(),   fused(),
            long_rate(), sliced(),      unfused(), recurrent(), launches(), bound_by_launches(), recomputed()};
}

} // namespace meshwright::catalogue

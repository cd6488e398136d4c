// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/tensor_parallel.h"

#include "formulas/catalogue.h"

namespace meshwright::catalogue {

using namespace formula;
using enum Quantity;

namespace {

constexpr std::string_view topic = "Tensor parallelism";

Symbol ranks() {
    return whole("ranks", "t", "tensor-parallel ranks", 1, 1e6);
}
Symbol element_bytes() {
    return otherwise(amount(bytes, "element_bytes", "e", "bytes of an element"), 2);
}
Symbol hidden() {
    return whole("hidden", "h", "width of the model");
}

Formula shard() {
    return {.id = "tensor-shard",
            .title = "A rank's part of a matrix",
            .topic = topic,
            .symbols = {whole("rows", "n", "rows (inputs)"), whole("columns", "m", "columns (outputs)"), ranks(),
                        otherwise(choice("split", "d", "what is divided", {"column", "row"}), 0)},
            .results = {result({"columns", "m'", "columns on a rank", Quantity::number,
                                "split == 0 ? columns / ranks : columns"},
                               {"columns", "ranks", "split"}, shard_columns),
                        result({"rows", "n'", "rows on a rank", Quantity::number, "split == 1 ? rows / ranks : rows"},
                               {"rows", "ranks", "split"}, shard_rows),
                        result({"parameters", "P", "weights on a rank", parameters, "rows * columns / ranks"},
                               {"rows", "columns", "ranks"}, shard_parameters)},
            .source = "Megatron-LM, arXiv 1909.08053, section 3"};
}

Formula all_reduce() {
    constexpr std::string_view sent = "2 * (ranks - 1) / ranks * (micro_batch * sequence * hidden * element_bytes)";
    return {
        .id = "tensor-all-reduce",
        .title = "All-reduce of tensor parallelism",
        .topic = topic,
        .symbols = {whole("micro_batch", "b", "sequences of a microbatch"), whole("sequence", "s", "tokens of one"),
                    hidden(), ranks(), element_bytes(),
                    amount(bytes_per_second, "bandwidth", "B", "bus bandwidth of a rank, one way")},
        .results = {result({"bytes_per_rank", "S_r", "sent by each rank in one all-reduce", bytes, sent},
                           {"micro_batch", "sequence", "hidden", "ranks", "element_bytes"}, tensor_all_reduce_bytes),
                    result({"half_bytes_per_rank", "S_h", "in one reduce-scatter, or one all-gather", bytes,
                            "(ranks - 1) / ranks * (micro_batch * sequence * hidden * element_bytes)"},
                           {"micro_batch", "sequence", "hidden", "ranks", "element_bytes"}, tensor_all_gather_bytes),
                    result({"layer_bytes_per_rank", "S_l", "in a layer, forward and backward: four of them", bytes,
                            "4 * (2 * (ranks - 1) / ranks * (micro_batch * sequence * hidden * element_bytes))"},
                           {"micro_batch", "sequence", "hidden", "ranks", "element_bytes"}, tensor_layer_bytes),
                    result({"seconds", "t_a", "one all-reduce", seconds,
                            "2 * (ranks - 1) / ranks * (micro_batch * sequence * hidden * element_bytes) / bandwidth"},
                           {"micro_batch", "sequence", "hidden", "ranks", "element_bytes", "bandwidth"},
                           tensor_all_reduce_seconds),
                    result({"tensor_bytes", "S", "the tensor itself", bytes,
                            "micro_batch * sequence * hidden * element_bytes"},
                           {"micro_batch", "sequence", "hidden", "element_bytes"}, hidden_state_bytes)},
        .source = "Megatron-LM, arXiv 1909.08053, section 3; Korthikanti and others, arXiv 2205.05198, section 4.2.2",
        .notes = "A figure of 56 MB for 8 ranks, 4,096 tokens and width 8,192 has lost the factor 2 of its own ring "
                 "formula: the all-reduce sends 112 MiB, of which reduce-scatter and all-gather send 56 MiB each. What "
                 "builds on it (0.09 ms a call, 8.75 GB a step) is half of the truth."};
}

Formula weights() {
    return {.id = "tensor-weights",
            .title = "Weights on a tensor-parallel rank",
            .topic = topic,
            .symbols = {hidden(), whole("layers", "L", "layers"), ranks(),
                        otherwise(amount(bytes, "bytes_per_parameter", "b", "bytes of a weight"), 2),
                        otherwise(real("squares_per_layer", "k",
                                       "weights of a layer over h squared: 4 of attention, 8 of the feed-forward part",
                                       1, 1e4),
                                  12)},
            .results = {result({"bytes_per_rank", "S_r", "weights on a rank", bytes,
                                "squares_per_layer * hidden * hidden * layers / ranks * bytes_per_parameter"},
                               {"hidden", "layers", "ranks", "bytes_per_parameter", "squares_per_layer"},
                               tensor_weights_bytes)},
            .source = "Counted; Megatron-LM, arXiv 1909.08053, section 3",
            .notes =
                "12 h^2 is a plain GPT layer. Grouped queries have less in attention, gated feed-forward parts more."};
}

Formula heads() {
    return {.id = "attention-heads",
            .title = "Heads on a tensor-parallel rank",
            .topic = topic,
            .symbols = {whole("query_heads", "a", "query heads"), whole("kv_heads", "k", "key-value heads"), ranks()},
            .results = {result({"kv_heads_per_rank", "k'", "key-value heads on a rank", Quantity::number,
                                "max(1, kv_heads / ranks)"},
                               {"kv_heads", "ranks"}, kv_heads_per_rank),
                        result({"kv_copies", "c", "copies of each key-value head", Quantity::number,
                                "max(1, ranks / kv_heads)"},
                               {"kv_heads", "ranks"}, kv_copies),
                        result({"query_heads_per_rank", "a'", "query heads on a rank", Quantity::number,
                                "query_heads / ranks"},
                               {"query_heads", "ranks"}, query_heads_per_rank)},
            .source = "Megatron-LM, arXiv 1909.08053, section 3; grouped queries, arXiv 2305.13245",
            .notes = "A number that is not whole does not divide: such a layout cannot run."};
}

Formula overhead() {
    return {.id = "tensor-overhead",
            .title = "Time in all-reduces that nothing hides",
            .topic = topic,
            .symbols = {whole("layers", "L", "layers"), amount(seconds, "all_reduce_seconds", "t_a", "one all-reduce"),
                        amount(seconds, "compute_seconds", "t_c", "forward and backward pass"),
                        otherwise(whole("all_reduces_per_layer", "n", "two forward, two backward", 0, 1e4), 4)},
            .results = {result({"fraction", "f", "against computation", share,
                                "layers * all_reduces_per_layer * all_reduce_seconds / compute_seconds"},
                               {"layers", "all_reduce_seconds", "compute_seconds", "all_reduces_per_layer"},
                               tensor_overhead)},
            .source = "Megatron-LM, arXiv 1909.08053, section 3",
            .notes =
                "0.09 ms for 8 ranks at 600 GB/s comes from half of the bytes; with all of them it is 0.2 ms, and 80 "
                "layers spend 21 % on all-reduces, not 10 %."};
}

Formula context() {
    return {
        .id = "ring-attention",
        .title = "Traffic of ring attention",
        .topic = "Communication",
        .symbols = {whole("micro_batch", "b", "sequences of a microbatch"), whole("sequence", "s", "tokens of one"),
                    whole("kv_width", "w", "key-value heads times the width of a head"),
                    whole("ranks", "c", "context-parallel ranks", 1, 1e6), element_bytes()},
        .results = {result({"bytes_per_rank", "S_r", "sent by each rank in a layer, forward", bytes,
                            "2 * (ranks - 1) / ranks * micro_batch * sequence * kv_width * element_bytes"},
                           {"micro_batch", "sequence", "kv_width", "ranks", "element_bytes"}, ring_attention_bytes)},
        .source = "Ring Attention, arXiv 2310.01889, section 3: keys and values go once round the other ranks"};
}

Formula experts() {
    return {
        .id = "expert-traffic",
        .title = "Traffic to experts and back",
        .topic = "Communication",
        .symbols = {amount(tokens, "tokens", "n", "tokens of a rank"), hidden(),
                    whole("experts_per_token", "k", "experts of a token", 1, 1e4),
                    whole("ranks", "E", "expert-parallel ranks", 1, 1e6), element_bytes()},
        .results = {result({"bytes_per_rank", "S_r", "sent by each rank in a layer, forward", bytes,
                            "2 * ((ranks - 1) / ranks * (tokens * experts_per_token * hidden * element_bytes))"},
                           {"tokens", "hidden", "experts_per_token", "ranks", "element_bytes"}, expert_traffic_bytes)},
        .source = "GShard, arXiv 2006.16668, section 3: two all-to-alls, tokens spread evenly"};
}

} // namespace

std::vector<Formula> tensor_formulas() {
    return {shard(), all_reduce(), weights(), heads(), overhead(), context(), experts()};
}

} // namespace meshwright::catalogue

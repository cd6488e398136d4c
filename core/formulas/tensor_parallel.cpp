// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/tensor_parallel.h"

#include "formulas/catalogue.h"

namespace meshwright::catalogue {

using namespace formula;
using enum Quantity;

namespace {

Symbol ranks() {
    return whole("ranks", "t", "tensor-parallel size", 1, 1e6);
}
Symbol element_bytes() {
    return otherwise(amount(bytes, "element_bytes", "e", "bytes per element"), 2);
}
Symbol hidden() {
    return whole("hidden", "h", "hidden size");
}

Formula shard() {
    return {
        .id = "tensor-shard",
        .title = "Tensor-parallel shard of a matrix",
        .topic = topic::tensor_parallelism,
        .symbols = {whole("rows", "n", "rows (input features)"), whole("columns", "m", "columns (output features)"),
                    ranks(), otherwise(choice("split", "d", "dimension that is split", {"column", "row"}), 0)},
        .results = {result({"columns", "m'", "columns per rank", Quantity::number}, {"columns", "ranks", "split"},
                           shard_columns),
                    result({"rows", "n'", "rows per rank", Quantity::number}, {"rows", "ranks", "split"}, shard_rows),
                    result({"parameters", "P", "weights per rank", parameters}, {"rows", "columns", "ranks"},
                           shard_parameters)},
        .source = "Megatron-LM, arXiv 1909.08053, section 3"};
}

Formula all_reduce() {
    return {
        .id = "tensor-all-reduce",
        .title = "Tensor-parallel all-reduce",
        .topic = topic::tensor_parallelism,
        .symbols = {whole("micro_batch", "b", "sequences per microbatch"),
                    whole("sequence", "s", "sequence length in tokens"), hidden(), ranks(), element_bytes(),
                    amount(bytes_per_second, "bandwidth", "B", "bus bandwidth per rank, one direction")},
        .results = {result({"bytes_per_rank", "S_r", "bytes sent by each rank per all-reduce", bytes},
                           {"micro_batch", "sequence", "hidden", "ranks", "element_bytes"}, tensor_all_reduce_bytes),
                    result({"half_bytes_per_rank", "S_h", "bytes sent by each rank per reduce-scatter or all-gather",
                            bytes},
                           {"micro_batch", "sequence", "hidden", "ranks", "element_bytes"}, tensor_all_gather_bytes),
                    result({"layer_bytes_per_rank", "S_l",
                            "bytes sent by each rank per layer, forward and backward: four all-reduces", bytes},
                           {"micro_batch", "sequence", "hidden", "ranks", "element_bytes"}, tensor_layer_bytes),
                    result({"seconds", "t_a", "time of one all-reduce", seconds},
                           {"micro_batch", "sequence", "hidden", "ranks", "element_bytes", "bandwidth"},
                           tensor_all_reduce_seconds),
                    result({"tensor_bytes", "S", "size of the tensor", bytes},
                           {"micro_batch", "sequence", "hidden", "element_bytes"}, hidden_state_bytes)},
        .source = "Megatron-LM, arXiv 1909.08053, section 3; Korthikanti et al., arXiv 2205.05198, section 4.2.2",
        .notes =
            "A published value of 56 MB for 8 ranks, 4,096 tokens and hidden size 8,192 drops the factor of 2 in its "
            "own ring formula: the all-reduce sends 112 MiB, 56 MiB each in the reduce-scatter and the all-gather. "
            "Figures derived from it (0.09 ms per call, 8.75 GB per step) are half of the correct values."};
}

Formula weights() {
    return {.id = "tensor-weights",
            .title = "Weights per tensor-parallel rank",
            .topic = topic::tensor_parallelism,
            .symbols = {hidden(), whole("layers", "L", "layers"), ranks(),
                        otherwise(amount(bytes, "bytes_per_parameter", "b", "bytes per weight"), 2),
                        otherwise(
                            real("squares_per_layer", "k",
                                 "weights of one layer / h squared: 4 from attention, 8 from the feed-forward network",
                                 1, 1e4),
                            12)},
            .results = {result({"bytes_per_rank", "S_r", "bytes of all layers' weights per rank", bytes},
                               {"hidden", "layers", "ranks", "bytes_per_parameter", "squares_per_layer"},
                               tensor_weights_bytes)},
            .source = "Derived by counting weights; Megatron-LM, arXiv 1909.08053, section 3",
            .notes = "12 h^2 holds for a plain GPT layer. Grouped-query attention has fewer attention weights; gated "
                     "feed-forward networks have more."};
}

Formula heads() {
    return {.id = "attention-heads",
            .title = "Attention heads per tensor-parallel rank",
            .topic = topic::tensor_parallelism,
            .symbols = {whole("query_heads", "a", "query heads"), whole("kv_heads", "k", "key-value heads"), ranks()},
            .results = {result({"kv_heads_per_rank", "k'", "key-value heads per rank", Quantity::number},
                               {"kv_heads", "ranks"}, kv_heads_per_rank),
                        result({"kv_copies", "c", "copies of each key-value head", Quantity::number},
                               {"kv_heads", "ranks"}, kv_copies),
                        result({"query_heads_per_rank", "a'", "query heads per rank", Quantity::number},
                               {"query_heads", "ranks"}, query_heads_per_rank)},
            .source = "Megatron-LM, arXiv 1909.08053, section 3; grouped-query attention, arXiv 2305.13245",
            .notes = "A fractional result means that the heads cannot be divided evenly among the ranks: such a "
                     "configuration cannot run."};
}

Formula overhead() {
    return {.id = "tensor-overhead",
            .title = "Exposed time of tensor-parallel all-reduces",
            .topic = topic::tensor_parallelism,
            .symbols = {whole("layers", "L", "layers"),
                        amount(seconds, "all_reduce_seconds", "t_a", "time of one all-reduce"),
                        amount(seconds, "compute_seconds", "t_c", "compute time of all layers, forward and backward"),
                        otherwise(whole("all_reduces_per_layer", "n",
                                        "all-reduces per layer: two forward, two backward", 0, 1e4),
                                  4)},
            .results = {result({"fraction", "f", "all-reduce time relative to compute time", share},
                               {"layers", "all_reduce_seconds", "compute_seconds", "all_reduces_per_layer"},
                               tensor_overhead)},
            .source = "Megatron-LM, arXiv 1909.08053, section 3",
            .notes =
                "The published time of 0.09 ms per all-reduce (8 ranks at 600 GB/s) counts only half of the bytes. "
                "With all of them, an all-reduce takes 0.2 ms, and 80 layers spend 21% on all-reduces, not 10%."};
}

Formula context() {
    return {
        .id = "ring-attention",
        .title = "Communication volume of ring attention",
        .topic = topic::communication,
        .symbols = {whole("micro_batch", "b", "sequences per microbatch"),
                    whole("sequence", "s", "sequence length in tokens"),
                    whole("kv_width", "w", "key-value heads times the head dimension"),
                    whole("ranks", "c", "context-parallel size", 1, 1e6), element_bytes()},
        .results = {result({"bytes_per_rank", "S_r", "bytes sent by each rank per layer, forward", bytes},
                           {"micro_batch", "sequence", "kv_width", "ranks", "element_bytes"}, ring_attention_bytes)},
        .source = "Ring Attention, arXiv 2310.01889, section 3: keys and values pass once through all other ranks"};
}

Formula experts() {
    return {
        .id = "expert-traffic",
        .title = "Expert dispatch and combine volume",
        .topic = topic::communication,
        .symbols = {amount(tokens, "tokens", "n", "tokens per rank"), hidden(),
                    whole("experts_per_token", "k", "experts per token", 1, 1e4),
                    whole("ranks", "E", "expert-parallel size", 1, 1e6), element_bytes()},
        .results = {result({"bytes_per_rank", "S_r", "bytes sent by each rank per layer, forward", bytes},
                           {"tokens", "hidden", "experts_per_token", "ranks", "element_bytes"}, expert_traffic_bytes)},
        .source = "GShard, arXiv 2006.16668, section 3: two all-to-alls, with evenly distributed tokens"};
}

} // namespace

std::vector<Formula> tensor_formulas() {
    return {shard(), all_reduce(), weights(), heads(), overhead(), context(), experts()};
}

} // namespace meshwright::catalogue

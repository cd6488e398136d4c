// SPDX-License-Identifier: GPL-3.0-or-later
#include "pictures/linear_split.h"

#include "formulas/tensor_parallel.h"

namespace meshwright {

LinearSplit split_linear(const LinearLayer &layer, WeightSplit split, int ranks, double bandwidth) {
    constexpr double column = 0;
    constexpr double row = 1;
    const double tokens = layer.micro_batch * layer.sequence;
    const bool by_columns = split == WeightSplit::columns;
    LinearSplit all{.split = split,
                    .ranks = ranks,
                    .input = {tokens, layer.rows},
                    .weight = {layer.rows, layer.columns},
                    .output = {tokens, layer.columns}};
    all.rank_weight = {formula::shard_rows(layer.rows, ranks, by_columns ? column : row),
                       formula::shard_columns(layer.columns, ranks, by_columns ? column : row)};
    all.rank_input = {tokens, all.rank_weight.rows};
    all.rank_output = {tokens, all.rank_weight.columns};
    all.rank_parameters = formula::shard_parameters(layer.rows, layer.columns, ranks);
    const MatrixShape reduced = by_columns ? all.input : all.output;
    const PartialSums sums{
        .tensor = reduced,
        .bytes_per_rank = formula::tensor_all_reduce_bytes(layer.micro_batch, layer.sequence, reduced.columns, ranks,
                                                           layer.element_bytes),
        .seconds = formula::tensor_all_reduce_seconds(layer.micro_batch, layer.sequence, reduced.columns, ranks,
                                                      layer.element_bytes, bandwidth)};
    (by_columns ? all.backward : all.forward) = sums;
    return all;
}

} // namespace meshwright

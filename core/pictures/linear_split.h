// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

/// A linear layer split across tensor-parallel ranks. Source: Megatron-LM, arXiv 1909.08053, section 3.
namespace meshwright {

struct MatrixShape {
    double rows = 0;
    double columns = 0;
    bool operator==(const MatrixShape &) const = default;
};

/// An all-reduce of a tensor; each rank starts with a partial sum.
struct PartialSums {
    MatrixShape tensor;
    double bytes_per_rank = 0; ///< bytes that each rank sends
    double seconds = 0;
};

enum class WeightSplit { columns, rows };

/// A linear layer, output = input x weight, split across ranks. If the weight is split by columns, each rank has the
/// whole input and some columns of the output. If it is split by rows, each rank has some columns of the input and a
/// partial sum of the whole output.
struct LinearSplit {
    WeightSplit split = WeightSplit::columns;
    int ranks = 1;
    MatrixShape input; ///< tokens x input features
    MatrixShape weight;
    MatrixShape output; ///< tokens x output features
    MatrixShape rank_input;
    MatrixShape rank_weight;
    MatrixShape rank_output;
    double rank_parameters = 0;
    std::optional<PartialSums> forward; ///< all-reduce of the output
    std::optional<PartialSums> backward; ///< all-reduce of the input's gradient
};

/// A layer with `rows` input features and `columns` output features.
struct LinearLayer {
    double micro_batch = 1; ///< sequences per microbatch
    double sequence = 1; ///< in tokens
    double rows = 1;
    double columns = 1;
    double element_bytes = 2;
};

/// @param bandwidth bandwidth in bytes/s per rank and direction
LinearSplit split_linear(const LinearLayer &layer, WeightSplit split, int ranks, double bandwidth);

} // namespace meshwright

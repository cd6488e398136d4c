// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/function.h"
#include "formulas/memory.h"

/// Number of ranks with which ZeRO fits in a memory limit. These formulas invert the model states per rank
/// (formulas/memory.h). Source: ZeRO, arXiv 1910.02054, sections 5.1 to 5.3.
namespace meshwright::formula {

/// Bytes per parameter of the states that a ZeRO stage shards.
inline FormulaFunction zero_sharded_bytes{[](auto stage, auto weight_bytes, auto gradient_bytes, auto optimizer_bytes) {
    return when(stage >= 1, optimizer_bytes, 0) + when(stage >= 2, gradient_bytes, 0)
        + when(stage >= 3, weight_bytes, 0);
}};
/// Bytes per parameter of the states that a ZeRO stage does not shard.
inline FormulaFunction zero_replicated_bytes{
    [](auto stage, auto weight_bytes, auto gradient_bytes, auto optimizer_bytes) {
        return when(stage >= 1, 0, optimizer_bytes) + when(stage >= 2, 0, gradient_bytes)
            + when(stage >= 3, 0, weight_bytes);
    }};

/// Minimum number of ranks for which activations and model states fit in each rank's memory. Infinite if activations
/// and replicated states alone do not fit.
inline FormulaFunction zero_fewest_ranks{[](auto parameters, auto memory_bytes, auto activation_bytes, auto stage,
                                            auto weight_bytes, auto gradient_bytes, auto optimizer_bytes) {
    const auto sharded = parameters * zero_sharded_bytes(stage, weight_bytes, gradient_bytes, optimizer_bytes);
    const auto left = memory_bytes - activation_bytes
        - parameters * zero_replicated_bytes(stage, weight_bytes, gradient_bytes, optimizer_bytes);
    return when(
        sharded > 0,
        [&] {
            return when(
                left > 0, [&] { return max(1, ceil(sharded / left)); }, unlimited);
        },
        [&] { return when(left >= 0, 1, unlimited); });
}};

/// Bytes left after activations and model states; negative if they do not fit.
inline FormulaFunction zero_bytes_left{[](auto parameters, auto ranks, auto memory_bytes, auto activation_bytes,
                                          auto stage, auto weight_bytes, auto gradient_bytes, auto optimizer_bytes) {
    return memory_bytes - activation_bytes
        - zero_memory_bytes(parameters, ranks, stage, weight_bytes, gradient_bytes, optimizer_bytes);
}};

/// Lowest ZeRO stage that fits on the given ranks. Infinite if stage 3 does not fit.
inline FormulaFunction zero_lowest_stage{[](auto parameters, auto ranks, auto memory_bytes, auto activation_bytes,
                                            auto weight_bytes, auto gradient_bytes, auto optimizer_bytes) {
    const auto left = [&](double stage) {
        return zero_bytes_left(parameters, ranks, memory_bytes, activation_bytes, stage, weight_bytes, gradient_bytes,
                               optimizer_bytes);
    };
    return when(left(0) >= 0, 0, [&] {
        return when(left(1) >= 0, 1,
                    [&] { return when(left(2) >= 0, 2, [&] { return when(left(3) >= 0, 3, unlimited); }); });
    });
}};

} // namespace meshwright::formula

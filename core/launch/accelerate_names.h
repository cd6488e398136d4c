// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

namespace meshwright {

/// A sharding strategy of PyTorch's FSDP 1: its names in Accelerate and in the Trainer, and its ZeRO stage.
struct FsdpStrategy {
    std::string_view accelerate; ///< "FULL_SHARD"; in lower case for the Trainer
    std::int64_t number; ///< number that Accelerate accepts instead of the name
    std::int64_t zero_stage;
    bool inside_node = false; ///< whether states are sharded within a node and replicated across nodes
};

inline constexpr FsdpStrategy fsdp_strategies[] = {{"FULL_SHARD", 1, 3},
                                                   {"SHARD_GRAD_OP", 2, 2},
                                                   {"NO_SHARD", 3, 0},
                                                   {"HYBRID_SHARD", 4, 3, true},
                                                   {"HYBRID_SHARD_ZERO2", 5, 2, true}};

/// The stack of PyTorch's own parallelism, without torch.compile: with several degrees, torchtitan's measured runs
/// describe it best.
/// @param several_degrees  whether there is tensor or context parallelism in addition to data parallelism
constexpr const char *pytorch_stack(bool several_degrees) {
    return several_degrees ? "torchtitan-2024-eager" : "pytorch-eager-2024";
}

/// Finds a strategy by its name, in upper or lower case, or by its number; null if there is none.
const FsdpStrategy *fsdp_strategy(std::string_view name);

} // namespace meshwright

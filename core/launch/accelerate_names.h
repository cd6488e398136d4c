// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

namespace meshwright {

/// A sharding strategy of PyTorch's FSDP 1, as Accelerate and the Trainer name it.
struct FsdpStrategy {
    std::string_view accelerate; ///< "FULL_SHARD"; the Trainer writes it in lower case
    std::int64_t number; ///< Accelerate also takes the number
    std::int64_t zero_stage;
    bool inside_node = false; ///< states are sharded inside a node and replicated across nodes
};

inline constexpr FsdpStrategy fsdp_strategies[] = {{"FULL_SHARD", 1, 3},
                                                   {"SHARD_GRAD_OP", 2, 2},
                                                   {"NO_SHARD", 3, 0},
                                                   {"HYBRID_SHARD", 4, 3, true},
                                                   {"HYBRID_SHARD_ZERO2", 5, 2, true}};

/// The strategy by its name, in upper or lower case, or by its number; null if there is none.
const FsdpStrategy *fsdp_strategy(std::string_view name);

} // namespace meshwright

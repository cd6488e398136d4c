// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "layers/layer_cost.h"

#include <tbb/concurrent_unordered_map.h>

#include <cstddef>
#include <memory>

namespace meshwright {

/// Layer costs of a plan's configurations. Kernel costs are calculated once for all configurations that give a rank the
/// same shapes: for example, two sequences split across two context-parallel ranks, or one sequence on one rank.
/// Thread-safe.
class KernelTable {
public:
    KernelTable(const Plan &plan, const Assumptions &assumptions);

    /// Gives the same costs as LayerCosts.
    /// @param plan  a configuration of the plan for which this table was created
    LayerCosts layer_costs(const Plan &plan);

private:
    struct Key {
        RankShape shape;
        /// Mode that recomputes single operations: selective, by module, or none.
        RecomputeMode one_by_one = RecomputeMode::none;
        bool operator==(const Key &) const = default;
    };
    struct Hash {
        std::size_t operator()(const Key &key) const;
    };

    std::shared_ptr<const Machine> m_machine;
    ModelWeights m_weights;
    tbb::concurrent_unordered_map<Key, LayerKernels, Hash> m_kernels;
};

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pipeline/stages.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace meshwright {

/// A pipeline's memory with so many first layers of each stage recomputed, but for what an operation needs while it
/// runs: no more than the true one.
class Shedding {
public:
    Shedding(const Plan &plan, const LayerCosts &layers, const PipelineCosts &stored)
        : m_costs(stored) {
        for (StageCost &stage : m_costs.stages) {
            std::vector<double> &saved = m_saved.emplace_back(std::vector{stage.cost.saved_bytes});
            for (const StageLayer &layer : layers_of_stage(plan, layers, stage)) {
                const BlockCost &block = layers.of_block(layer.block);
                const double freed = block.stored.saved_bytes - block.recomputed.saved_bytes;
                m_frees = m_frees && freed >= 0;
                saved.push_back(saved.back() - freed);
            }
            stage.working = nullptr;
        }
    }

    /// Whether it never grows with the layers.
    bool frees() const { return m_frees; }

    const PipelineCosts &with(std::int64_t recomputed) {
        for (std::size_t s = 0; s < m_saved.size(); ++s)
            m_costs.stages[s].cost.saved_bytes =
                m_saved[s][std::min(static_cast<std::size_t>(recomputed), m_saved[s].size() - 1)];
        return m_costs;
    }

private:
    PipelineCosts m_costs;
    std::vector<std::vector<double>> m_saved; ///< of each stage, by layers recomputed
    bool m_frees = true;
};

} // namespace meshwright

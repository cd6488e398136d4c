// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pipeline/stages.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace meshwright {

/// A lower bound on a pipeline's memory if the first layers of each stage are recomputed. It omits the working memory
/// of operations.
class PartialRecompute {
public:
    PartialRecompute(const Plan &plan, const LayerCosts &layers, const PipelineCosts &stored)
        : m_costs(stored) {
        const std::vector<std::size_t> blocks = blocks_in_order(plan.model);
        m_saved.reserve(m_costs.stages.size() + blocks.size());
        for (StageCost &stage : m_costs.stages) {
            m_first.push_back(m_saved.size());
            m_saved.push_back(stage.cost.saved_bytes);
            for (std::int64_t i = stage.first_layer; i < stage.first_layer + stage.layers; ++i) {
                const BlockCost &block = layers.of_block(blocks[static_cast<std::size_t>(i)]);
                const double freed = block.stored.saved_bytes - block.recomputed.saved_bytes;
                m_frees = m_frees && freed >= 0;
                m_saved.push_back(m_saved.back() - freed);
            }
            stage.working = nullptr;
        }
    }

    /// Whether memory never grows with the number of recomputed layers.
    bool frees() const { return m_frees; }

    const PipelineCosts &with(std::int64_t recomputed) {
        for (std::size_t s = 0; s < m_first.size(); ++s) {
            StageCost &stage = m_costs.stages[s];
            stage.cost.saved_bytes = m_saved[m_first[s] + static_cast<std::size_t>(std::min(recomputed, stage.layers))];
        }
        return m_costs;
    }

private:
    PipelineCosts m_costs;
    std::vector<double> m_saved; ///< bytes saved by each stage, by number of recomputed layers
    std::vector<std::size_t> m_first; ///< index of each stage in m_saved
    bool m_frees = true;
};

} // namespace meshwright

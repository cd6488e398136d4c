// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/kernel_table.h"

#include <functional>

namespace meshwright {

KernelTable::KernelTable(const Plan &plan, const Assumptions &assumptions)
    : m_machine(machine_of(plan, assumptions))
    , m_weights(plan.model) { }

LayerCosts KernelTable::layer_costs(const Plan &plan) {
    const RecomputeMode mode = plan.recompute.mode;
    const bool one_by_one = mode == RecomputeMode::selective || mode == RecomputeMode::modules;
    const Key key{.shape = rank_shape(plan), .one_by_one = one_by_one ? mode : RecomputeMode::none};
    auto found = m_kernels.find(key);
    if (found == m_kernels.end())
        found = m_kernels.emplace(key, LayerKernels(plan, m_machine->device, m_weights)).first;
    return {plan, m_machine, found->second, groups_of(plan)};
}

std::size_t KernelTable::Hash::operator()(const Key &key) const {
    constexpr std::size_t odd = 0x9e3779b97f4a7c15;
    std::size_t hash = static_cast<std::size_t>(key.one_by_one);
    const RankShape &shape = key.shape;
    for (const double part : {shape.tokens, shape.tensor, shape.sequence_ways, shape.expert, shape.expert_tensor})
        hash = (hash ^ std::hash<double>()(part)) * odd;
    return hash ^ (hash >> 32);
}

} // namespace meshwright

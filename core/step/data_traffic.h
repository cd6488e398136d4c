// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "layers/layer_cost.h"
#include "pipeline/timeline.h"

namespace meshwright {

/// The ranks that share a rank's gradients and weights, and the rings of those that shard them (ZeRO).
template <Number N>
struct BasicDataRings {
    typename BasicNetwork<N>::Ring dense;
    typename BasicNetwork<N>::Ring experts;
    BasicGroup<N> dense_copies; ///< ranks with the same shard of the dense weights
    BasicGroup<N> expert_copies;
    N dense_shards = 1;
    N expert_shards = 1;
};
using DataRings = BasicDataRings<double>;
/// Rings of the plan's configuration, the same for every rank; empty without ZeRO.
template <Number N>
BasicDataRings<N> data_rings(const Plan &plan, const BasicLayerCosts<N> &layers);

/// What a rank sends, and the passes of one microbatch with which it overlaps.
template <Number N>
struct BasicDataLoad {
    BasicRankParameters<N> parameters;
    N forward_seconds = 0; ///< with only the exposed part of expert communication
    N backward_seconds = 0;
};
using DataLoad = BasicDataLoad<double>;

/// The data-parallel communication of a rank.
template <Number N>
class BasicDataTraffic {
public:
    BasicDataTraffic(const Plan &plan, const BasicLayerCosts<N> &layers, const BasicDataRings<N> &rings,
                     const BasicDataLoad<N> &load, const Assumptions &assumptions);

    /// Exposed time per step.
    N exposed_seconds() const;
    /// Each collective with its total and its exposed time.
    RankCollectives collectives() const requires std::same_as<N, double>;

private:
    using Ring = typename BasicNetwork<N>::Ring;
    N gather(const N &bytes_per_parameter) const;
    N gather(const Ring &ring, const N &bytes) const;
    N gather_updated() const;
    N reduce_scatter(const N &bytes_per_parameter) const;
    N pieces(const N &bytes) const;
    N reduce_copies(const BasicGroup<N> &copies, const N &bytes, const N &shards) const;
    N all_reduce(const N &bytes_per_parameter) const;
    N exposed(const N &traffic, const N &window) const;
    N exposed_reduction(const N &traffic, const N &window) const;
    N exposed_gather(const N &traffic) const;
    N exposed_update_gather() const { return exposed_gather(gather_updated()); }
    N window(const N &pass_seconds) const;
    N once_a_step() const;
    N sharded_gradients() const;
    bool reduces_every_microbatch() const { return microbatches_a_reduction(m_plan) == 1; }
    N reductions() const;
    N reduction_window() const;
    N fully_sharded() const;
    N gathered_first() const;
    N reduced_alone() const;
    N reduced_last() const;
    N backward_with_gradients() const;
    N exposed_behind(const N &pass, const N &traffic, const N &bytes) const;

    const Plan &m_plan;
    const BasicLayerCosts<N> &m_layers;
    const BasicDataRings<N> &m_rings;
    const BasicDataLoad<N> &m_load;
    N m_window_share;
    N m_microbatches;
    N m_gradient_bytes;
    N m_weight_bytes; ///< bytes per weight as sent
};
using DataTraffic = BasicDataTraffic<double>;

/// Time of the optimizer step of a rank. @param copies  ranks that split a stage's update: stage_copies()
template <Number N>
N optimizer_seconds(const Plan &plan, const BasicLayerCosts<N> &layers, const BasicDataRings<N> &rings, const N &copies,
                    const BasicRankParameters<N> &parameters, const Assumptions &assumptions);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pipeline/stages.h"
#include "search/space.h"

#include <tbb/concurrent_unordered_map.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace meshwright {

/// What a rank holds at least.
struct ActivationBound {
    double layers = 0; ///< of the first rank, all its virtual stages together
    double in_flight = 0; ///< of the first rank: layers x microbatches whose activations it keeps
    double at_once = 0; ///< the same of any rank, while one chunk runs
    bool slices = false; ///< what an operation needs may be that of a slice
};
ActivationBound activation_bound(const Plan &plan, const ScheduleChoice &choice);
/// Whichever of the schedules runs.
ActivationBound activation_bound(const Plan &plan, const ScheduleChoices &schedules);

/// The same of the lists of schedules of one plan's space, each gone through once. Any number of threads may ask.
class ActivationBoundTable {
public:
    /// @param plan  a layout with the stages and microbatches that the schedules are listed for
    const ActivationBound &activation_bound(const Plan &plan, const ScheduleChoices &schedules);

private:
    tbb::concurrent_unordered_map<const ScheduleChoices *, ActivationBound> m_known;
};

/// Least peak of a unit's layouts under one way to recompute. The first rank keeps the activations of most
/// microbatches, the last the logits: their own layers are counted one by one. And some rank holds no less than the
/// mean of all, whose weights, gradients and optimizer states are their shares of the model's, beside the least that a
/// rank needs to run at all.
class RankMemoryBound {
public:
    /// @param all  of all layers
    RankMemoryBound(const Plan &plan, const LayerCosts &layers, const LayerCost &all, RecomputeMode recompute);
    enum class End { first, last };
    /// Of the rank at one end, with the layout that `plan` has. @param recomputed  layers of each stage, where first
    /// layers are recomputed
    double end_rank_bytes(const Plan &plan, const LayerCosts &layers, const StageRuns &runs, End end,
                          std::int64_t recomputed, const Assumptions &assumed);
    /// Of the same layout.
    double mean_rank_bytes(const Plan &plan, const LayerCosts &layers, const ScheduleChoice &choice,
                           const Assumptions &assumed);
    /// Of the first rank in any layout with the plan's sharding, whatever its schedule: `plan` has the degrees and the
    /// sharding.
    double min_first_rank_bytes(const Plan &plan, const LayerCosts &layers, const ActivationBound &held,
                                const Assumptions &assumed);
    /// Of some rank in such a layout.
    double min_mean_rank_bytes(const Plan &plan, const LayerCosts &layers, const ActivationBound &held,
                               const Assumptions &assumed);
    /// What recomputing the first layers of these stages takes a rank that holds them, for one microbatch.
    double recompute_seconds(const StageRuns &runs, const std::vector<StagePlace> &stages,
                             std::int64_t recomputed) const;
    /// Another unit's stages follow.
    void forget_ends();
    /// Whether the first rank never holds more with more layers recomputed.
    bool frees() const { return m_frees; }

private:
    /// Sums over the layers before one.
    struct Sums {
        double stored = 0; ///< bytes saved
        double recomputed = 0;
        double least = 0; ///< the smaller of both, layer by layer
        double seconds = 0; ///< of recomputing
        RankParameters parameters;
        std::size_t block = 0; ///< of that layer
    };
    double saved_bytes(std::int64_t from, std::int64_t to, std::int64_t recomputed) const;
    /// What the rank at one end of one layout of stages holds, which all shardings and many schedules share.
    struct Held {
        bool is_known = false;
        std::int64_t recomputed = 0;
        bool slices = false;
        bool holds_head = false;
        double saved_bytes = 0; ///< of a stage
        double sharded_unit = 0;
        const WorkingSet *working = nullptr;
        RankParameters parameters;
    };
    void hold_working(const Plan &plan, const LayerCosts &layers, std::int64_t layer, std::int64_t recomputed,
                      Held &held) const;
    void hold_stage(const Plan &plan, const LayerCosts &layers, const StageRuns &runs, std::size_t stage,
                    std::int64_t recomputed, Held &held) const;
    const Held &held_at(const Plan &plan, const LayerCosts &layers, const StageRuns &runs, End end,
                        std::int64_t recomputed);
    void hold(const ActivationBound &held, double layers_in_flight);
    double bytes_with_mean_states(const Plan &plan, const LayerCosts &layers, double share,
                                  const Assumptions &assumed) const;

    RecomputeMode m_recompute;
    RankParameters m_all_parameters;
    RankParameters m_parameters; ///< of the smallest layer
    double m_saved_bytes = 0;
    double m_sharded_unit = 0;
    WorkingSet m_working;
    std::vector<Sums> m_sums; ///< by layer, and of all
    bool m_frees = true;
    PipelineCosts m_costs; ///< of the one rank that is asked for
    std::vector<std::array<Held, 2>> m_ends; ///< by layout of stages; room is kept from unit to unit
};

} // namespace meshwright

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

/// Lower bounds on the activations that a rank saves.
struct ActivationBound {
    double layers = 0; ///< number of layers on the first rank, over all its virtual stages
    double in_flight = 0; ///< minimum layers x microbatches that the first rank saves
    double at_once = 0; ///< minimum layers x microbatches that any rank saves while one of its chunks runs
    bool slices = false; ///< whether the working memory may be that of a single slice
};
ActivationBound activation_bound(const Plan &plan, const ScheduleChoice &choice);
ActivationBound activation_bound(const Plan &plan, const ScheduleChoices &schedules);

/// Caches activation_bound() for the schedule lists of one plan's search space. Thread-safe.
class ActivationBoundTable {
public:
    /// @param plan  a configuration with the stages and microbatches of the listed schedules
    const ActivationBound &activation_bound(const Plan &plan, const ScheduleChoices &schedules);

private:
    tbb::concurrent_unordered_map<const ScheduleChoices *, ActivationBound> m_known;
};

/// Lower bound on peak memory, for configurations with the same degrees and sharding and one recomputation mode. The
/// first rank saves activations of the most microbatches, and the last rank has the logits, so their layers are counted
/// one by one. Some rank has at least the average over all ranks of weights, gradients and optimizer states, plus the
/// minimum that a rank needs to run.
class RankMemoryBound {
public:
    /// @param all  cost of all layers
    RankMemoryBound(const Plan &plan, const LayerCosts &layers, const LayerCost &all, RecomputeMode recompute);
    enum class End { first, last };
    /// Lower bound on the memory of the first or last rank, with the configuration of `plan`.
    /// @param recomputed  number of layers recomputed per stage, if the first layers are recomputed
    double end_rank_bytes(const Plan &plan, const LayerCosts &layers, const StageRuns &runs, End end,
                          std::int64_t recomputed, const Assumptions &assumed);
    /// Lower bound on the mean memory of all ranks, for the configuration of `plan`.
    double mean_rank_bytes(const Plan &plan, const LayerCosts &layers, const ScheduleChoice &choice,
                           const Assumptions &assumed);
    /// Lower bound on the memory of the first rank in any configuration with the plan's degrees and sharding, with any
    /// schedule.
    double min_first_rank_bytes(const Plan &plan, const LayerCosts &layers, const ActivationBound &held,
                                const Assumptions &assumed);
    /// Lower bound on the peak memory of all ranks in any configuration with the plan's degrees and sharding.
    double min_mean_rank_bytes(const Plan &plan, const LayerCosts &layers, const ActivationBound &held,
                               const Assumptions &assumed);
    /// Time per microbatch to recompute the first layers of each virtual stage of a rank.
    double recompute_seconds(const StageRuns &runs, const std::vector<StagePlace> &stages,
                             std::int64_t recomputed) const;
    /// Discards the memoized memory estimates of the first and last ranks. Call before evaluating configurations with
    /// other stages.
    void forget_ends();
    /// Whether the first rank's memory never grows with the number of recomputed layers.
    bool frees() const { return m_frees; }

private:
    /// Sums over the layers before a given layer.
    struct Sums {
        double stored = 0; ///< bytes saved for backward
        double recomputed = 0;
        double least = 0; ///< sum over layers of min(stored, recomputed)
        double seconds = 0;
        RankParameters parameters;
        std::size_t block = 0; ///< block index of the given layer
    };
    double saved_bytes(std::int64_t from, std::int64_t to, std::int64_t recomputed) const;
    /// Memory of the first or last rank of a pipeline layout. All shardings and many schedules share it.
    struct EndMemory {
        bool is_known = false;
        std::int64_t recomputed = 0;
        bool slices = false;
        bool holds_head = false;
        double saved_bytes = 0; ///< bytes that a stage saves for backward per microbatch
        double sharded_unit = 0;
        const WorkingSet *working = nullptr;
        RankParameters parameters;
    };
    void hold_working(const Plan &plan, const LayerCosts &layers, std::int64_t layer, std::int64_t recomputed,
                      EndMemory &held) const;
    void hold_stage(const Plan &plan, const LayerCosts &layers, const StageRuns &runs, std::size_t stage,
                    std::int64_t recomputed, EndMemory &held) const;
    const EndMemory &memory_at(const Plan &plan, const LayerCosts &layers, const StageRuns &runs, End end,
                               std::int64_t recomputed);
    void hold(const ActivationBound &held, double layers_in_flight);
    double bytes_with_mean_states(const Plan &plan, const LayerCosts &layers, double share,
                                  const Assumptions &assumed) const;

    RecomputeMode m_recompute;
    RankParameters m_all_parameters;
    RankParameters m_parameters; ///< number of parameters of the smallest layer
    double m_saved_bytes = 0;
    double m_sharded_unit = 0;
    WorkingSet m_working;
    std::vector<Sums> m_sums; ///< sums over the layers before each layer; the last entry covers all layers
    bool m_frees = true;
    PipelineCosts m_costs;
    /// Memory of the first and last ranks, by pipeline layout. The vector is reused to avoid allocations.
    std::vector<std::array<EndMemory, 2>> m_ends;
};

} // namespace meshwright

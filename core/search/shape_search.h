// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "search/bounds.h"
#include "search/goals.h"
#include "search/kernel_table.h"
#include "search/longest_rank.h"
#include "search/outer_settings.h"
#include "search/partial_recompute.h"
#include "search/rank_memory_bound.h"
#include "search/space.h"

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace meshwright {

/// The first integer in [low, high] that satisfies the monotonic predicate `holds`; high + 1 if there is none.
template <typename Holds>
std::int64_t first_of(std::int64_t low, std::int64_t high, const Holds &holds) {
    while (low <= high) {
        const std::int64_t middle = (low + high) / 2;
        if (holds(middle))
            high = middle - 1;
        else
            low = middle + 1;
    }
    return low;
}

/// Moves dimensions to the end of the placement, where they do not increase the strides of the others. The resulting
/// bound holds for any degree of the moved dimensions.
void place_last(std::vector<Dimension> &placement, std::initializer_list<Dimension> moved);

struct Funnel {
    std::int64_t fit = 0;
    std::int64_t too_large = 0; ///< evaluated and did not fit, or excluded by a lower bound on memory
    std::int64_t slower = 0; ///< excluded by a lower bound on time, without evaluation
    /// Number of duplicates. For example, partial recomputation of all layers equals full recomputation.
    std::int64_t repeats = 0;
    Funnel &operator+=(const Funnel &other);
    bool operator==(const Funnel &) const = default;
};

/// Searches all configurations of one kernel shape. It first calculates lower bounds, then evaluates configurations,
/// lowest bound first. It skips a configuration only if its bound excludes it. For each PipelineUnit, the first
/// configuration that fits sets the score to beat; the others are queued.
class ShapeSearch {
public:
    struct Variant {
        const Plan *plan = nullptr;
        Assumptions assumed;
        Scorer scorer;
        std::shared_ptr<KernelTable> kernels;
        std::shared_ptr<ActivationBoundTable> activation_bound;
        std::shared_ptr<const OuterChoice> outer; ///< chooses the outer loop; null if there is at most one
        bool exact_runs = false; ///< whether configurations are ranked by run times that include stalls
    };

    /// @param plan  scratch copy of the variant's plan; the search writes configurations into it
    ShapeSearch(const ConfigurationSpace &space, const FieldValues &values, const Variant &variant,
                const KernelShape &kernel_shape, Plan &plan);
    /// Replaces the scratch copy of the plan.
    void use(Plan &plan);

    /// Lower bound on the step time of all configurations with this kernel shape.
    double min_step_seconds() const { return m_min_step_seconds; }

    /// Bounds a unit's configurations and evaluates them until one fits.
    /// @param skip  the plan's own configuration if it has already been evaluated; otherwise null
    void open(const PipelineUnit &unit, const Configuration *skip, Goals &goals, const std::stop_token &stop);
    void go_on(std::int64_t most, const Configuration *skip, Goals &goals, const std::stop_token &stop);
    bool waits() const { return !m_waiting.empty(); }
    /// Lowest bound of a queued configuration; infinity if none is queued.
    double min_waiting_seconds() const;

    std::int64_t evaluated() const { return m_evaluated; }
    /// Counts so far, without configurations that a lower bound on time excluded.
    const Funnel &funnel() const { return m_funnel; }

private:
    struct Entry {
        double bound = 0; ///< lower bound on step time in seconds
        double pipeline = 0; ///< lower bound on the pipeline's time per step if no layer is recomputed
        double peak = 0; ///< lower bound on peak memory in bytes
        std::uint32_t schedule = 0;
        std::uint16_t sharding = 0;
        RecomputeMode recompute = RecomputeMode::none;
    };
    struct Waiting {
        const PipelineUnit *unit = nullptr;
        std::vector<Entry> entries; ///< entries sorted by bound, lowest first
        std::size_t next = 0;
    };
    /// Costs of a pipeline's ranks. All shardings and many schedules share them.
    struct Ranks {
        std::int64_t chunks = 1;
        StagePlacement folding = StagePlacement::looped;
        Balance balance = Balance::even;
        RecomputeMode recompute = RecomputeMode::none;
        std::int64_t layers = 0;
        PipelineCosts costs;
        /// Partial recomputation of this pipeline layout; set on first use.
        std::optional<PartialRecompute> partial_recompute;
    };

    /// Costs of the layers and their sum, for one recomputation mode, and the lower bound on step time that they give.
    struct Costs {
        std::optional<LayerCosts> layers;
        std::optional<RankCosts> ranks;
        double min_step_seconds = 0;
    };
    /// Seconds that the slowest rank spends outside the pipeline, shared by all schedules that reduce gradients equally
    /// often.
    struct Apart {
        std::int64_t microbatches_a_reduction = 0; ///< 0 until it is calculated
        double seconds = 0;
    };
    struct Pipelines {
        std::vector<double> seconds; ///< lower bound for each schedule; empty before the first calculation
        double min_seconds = 0;
        double passes_seconds =
            0; ///< lower bound on the slowest rank's time with any schedule; 0 before the first calculation
        std::vector<std::optional<LongestRank>> longest; ///< slowest rank, indexed by rank contents
        /// Time that the slowest rank spends outside the pipeline (data-parallel communication and optimizer), indexed
        /// by rank contents, gradient reductions and sharding.
        std::vector<Apart> apart;
    };

    static std::size_t index_of(RecomputeMode recompute) {
        if (recompute == RecomputeMode::full)
            return 1;
        return recompute == RecomputeMode::selective || recompute == RecomputeMode::modules ? 2 : 0;
    }
    Costs &costs(RecomputeMode recompute);
    FieldPlaces unit_places(RecomputeMode recompute) const;
    void enter(const PipelineUnit &unit);
    void place(const PipelineUnit &unit);
    FieldPlaces places(const ScheduleChoice &choice, std::int64_t zero_stage, RecomputeMode recompute) const;
    void bound(const PipelineUnit &unit, RecomputeMode recompute, const Goals &goals);
    double min_peak_bytes(const PipelineUnit &unit, const LayerCosts &layers, RankMemoryBound &memory_bound);
    const Pipelines &pipelines(const PipelineUnit &unit, RecomputeMode recompute);
    double min_passes_seconds(const PipelineUnit &unit, RecomputeMode recompute);
    /// Lower bound on the time per step that the slowest rank spends outside the pipeline, with the entry's
    /// configuration.
    /// @pre the plan is set to the entry's schedule
    double unoverlapped_seconds(const PipelineUnit &unit, const Entry &entry);
    void enter_schedules(const PipelineUnit &unit, RecomputeMode recompute, const std::vector<double> &pipeline_seconds,
                         double min_peak, const Goals &goals);
    const LongestRank &longest(const StageRuns &runs, RecomputeMode recompute);
    /// Bounds the memory, and the recomputation needed to fit. The plan is set to the entry.
    /// @returns false if nothing fits
    bool raise_bounds(const ScheduleChoice &choice, Entry &entry);
    RankMemoryBound &memory_bound(RecomputeMode recompute);
    /// Indices of an entry's values in FieldValues; empty unless curves are requested.
    FieldPlaces places(const PipelineUnit &unit, const Entry &entry, const Goals &goals) const;
    bool could_matter(const Entry &entry, const FieldPlaces &places, const Goals &goals) const;
    bool look_at(const PipelineUnit &unit, Entry entry, const Configuration *skip, Goals &goals);
    bool evaluate(const PipelineUnit &unit, const Entry &entry, const FieldPlaces &places, const Configuration *skip,
                  Goals &goals);
    /// Minimum number of leading layers per stage to recompute so that the first and last stages fit, and the resulting
    /// peak memory.
    struct Fewest {
        std::int64_t layers = 0;
        double ends_bytes = 0;
    };
    std::optional<Fewest> fewest_layers(const StageRuns &runs, RankMemoryBound &memory_bound);
    double ends_bytes(const LayerCosts &layers, const StageRuns &runs, RankMemoryBound &memory_bound,
                      std::int64_t recomputed) const;
    double min_recompute_seconds(const StageRuns &runs, const RankMemoryBound &memory_bound, std::int64_t layers);
    Ranks &ranks(const ScheduleChoice &choice);
    PartialRecompute &partial_recompute(const ScheduleChoice &choice);
    enum class Layers { found, not_needed, not_enough };
    Layers find_layers(const ScheduleChoice &choice);
    bool fits_with(const ScheduleChoice &choice, std::int64_t layers);
    void set_schedule(const ScheduleChoice &choice);
    void set(const ScheduleChoice &choice, std::pair<std::int64_t, std::int64_t> sharding, RecomputeMode recompute);
    Configuration layout(const ScheduleChoice &choice) const;

    const ConfigurationSpace &m_space;
    const FieldValues &m_values;
    const Variant &m_variant;
    const KernelShape &m_kernel_shape;
    Plan *m_plan;
    double m_straggler = 1;
    FieldPlaces m_places{};
    /// Costs by recomputation: 0 none or partial, 1 full, 2 by module.
    std::array<Costs, 3> m_costs;
    std::array<std::optional<RankMemoryBound>, static_cast<std::size_t>(RecomputeMode::modules) + 1> m_memory_bounds;
    std::vector<Entry> m_entries;
    std::vector<Waiting> m_waiting;
    std::vector<double> m_min_peaks; ///< lower bound on peak memory in bytes with any schedule, indexed by sharding
    std::array<Pipelines, 3> m_pipelines; ///< bounds on pipelines, indexed like m_costs
    std::optional<double> m_hop; ///< seconds of one send between the unit's stages
    std::vector<std::optional<DataRings>> m_data_rings; ///< data-parallel groups, indexed by sharding
    std::vector<Ranks> m_ranks;
    double m_min_step_seconds = 0;
    std::int64_t m_evaluated = 0;
    Funnel m_funnel;
};

} // namespace meshwright

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

/// The first of low to high for which `holds`, which goes on holding; high + 1 where there is none.
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

/// Moves dimensions behind the others, which come to lie no further apart: a bound for any extent of those moved.
void place_last(std::vector<Dimension> &placement, std::initializer_list<Dimension> moved);

/// What became of the layouts of a space.
struct Funnel {
    std::int64_t fit = 0; ///< evaluated
    std::int64_t too_large = 0; ///< evaluated, or a bound on their memory proves it
    std::int64_t slower = 0; ///< not looked at: a bound proves that they are not among what is listed
    std::int64_t repeats = 0; ///< recompute no layer, or all, as another layout does
    Funnel &operator+=(const Funnel &other);
    bool operator==(const Funnel &) const = default;
};

/// Goes through the units of one kernel_shape: bounds first, then, lowest bound first, the model itself. A layout is
/// left out only where its bound says that it cannot matter. Of each unit one layout that fits is found at once, which
/// says what the others of all units have to beat; they wait for it.
class ShapeSearch {
public:
    /// What a search knows of one variant.
    struct Variant {
        const Plan *plan = nullptr;
        Assumptions assumed;
        Scorer scorer;
        std::shared_ptr<KernelTable> kernels;
        std::shared_ptr<ActivationBoundTable> activation_bound;
        std::shared_ptr<const OuterChoice> outer; ///< null: there is none, or nothing to choose
        bool exact_runs = false; ///< the outer loop's stalls decide between variants
    };

    /// @param plan  a copy of the variant's plan to set layouts in
    ShapeSearch(const LayoutSpace &space, const FieldValues &values, const Variant &variant,
                const KernelShape &kernel_shape, Plan &plan);
    /// Sets layouts in another copy from now on.
    void use(Plan &plan);

    /// Of any of the kernel_shape's layouts.
    double min_step_seconds() const { return m_min_step_seconds; }

    /// Bounds a unit's layouts and looks at them until one fits. @param skip  the plan's own layout, which has been
    /// looked at; null: none
    void open(const PipelineUnit &unit, const Layout *skip, Goals &goals, const std::stop_token &stop);
    /// Looks at what waits, until so many layouts have been evaluated.
    void go_on(std::int64_t most, const Layout *skip, Goals &goals, const std::stop_token &stop);
    bool waits() const { return !m_waiting.empty(); }
    /// Lowest bound of what waits; infinity: nothing does.
    double min_waiting_seconds() const;

    std::int64_t evaluated() const { return m_evaluated; }
    /// Of the layouts gone through; those that a bound on their time left out are not counted.
    const Funnel &funnel() const { return m_funnel; }

private:
    /// A layout still to be looked at.
    struct Entry {
        double bound = 0; ///< seconds of its step at least
        double pipeline = 0; ///< of them, what the pipeline takes with all layers stored
        double peak = 0; ///< bytes at least
        std::uint32_t schedule = 0;
        std::uint16_t sharding = 0;
        RecomputeMode recompute = RecomputeMode::none;
    };
    /// What is left of a unit.
    struct Waiting {
        const PipelineUnit *unit = nullptr;
        std::vector<Entry> entries; ///< lowest bound first
        std::size_t next = 0; ///< the first that waits
    };
    /// Costs of a pipeline's ranks, which all shardings and many schedules share.
    struct Ranks {
        std::int64_t chunks = 1;
        StagePlacement folding = StagePlacement::looped;
        Balance balance = Balance::even;
        RecomputeMode recompute = RecomputeMode::none;
        std::int64_t layers = 0;
        PipelineCosts costs;
        std::optional<PartialRecompute> partial_recompute; ///< of stored layers, once it has been asked for
    };

    /// Costs of the layers and their sum under one way to recompute, and the least that any of the kernel_shape's steps
    /// takes with them.
    struct Costs {
        std::optional<LayerCosts> layers;
        std::optional<RankCosts> ranks;
        double min_step_seconds = 0;
    };
    /// Seconds beside the pipeline, which all schedules share that reduce gradients alike.
    struct Apart {
        std::int64_t microbatches_a_reduction = 0; ///< 0: nobody has asked
        double seconds = 0;
    };
    /// Of the unit, under one way to recompute.
    struct Pipelines {
        std::vector<double> seconds; ///< at least, by schedule; empty: nobody has asked
        double min_seconds = 0; ///< of them
        double passes_seconds = 0; ///< of the longest rank at least, whatever the schedule; 0: nobody has asked
        std::vector<std::optional<LongestRank>> longest; ///< by what ranks hold
        std::vector<Apart> apart; ///< of the longest rank, by what ranks hold, how they run and sharding
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
    double min_peak_bytes(const PipelineUnit &unit, const LayerCosts &layers, RankMemoryBound &lean);
    const Pipelines &pipelines(const PipelineUnit &unit, RecomputeMode recompute);
    double min_passes_seconds(const PipelineUnit &unit, RecomputeMode recompute);
    /// Of the longest rank at least, with the entry's layout, whose schedule the plan is set to, and all layers stored.
    double unoverlapped_seconds(const PipelineUnit &unit, const Entry &entry);
    void enter_schedules(const PipelineUnit &unit, RecomputeMode recompute, const std::vector<double> &pipeline_seconds,
                         double min_peak, const Goals &goals);
    const LongestRank &longest(const StageRuns &runs, RecomputeMode recompute);
    /// Of memory, and of what recomputing takes until it fits; the plan is set to the entry. @returns false where none
    /// fits
    bool raise_bounds(const ScheduleChoice &choice, Entry &entry);
    RankMemoryBound &lean(RecomputeMode recompute);
    /// Of an entry of the unit that is placed; of none where nobody asks for curves.
    FieldPlaces places(const PipelineUnit &unit, const Entry &entry, const Goals &goals) const;
    bool could_matter(const Entry &entry, const FieldPlaces &places, const Goals &goals) const;
    bool look_at(const PipelineUnit &unit, Entry entry, const Layout *skip, Goals &goals);
    bool evaluate(const PipelineUnit &unit, const Entry &entry, const FieldPlaces &places, const Layout *skip,
                  Goals &goals);
    /// First layers of each stage to recompute, and what an end of the pipeline then holds.
    struct Fewest {
        std::int64_t layers = 0;
        double ends_bytes = 0;
    };
    std::optional<Fewest> fewest_layers(const StageRuns &runs, RankMemoryBound &lean);
    double ends_bytes(const LayerCosts &layers, const StageRuns &runs, RankMemoryBound &lean,
                      std::int64_t recomputed) const;
    double min_recompute_seconds(const StageRuns &runs, const RankMemoryBound &lean, std::int64_t layers);
    Ranks &ranks(const ScheduleChoice &choice);
    PartialRecompute &partial_recompute(const ScheduleChoice &choice);
    enum class Layers { found, not_needed, not_enough };
    Layers find_layers(const ScheduleChoice &choice);
    bool fits_with(const ScheduleChoice &choice, std::int64_t layers);
    void set_schedule(const ScheduleChoice &choice);
    void set(const ScheduleChoice &choice, std::pair<std::int64_t, std::int64_t> sharding, RecomputeMode recompute);
    Layout layout(const ScheduleChoice &choice) const;

    const LayoutSpace &m_space;
    const FieldValues &m_values;
    const Variant &m_variant;
    const KernelShape &m_kernel_shape;
    Plan *m_plan;
    double m_straggler = 1;
    FieldPlaces m_places{};
    std::array<Costs, 3> m_costs; ///< stored (first layers too), in full, piecewise
    std::array<std::optional<RankMemoryBound>, static_cast<std::size_t>(RecomputeMode::modules) + 1>
        m_lean; ///< of the unit
    std::vector<Entry> m_entries;
    std::vector<Waiting> m_waiting;
    std::vector<double> m_min_peaks; ///< by sharding, whatever the schedule, in bytes
    std::array<Pipelines, 3> m_pipelines; ///< as the costs
    std::optional<double> m_hop; ///< seconds of a send between the unit's stages
    std::vector<std::optional<DataRings>> m_data_rings; ///< of the unit, by sharding
    std::vector<Ranks> m_ranks;
    double m_min_step_seconds = 0;
    std::int64_t m_evaluated = 0;
    Funnel m_funnel;
};

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "search/bounds.h"
#include "search/goals.h"
#include "search/lean_rank.h"
#include "search/shedding.h"
#include "search/space.h"

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace meshwright {

/// Rounding may put a bound above what it bounds by a few units in the last place.
inline constexpr double just_below = 1 - 1e-9;

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

/// Goes through the units of one stem: bounds first, then, lowest bound first, the model itself. A layout is left out
/// only where its bound says that it cannot matter.
class StemSearch {
public:
    /// What a search knows of one variant.
    struct Variant {
        const Plan *plan = nullptr;
        Assumptions assumed;
        Appraiser appraiser;
        bool exact_runs = false; ///< an outer loop's stalls decide between variants
    };

    /// @param plan  a copy of the variant's plan to set layouts in
    StemSearch(const LayoutSpace &space, const FieldValues &values, const Variant &variant, const Stem &stem,
               Plan &plan);

    /// Of any of the stem's layouts.
    double least_step_seconds() const { return m_least_step_seconds; }

    /// @param skip  the plan's own layout, which has been looked at; null: none
    void run(const StemUnit &unit, const Layout *skip, Goals &goals, const std::stop_token &stop);

    std::int64_t evaluated() const { return m_evaluated; }
    /// Of the layouts gone through; those that a bound on their time left out are not counted.
    const Funnel &funnel() const { return m_funnel; }

private:
    /// A layout still to be looked at.
    struct Entry {
        double bound = 0; ///< seconds of its step at least
        double peak = 0; ///< bytes at least
        std::uint32_t schedule = 0;
        std::uint16_t sharding = 0;
        RecomputeMode recompute = RecomputeMode::none;
    };
    /// Costs of a pipeline's ranks, which all shardings and many schedules share.
    struct Ranks {
        std::int64_t chunks = 1;
        StagePlacement folding = StagePlacement::looped;
        Balance balance = Balance::even;
        RecomputeMode recompute = RecomputeMode::none;
        std::int64_t layers = 0;
        PipelineCosts costs;
        std::optional<Shedding> shedding; ///< of stored layers, once it has been asked for
    };

    /// Costs of the layers and their sum under one way to recompute, and the least that any of the stem's steps takes
    /// with them.
    struct Costs {
        std::optional<LayerCosts> layers;
        LayerCost all;
        double least_step_seconds = 0;
    };

    Costs &costs(RecomputeMode recompute);
    FieldPlaces unit_places(RecomputeMode recompute) const;
    void enter(const StemUnit &unit);
    FieldPlaces places(const ScheduleChoice &choice, std::int64_t zero_stage, RecomputeMode recompute) const;
    void bound(const StemUnit &unit, RecomputeMode recompute, const Goals &goals);
    double least_peak_bytes(const StemUnit &unit, const LayerCosts &layers, LeanRank &lean);
    void bound_schedules(const StemUnit &unit, RecomputeMode recompute, MeanPipeline &mean, LeanRank &lean,
                         double least_peak, const Goals &goals);
    void bound_of_sharding(const StemUnit &unit, Entry entry, double pipeline_seconds, LeanRank &lean,
                           const Goals &goals);
    /// Sets the plan to the entry. @returns its places; nothing, and nothing is set, where by its bound it could not
    /// matter
    std::optional<FieldPlaces> take_up(const StemUnit &unit, const Entry &entry, double least_peak, const Goals &goals);
    void look_at(const StemUnit &unit, const Entry &entry, const Layout *skip, Goals &goals);
    std::optional<std::int64_t> fewest_layers(const StageRuns &runs, LeanRank &lean);
    double ends_bytes(const LayerCosts &layers, const StageRuns &runs, LeanRank &lean, std::int64_t recomputed) const;
    double least_recompute_seconds(const StageRuns &runs, const LeanRank &lean, std::int64_t layers) const;
    const StageRuns &runs(const ScheduleChoice &choice);
    Ranks &ranks(const ScheduleChoice &choice);
    Shedding &shedding(const ScheduleChoice &choice);
    enum class Layers { found, not_needed, not_enough };
    Layers find_layers(const ScheduleChoice &choice);
    bool fits_with(const ScheduleChoice &choice, std::int64_t layers);
    void set(const ScheduleChoice &choice, std::pair<std::int64_t, std::int64_t> sharding, RecomputeMode recompute);
    Layout layout(const ScheduleChoice &choice) const;

    const LayoutSpace &m_space;
    const FieldValues &m_values;
    const Variant &m_variant;
    const Stem &m_stem;
    Plan &m_plan;
    double m_straggler = 1;
    FieldPlaces m_places{};
    std::array<Costs, 3> m_costs; ///< stored (first layers too), in full, piecewise
    std::vector<Entry> m_entries;
    std::vector<double> m_least_peaks; ///< by sharding, whatever the schedule, in bytes
    std::vector<double> m_pipeline_seconds; ///< at least, by schedule
    /// How layers lie on stages, which all shardings and many schedules share.
    struct Runs {
        std::int64_t chunks = 1;
        StagePlacement folding = StagePlacement::looped;
        Balance balance = Balance::even;
        StageRuns runs;
    };
    std::vector<Runs> m_runs;
    std::vector<Ranks> m_ranks;
    double m_least_step_seconds = 0;
    std::int64_t m_evaluated = 0;
    Funnel m_funnel;
};

} // namespace meshwright

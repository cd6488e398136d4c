// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "outer/link.h"
#include "outer/randomness.h"
#include "outer/timeline.h"
#include "plan/plan.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace meshwright {

inline constexpr std::size_t unwatched = static_cast<std::size_t>(-1);

/// A site's time by activity, in seconds, and counts of the updates that it applied.
struct SiteCounts {
    double computed = 0;
    double stalled = 0;
    double away = 0; ///< seconds that the site is absent or rejoining
    double staleness_steps = 0; ///< sum of the staleness of updates, in steps
    double applied = 0;
    std::int64_t departures = 0;
};

/// The computation of one site: consecutive inner steps, some of which wait for an update to arrive, interrupted by
/// absences.
class Site {
public:
    enum class Reached {
        step,
        away ///< the site is absent; see back()
    };

    /// @param step_seconds mean step time of this site, before random variation
    /// @param rejoin_seconds time to download the state when rejoining
    /// @param step_variation distribution of the random factor on the time of steps_of_a_draw() steps; null if step
    /// times are not random
    Site(const Plan &plan, const Randomness &random, std::int64_t number, double step_seconds, double rejoin_seconds,
         std::shared_ptr<const LogNormalDraws> step_variation);

    /// Number of steps that share one random draw: 1 unless rounds are very long.
    static double steps_of_a_draw(const Plan &plan);

    /// Computes up to the end of `step` and waits for required updates.
    Reached advance_to(double step);

    /// Announces that an average is on its way to this site, for the fragment sent at the end of step `released`.
    void expect(double released, double arrival, std::int64_t fragment, std::size_t journey);

    /// Rejoins at back() with `step` completed and discards pending updates.
    void resume(double step);

    double clock() const { return m_clock; } ///< current time of the site in seconds
    double steps() const { return m_steps; }
    double step_seconds() const { return m_mean_step; }
    double departure() const { return m_departure; }
    double back() const { return m_back; } ///< time of the next return, including the state download
    bool is_away() const { return m_away; }
    std::int64_t number() const { return m_number; }
    const SiteCounts &counts() const { return m_counts; }
    /// Appends the time left until each pending update. The states of two rounds are compared: rounds that begin in the
    /// same state are identical.
    void append_state(std::vector<double> &state) const;

    void watch(OuterTimeline *timeline) { m_timeline = timeline; }

private:
    struct Update {
        double arrival;
        double released; ///< inner step after which the update is sent
        double deadline; ///< last step that may end before the update arrives
        std::int64_t fragment;
        std::size_t journey;
    };

    void run(double last_step, double until);
    double duration_of(double step, double &block_end) const;
    void stall_until(double time, std::int64_t fragment);
    void leave();
    void draw_departure(double from);
    bool has_pending() const { return m_taken < m_pending.size(); }
    void apply(const Update &update);
    void record(SiteActivity activity, double start, double end, std::int64_t fragment = -1);
    void record_steps(double start, double end, double step_seconds);

    Draws m_step_draws;
    Draws m_departures;
    Draws m_absences;
    std::int64_t m_number;
    double m_mean_step;
    double m_rejoin_seconds;
    double m_overlap; ///< overlap in inner steps
    bool m_waits;
    double m_block_steps; ///< number of steps that share one draw
    std::shared_ptr<const LogNormalDraws> m_step_variation;
    const Faults *m_faults;

    double m_clock = 0;
    double m_steps = 0;
    double m_departure = never;
    double m_back = never;
    bool m_away = false;
    std::vector<Update> m_pending; ///< pending updates; those before index m_taken have already been applied
    std::size_t m_taken = 0;
    SiteCounts m_counts;
    OuterTimeline *m_timeline = nullptr;
};

} // namespace meshwright

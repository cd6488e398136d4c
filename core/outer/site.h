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

/// Where a site's time has gone, in s, and what it has applied.
struct SiteCounts {
    double computed = 0;
    double stalled = 0;
    double away = 0; ///< departures and rejoining
    double staleness_steps = 0; ///< summed over updates
    double applied = 0;
    std::int64_t departures = 0;
};

/// One site's computation: inner steps, one after the other, before some of which an update must have arrived; absences
/// in between.
class Site {
public:
    enum class Reached {
        step, ///< the step that was asked for
        away ///< has left; see back()
    };

    /// @param step_seconds     of this site, before its own variation
    /// @param rejoin_seconds   of downloading the state when it comes back
    /// @param step_variation   of steps_of_a_draw(); null: every step takes as long
    Site(const Plan &plan, const Randomness &random, std::int64_t number, double step_seconds, double rejoin_seconds,
         std::shared_ptr<const LogNormalDraws> step_variation);

    /// Steps that share one draw of their mean: one, but where rounds are very long.
    static double steps_of_a_draw(const Plan &plan);

    /// Computes up to the end of `step`, waiting where it must.
    Reached advance_to(double step);

    /// An average is on its way here: it belongs to the fragment released at the end of `released`.
    void expect(double released, double arrival, std::int64_t fragment, std::size_t journey);

    /// Comes back at back(), with `step` behind it; forgets what it waited for.
    void resume(double step);

    double clock() const { return m_clock; } ///< s
    double steps() const { return m_steps; }
    double step_seconds() const { return m_mean_step; } ///< mean of this site
    double departure() const { return m_departure; } ///< the next one
    double back() const { return m_back; } ///< from that, state downloaded
    bool is_away() const { return m_away; }
    std::int64_t number() const { return m_number; }
    const SiteCounts &counts() const { return m_counts; }
    /// How far everything pending is ahead of its clock: rounds that begin alike go on alike.
    void append_state(std::vector<double> &state) const;

    void watch(OuterTimeline *timeline) { m_timeline = timeline; }

private:
    struct Update {
        double arrival;
        double released; ///< step
        double deadline; ///< the last step that may end without it
        std::int64_t fragment;
        std::size_t journey; ///< in the timeline, or `unwatched`
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
    double m_overlap; ///< steps
    bool m_waits;
    double m_block_steps; ///< steps that share one draw
    std::shared_ptr<const LogNormalDraws> m_step_variation;
    const Faults *m_faults;

    double m_clock = 0;
    double m_steps = 0;
    double m_departure = never;
    double m_back = never;
    bool m_away = false;
    std::vector<Update> m_pending; ///< from m_taken on
    std::size_t m_taken = 0;
    SiteCounts m_counts;
    OuterTimeline *m_timeline = nullptr;
};

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "outer/timeline.h"
#include "plan/plan.h"

#include <cstdint>
#include <vector>

namespace meshwright {

/// One site's update of one fragment as the aggregator receives it.
struct Contribution {
    double arrival = never; ///< arrival time in seconds; `never` for a lost update
    double given_up = never; ///< time at which the site is known to have left, if before the arrival
    std::size_t journey = static_cast<std::size_t>(-1);
};

/// Number of sent updates by outcome.
struct UpdateCounts {
    double sent = 0;
    double on_time = 0;
    double late = 0; ///< updates included in a later round
    double dropped = 0; ///< updates too late for any further round
    double voided = 0; ///< updates sent in a round without a quorum
    double lost = 0; ///< updates lost because their site left
    double in_flight = 0;
    double late_weight = 0; ///< sum of the weights of late updates
    double accounted() const { return on_time + late + dropped + voided + lost + in_flight; }
};

/// Closes rounds. The aggregator averages when all available sites have contributed, or when a quorum has contributed
/// and the grace period is over: t_close = min(t_all, t_K + grace), grace = min(limit, share x max(0, tau x step - time
/// to quorum - time back)) with running means (Decoupled DiLoCo, arXiv 2604.21428, equation 3). Updates that arrive
/// after t_close join a later round of their fragment with less weight. Fragments are closed in the order in which they
/// were sent.
class Aggregator {
public:
    /// @param quorum minimum number of contributions from the simulated sites
    Aggregator(const Plan &plan, std::int64_t quorum, double step_seconds);
    // Deleted, because the aggregator keeps a pointer into the plan.
    Aggregator(Plan &&plan, std::int64_t quorum, double step_seconds) = delete;

    /// Adaptive time in seconds to wait for more updates after the quorum is reached.
    double grace() const;
    /// Closes a round based on all its contributions. A round without contributions is void.
    Gathering close(std::int64_t round, std::int64_t fragment, const std::vector<Contribution> &contributions);
    /// Assigns contributions to a round whose closing time is already known.
    void settle(Gathering &gathering, const std::vector<Contribution> &contributions);
    /// Records the mean time from the close of a round until the sites have received its average.
    void returned(double seconds_after_close);
    void quorum_took(double seconds);
    /// Ends the simulation. Late updates that have not joined a round count as in flight.
    void finish();

    std::int64_t quorum() const { return m_quorum; }
    double last_close() const { return m_last_close; }
    const UpdateCounts &counts() const { return m_counts; }
    /// number of late updates by delay; the first entry is a delay of one round
    const std::vector<double> &late_rounds() const { return m_late_rounds; }
    void watch(OuterTimeline *timeline) { m_timeline = timeline; }
    void forget_counts();
    void sent(double updates) { m_counts.sent += updates; }

private:
    struct Late {
        double arrival;
        std::int64_t round;
        std::size_t journey;
    };

    void take_late(Gathering &gathering);
    double weight_after(std::int64_t rounds) const;
    void mark(std::size_t journey, UpdateFate fate);

    const Aggregation *m_aggregation;
    std::int64_t m_quorum;
    double m_overlap_seconds;
    double m_quorum_seconds = 0; ///< running mean of the time from the first arrival until the quorum is reached
    double m_return_seconds = 0;
    double m_last_close = 0;
    std::vector<std::vector<Late>> m_late; ///< indexed by fragment
    std::vector<double> m_late_rounds;
    std::vector<double> m_arrivals;
    UpdateCounts m_counts;
    OuterTimeline *m_timeline = nullptr;
};

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "outer/timeline.h"
#include "plan/plan.h"

#include <cstdint>
#include <vector>

namespace meshwright {

/// One site's update of one fragment, as the aggregator sees it.
struct Contribution {
    double arrival = never; ///< s; `never`: lost
    double given_up = never; ///< when the site is known to have left, where it leaves before that
    std::size_t journey = static_cast<std::size_t>(-1);
};

/// What has become of every update that was sent.
struct UpdateCounts {
    double sent = 0;
    double on_time = 0;
    double late = 0; ///< taken into a later round
    double dropped = 0; ///< later than that
    double voided = 0; ///< of rounds that found no quorum
    double lost = 0; ///< with a site that left
    double in_flight = 0; ///< at the end of the simulation
    double late_weight = 0; ///< sum of the weights of the late ones
    double accounted() const { return on_time + late + dropped + voided + lost + in_flight; }
};

/// Closes rounds. An average is made when every site that is there has contributed, or a quorum has and the grace is
/// over: t_close = min(t_all, t_K + grace), grace = min(limit, share x max(0, tau x step - time to quorum -
/// time back)) with running means (Decoupled DiLoCo, arXiv 2604.21428, equation 3). What comes later joins a later
/// round of its fragment, with less weight. Fragments are closed in the order in which they were released.
class Aggregator {
public:
    /// @param quorum  contributions that suffice, of the sites that are simulated
    Aggregator(const Plan &plan, std::int64_t quorum, double step_seconds);
    Aggregator(Plan &&plan, std::int64_t quorum, double step_seconds) = delete; // keeps a pointer into the plan

    /// Adaptive time to wait beyond the quorum.
    double grace() const;
    /// Closes a round whose contributions are all known; without any it is void.
    Gathering close(std::int64_t round, std::int64_t fragment, const std::vector<Contribution> &contributions);
    /// The same where the time of closing is known already.
    void settle(Gathering &gathering, const std::vector<Contribution> &contributions);
    /// Of a round that closed: when its average had come back, on average.
    void returned(double seconds_after_close);
    void quorum_took(double seconds);
    /// What was late and met no further round is still on its way.
    void finish();

    /// Contributions that a round needs.
    std::int64_t quorum() const { return m_quorum; }
    double last_close() const { return m_last_close; }
    const UpdateCounts &counts() const { return m_counts; }
    const std::vector<double> &late_rounds() const { return m_late_rounds; } ///< updates by rounds late, from 1
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
    double m_quorum_seconds = 0; ///< running means
    double m_return_seconds = 0;
    double m_last_close = 0;
    std::vector<std::vector<Late>> m_late; ///< by fragment
    std::vector<double> m_late_rounds;
    std::vector<double> m_arrivals; ///< scratch
    UpdateCounts m_counts;
    OuterTimeline *m_timeline = nullptr;
};

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "outer/fleet.h"

#include <vector>

namespace meshwright {

struct Transfer {
    double start = 0;
    double end = 0;
};

/// Number of gradient buckets that become ready during the backward pass. The backward pass takes two thirds of a step.
/// Source: bandwidth simulator by the authors of Streaming DiLoCo, arXiv 2501.18512.
inline constexpr double backward_buckets = 128;

/// Sends over one direction of a member's link, after the earlier transfers. If gradients are sent during the backward
/// pass, a transfer may start before `ready`. It cannot end before its last bucket is ready and sent.
Transfer transfer_over(LinkClock &link, const Fleet &fleet, const Member &member, double ready, double bits,
                       std::uint64_t transfer);

/// An exchange of one fragment without an aggregator.
class Exchange {
public:
    Exchange(Fleet &fleet, std::int64_t round, std::int64_t fragment);

    /// Exchanges the fragment among the senders in `taking_part`, once all of them are ready and their links are free.
    /// The links stay busy until the slowest of them is done. @returns time at which the average is available
    double among(const std::vector<std::size_t> &senders, const std::vector<std::size_t> &taking_part, double ready,
                 OuterTimeline *timeline, const std::vector<Contribution> &contributions) const;

private:
    Fleet &m_fleet;
    std::int64_t m_fragment;
    std::uint64_t m_transfer;
};

} // namespace meshwright

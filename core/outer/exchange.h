// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "outer/fleet.h"

#include <vector>

namespace meshwright {

struct Transfer {
    double start = 0;
    double end = 0;
};

/// Gradients become ready in so many buckets over the backward two thirds of a step (the bandwidth simulator of
/// Streaming DiLoCo's authors, arXiv 2501.18512).
inline constexpr double backward_buckets = 128;

/// Sends over one direction of a member's link, after what it carries already. With release during the backward pass a
/// transfer may begin before `ready`, and ends no earlier than its last bucket after it.
Transfer transfer_over(LinkClock &link, const Fleet &fleet, const Member &member, double ready, double bits,
                       std::uint64_t transfer);

/// An exchange of one fragment without an aggregator.
class Exchange {
public:
    Exchange(Fleet &fleet, std::int64_t round, std::int64_t fragment);

    /// Among some of the senders, once all are ready and their links are free; the links are taken until the slowest is
    /// done. @returns when the average is there
    double among(const std::vector<std::size_t> &senders, const std::vector<std::size_t> &taking_part, double ready,
                 OuterTimeline *timeline, const std::vector<Contribution> &contributions) const;

private:
    Fleet &m_fleet;
    std::int64_t m_fragment;
    std::uint64_t m_transfer;
};

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"

#include <cstdint>
#include <vector>

namespace meshwright {

/// What one site sends and receives in one outer round.
struct Traffic {
    double up_bits = 0; ///< over its uplink
    double down_bits = 0; ///< over its downlink
    std::vector<double> shares; ///< of each fragment in both; they add up to 1
    double hops = 0; ///< one-way latencies in a row, where sites exchange without an aggregator
    double down_bits_to_latecomer = 0; ///< what a site downloads that missed an exchange: the average
    double down_density = 1; ///< of what comes back
    bool re_sparsified = false; ///< the aggregator keeps fewer values than the sum of the updates has
    double of_round(double bits, std::int64_t fragment) const {
        return bits * shares[static_cast<std::size_t>(fragment)];
    }
};

/// Bytes are those of the wire's formats and of the topology: a star's site sends its update, to each aggregator where
/// they are replicated, and receives the average. A ring sends 2 (M-1)/M payloads, in partial sums that grow dense on
/// the way; a butterfly the same directly, sparse on the way there; an all-gather forwards M-1 sparse updates; a tree
/// takes ceil(log2 M) payloads up and as many down; gossip one payload to one partner.
/// Source: Patarasuk and Yuan 2009 (ring); Ryabinin and others, Moshpit SGD, arXiv 2103.03239 (butterfly); NoLoCo,
/// arXiv 2506.10911 (gossip); counted.
/// @param parameters  that are synchronised
Traffic traffic_of(const Plan &plan, double parameters);

/// The layers of every fragment in the plan's pattern, from 0; empty for `even`.
std::vector<std::vector<std::int64_t>> fragment_layers(const Plan &plan);

} // namespace meshwright

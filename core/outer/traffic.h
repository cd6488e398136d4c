// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"

#include <cstdint>
#include <vector>

namespace meshwright {

/// Bits that one site sends and receives per outer round.
struct Traffic {
    double up_bits = 0; ///< bits that a site sends per round over its uplink
    double down_bits = 0; ///< bits that a site receives per round over its downlink
    std::vector<double> shares; ///< fraction of the traffic in each direction by fragment; the sum is 1
    double hops = 0; ///< number of sequential one-way latencies in an exchange without an aggregator
    double down_bits_to_latecomer = 0; ///< bits that a site downloads after it missed an exchange: the average
    double down_density = 1; ///< fraction of values in the average that is sent back
    bool re_sparsified = false; ///< whether the aggregator sends fewer values than the sum of the updates has
    double of_round(double bits, std::int64_t fragment) const {
        return bits * shares[static_cast<std::size_t>(fragment)];
    }
};

/// Traffic per round, from the wire formats and the topology. In a star, a site sends its update (to each aggregator if
/// they are replicated) and receives the average. A ring sends 2 (M-1)/M payloads in partial sums that become dense on
/// the way; a butterfly sends as much directly, with sparse updates in the first half; an all-gather forwards M-1
/// sparse updates; a tree sends ceil(log2 M) payloads up and the same number down; gossip sends one payload to one
/// partner. Source: Patarasuk and Yuan 2009 (ring); Ryabinin et al., Moshpit SGD, arXiv 2103.03239 (butterfly); NoLoCo,
/// arXiv 2506.10911 (gossip); counted.
/// @param parameters synchronized parameters
Traffic traffic_of(const Plan &plan, double parameters);

/// The layers in every fragment of the plan's pattern, counted from 0; empty for `even`.
std::vector<std::vector<std::int64_t>> fragment_layers(const Plan &plan);

} // namespace meshwright

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
    std::vector<double> shares; ///< each fragment's fraction of the traffic in either direction; the sum is 1
    double hops = 0; ///< number of consecutive one-way latencies in an exchange without an aggregator
    double down_bits_to_latecomer = 0; ///< bits of the average that a site downloads after it has missed an exchange
    double down_density = 1; ///< fraction of the average's values that the aggregator sends back
    bool re_sparsified = false; ///< whether the aggregator sends fewer values than the summed updates contain
    double of_round(double bits, std::int64_t fragment) const {
        return bits * shares[static_cast<std::size_t>(fragment)];
    }
};

/// Traffic per round, from the wire formats and the topology. In a star, a site sends its update (to each aggregator if
/// they are replicated) and receives the average. In a ring of M sites, each sends 2 (M-1)/M payloads, as partial sums
/// that become dense along the way; a butterfly sends the same amount directly, with sparse updates in the first half;
/// an all-gather forwards M-1 sparse updates; a tree sends ceil(log2 M) payloads up and the same number down; gossip
/// sends one payload to one partner. Source: Patarasuk and Yuan 2009 (ring); Ryabinin et al., Moshpit SGD, arXiv
/// 2103.03239 (butterfly); NoLoCo, arXiv 2506.10911 (gossip); the others are derived.
/// @param parameters synchronized parameters
Traffic traffic_of(const Plan &plan, double parameters);

/// Layer numbers, from 0, of each fragment in the plan's pattern. Empty for `even`.
std::vector<std::vector<std::int64_t>> fragment_layers(const Plan &plan);

} // namespace meshwright

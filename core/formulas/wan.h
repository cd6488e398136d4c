// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/function.h"

#include <algorithm>
#include <cmath>

/// Rates of inter-site links in bits/s and the traffic over them.
namespace meshwright::formula {

inline FormulaFunction transfer_seconds{[](auto bytes, auto bits_per_second, auto efficiency, auto latency) {
    return bytes * 8 / (bits_per_second * efficiency) + latency;
}};

/// Maximum model size that can be sent and received in a given time. A half-duplex link sends first and then receives.
inline FormulaFunction wan_sync_parameters{
    [](auto bits_per_second, auto seconds, auto bytes_per_parameter, auto full_duplex) {
        return bits_per_second * seconds / (8 * bytes_per_parameter * (2 - full_duplex));
    }};

/// Entropy of a mask that keeps a fraction p of the values, in bits per value.
inline FormulaFunction binary_entropy{"binary_entropy", [](double p) {
                                          if (p <= 0 || p >= 1)
                                              return 0.0;
                                          return -p * std::log2(p) - (1 - p) * std::log2(1 - p);
                                      }};

/// Bits per value to encode which values were kept, averaged over all values.
/// @param index 0 none, 1 bitmap, 2 entropy bound, 3 12-bit positions within chunks of 4,096 (SparseLoCo, arXiv
/// 2508.15706), 4 32-bit positions
inline FormulaFunction index_bits{[](auto density, auto index) {
    return when(index == 1, 1, [&] {
        return when(index == 2, binary_entropy(density),
                    when(index == 3, 12 * density, when(index == 4, 32 * density, 0)));
    });
}};

/// Bits sent per parameter. @param scale_bits bits of block scales per kept value
inline FormulaFunction wire_bits{[](auto bits, auto density, auto index, auto scale_bits) {
    return density * (bits + scale_bits) + index_bits(density, index) * bit;
}};
inline FormulaFunction wire_bytes{[](auto parameters, auto bits, auto density, auto index, auto scale_bits) {
    return parameters * wire_bits(bits, density, index, scale_bits) / 8;
}};

/// Bits per parameter of top-k compression per chunk. Source: SparseLoCo, arXiv 2508.15706.
inline FormulaFunction top_k_bits{[](auto chunk, auto kept, auto value_bits, auto index_bits_each) {
    return kept * (value_bits + index_bits_each) / chunk;
}};
inline FormulaFunction top_k_compression{[](auto chunk, auto kept, auto value_bits, auto index_bits_each) {
    return 32 * bit / top_k_bits(chunk, kept, value_bits, index_bits_each);
}};
/// Minimum bits per kept value to encode positions: log2 of the number of possible selections, divided by the number of
/// kept values.
inline FormulaFunction top_k_index_bound{[](double chunk, double kept) {
    if (kept > chunk)
        return std::nan("");
    const double choices = std::lgamma(chunk + 1) - std::lgamma(kept + 1) - std::lgamma(chunk - kept + 1);
    return choices / std::log(2.0) / kept;
}};

/// Fraction of nonzero values in the sum of the sites' sparse updates, if their positions are independent and random.
inline FormulaFunction union_density{[](auto sites, auto density) { return 1 - pow(1 - density, sites); }};

/// Rate of one TCP Reno stream with random loss. Source: Mathis et al. 1997, for receivers that acknowledge every
/// segment.
inline FormulaFunction tcp_reno_bits{[](auto round_trip_seconds, auto loss_probability, auto segment_bytes) {
    return 1.22 * segment_bytes * 8 / (round_trip_seconds * sqrt(loss_probability));
}};
/// Rate of one TCP CUBIC stream, from its mean window with C = 0.4 segments/s^3. Source: RFC 8312, equation 6.
inline FormulaFunction tcp_cubic_bits{[](auto round_trip_seconds, auto loss_probability, auto segment_bytes) {
    return 1.054 * pow(round_trip_seconds / second / loss_probability, 0.75) * segment_bytes * 8 / round_trip_seconds;
}};
/// Rate of several TCP streams: the faster of Reno and CUBIC, times the number of streams.
inline FormulaFunction tcp_bits{[](auto round_trip_seconds, auto loss_probability, auto segment_bytes, auto streams) {
    return streams
        * max(tcp_reno_bits(round_trip_seconds, loss_probability, segment_bytes),
              tcp_cubic_bits(round_trip_seconds, loss_probability, segment_bytes));
}};
/// Rate of a TCP stream that sends one window per round trip.
inline FormulaFunction tcp_window_bits{
    [](auto round_trip_seconds, auto window_bytes) { return window_bytes * 8 / round_trip_seconds; }};
/// Window size that saturates a link.
inline FormulaFunction bandwidth_delay_bytes{
    [](auto round_trip_seconds, auto bits_per_second) { return bits_per_second * round_trip_seconds / 8; }};

/// Rate per direction at the aggregator if all sites' links are saturated.
inline FormulaFunction aggregator_bits{[](auto sites, auto bits_per_second) { return sites * bits_per_second; }};
/// Mean rate per direction at the aggregator if each site sends `bytes` per interval.
inline FormulaFunction aggregator_mean_bits{
    [](auto sites, auto bytes, auto interval_seconds) { return sites * bytes * 8 / interval_seconds; }};
/// Memory for the outer optimizer's parameters, momentum and accumulator.
inline FormulaFunction aggregator_memory{
    [](auto parameters, auto copies, auto element_bytes) { return parameters * copies * element_bytes; }};

/// Duration of an exchange between sites, for each topology. Source for the ring: Patarasuk and Yuan 2009.
inline FormulaFunction star_seconds{[](auto up_bytes, auto down_bytes, auto uplink, auto downlink, auto latency) {
    return up_bytes * 8 / uplink + down_bytes * 8 / downlink + 2 * latency;
}};
inline FormulaFunction wan_ring_seconds{[](auto sites, auto bytes, auto bits_per_second, auto latency) {
    return 2 * (sites - 1) / sites * bytes * 8 / bits_per_second + 2 * (sites - 1) * latency;
}};
inline FormulaFunction wan_all_gather_seconds{[](auto sites, auto bytes, auto bits_per_second, auto latency) {
    return (sites - 1) * bytes * 8 / bits_per_second + latency;
}};

/// The harmonic number 1 + 1/2 + ... + 1/n for integers n >= 0.
inline FormulaFunction harmonic{
    "harmonic", [](double n) {
        if (n < 0)
            return std::nan("");
        constexpr double summed_up_to = 100;
        if (n > summed_up_to) // beyond this, the Euler-Maclaurin expansion is exact to the last bit
            return std::log(n) + 0.57721566490153286061 + 1 / (2 * n) - 1 / (12 * n * n) + 1 / (120 * n * n * n * n);
        double sum = 0;
        for (double k = std::floor(n); k >= 1; --k)
            sum += 1 / k;
        return sum;
    }};
/// Mean time of the k-th of n arrivals with independent exponential delays. Source: Renyi 1953.
inline FormulaFunction exponential_order_statistic{
    [](auto count, auto rank, auto mean) { return mean * (harmonic(count) - harmonic(count - rank)); }};

/// Probability that at least `quorum` of `sites` are available, each independently with probability `chance`. Terms are
/// summed outward from the most likely number, so that none underflows.
inline FormulaFunction quorum_probability{[](double sites, double quorum, double chance) {
    if (quorum <= 0)
        return 1.0;
    if (chance <= 0 || chance >= 1)
        return chance >= 1 ? 1.0 : 0.0;
    const double likeliest = std::min(sites, std::floor((sites + 1) * chance));
    double all = 1, enough = likeliest >= quorum ? 1 : 0;
    double term = 1;
    for (double k = likeliest; k >= 1 && term > 1e-30; --k) {
        term *= k / (sites - k + 1) * (1 - chance) / chance;
        all += term;
        enough += k - 1 >= quorum ? term : 0;
    }
    term = 1;
    for (double k = likeliest; k < sites && term > 1e-30; ++k) {
        term *= (sites - k) / (k + 1) * chance / (1 - chance);
        all += term;
        enough += k + 1 >= quorum ? term : 0;
    }
    return enough / all;
}};

} // namespace meshwright::formula

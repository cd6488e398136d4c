// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/wan.h"
#include "plots/plots.h"

#include <fmt/format.h>

#include <cmath>

namespace meshwright::plots {

namespace {

// Epoch AI, Could decentralized training solve AI's power problem?, 2025.
constexpr double synchronized_parameters = 72e12;
constexpr double synchronized_element_bytes = 2; // BF16
constexpr double ring_sites = 23;
constexpr double ring_kilometers = 4800;
constexpr double published_bits_per_second = 6e15;
constexpr double published_seconds = 0.22;
/// Light in glass with a refractive index of 1.468 (ITU-T G.652 fiber at 1,550 nm).
constexpr double kilometers_per_second = 299'792.458 / 1.468;

constexpr double least_bits_per_second = 1e10;
constexpr int shown_decades = 6;
constexpr int points_per_decade = 10;

constexpr double payload_bytes = synchronized_parameters * synchronized_element_bytes;

/// A bidirectional ring: each direction carries half of the tensor.
double both_ways_seconds(double bits_per_second) {
    const double hop = ring_kilometers / ring_sites / kilometers_per_second;
    return formula::wan_ring_seconds(ring_sites, payload_bytes / 2, bits_per_second, hop);
}

/// Two sites have one link. A ring of two sites uses both directions of the link at once.
double two_sites_seconds(double bits_per_second) {
    return formula::wan_ring_seconds(2.0, payload_bytes, bits_per_second, ring_kilometers / kilometers_per_second);
}

} // namespace

Plot synchronization_by_bandwidth(const PlotRequest &) {
    Plot plot{.caption = fmt::format(
                  "Time of one all-reduce of the BF16 gradients ({1}) of a model with {0} parameters: between two "
                  "sites {2} km apart, and over a ring of {3} sites that is {2} km long and uses both directions. "
                  "At high bandwidth, the speed of light in fiber is the limit.",
                  text_of(synchronized_parameters, Quantity::parameters), text_of(payload_bytes, Quantity::bytes),
                  grouped(ring_kilometers), ring_sites),
              .source =
                  "Ring all-reduce: Patarasuk and Yuan 2009; sites, distance and the published value: Epoch AI, Could "
                  "decentralized training solve AI's power problem?, 2025, CC BY",
              .form = PlotForm::lines,
              .logarithmic_x = true,
              .logarithmic_y = true,
              .columns = {{"exchange", "Exchange", PlotRole::series},
                          {"bits_per_second", "Bandwidth per direction", PlotRole::x, Quantity::bits_per_second},
                          {"seconds", "Synchronization", PlotRole::y, Quantity::seconds}}};
    const auto add_line = [&](const std::string &name, double (*seconds)(double)) {
        for (int i = 0; i <= shown_decades * points_per_decade; ++i) {
            const double rate = least_bits_per_second * std::pow(10, static_cast<double>(i) / points_per_decade);
            plot.rows.push_back({name, rate, seconds(rate)});
        }
    };
    add_line("two sites", two_sites_seconds);
    add_line(fmt::format("ring of {} sites", ring_sites), both_ways_seconds);
    plot.rows.push_back(
        {fmt::format("published for {} sites", ring_sites), published_bits_per_second, published_seconds});
    return plot;
}

} // namespace meshwright::plots

// SPDX-License-Identifier: GPL-3.0-or-later
#include "outer/traffic.h"

#include "catalog/weights.h"
#include "formulas/wan.h"
#include "outer/wire.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace meshwright {

namespace {

double parameters_in(const std::vector<Weight> &weights) {
    return std::accumulate(weights.begin(), weights.end(), 0.0, [](double sum, const Weight &weight) {
        return sum + static_cast<double>(weight.parameters) * static_cast<double>(weight.copies);
    });
}

std::vector<double> layer_parameters(const Model &model) {
    std::vector<double> of_block;
    for (const Block &block : model.blocks)
        of_block.push_back(parameters_in(weights_of(model, block)));
    std::vector<double> of_layer;
    for (const LayerRun &run : model.layers)
        of_layer.insert(of_layer.end(), static_cast<std::size_t>(run.count),
                        of_block[static_cast<std::size_t>(run.block)]);
    return of_layer;
}

std::vector<double> fragment_shares(const Plan &plan) {
    const auto fragments = static_cast<std::size_t>(plan.outer.fragments);
    if (plan.outer.pattern == FragmentPattern::even)
        return std::vector<double>(fragments, 1 / static_cast<double>(fragments));
    const std::vector<double> layers = layer_parameters(plan.model);
    const std::vector<std::vector<std::int64_t>> dealt = fragment_layers(plan);
    std::vector<double> shares(fragments, 0);
    for (std::size_t p = 0; p < fragments; ++p)
        for (const std::int64_t layer : dealt[p])
            shares[p] += layers[static_cast<std::size_t>(layer)];
    shares.front() += parameters_in(input_weights(plan.model));
    shares.back() += parameters_in(output_weights(plan.model));
    const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
    for (double &share : shares)
        share /= sum;
    return shares;
}

/// Bits per parameter of a sum of `sites` updates, in the upload format.
double summed_bits(const Wire &wire, double sites) {
    Wire sum = wire;
    sum.density = formula::union_density(sites, wire.density);
    // A sum is sent in dense form if an index would not save bytes.
    const double dense = wire.bits + wire.scale_bits;
    return std::min(bits_per_parameter(sum), dense);
}

/// Mean bits per parameter of a ring's reduce-scatter: partial sums of 1, 2, … M-1 updates.
double ring_bits(const Wire &wire, double sites) {
    if (wire.density >= 1)
        return bits_per_parameter(wire);
    // Maximum number of partial sums to calculate; later ones are assumed to be as dense as the sum of all updates.
    constexpr double terms = 4096;
    double sum = 0;
    const double counted = std::min(sites - 1, terms);
    for (double partial = 1; partial <= counted; ++partial)
        sum += summed_bits(wire, partial);
    sum += std::max(0.0, sites - 1 - counted) * summed_bits(wire, sites);
    return sum / (sites - 1);
}

} // namespace

std::vector<std::vector<std::int64_t>> fragment_layers(const Plan &plan) {
    if (plan.outer.pattern == FragmentPattern::even)
        return {};
    const std::int64_t fragments = plan.outer.fragments;
    const std::int64_t layers = plan.model.layer_count();
    std::vector<std::vector<std::int64_t>> dealt(static_cast<std::size_t>(fragments));
    for (std::int64_t layer = 0; layer < layers; ++layer) {
        const std::int64_t fragment =
            plan.outer.pattern == FragmentPattern::strided ? layer % fragments : layer * fragments / layers;
        dealt[static_cast<std::size_t>(fragment)].push_back(layer);
    }
    return dealt;
}

Traffic traffic_of(const Plan &plan, double parameters) {
    const Outer &outer = plan.outer;
    const Aggregation &aggregation = plan.aggregation;
    const auto sites = static_cast<double>(plan.cluster.sites);
    const double up = parameters * bits_per_parameter(outer.up);
    const double down = parameters * bits_per_parameter(outer.down);
    const double levels = std::ceil(std::log2(sites));
    Traffic traffic;
    traffic.shares = fragment_shares(plan);
    traffic.down_bits_to_latecomer = down;
    const double summed = formula::union_density(sites, outer.up.density);
    traffic.down_density = outer.down.density;
    traffic.re_sparsified = outer.down.density < summed * (1 - 1e-9) && outer.down.density < 1;
    using enum Topology;
    if (sites < 2 && aggregation.topology != star)
        return traffic;
    switch (aggregation.topology) {
    case star:
        traffic.up_bits = up
            * (aggregation.arrangement == Arrangement::replicated ? static_cast<double>(aggregation.aggregators) : 1);
        traffic.down_bits = down;
        break;
    case ring:
        traffic.up_bits = (sites - 1) / sites * (parameters * ring_bits(outer.up, sites) + down);
        traffic.hops = 2 * (sites - 1);
        break;
    case butterfly:
        traffic.up_bits = (sites - 1) / sites * (up + down);
        traffic.hops = 2;
        break;
    case all_gather:
        traffic.up_bits = (sites - 1) * up;
        traffic.hops = 1;
        break;
    case tree:
        for (double level = 0; level < levels; ++level)
            traffic.up_bits += parameters * summed_bits(outer.up, std::exp2(level)) + down;
        traffic.hops = 2 * levels;
        break;
    case gossip:
        traffic.up_bits = up;
        traffic.hops = 1;
        break;
    }
    if (aggregation.topology != star)
        traffic.down_bits = traffic.up_bits; // every sent bit is received by another site
    return traffic;
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/closed_forms.h"

#include <algorithm>
#include <array>
#include <utility>

namespace meshwright {

namespace {

/// Idle chunk units of V-Min at F = I = W (pipeline papers' generator, run at these sizes); between them linear.
double v_min_units(double stages) {
    constexpr std::array<std::pair<double, double>, 7> known{
        {{2, 3}, {4, 11}, {6, 17}, {8, 27}, {10, 35}, {12, 41}, {16, 59}}};
    if (stages <= known.front().first)
        return known.front().second * (stages - 1);
    for (std::size_t i = 1; i < known.size(); ++i)
        if (stages <= known[i].first || i + 1 == known.size()) {
            const auto [p0, u0] = known[i - 1];
            const auto [p1, u1] = known[i];
            return u0 + (stages - p0) * (u1 - u0) / (p1 - p0);
        }
    return known.back().second;
}

double v_half_units(std::int64_t stages) {
    const auto p = static_cast<double>(stages);
    if (stages < 3)
        return 2 * (p - 1);
    return stages % 2 == 0 ? 3 * p - 7 : 3 * p - 4;
}

} // namespace

double bubble_seconds(const PipelineShape &shape) {
    const auto p = static_cast<double>(shape.stages);
    const auto v = static_cast<double>(shape.chunks);
    const auto m = static_cast<double>(shape.microbatches);
    const double F = shape.forward;
    const double I = shape.input_gradient;
    const double W = shape.weight_gradient;
    const double B = I + W;
    if (shape.stages <= 1)
        return 0;
    switch (shape.schedule) {
    case Schedule::gpipe:
    case Schedule::one_f_one_b:
        return (p - 1) * (F + B);
    case Schedule::interleaved:
    case Schedule::looped_bfs:
    case Schedule::seq1f1b:
        return (p - 1) * (F + B) / v;
    case Schedule::zb_h1:
    case Schedule::zb_1p:
        return (p - 1) * std::max(F, F + I - W);
    case Schedule::zb_h2:
    case Schedule::zb_2p:
        return (p - 1) * (F + std::max(0.0, F + I - 2 * W));
    case Schedule::interleaved_zb:
        return (p - 1) * std::max(F, F + I - W) / v;
    case Schedule::zb_v:
        return (p - 1) * F / 2;
    case Schedule::v_half:
        return v_half_units(shape.stages) * (F + B) / 6;
    case Schedule::v_min:
        return v_min_units(p) * (F + B) / 6;
    case Schedule::dualpipe:
        return std::max(0.0, (p / 2 - 1) * (F + 2 * B - 3 * W));
    case Schedule::dualpipe_v:
        return std::max(0.0, (p - 1) * (F + 2 * B - 3 * W) / 2);
    case Schedule::chimera:
        return (p - 2) * B + (m / p - 1) * (p - 2) * std::max(0.0, B - F);
    }
    return 0;
}

double span_bubble_seconds(const PipelineShape &shape) {
    const auto p = static_cast<double>(shape.stages);
    const double skew = bubble_seconds(shape);
    switch (shape.schedule) {
    case Schedule::zb_h2:
    case Schedule::zb_2p:
        return std::max(0.0, skew - (p - 1) * shape.forward);
    case Schedule::zb_v:
        return std::max(0.0, skew - (p - 1) * shape.forward / 2);
    default:
        return skew; // the first rank starts first and ends last
    }
}

double send_seconds(const PipelineShape &shape, bool overlapped) {
    const auto p = static_cast<double>(shape.stages);
    const auto v = static_cast<double>(shape.chunks);
    const auto m = static_cast<double>(shape.microbatches);
    const double c = shape.hop;
    if (shape.stages <= 1)
        return 0;
    switch (shape.schedule) {
    case Schedule::gpipe:
        return 2 * (p - 1) * c;
    case Schedule::one_f_one_b:
        // Waits of neighbouring ranks on each other, at every microbatch: no order hides them.
        return (2 * (p - 1) * m / p + 2 * (p - 2)) * c;
    case Schedule::interleaved:
        return (overlapped ? 2 * (p * v - 1) : 2 * m * v) * c;
    case Schedule::zb_h1:
    case Schedule::zb_1p:
        return 4 * (p - 1) * c;
    case Schedule::zb_h2:
    case Schedule::zb_2p:
    case Schedule::chimera:
    case Schedule::dualpipe:
        return 2 * (p - 1) * c;
    default:
        return 2 * (p * v - 1) * c;
    }
}

std::vector<std::int64_t> in_flight(const PipelineShape &shape) {
    const std::int64_t p = shape.stages;
    const std::int64_t m = shape.microbatches;
    const std::int64_t v = shape.chunks;
    const auto of_rank = [&](std::int64_t r) -> std::int64_t {
        switch (shape.schedule) {
        case Schedule::gpipe:
            return m;
        case Schedule::one_f_one_b:
            return std::min(m, p - r);
        case Schedule::interleaved:
            return std::min(m * v, 2 * (p - 1 - r) + (v - 1) * shape.group + 1);
        case Schedule::looped_bfs:
            return m * v;
        case Schedule::zb_h1:
        case Schedule::zb_1p:
            return std::min(m, p);
        case Schedule::zb_h2:
            return std::min(m, 2 * p - 1);
        case Schedule::zb_2p:
            return std::min(m, 2 * p);
        case Schedule::interleaved_zb:
            return std::min(m * v, p * v);
        case Schedule::zb_v:
            return std::min(2 * m, 2 * p);
        case Schedule::v_half:
            return std::min(2 * m, p % 2 == 0 ? p + 2 : p + 1);
        case Schedule::v_min:
            return std::min(2 * m, 2 * ((p + 4) / 3));
        case Schedule::dualpipe:
            return std::min(m, p + 1);
        case Schedule::dualpipe_v:
            return std::min(2 * m, 2 * p + 1);
        case Schedule::chimera:
            return std::min(m, p / 2 + std::min(r, p - 1 - r) + 1);
        case Schedule::seq1f1b:
            return std::min(m * v, p - 1 - r + v);
        }
        return m;
    };
    std::vector<std::int64_t> counts;
    for (std::int64_t r = 0; r < p; ++r)
        counts.push_back(std::max<std::int64_t>(1, of_rank(r)));
    return counts;
}

std::vector<std::int64_t> stages_of_rank(Schedule schedule, std::int64_t stages, std::int64_t chunks,
                                         std::int64_t rank) {
    switch (schedule) {
    case Schedule::zb_v:
    case Schedule::v_half:
    case Schedule::v_min:
    case Schedule::dualpipe_v:
        return {rank, 2 * stages - 1 - rank};
    case Schedule::dualpipe:
    case Schedule::chimera:
        return stages > 1 ? std::vector<std::int64_t>{rank, stages - 1 - rank} : std::vector<std::int64_t>{0};
    case Schedule::seq1f1b:
        return {rank};
    default:
        break;
    }
    std::vector<std::int64_t> held;
    for (std::int64_t chunk = 0; chunk < chunks; ++chunk)
        held.push_back(chunk * stages + rank);
    return held;
}

bool needs_equal_times(Schedule schedule) {
    switch (schedule) {
    case Schedule::zb_1p:
    case Schedule::zb_2p:
    case Schedule::interleaved_zb:
    case Schedule::zb_v:
    case Schedule::v_half:
    case Schedule::v_min:
    case Schedule::chimera:
        return true;
    default:
        return false;
    }
}

} // namespace meshwright

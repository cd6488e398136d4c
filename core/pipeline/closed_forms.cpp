// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/closed_forms.h"

#include "formulas/pipeline.h"
#include "formulas/step_terms.h"
#include "pipeline/simulation.h"

#include <algorithm>

namespace meshwright {

double bubble_seconds(const PipelineShape &shape) {
    const auto p = static_cast<double>(shape.stages);
    const auto v = static_cast<double>(shape.chunks);
    const auto m = static_cast<double>(shape.microbatches);
    const double F = shape.forward;
    const double I = shape.input_gradient;
    const double W = shape.weight_gradient;
    if (shape.stages <= 1)
        return 0;
    switch (shape.schedule) {
    case Schedule::gpipe:
    case Schedule::one_f_one_b:
        return formula::fill_bubble_seconds(p, 1, F, I, W);
    case Schedule::zb_h1:
    case Schedule::zb_1p:
        return formula::zb_h1_bubble_seconds(p, F, I, W);
    case Schedule::zb_h2:
        return formula::zb_h2_bubble_seconds(p, F, I, W);
    case Schedule::zb_2p:
        return formula::zb_2p_bubble_seconds(p, F);
    case Schedule::interleaved_zb:
        return formula::interleaved_zb_bubble_seconds(p, v, F, I, W);
    case Schedule::zb_v:
        return formula::zb_v_bubble_seconds(p, F);
    case Schedule::v_half:
        return formula::v_half_bubble_seconds(p, F, I, W);
    case Schedule::v_min:
        return formula::v_min_bubble_seconds(p, F, I, W);
    case Schedule::dualpipe:
        return formula::dualpipe_bubble_seconds(p, F, I, W);
    case Schedule::dualpipe_v:
        return formula::dualpipe_v_bubble_seconds(p, F, I, W);
    case Schedule::chimera:
        return formula::chimera_bubble_seconds(p, m, F, I + W);
    default: // interleaved, breadth first, slices; a schedule without a form of its own idles no longer
        return formula::fill_bubble_seconds(p, v, F, I, W);
    }
}

namespace {

/// What ZB-2p leaves inside a rank's span has no closed form: its order for equal times is executed with the shape's
/// times, on equal stages without sends.
double searched_span_bubble_seconds(const PipelineShape &shape) {
    constexpr std::int64_t most_executed = 60'000; // a longer run idles no more than its first so many operations
    if (shape.stages <= 1)
        return 0;
    const std::int64_t microbatches =
        std::clamp<std::int64_t>(most_executed / (3 * shape.stages), 1, std::max<std::int64_t>(1, shape.microbatches));
    const OperationOrder order =
        operation_order({.schedule = shape.schedule, .ranks = shape.stages, .microbatches = microbatches});
    const PipelineTimes times =
        pipeline_times(order, uniform_work(order, shape.forward, shape.input_gradient, shape.weight_gradient));
    return std::clamp(times.span - times.ideal, 0.0, bubble_seconds(shape)); // short runs idle more than the form says
}

} // namespace

double span_bubble_seconds(const PipelineShape &shape) {
    const auto p = static_cast<double>(shape.stages);
    switch (shape.schedule) {
    case Schedule::zb_h1:
        return shape.stages > 1
            ? formula::zb_h1_span_bubble_seconds(p, shape.forward, shape.input_gradient, shape.weight_gradient)
            : 0;
    case Schedule::zb_h2:
        return shape.stages > 1
            ? formula::zb_h2_span_bubble_seconds(p, shape.forward, shape.input_gradient, shape.weight_gradient)
            : 0;
    case Schedule::zb_2p:
        return searched_span_bubble_seconds(shape);
    case Schedule::zb_v:
        return 0;
    default:
        return bubble_seconds(shape); // the first rank starts first and ends last
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
        return formula::fill_send_seconds(2, p, 1, c);
    case Schedule::one_f_one_b:
        // Waits of neighbouring ranks on each other, at every microbatch: no order hides them.
        return formula::one_f_one_b_send_seconds(p, m, c);
    case Schedule::interleaved:
        return overlapped ? formula::fill_send_seconds(2, p, v, c) : formula::chunk_send_seconds(m, v, c);
    case Schedule::zb_h1:
    case Schedule::zb_1p:
        return formula::fill_send_seconds(4, p, 1, c);
    case Schedule::zb_h2:
    case Schedule::zb_2p:
    case Schedule::chimera:
    case Schedule::dualpipe:
        return formula::fill_send_seconds(2, p, 1, c);
    default:
        return formula::fill_send_seconds(2, p, v, c);
    }
}

std::vector<std::int64_t> in_flight(const PipelineShape &shape) {
    std::vector<std::int64_t> counts;
    for (std::int64_t rank = 0; rank < shape.stages; ++rank) {
        const double held =
            formula::chunks_in_flight(static_cast<double>(shape.schedule), static_cast<double>(shape.stages),
                                      static_cast<double>(shape.microbatches), static_cast<double>(shape.chunks),
                                      static_cast<double>(shape.group), static_cast<double>(rank));
        counts.push_back(std::max<std::int64_t>(1, static_cast<std::int64_t>(held)));
    }
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

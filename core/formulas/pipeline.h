// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/function.h"
#include "plan/schedules.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

/// Closed forms of pipeline schedules with p stages (at least 2, or 1 where stated), m microbatches and v chunks per
/// rank. F, I and W are the seconds that a rank needs per microbatch, over all its chunks, for forward pass, input
/// gradient and weight gradient. A bubble is the makespan without sends minus m (F + I + W).
namespace meshwright::formula {

/// Idle time / ideal time of interleaved 1F1B, from executing the schedule with operations of equal length. A group has
/// as many microbatches as there are stages, or, if that deadlocks, the smallest size that runs. NaN if the schedule
/// has too many operations. Defined in pipeline/executed_bubble.cpp, next to the schedules.
double bubble_by_execution(double stages, double microbatches, double chunks);
inline FormulaFunction executed_bubble{"executed_bubble", [](double stages, double microbatches, double chunks) {
                                           return bubble_by_execution(stages, microbatches, chunks);
                                       }};

/// Idle time / ideal time of GPipe and 1F1B, or, with chunks, of interleaved 1F1B. The closed form holds without
/// chunks, or if the number of microbatches is a multiple of the number of stages (Narayanan et al., arXiv 2104.04473,
/// section 2.2). With fewer microbatches than stages, each chunk after the first adds p - m times the time of one
/// chunk's forward and backward passes. All other cases execute the schedule.
inline FormulaFunction bubble_over_ideal{[](auto stages, auto microbatches, auto chunks) {
    return when(chunks == 1 || microbatches == stages * floor(microbatches / stages),
                (stages - 1) / (microbatches * chunks), [&] {
                    return when(microbatches < stages,
                                (stages - 1 + (chunks - 1) * (stages - microbatches)) / (microbatches * chunks),
                                [&] { return executed_bubble(stages, microbatches, chunks); });
                });
}};

/// Idle time / total time of GPipe, 1F1B and interleaved 1F1B. Source: GPipe, arXiv 1811.06965, section 2.3.
inline FormulaFunction bubble_of_total{[](auto stages, auto microbatches, auto chunks) {
    const auto over_ideal = bubble_over_ideal(stages, microbatches, chunks);
    return over_ideal / (1 + over_ideal);
}};

/// Idle time of any schedule as a fraction of the ideal time, and of the makespan.
inline FormulaFunction idle_over_ideal{
    [](auto bubble_seconds, auto microbatches, auto forward, auto input_gradient, auto weight_gradient) {
        return bubble_seconds / (microbatches * (forward + input_gradient + weight_gradient));
    }};
inline FormulaFunction idle_of_total{
    [](auto bubble_seconds, auto microbatches, auto forward, auto input_gradient, auto weight_gradient) {
        return bubble_seconds / (microbatches * (forward + input_gradient + weight_gradient) + bubble_seconds);
    }};

/// Bubble of GPipe, 1F1B (with 1 chunk), interleaved and breadth-first schedules, and of Seq1F1B with slices as chunks.
/// Source: arXiv 1811.06965, 2104.04473, 2211.05953, 2406.03488.
inline FormulaFunction fill_bubble_seconds{
    [](auto stages, auto chunks, auto forward, auto input_gradient, auto weight_gradient) {
        return (stages - 1) * (forward + input_gradient + weight_gradient) / chunks;
    }};

/// Bubble of ZB-H1. Its weight gradients fill the drain as long as they take no longer than a forward pass. Source: Qi
/// et al., arXiv 2401.10241, section 2.2; for longer weight gradients, from executing the schedule.
inline FormulaFunction zb_h1_bubble_seconds{[](auto stages, auto forward, auto input_gradient, auto weight_gradient) {
    return (stages - 1) * max(forward, forward + input_gradient - min(forward, weight_gradient));
}};
/// Bubble of ZB-H1, measured from the busiest rank's first operation to its last.
inline FormulaFunction zb_h1_span_bubble_seconds{
    [](auto stages, auto forward, auto input_gradient, auto weight_gradient) {
        return (stages - 1) * (forward + input_gradient - min(forward, weight_gradient));
    }};

/// Bubble of ZB-H2, from the first operation of any rank to the last of any rank. Source: arXiv 2401.10241, section
/// 2.2.
inline FormulaFunction zb_h2_bubble_seconds{[](auto stages, auto forward, auto input_gradient, auto weight_gradient) {
    return (stages - 1) * max(forward, forward + input_gradient - 2 * min(forward, weight_gradient));
}};
/// Bubble of ZB-2p: the delay between the ranks' first operations. No order of operations can avoid it; with enough
/// microbatches, the searched order approaches it. Source: arXiv 2401.10241, section 3; confirmed by executing the
/// schedule.
inline FormulaFunction zb_2p_bubble_seconds{[](auto stages, auto forward) { return (stages - 1) * forward; }};
/// Bubble of ZB-H2, measured from the busiest rank's first operation to its last.
inline FormulaFunction zb_h2_span_bubble_seconds{
    [](auto stages, auto forward, auto input_gradient, auto weight_gradient) {
        return (stages - 1) * max(0.0, forward + input_gradient - 2 * min(forward, weight_gradient));
    }};

inline FormulaFunction interleaved_zb_bubble_seconds{
    [](auto stages, auto chunks, auto forward, auto input_gradient, auto weight_gradient) {
        return zb_h1_bubble_seconds(stages, forward, input_gradient, weight_gradient) / chunks;
    }};

/// Bubble of ZB-V at F = I = W: the delay between the ranks' first operations. A rank never idles between its first
/// and last operation. Source: arXiv 2405.15362, section 4.
inline FormulaFunction zb_v_bubble_seconds{[](auto stages, auto forward) { return (stages - 1) * forward / 2; }};

/// Bubble of V-Half at F = I = W, in units of one operation on one chunk. Source: arXiv 2405.15362; output of the
/// paper's schedule generator.
inline FormulaFunction v_half_bubble_units{[](auto stages) {
    return when(stages < 3, 2 * (stages - 1), when(2 * floor(stages / 2) == stages, 3 * stages - 7, 3 * stages - 4));
}};
/// Bubble of V-Min at F = I = W, in units of one operation on one chunk. Source: output of the paper's schedule
/// generator for the numbers of stages in the table, interpolated linearly.
inline FormulaFunction v_min_bubble_units{[](double stages) {
    constexpr std::array<std::pair<double, double>, 7> known{
        {{2, 3}, {4, 11}, {6, 17}, {8, 27}, {10, 35}, {12, 41}, {16, 59}}};
    if (stages <= known.front().first)
        return known.front().second * (stages - 1);
    std::size_t next = 1;
    while (next + 1 < known.size() && stages > known[next].first)
        ++next;
    const auto [low, low_units] = known[next - 1];
    const auto [high, high_units] = known[next];
    return low_units + (stages - low) * (high_units - low_units) / (high - low);
}};
/// Seconds per unit of V-Half and V-Min. A unit is a sixth of a microbatch's time on a rank, because the rank has two
/// chunks of three operations each.
inline FormulaFunction v_unit_seconds{[](auto forward, auto input_gradient, auto weight_gradient) {
    return (forward + input_gradient + weight_gradient) / 6;
}};

inline FormulaFunction v_half_bubble_seconds{[](auto stages, auto forward, auto input_gradient, auto weight_gradient) {
    return v_half_bubble_units(stages) * v_unit_seconds(forward, input_gradient, weight_gradient);
}};
inline FormulaFunction v_min_bubble_seconds{[](auto stages, auto forward, auto input_gradient, auto weight_gradient) {
    return v_min_bubble_units(stages) * v_unit_seconds(forward, input_gradient, weight_gradient);
}};

/// Bubble of DualPipe if the computations of the two directions do not overlap. Source: DeepSeek-V3, arXiv 2412.19437,
/// table 2.
inline FormulaFunction dualpipe_bubble_seconds{
    [](auto stages, auto forward, auto input_gradient, auto weight_gradient) {
        return max(0.0, (stages / 2 - 1) * (forward + 2 * input_gradient - weight_gradient));
    }};
/// Bubble of DualPipeV: DualPipe folded onto half as many accelerators. Source: notes in the DualPipe repository.
inline FormulaFunction dualpipe_v_bubble_seconds{
    [](auto stages, auto forward, auto input_gradient, auto weight_gradient) {
        return max(0.0, (stages - 1) * (forward + 2 * input_gradient - weight_gradient) / 2);
    }};

/// Bubble of two-directional Chimera, which executes groups of p microbatches one after another. Source: arXiv
/// 2107.06925, section 3.
inline FormulaFunction chimera_bubble_seconds{[](auto stages, auto microbatches, auto forward, auto backward) {
    return (stages - 2) * (backward + (microbatches / stages - 1) * max(0.0, backward - forward));
}};

/// Minimum number of microbatches with a bubble (over ideal time) strictly below a limit. With chunks, it is a multiple
/// of the number of stages, because the closed form holds only for those. The factor 1 + 1e-12 corrects quotients that
/// are integers but that floating point rounds down.
inline FormulaFunction microbatches_below_bubble{[](auto stages, auto chunks, auto bubble) {
    const auto at_once = when(chunks == 1, 1, stages);
    return at_once * (floor((stages - 1) / (chunks * bubble * at_once) * (1 + 1e-12)) + 1);
}};

/// Bytes per step sent over all boundaries between virtual stages, forward and backward together.
inline FormulaFunction pipeline_traffic_bytes{[](auto stages, auto microbatches, auto chunks, auto bytes) {
    return (stages * chunks - 1) * 2 * microbatches * bytes;
}};
inline FormulaFunction pipeline_traffic_seconds{
    [](auto stages, auto microbatches, auto chunks, auto bytes, auto bandwidth) {
        return pipeline_traffic_bytes(stages, microbatches, chunks, bytes) / bandwidth;
    }};

/// Maximum microbatches in flight on rank r with 1F1B. Source: arXiv 2104.04473, section 2.2.1.
inline FormulaFunction one_f_one_b_in_flight{
    [](auto stages, auto microbatches, auto rank) { return min(microbatches, stages - rank); }};
/// Maximum chunks in flight with Megatron's interleaved schedule in groups of g microbatches. Source: arXiv 2104.04473,
/// section 2.2.2.
inline FormulaFunction interleaved_in_flight{[](auto stages, auto microbatches, auto chunks, auto group, auto rank) {
    return min(microbatches * chunks, 2 * (stages - 1 - rank) + (chunks - 1) * group + 1);
}};
/// Maximum slices in flight with Seq1F1B. Source: arXiv 2406.03488.
inline FormulaFunction seq1f1b_in_flight{[](auto stages, auto microbatches, auto slices, auto rank) {
    return min(microbatches * slices, stages - 1 - rank + slices);
}};

/// Maximum number of chunks in flight on a rank, for any of the schedules, from forward pass to weight gradient. For
/// schedules without chunks, it is the number of microbatches in flight.
/// @param schedule index in Schedule
inline FormulaFunction chunks_in_flight{
    [](double schedule, double stages, double microbatches, double chunks, double group, double rank) {
        if (rank >= stages)
            return std::nan("");
        const auto closed_form = definition_of(static_cast<Schedule>(static_cast<int>(schedule))).forms.in_flight;
        if (closed_form == nullptr) // no closed form: assume that all chunks are in flight
            return microbatches * chunks;
        return closed_form({.p = stages, .m = microbatches, .v = chunks, .g = group, .r = rank});
    }};
inline FormulaFunction microbatches_in_flight{
    [](double schedule, double stages, double microbatches, double chunks, double group, double rank) {
        const double in_flight = chunks_in_flight(schedule, stages, microbatches, chunks, group, rank);
        switch (definition_of(static_cast<Schedule>(static_cast<int>(schedule))).chunks) {
        case ChunkCount::any:
            return in_flight / chunks;
        case ChunkCount::two:
            return in_flight / 2;
        default:
            return in_flight;
        }
    }};
inline FormulaFunction bytes_in_flight{
    [](auto schedule, auto stages, auto microbatches, auto chunks, auto group, auto rank, auto bytes) {
        return microbatches_in_flight(schedule, stages, microbatches, chunks, group, rank) * bytes;
    }};

/// Maximum and minimum number of layers per stage, and the number of stages with the maximum.
inline FormulaFunction stage_layers_most{[](auto layers, auto stages) { return ceil(layers / stages); }};
inline FormulaFunction stage_layers_least{[](auto layers, auto stages) { return floor(layers / stages); }};
inline FormulaFunction stages_with_most{
    [](auto layers, auto stages) { return layers - stages * (stage_layers_most(layers, stages) - 1); }};

/// Time that sends add to the makespan of plain 1F1B. Neighbors wait for each other at every microbatch, whatever the
/// order of operations.
inline FormulaFunction one_f_one_b_send_seconds{[](auto stages, auto microbatches, auto hop) {
    return (2 * (stages - 1) * microbatches / stages + 2 * (stages - 2)) * hop;
}};

} // namespace meshwright::formula

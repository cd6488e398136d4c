// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/function.h"
#include "plan/schedules.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

/// Closed forms of pipeline schedules. Stages p from 2 (from 1 where nothing else is said), microbatches m, chunks v a
/// rank. Forward F, input gradient I and weight gradient W are seconds of one microbatch on one rank, all its chunks
/// together; bubbles are seconds of makespan beyond m (F + I + W), sends apart.
namespace meshwright::formula {

/// Idle over ideal time of interleaved 1F1B as it is executed, all operations of one length: in groups of as many
/// microbatches as stages or, where those wait for each other for ever, in the smallest groups that run. Not a number
/// where that are too many operations. Defined with the schedules (pipeline/executed_bubble.cpp).
double executed_bubble(double stages, double microbatches, double chunks);

/// Idle over ideal time, of 1F1B and GPipe, and of interleaving with chunks. Its closed form holds without chunks, and
/// where the microbatches are a multiple of the stages (Narayanan and others, arXiv 2104.04473, section 2.2). Fewer
/// microbatches than stages leave each chunk after the first waiting for the ranks that have none; else it is executed.
inline FormulaFunction bubble_over_ideal{[](double stages, double microbatches, double chunks) {
    if (chunks == 1 || microbatches == stages * std::floor(microbatches / stages))
        return (stages - 1) / (microbatches * chunks);
    if (microbatches < stages)
        return (stages - 1 + (chunks - 1) * (stages - microbatches)) / (microbatches * chunks);
    return executed_bubble(stages, microbatches, chunks);
}};

/// Idle over total time of the same schedules. Source: GPipe, arXiv 1811.06965, section 2.3.
inline FormulaFunction bubble_of_total{[](double stages, double microbatches, double chunks) {
    const double over_ideal = bubble_over_ideal(stages, microbatches, chunks);
    return over_ideal / (1 + over_ideal);
}};

/// Idle time of any schedule as a share of the ideal, and as a share of the makespan.
inline FormulaFunction idle_over_ideal{
    [](double bubble_seconds, double microbatches, double forward, double input_gradient, double weight_gradient) {
        return bubble_seconds / (microbatches * (forward + input_gradient + weight_gradient));
    }};
inline FormulaFunction idle_of_total{
    [](double bubble_seconds, double microbatches, double forward, double input_gradient, double weight_gradient) {
        return bubble_seconds / (microbatches * (forward + input_gradient + weight_gradient) + bubble_seconds);
    }};

/// GPipe, 1F1B (chunks 1), interleaved, breadth-first; Seq1F1B with slices for chunks.
/// Source: arXiv 1811.06965, 2104.04473, 2211.05953, 2406.03488.
inline FormulaFunction fill_bubble_seconds{
    [](double stages, double chunks, double forward, double input_gradient, double weight_gradient) {
        return (stages - 1) * (forward + input_gradient + weight_gradient) / chunks;
    }};

/// ZB-H1: weight gradients fill the drain, as far as they are no longer than a forward pass. Source: Qi and others,
/// arXiv 2401.10241, section 2.2; beyond that executed.
inline FormulaFunction zb_h1_bubble_seconds{
    [](double stages, double forward, double input_gradient, double weight_gradient) {
        return (stages - 1) * std::max(forward, forward + input_gradient - std::min(forward, weight_gradient));
    }};
/// ZB-H1 inside the busiest rank's own span.
inline FormulaFunction zb_h1_span_bubble_seconds{
    [](double stages, double forward, double input_gradient, double weight_gradient) {
        return (stages - 1) * (forward + input_gradient - std::min(forward, weight_gradient));
    }};

/// ZB-H2, from the first operation of any rank to the last. Source: the same.
inline FormulaFunction zb_h2_bubble_seconds{
    [](double stages, double forward, double input_gradient, double weight_gradient) {
        return (stages - 1) * std::max(forward, forward + input_gradient - 2 * std::min(forward, weight_gradient));
    }};
/// ZB-2p: the skew of the ranks' starts, which no order avoids and the searched one comes near with enough
/// microbatches. Source: the same, section 3; executed.
inline FormulaFunction zb_2p_bubble_seconds{[](double stages, double forward) { return (stages - 1) * forward; }};
/// ZB-H2 inside the busiest rank's own span.
inline FormulaFunction zb_h2_span_bubble_seconds{
    [](double stages, double forward, double input_gradient, double weight_gradient) {
        return (stages - 1) * std::max(0.0, forward + input_gradient - 2 * std::min(forward, weight_gradient));
    }};

/// ZB-H1 over chunks.
inline FormulaFunction interleaved_zb_bubble_seconds{
    [](double stages, double chunks, double forward, double input_gradient, double weight_gradient) {
        return zb_h1_bubble_seconds(stages, forward, input_gradient, weight_gradient) / chunks;
    }};

/// ZB-V at F = I = W: the skew of the ranks' starts; none inside a rank's span. Source: arXiv 2405.15362, section 4.
inline FormulaFunction zb_v_bubble_seconds{[](double stages, double forward) { return (stages - 1) * forward / 2; }};

/// V-Half at F = I = W, in times of one operation on one chunk. Source: arXiv 2405.15362; its generator's output.
inline FormulaFunction v_half_bubble_units{[](double stages) {
    if (stages < 3)
        return 2 * (stages - 1);
    return std::fmod(stages, 2) == 0 ? 3 * stages - 7 : 3 * stages - 4;
}};
/// V-Min at F = I = W, the same units: the generator's output at the sizes in the table, linear between them.
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
/// Seconds of either: a unit is a sixth of a microbatch's time on a rank, for two chunks of three operations.
inline FormulaFunction v_unit_seconds{[](double forward, double input_gradient, double weight_gradient) {
    return (forward + input_gradient + weight_gradient) / 6;
}};

inline FormulaFunction v_half_bubble_seconds{
    [](double stages, double forward, double input_gradient, double weight_gradient) {
        return v_half_bubble_units(stages) * v_unit_seconds(forward, input_gradient, weight_gradient);
    }};
inline FormulaFunction v_min_bubble_seconds{
    [](double stages, double forward, double input_gradient, double weight_gradient) {
        return v_min_bubble_units(stages) * v_unit_seconds(forward, input_gradient, weight_gradient);
    }};

/// DualPipe with both directions' computation in series. Source: DeepSeek-V3, arXiv 2412.19437, table 2.
inline FormulaFunction dualpipe_bubble_seconds{
    [](double stages, double forward, double input_gradient, double weight_gradient) {
        return std::max(0.0, (stages / 2 - 1) * (forward + 2 * input_gradient - weight_gradient));
    }};
/// DualPipeV: the same folded, on half as many accelerators. Source: the DualPipe repository's notes.
inline FormulaFunction dualpipe_v_bubble_seconds{
    [](double stages, double forward, double input_gradient, double weight_gradient) {
        return std::max(0.0, (stages - 1) * (forward + 2 * input_gradient - weight_gradient) / 2);
    }};

/// Chimera with two directions, units of p microbatches one after another. Source: arXiv 2107.06925, section 3.
inline FormulaFunction chimera_bubble_seconds{[](double stages, double microbatches, double forward, double backward) {
    return (stages - 2) * (backward + (microbatches / stages - 1) * std::max(0.0, backward - forward));
}};

/// The fewest microbatches whose bubble over ideal is strictly below a share; with chunks the fewest multiple of the
/// stages, where the closed form holds. The tiny factor keeps a quotient that is whole in exact arithmetic from falling
/// below itself in binary.
inline FormulaFunction microbatches_below_bubble{[](double stages, double chunks, double bubble) {
    const double at_once = chunks == 1 ? 1 : stages;
    return at_once * (std::floor((stages - 1) / (chunks * bubble * at_once) * (1 + 1e-12)) + 1);
}};

/// Bytes between virtual stages in a step: every boundary, forward and backward.
inline FormulaFunction pipeline_traffic_bytes{[](double stages, double microbatches, double chunks, double bytes) {
    return (stages * chunks - 1) * 2 * microbatches * bytes;
}};
inline FormulaFunction pipeline_traffic_seconds{
    [](double stages, double microbatches, double chunks, double bytes, double bandwidth) {
        return pipeline_traffic_bytes(stages, microbatches, chunks, bytes) / bandwidth;
    }};

/// Microbatches whose activations rank r of 1F1B holds at most. Source: arXiv 2104.04473, section 2.2.1.
inline FormulaFunction one_f_one_b_in_flight{
    [](double stages, double microbatches, double rank) { return std::min(microbatches, stages - rank); }};
/// Chunks of Megatron's interleaving, groups of g microbatches. Source: arXiv 2104.04473, section 2.2.2.
inline FormulaFunction interleaved_in_flight{
    [](double stages, double microbatches, double chunks, double group, double rank) {
        return std::min(microbatches * chunks, 2 * (stages - 1 - rank) + (chunks - 1) * group + 1);
    }};
/// Slices of Seq1F1B. Source: arXiv 2406.03488.
inline FormulaFunction seq1f1b_in_flight{[](double stages, double microbatches, double slices, double rank) {
    return std::min(microbatches * slices, stages - 1 - rank + slices);
}};

/// Chunks (microbatches where there is one chunk) that a rank of any schedule holds at most, from F until W.
/// @param schedule  its place in Schedule
inline FormulaFunction chunks_in_flight{
    [](double schedule, double stages, double microbatches, double chunks, double group, double rank) {
        if (rank >= stages)
            return std::nan("");
        const auto held = definition_of(static_cast<Schedule>(static_cast<int>(schedule))).forms.in_flight;
        if (held == nullptr) // without a form of its own: all that there is
            return microbatches * chunks;
        return held({.p = stages, .m = microbatches, .v = chunks, .g = group, .r = rank});
    }};
/// The same in whole microbatches.
inline FormulaFunction microbatches_in_flight{
    [](double schedule, double stages, double microbatches, double chunks, double group, double rank) {
        const double held = chunks_in_flight(schedule, stages, microbatches, chunks, group, rank);
        switch (definition_of(static_cast<Schedule>(static_cast<int>(schedule))).chunks) {
        case ChunkCount::any:
            return held / chunks;
        case ChunkCount::two:
            return held / 2;
        default:
            return held;
        }
    }};
inline FormulaFunction bytes_in_flight{
    [](double schedule, double stages, double microbatches, double chunks, double group, double rank, double bytes) {
        return microbatches_in_flight(schedule, stages, microbatches, chunks, group, rank) * bytes;
    }};

/// Most layers on a stage, stages that have so many, and what the others have.
inline FormulaFunction stage_layers_most{[](double layers, double stages) { return std::ceil(layers / stages); }};
inline FormulaFunction stage_layers_least{[](double layers, double stages) { return std::floor(layers / stages); }};
inline FormulaFunction stages_with_most{
    [](double layers, double stages) { return layers - stages * (stage_layers_most(layers, stages) - 1); }};

/// What sends add to the makespan of plain 1F1B: neighbours wait for each other at every microbatch, in any order.
inline FormulaFunction one_f_one_b_send_seconds{[](double stages, double microbatches, double hop) {
    return (2 * (stages - 1) * microbatches / stages + 2 * (stages - 2)) * hop;
}};

} // namespace meshwright::formula

// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/device.h"

#include "catalog/attention_curves.h"
#include "formulas/kernels.h"
#include "formulas/rank_memory.h"

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {

using enum ConstantId;

double share_of(const MatrixEfficiency &efficiency, const Assumptions &assumed) {
    double share = 1;
    for (const ConstantId id : efficiency.times)
        share *= assumed[id];
    return efficiency.over ? share / assumed[*efficiency.over] : share;
}

} // namespace

MatrixEfficiency matrix_efficiency(const Accelerator &accelerator, DataType type) {
    const Architecture &architecture = architecture_of(accelerator.architecture);
    const MatrixEfficiency of_16_bits{.times = {architecture.matrix_efficiency}, .over = std::nullopt};
    const bool low =
        type == DataType::fp8 || type == DataType::mxfp8 || type == DataType::nvfp4 || type == DataType::mxfp4;
    if (!low || !architecture.low_precision)
        return of_16_bits;
    const LowPrecision &measured = *architecture.low_precision;
    if (measured.relative)
        return type == DataType::fp8
            ? MatrixEfficiency{.times = {architecture.matrix_efficiency, measured.fp8}, .over = std::nullopt}
            : of_16_bits;
    const bool is_fp8 = type == DataType::fp8 || type == DataType::mxfp8;
    if (!accelerator.supports(type) || (!is_fp8 && !measured.fp4))
        return of_16_bits;
    MatrixEfficiency efficiency;
    if (type == DataType::mxfp8)
        efficiency.times.push_back(block_scaled_fp8_factor);
    efficiency.times.push_back(is_fp8 ? measured.fp8 : *measured.fp4);
    if (measured.siblings) { // scales efficiencies measured on another accelerator by the ratio of 16-bit efficiencies
        efficiency.times.push_back(architecture.matrix_efficiency);
        efficiency.over = measured.siblings;
    }
    return efficiency;
}

double tile_ways(const Accelerator &accelerator) {
    return architecture_of(accelerator.architecture).runs_in_tiles ? std::max(0.0, accelerator.multiprocessors) : 0;
}

std::optional<FullPower> full_power(const Accelerator &accelerator) {
    return architecture_of(accelerator.architecture).full_power;
}

double power_factor(const Accelerator &accelerator, const Assumptions &assumed) {
    const auto full = full_power(accelerator);
    if (!full || accelerator.power_watts <= 0)
        return 1;
    const double power = accelerator.power_watts / full->watts;
    const double rate = accelerator.peak(DataType::bf16) / full->flops_per_second;
    return power < rate ? std::pow(power / rate, assumed[power_exponent]) : 1;
}

KernelSeconds &KernelSeconds::operator+=(const KernelSeconds &other) {
    forward += other.forward;
    input_gradient += other.input_gradient;
    weight_gradient += other.weight_gradient;
    return *this;
}

Device::Device(const Plan &plan, const Assumptions &assumptions)
    : m_kernel(plan.stack.attention)
    , m_half_peak(plan.cluster.accelerator.peak(DataType::bf16))
    , m_power_factor(power_factor(plan.cluster.accelerator, assumptions))
    , m_grouped_factor(assumptions[grouped_matrix_factor])
    , m_gap(assumptions[ConstantId::kernel_gap_seconds])
    , m_traffic_factor(plan.stack.memory_traffic_factor)
    , m_input_bytes(formula::saved_input_bytes(bytes_of(plan.precision.compute)))
    , m_load_variation(assumptions[expert_load_variation])
    , m_tile_ways(tile_ways(plan.cluster.accelerator))
    , m_tile_seconds(assumptions[matrix_tile_seconds])
    , m_multiprocessors(std::max(1.0, plan.cluster.accelerator.multiprocessors))
    , m_unfused_efficiency(assumptions[unfused_attention_efficiency])
    , m_unaligned_factor(assumptions[unaligned_attention_factor])
    , m_unfused_softmax_factor(assumptions[unfused_softmax_factor])
    , m_architecture(plan.cluster.accelerator.architecture) {
    const Accelerator &accelerator = plan.cluster.accelerator;
    const bool wide = plan.precision.compute == DataType::fp32 || plan.precision.compute == DataType::tf32;
    const double stack = plan.stack.matrix_efficiency_factor * m_power_factor;
    m_compute_rate = formula::sustained_matrix_rate(
        accelerator.peak(plan.precision.compute),
        share_of(matrix_efficiency(accelerator, plan.precision.compute), assumptions), stack);
    m_half_rate = wide ? m_compute_rate
                       : formula::sustained_matrix_rate(
                           m_half_peak, share_of(matrix_efficiency(accelerator, DataType::bf16), assumptions), stack);
    m_memory_rate = formula::sustained_memory_rate(accelerator.memory_bandwidth_bytes_per_second,
                                                   assumptions[memory_bandwidth_efficiency]);
    if (plan.stack.host_seconds_per_layer == 0 && plan.stack.step_seconds == 0)
        m_gap = 0; // the ideal stack has no launch overhead
}

double Device::tiled_rate(const ResultShape &shape, MatrixUnits units) const {
    return formula::matrix_tiled_rate(
        formula::matrix_tiles(shape.rows, shape.columns, shape.groups),
        formula::matrix_tile_share(shape.rows, shape.columns), shape.groups * shape.rows * shape.columns, shape.depth,
        flops_per_second(units, shape.groups), m_memory_rate, m_tile_ways, m_tile_seconds);
}

KernelSeconds Device::matrix(double m, double n, double k, MatrixUnits units, double groups) const {
    if (m <= 0 || n <= 0 || k <= 0)
        return {};
    const double element = element_bytes(units);
    const auto rate = [&](double rows, double columns, double depth) {
        return tiled_rate({.rows = rows, .columns = columns, .depth = depth, .groups = groups}, units);
    };
    const double each = m / groups;
    return {
        .forward = formula::matrix_forward_seconds(m, n, k, groups, element, rate(each, n, k), m_memory_rate, m_gap),
        .input_gradient =
            formula::matrix_input_gradient_seconds(m, n, k, groups, element, rate(each, k, n), m_memory_rate, m_gap),
        .weight_gradient =
            formula::matrix_weight_gradient_seconds(m, n, k, groups, element, rate(k, n, each), m_memory_rate, m_gap)};
}

KernelSeconds Device::attention(const AttentionShape &shape) const {
    if (shape.query_tokens <= 0 || shape.heads <= 0)
        return {};
    const double widths = shape.query_key_dim + shape.value_dim;
    if (m_kernel == AttentionKernel::unfused) {
        const double rate = unfused_attention_rate(shape);
        const double scores = score_traffic_factor(shape);
        return {.forward = formula::unfused_attention_forward_seconds(shape.query_tokens, shape.key_tokens, shape.heads,
                                                                      widths, rate, scores, m_memory_rate),
                .input_gradient = formula::unfused_attention_backward_seconds(
                    shape.query_tokens, shape.key_tokens, shape.heads, widths, rate, scores, m_memory_rate),
                .weight_gradient = 0};
    }
    const AttentionCurve curve = attention_curve();
    const double factor = head_factor(curve, widths);
    return {.forward = formula::attention_forward_seconds(
                shape.query_tokens, shape.key_tokens, shape.attended_fraction, shape.heads, widths,
                formula::attention_long_rate(curve.forward_peak, curve.reference_peak, attention_peak(), factor),
                curve.forward_half, m_multiprocessors, m_gap),
            .input_gradient = formula::attention_backward_seconds(
                shape.query_tokens, shape.key_tokens, shape.attended_fraction, shape.heads, widths,
                formula::attention_long_rate(curve.backward_peak, curve.reference_peak, attention_peak(), factor),
                curve.backward_half, m_multiprocessors, m_gap),
            .weight_gradient = 0};
}

AttentionCurve Device::attention_curve() const {
    return meshwright::attention_curve(m_architecture, m_kernel);
}

double Device::unfused_attention_rate(const AttentionShape &shape) const {
    const bool is_aligned = std::fmod(shape.query_key_dim, 8) == 0 && std::fmod(shape.value_dim, 8) == 0;
    return formula::sustained_matrix_rate(m_half_peak, m_unfused_efficiency, is_aligned ? 1 : m_unaligned_factor);
}

double Device::score_traffic_factor(const AttentionShape &shape) const {
    const double batches = shape.heads * shape.query_tokens / std::max(1.0, shape.key_tokens);
    return std::fmod(batches, 4) == 0 ? 1 : m_unfused_softmax_factor;
}

KernelSeconds Device::traffic(double forward_bytes, double backward_bytes) const {
    return {.forward = formula::memory_bound_seconds(forward_bytes, m_traffic_factor, m_memory_rate, m_gap),
            .input_gradient = formula::memory_bound_seconds(backward_bytes, m_traffic_factor, m_memory_rate, m_gap),
            .weight_gradient = 0};
}

KernelSeconds Device::recurrent(const RecurrentShape &shape, double forward_bytes, double backward_bytes) const {
    const auto seconds = [&](double passes, double bytes) {
        return formula::recurrent_seconds(shape.tokens, shape.heads, shape.key_width, shape.value_width, passes,
                                          m_half_rate, bytes, m_traffic_factor, m_memory_rate, m_gap);
    };
    return {.forward = seconds(1, forward_bytes), .input_gradient = seconds(2, backward_bytes), .weight_gradient = 0};
}

} // namespace meshwright

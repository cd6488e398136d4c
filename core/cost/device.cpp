// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/device.h"

#include "catalog/attention_curves.h"
#include "formulas/kernels.h"
#include "formulas/preset_property.h"
#include "formulas/rank_memory.h"

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {

using enum ConstantId;
using std::pow;

constexpr const char *attention_source =
    "FlashAttention-2, arXiv 2307.08691, figures 5 to 7; FlashAttention-3, arXiv 2407.08608, figures 5 and "
    "6; vendor charts for Blackwell";

template <Number N>
N peak_of(const Accelerator &accelerator, DataType type, std::string_view title) {
    return accelerator_property<N>(accelerator, "peak_flops_per_second", "peak", title, accelerator.peak(type),
                                   Quantity::flops_per_second);
}

template <Number N>
N share_of(const MatrixEfficiency &efficiency, const Assumptions &assumed) {
    N share = constant<N>(efficiency.times.front(), assumed[efficiency.times.front()]);
    for (std::size_t i = 1; i < efficiency.times.size(); ++i)
        share = share * constant<N>(efficiency.times[i], assumed[efficiency.times[i]]);
    if (efficiency.over)
        share = share / constant<N>(*efficiency.over, assumed[*efficiency.over]);
    return label(share,
                 {"efficiency", "fraction of peak that training sustains", Quantity::share,
                  "the fractions are registry constants"});
}

/// A tensor's bytes per element as inputs of GEMMs in 16 bits or more.
template <Number N>
N half_bytes(const N &input_bytes) {
    return value_of(input_bytes) > 2
        ? input_bytes
        : published_number<N>(2, "element_bytes", "bytes per input element", Quantity::bytes,
                              "16 bits, because this matmul does not use lower precision");
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

template <Number N>
N power_factor(const Accelerator &accelerator, const Assumptions &assumed) {
    const auto full = full_power(accelerator);
    if (!full || accelerator.power_watts <= 0)
        return 1;
    const N power = accelerator_property<N>(accelerator, "power_watts", "rated", "rated power", accelerator.power_watts,
                                            Quantity::watts)
        / published_number<N>(full->watts, "full", "rated power of the SXM variant", Quantity::watts, full->source);
    const N rate = peak_of<N>(accelerator, DataType::bf16, "dense 16-bit peak")
        / published_number<N>(full->flops_per_second, "full_peak", "dense 16-bit peak of the SXM variant",
                              Quantity::flops_per_second, full->source);
    if (value_of(power) >= value_of(rate))
        return 1;
    return label(pow(power / rate, constant<N>(power_exponent, assumed[power_exponent])),
                 {"power", "clock factor of a GPU variant with a lower power limit", Quantity::number,
                  "watts per peak FLOP/s relative to the SXM variant, raised to an exponent"});
}
template double power_factor(const Accelerator &, const Assumptions &);
template Traced power_factor(const Accelerator &, const Assumptions &);

template <Number N>
BasicDevice<N>::BasicDevice(const Plan &plan, const Assumptions &assumptions)
    : m_kernel(plan.stack.attention)
    , m_half_peak(peak_of<N>(plan.cluster.accelerator, DataType::bf16, "dense 16-bit peak"))
    , m_grouped_factor(constant<N>(grouped_matrix_factor, assumptions[grouped_matrix_factor]))
    , m_gap(constant<N>(ConstantId::kernel_gap_seconds, assumptions[ConstantId::kernel_gap_seconds]))
    , m_traffic_factor(stack_property<N>(plan.stack, "memory_traffic_factor", "traffic_factor",
                                         "element-wise memory traffic relative to fused kernels",
                                         plan.stack.memory_traffic_factor))
    , m_input_bytes(label(
          formula::saved_input_bytes(read<N>(bytes_of(plan.precision.compute),
                                             {Origin::plan, "format_bytes", "bytes per element in the compute format",
                                              Quantity::bytes, "/precision/compute"})),
          {"element_bytes", "bytes per input element", Quantity::bytes}))
    , m_half_bytes(half_bytes(m_input_bytes))
    , m_load_variation(constant<N>(expert_load_variation, assumptions[expert_load_variation]))
    , m_tile_seconds(constant<N>(matrix_tile_seconds, assumptions[matrix_tile_seconds]))
    , m_unfused_efficiency(constant<N>(unfused_attention_efficiency, assumptions[unfused_attention_efficiency]))
    , m_unaligned_factor(constant<N>(unaligned_attention_factor, assumptions[unaligned_attention_factor]))
    , m_unfused_softmax_factor(constant<N>(unfused_softmax_factor, assumptions[unfused_softmax_factor]))
    , m_architecture(plan.cluster.accelerator.architecture) {
    const Accelerator &accelerator = plan.cluster.accelerator;
    const DataType compute = plan.precision.compute;
    const bool wide = compute == DataType::fp32 || compute == DataType::tf32;
    const N power = power_factor<N>(accelerator, assumptions);
    m_attention_peak = label(m_half_peak * power,
                             {"peak", "16-bit peak at the clock that the power limit allows",
                              Quantity::flops_per_second, "proportional to the clock rate"});
    const N stack = stack_property<N>(plan.stack, "matrix_efficiency_factor", "stack_factor",
                                      "matmul rate factor of the stack", plan.stack.matrix_efficiency_factor)
        * power;
    const auto sustained = [&](const N &peak, DataType type) {
        return label(
            formula::sustained_matrix_rate(peak, share_of<N>(matrix_efficiency(accelerator, type), assumptions), stack),
            {"rate", "sustained matmul rate", Quantity::flops_per_second});
    };
    m_compute_rate = sustained(peak_of<N>(accelerator, compute, "dense peak"), compute);
    m_half_rate = wide ? m_compute_rate : sustained(m_half_peak, DataType::bf16);
    m_memory_rate = label(
        formula::sustained_memory_rate(
            accelerator_property<N>(accelerator, "memory_bandwidth_bytes_per_second", "bandwidth", "memory bandwidth",
                                    accelerator.memory_bandwidth_bytes_per_second, Quantity::bytes_per_second),
            constant<N>(memory_bandwidth_efficiency, assumptions[memory_bandwidth_efficiency])),
        {"memory_rate", "sustained memory bandwidth", Quantity::bytes_per_second});
    if (plan.stack.host_seconds_per_layer == 0 && plan.stack.step_seconds == 0) // the ideal stack
        m_gap = read<N>(0,
                        {Origin::software, "gap", "idle time between kernels", Quantity::seconds, "/stack",
                         "this stack has no idle time between kernels"});
    const double ways = tile_ways(accelerator);
    m_tile_ways = ways > 0
        ? accelerator_property<N>(accelerator, "multiprocessors", "multiprocessors",
                                  "multiprocessors, each computing one tile", ways, Quantity::count)
        : published_number<N>(0, "multiprocessors", "multiprocessors, each computing one tile", Quantity::count,
                              "no wave quantization: the accelerator has a few large matrix units, or its "
                              "number of multiprocessors is unknown");
    m_multiprocessors = accelerator_property<N>(accelerator, "multiprocessors", "multiprocessors", "multiprocessors",
                                                std::max(1.0, accelerator.multiprocessors), Quantity::count);
}

template <Number N>
N BasicDevice<N>::tiled_rate(const N &rows, const N &columns, const N &depth, const N &groups,
                             MatrixUnits units) const {
    const N &whole = units == MatrixUnits::compute ? m_compute_rate : m_half_rate;
    const N rate = value_of(groups) > 1
        ? label(whole * m_grouped_factor, {"rate", "sustained rate of grouped GEMMs", Quantity::flops_per_second})
        : whole;
    return label(formula::matrix_tiled_rate(
                     formula::matrix_tiles(rows, columns, groups), formula::matrix_tile_share(rows, columns),
                     label(groups * rows * columns, {"results", "outputs of all groups", Quantity::count}), depth, rate,
                     m_memory_rate, m_tile_ways, m_tile_seconds),
                 {"rate", "matmul rate after wave quantization", Quantity::flops_per_second});
}

template <Number N>
auto BasicDevice<N>::matrix(const N &m, const N &n, const N &k, MatrixUnits units, const N &groups) const -> Seconds {
    if (value_of(m) <= 0 || value_of(n) <= 0 || value_of(k) <= 0)
        return {};
    const N &element = units == MatrixUnits::compute ? m_input_bytes : m_half_bytes;
    const N each = value_of(groups) == 1
        ? m
        : label(m / groups, {"rows", "rows of one group", Quantity::count, "the rows are divided among the groups"});
    return {.forward = formula::matrix_forward_seconds(m, n, k, groups, element, tiled_rate(each, n, k, groups, units),
                                                       m_memory_rate, m_gap),
            .input_gradient = formula::matrix_input_gradient_seconds(
                m, n, k, groups, element, tiled_rate(each, k, n, groups, units), m_memory_rate, m_gap),
            .weight_gradient = formula::matrix_weight_gradient_seconds(
                m, n, k, groups, element, tiled_rate(k, n, each, groups, units), m_memory_rate, m_gap)};
}

template <Number N>
auto BasicDevice<N>::attention(const BasicAttentionShape<N> &shape) const -> Seconds {
    if (value_of(shape.query_tokens) <= 0 || value_of(shape.heads) <= 0)
        return {};
    const N widths = label(shape.query_key_dim + shape.value_dim,
                           {"widths", "query plus value head dimension", Quantity::count, "the model's shape"});
    return attention_is_fused() ? fused_attention(shape, widths) : unfused_attention(shape, widths);
}

template <Number N>
auto BasicDevice<N>::unfused_attention(const BasicAttentionShape<N> &shape, const N &widths) const -> Seconds {
    // Matrix units need head dimensions in multiples of eight.
    const bool is_aligned =
        std::fmod(value_of(shape.query_key_dim), 8) == 0 && std::fmod(value_of(shape.value_dim), 8) == 0;
    const N rate =
        label(formula::sustained_matrix_rate(m_half_peak, m_unfused_efficiency, is_aligned ? N(1) : m_unaligned_factor),
              {"rate", "rate of attention's matmuls", Quantity::flops_per_second});
    // Megatron-LM's fused softmax needs sequences x heads in multiples of four; otherwise the scores are read and
    // written more often.
    const double batches =
        value_of(shape.heads) * value_of(shape.query_tokens) / std::max(1.0, value_of(shape.key_tokens));
    const N scores = std::fmod(batches, 4) == 0
        ? read<N>(1,
                  {Origin::software, "score_factor", "memory traffic of scores relative to a fused softmax",
                   Quantity::number, "/stack",
                   "Megatron-LM's fused softmax: sequences times heads is a multiple of four"})
        : m_unfused_softmax_factor;
    return {.forward = formula::unfused_attention_forward_seconds(shape.query_tokens, shape.key_tokens, shape.heads,
                                                                  widths, rate, scores, m_memory_rate),
            .input_gradient = formula::unfused_attention_backward_seconds(
                shape.query_tokens, shape.key_tokens, shape.heads, widths, rate, scores, m_memory_rate),
            .weight_gradient = 0};
}

template <Number N>
auto BasicDevice<N>::fused_attention(const BasicAttentionShape<N> &shape, const N &widths) const -> Seconds {
    const AttentionCurve curve = attention_curve(m_architecture, m_kernel);
    const N reference =
        published_number<N>(curve.reference_peak, "measured_peak", "dense peak of the measured accelerator",
                            Quantity::flops_per_second, attention_source);
    const N factor = published_number<N>(value_of(widths) <= 128 ? curve.narrow_head_factor : 1, "head_factor",
                                         "factor for small head dimensions", Quantity::number, attention_source);
    const auto long_rate = [&](double measured) {
        return label(formula::attention_long_rate(published_number<N>(measured, "measured_rate", "measured rate",
                                                                      Quantity::flops_per_second, attention_source),
                                                  reference, m_attention_peak, factor),
                     {"long_rate", "the kernel's rate at long sequences", Quantity::flops_per_second});
    };
    const auto half_tokens = [&](double tokens) {
        return published_number<N>(tokens, "half_tokens", "sequence length (keys) that reaches half of the peak rate",
                                   Quantity::count, attention_source);
    };
    return {.forward = formula::attention_forward_seconds(shape.query_tokens, shape.key_tokens, shape.attended_fraction,
                                                          shape.heads, widths, long_rate(curve.forward_peak),
                                                          half_tokens(curve.forward_half), m_multiprocessors, m_gap),
            .input_gradient = formula::attention_backward_seconds(
                shape.query_tokens, shape.key_tokens, shape.attended_fraction, shape.heads, widths,
                long_rate(curve.backward_peak), half_tokens(curve.backward_half), m_multiprocessors, m_gap),
            .weight_gradient = 0};
}

template <Number N>
auto BasicDevice<N>::traffic(const N &forward_bytes, const N &backward_bytes) const -> Seconds {
    return {.forward = formula::memory_bound_seconds(forward_bytes, m_traffic_factor, m_memory_rate, m_gap),
            .input_gradient = formula::memory_bound_seconds(backward_bytes, m_traffic_factor, m_memory_rate, m_gap),
            .weight_gradient = 0};
}

template <Number N>
auto BasicDevice<N>::recurrent(const BasicRecurrentShape<N> &shape, const N &forward_bytes,
                               const N &backward_bytes) const -> Seconds {
    const auto seconds = [&](double passes, const N &bytes) {
        return formula::recurrent_seconds(
            shape.tokens, shape.heads, shape.key_width, shape.value_width,
            read<N>(passes,
                    {Origin::model, "passes",
                     "number of passes over the state: 1 in the forward pass, 2 in the backward pass", Quantity::number,
                     "/model", "the forward pass reads the state once; the backward pass reads and updates it"}),
            m_half_rate, bytes, m_traffic_factor, m_memory_rate, m_gap);
    };
    return {.forward = seconds(1, forward_bytes), .input_gradient = seconds(2, backward_bytes), .weight_gradient = 0};
}

template class BasicDevice<double>;
template class BasicDevice<Traced>;

} // namespace meshwright

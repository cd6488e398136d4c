// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/attention_curves.h"
#include "catalog/constants.h"
#include "plan/plan.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace meshwright {

/// Seconds of one operation: forward, and the two halves of its backward pass.
struct KernelSeconds {
    double forward = 0;
    double input_gradient = 0;
    double weight_gradient = 0;

    KernelSeconds &operator+=(const KernelSeconds &other);
    double backward() const { return input_gradient + weight_gradient; }
    KernelSeconds times(double factor) const {
        return {forward * factor, input_gradient * factor, weight_gradient * factor};
    }
};

/// Constants of the registry that make the share of its peak that an accelerator's matrix units sustain in training.
struct MatrixEfficiency {
    std::vector<ConstantId> times;
    std::optional<ConstantId> over;
};
MatrixEfficiency matrix_efficiency(const Accelerator &accelerator, DataType type);
/// Multiprocessors that work on one tile of a multiply each; 0 where it streams through a few large units.
double tile_ways(const Accelerator &accelerator);
/// What the part that sets its generation's matrix rate draws, and that part's dense 16-bit peak.
struct FullPower {
    double watts = 0;
    double flops_per_second = 0;
    const char *source = "";
};
/// Nothing for generations of which no part with a lower limit was measured.
std::optional<FullPower> full_power(const Accelerator &accelerator);
/// A part that may draw less power for its peak than its siblings runs its matrix units at a lower clock.
double power_factor(const Accelerator &accelerator, const Assumptions &assumed);

/// Which units a matrix multiply runs on: the plan's compute format, or 16 bits where low precision is not used (LM
/// head, router, attention).
enum class MatrixUnits { compute, half };

/// What one multiply makes: the result of each of its groups, and over how many products each element sums.
struct ResultShape {
    double rows = 0; ///< of one group
    double columns = 0;
    double depth = 0;
    double groups = 1;
};

/// An attention core on one rank.
struct AttentionShape {
    double query_tokens = 0; ///< of all sequences of a microbatch
    double key_tokens = 0; ///< of one sequence, or of the sliding window
    double attended_fraction = 0.5; ///< of them that a query sees on average: half under a causal mask
    double heads = 1; ///< on this rank
    double query_key_dim = 128;
    double value_dim = 128;
};

/// A recurrent mixer's state on one rank.
struct RecurrentShape {
    double tokens = 0; ///< of all sequences of a microbatch
    double heads = 1; ///< on this rank
    double key_width = 128;
    double value_width = 128;
};

/// What one accelerator sustains under a plan's software and formats.
class Device {
public:
    Device(const Plan &plan, const Assumptions &assumptions);

    /// Y[m x n] = X[m x k] W[k x n], in `groups` equal multiplies side by side that share m rows in all.
    /// Roofline of sustained rate, in whole waves of tiles, and memory traffic; the weight gradient accumulates in
    /// FP32.
    KernelSeconds matrix(double m, double n, double k, MatrixUnits units, double groups = 1) const;
    KernelSeconds attention(const AttentionShape &shape) const;
    /// A kernel bound by memory: bytes moved forward and backward.
    KernelSeconds traffic(double forward_bytes, double backward_bytes) const;
    /// Reading and updating the state for every token, beside the bytes of what it reads and writes.
    KernelSeconds recurrent(const RecurrentShape &shape, double forward_bytes, double backward_bytes) const;

    double half_flops_per_second() const { return m_half_rate; } ///< sustained, 16-bit
    /// Sustained rate of multiplies in `groups` side by side.
    double flops_per_second(MatrixUnits units, double groups) const {
        return rate(units) * (groups > 1 ? m_grouped_factor : 1);
    }
    /// What whole waves of tiles leave of it.
    double tiled_rate(const ResultShape &shape, MatrixUnits units) const;
    double memory_bytes_per_second() const { return m_memory_rate; } ///< sustained
    double kernel_gap_seconds() const { return m_gap; }
    bool attention_is_fused() const { return m_kernel != AttentionKernel::unfused; }
    double input_bytes() const { return m_input_bytes; } ///< of a matrix multiply's input element
    double element_bytes(MatrixUnits units) const {
        return units == MatrixUnits::compute || m_input_bytes > 2 ? m_input_bytes : 2;
    }
    double traffic_factor() const { return m_traffic_factor; } ///< bytes of element-wise kernels against fused ones
    double tile_seconds() const { return m_tile_seconds; } ///< start and end of one tile of a multiply
    /// Standard deviation of a routed expert's tokens over their mean.
    double load_variation() const { return m_load_variation; }
    double multiprocessors() const { return m_multiprocessors; }
    double half_peak() const { return m_half_peak; } ///< dense 16-bit peak
    double attention_peak() const { return m_half_peak * m_power_factor; } ///< at the clock that its power allows
    AttentionCurve attention_curve() const;
    /// Of the multiplies without a fused kernel: matrix units want heads in multiples of eight.
    double unfused_attention_rate(const AttentionShape &shape) const;
    /// Megatron's fused softmax takes sequences x heads in multiples of four; else scores pass memory more often.
    double score_traffic_factor(const AttentionShape &shape) const;
    /// What narrow heads leave of the attention kernel's rate. @param widths  of a query and of a value together
    static double head_factor(const AttentionCurve &curve, double widths) {
        return widths <= 128 ? curve.narrow_head_factor : 1;
    }

private:
    double rate(MatrixUnits units) const { return units == MatrixUnits::compute ? m_compute_rate : m_half_rate; }

    AttentionKernel m_kernel;
    double m_compute_rate;
    double m_half_rate;
    double m_half_peak;
    double m_power_factor;
    double m_memory_rate;
    double m_grouped_factor;
    double m_gap;
    double m_traffic_factor;
    double m_input_bytes;
    double m_load_variation;
    double m_tile_ways;
    double m_tile_seconds;
    double m_multiprocessors;
    double m_unfused_efficiency;
    double m_unaligned_factor;
    double m_unfused_softmax_factor;
    std::string m_architecture;
};

} // namespace meshwright

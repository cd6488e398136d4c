// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/architectures.h"
#include "catalog/constants.h"
#include "formulas/traced.h"
#include "plan/plan.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace meshwright {

/// Times in seconds of one operation: the forward pass and the two halves of the backward pass.
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

/// Registry constants whose product, divided by `over` if it is set, is the fraction of peak that matrix units sustain
/// in training.
struct MatrixEfficiency {
    std::vector<ConstantId> times;
    std::optional<ConstantId> over;
};
MatrixEfficiency matrix_efficiency(const Accelerator &accelerator, DataType type);
/// Number of GEMM tiles computed at the same time, one per multiprocessor; 0 for accelerators that stream GEMMs through
/// a few large units and so have no wave quantization.
double tile_ways(const Accelerator &accelerator);
/// Power draw and dense 16-bit peak of a generation's full-power variant. Empty if no power-limited variant of the
/// generation was measured.
std::optional<FullPower> full_power(const Accelerator &accelerator);
/// Factor on the GEMM rate of a variant that runs at a lower clock because it has less power per peak FLOP/s than the
/// full-power variant.
double power_factor(const Accelerator &accelerator, const Assumptions &assumed);

/// The format of a GEMM: the plan's compute format, or 16 bits in places that do not use low precision (LM head,
/// router, attention).
enum class MatrixUnits { compute, half };

struct ResultShape {
    double rows = 0; ///< rows per group
    double columns = 0;
    double depth = 0;
    double groups = 1;
};

/// Shape of one attention core (scores, softmax, weighted sum) on one rank.
template <Number N>
struct BasicAttentionShape {
    N query_tokens = 0; ///< number of queries of all sequences in a microbatch
    N key_tokens = 0; ///< number of keys of one sequence, or of its sliding window
    N attended_fraction = 0.5; ///< mean fraction of the keys that a query attends to: half under a causal mask
    N heads = 1; ///< number of heads on the rank
    N query_key_dim = 128;
    N value_dim = 128;
};
using AttentionShape = BasicAttentionShape<double>;
template <Number N>
AttentionShape values_of(const BasicAttentionShape<N> &shape) {
    return {.query_tokens = value_of(shape.query_tokens),
            .key_tokens = value_of(shape.key_tokens),
            .attended_fraction = value_of(shape.attended_fraction),
            .heads = value_of(shape.heads),
            .query_key_dim = value_of(shape.query_key_dim),
            .value_dim = value_of(shape.value_dim)};
}

/// Shape of a recurrent mixer (Mamba, linear attention) on one rank.
struct RecurrentShape {
    double tokens = 0; ///< tokens of all sequences in a microbatch
    double heads = 1; ///< number of heads on the rank
    double key_width = 128;
    double value_width = 128;
};

/// Sustained rates of one accelerator with the plan's stack and number formats.
class Device {
public:
    Device(const Plan &plan, const Assumptions &assumptions);

    /// Y[m x n] = X[m x k] W[k x n] in `groups` grouped GEMMs that split the m rows. The time is the roofline of memory
    /// traffic and the sustained rate after wave quantization. The weight gradient accumulates in FP32.
    KernelSeconds matrix(double m, double n, double k, MatrixUnits units, double groups = 1) const;
    KernelSeconds attention(const AttentionShape &shape) const;
    /// Time of a memory-bound kernel, given the bytes that it moves in the forward and backward passes.
    KernelSeconds traffic(double forward_bytes, double backward_bytes) const;
    /// Time of a kernel that reads and updates the state for every token and moves the given bytes of inputs and
    /// outputs.
    KernelSeconds recurrent(const RecurrentShape &shape, double forward_bytes, double backward_bytes) const;

    double half_flops_per_second() const { return m_half_rate; } ///< sustained rate of 16-bit GEMMs
    /// Sustained rate of `groups` grouped GEMMs.
    double flops_per_second(MatrixUnits units, double groups) const {
        return rate(units) * (groups > 1 ? m_grouped_factor : 1);
    }
    /// Sustained rate after wave quantization.
    double tiled_rate(const ResultShape &shape, MatrixUnits units) const;
    double memory_bytes_per_second() const { return m_memory_rate; } ///< sustained memory bandwidth
    double kernel_gap_seconds() const { return m_gap; }
    bool attention_is_fused() const { return m_kernel != AttentionKernel::unfused; }
    double input_bytes() const { return m_input_bytes; } ///< bytes per input element of a GEMM
    double element_bytes(MatrixUnits units) const {
        return units == MatrixUnits::compute || m_input_bytes > 2 ? m_input_bytes : 2;
    }
    /// Memory traffic of the stack's element-wise kernels relative to fused kernels.
    double traffic_factor() const { return m_traffic_factor; }
    double tile_seconds() const { return m_tile_seconds; } ///< time of the prologue and epilogue of a GEMM tile
    /// Standard deviation of the tokens per routed expert, divided by their mean.
    double load_variation() const { return m_load_variation; }
    double multiprocessors() const { return m_multiprocessors; }
    double half_peak() const { return m_half_peak; }
    /// Dense 16-bit peak at the clock that the power limit allows.
    double attention_peak() const { return m_half_peak * m_power_factor; }
    AttentionCurve attention_curve() const;
    /// Rate of the GEMMs in unfused attention. Matrix units need head dimensions in multiples of eight.
    double unfused_attention_rate(const AttentionShape &shape) const;
    /// Megatron's fused softmax needs sequences x heads in multiples of four; otherwise the scores are read and written
    /// more often.
    double score_traffic_factor(const AttentionShape &shape) const;
    /// Factor on the attention kernel's rate for small head dimensions.
    /// @param widths  sum of the query and value head dimensions
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

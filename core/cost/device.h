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
template <Number N>
struct BasicKernelSeconds {
    N forward = 0;
    N input_gradient = 0;
    N weight_gradient = 0;

    BasicKernelSeconds &operator+=(const BasicKernelSeconds &other) {
        forward += other.forward;
        input_gradient += other.input_gradient;
        weight_gradient += other.weight_gradient;
        return *this;
    }
    N backward() const { return input_gradient + weight_gradient; }
    BasicKernelSeconds times(const N &factor) const {
        return {forward * factor, input_gradient * factor, weight_gradient * factor};
    }
};
using KernelSeconds = BasicKernelSeconds<double>;

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
template <Number N = double>
N power_factor(const Accelerator &accelerator, const Assumptions &assumed);

/// The format of a GEMM: the plan's compute format, or 16 bits in places that do not use low precision (LM head,
/// router, attention).
enum class MatrixUnits { compute, half };

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
/// Shape of a recurrent mixer (Mamba, linear attention) on one rank.
template <Number N>
struct BasicRecurrentShape {
    N tokens = 0; ///< tokens of all sequences in a microbatch
    N heads = 1; ///< number of heads on the rank
    N key_width = 128;
    N value_width = 128;
};

/// Sustained rates of one accelerator with the plan's stack and number formats.
template <Number N>
class BasicDevice {
public:
    BasicDevice(const Plan &plan, const Assumptions &assumptions);

    using Seconds = BasicKernelSeconds<N>;
    /// Y[m x n] = X[m x k] W[k x n] in `groups` grouped GEMMs that split the m rows. The time is the roofline of memory
    /// traffic and the sustained rate after wave quantization. The weight gradient accumulates in FP32.
    Seconds matrix(const N &m, const N &n, const N &k, MatrixUnits units, const N &groups = 1) const;
    Seconds attention(const BasicAttentionShape<N> &shape) const;
    /// Time of a memory-bound kernel, given the bytes that it moves in the forward and backward passes.
    Seconds traffic(const N &forward_bytes, const N &backward_bytes) const;
    /// Time of a kernel that reads and updates the state for every token and moves the given bytes of inputs and
    /// outputs.
    Seconds recurrent(const BasicRecurrentShape<N> &shape, const N &forward_bytes, const N &backward_bytes) const;

    /// Sustained rate of GEMMs in the compute format.
    const N &compute_flops_per_second() const { return m_compute_rate; }
    const N &half_flops_per_second() const { return m_half_rate; } ///< sustained rate of 16-bit GEMMs
    const N &memory_bytes_per_second() const { return m_memory_rate; } ///< sustained memory bandwidth
    const N &kernel_gap_seconds() const { return m_gap; }
    bool attention_is_fused() const { return m_kernel != AttentionKernel::unfused; }
    /// Standard deviation of the tokens per routed expert, divided by their mean.
    const N &load_variation() const { return m_load_variation; }

private:
    /// Sustained rate after wave quantization of a GEMM with `rows` x `columns` outputs per group.
    N tiled_rate(const N &rows, const N &columns, const N &depth, const N &groups, MatrixUnits units) const;
    Seconds fused_attention(const BasicAttentionShape<N> &shape, const N &widths) const;
    Seconds unfused_attention(const BasicAttentionShape<N> &shape, const N &widths) const;

    AttentionKernel m_kernel;
    N m_half_peak;
    N m_attention_peak; ///< dense 16-bit peak at the clock that the power limit allows
    N m_compute_rate;
    N m_half_rate;
    N m_memory_rate;
    N m_grouped_factor;
    N m_gap;
    N m_traffic_factor; ///< memory traffic of the stack's element-wise kernels relative to fused kernels
    N m_input_bytes; ///< bytes per input element of a GEMM
    N m_half_bytes; ///< bytes per input element of a GEMM with MatrixUnits::half
    N m_load_variation;
    N m_tile_ways;
    N m_tile_seconds; ///< time of the prologue and epilogue of a GEMM tile
    N m_multiprocessors;
    N m_unfused_efficiency;
    N m_unaligned_factor;
    N m_unfused_softmax_factor;
    std::string m_architecture;
};
using Device = BasicDevice<double>;

} // namespace meshwright

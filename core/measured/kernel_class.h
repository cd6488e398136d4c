// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string_view>

namespace meshwright {

enum class KernelClass { gemm, attention, communication, memory_bound, copy };
inline constexpr std::size_t kernel_class_count = 5;
/// "gemm", "attention", "communication", "memory_bound", "copy"
std::string_view kernel_class_name(KernelClass kind);

/// The collective of a communication kernel. Send-receive kernels carry pipeline traffic and, in NCCL, all-to-alls.
enum class CommunicationKind {
    all_reduce,
    all_gather,
    reduce_scatter,
    all_to_all,
    send_receive,
    broadcast,
    reduce,
    other
};
inline constexpr std::size_t communication_kind_count = 8;
/// "all_reduce", "all_gather", ...
std::string_view communication_kind_name(CommunicationKind kind);

/// The class of a kernel, inferred from its name. Names of cuBLAS, CUTLASS, cuDNN, FlashAttention, Transformer Engine,
/// NCCL, RCCL, DeepEP, Triton and PyTorch are known. All other kernels count as memory-bound.
KernelClass class_of_kernel(std::string_view name);

/// @param collective  name of the collective if the trace states it ("_allgather_base"); may be empty
CommunicationKind communication_of_kernel(std::string_view name, std::string_view collective);

} // namespace meshwright

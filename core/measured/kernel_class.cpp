// SPDX-License-Identifier: GPL-3.0-or-later
#include "measured/kernel_class.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace meshwright {

namespace {

struct KernelName {
    std::string_view part; ///< part of a kernel's name, in lower case
    KernelClass kind;
};
/// The order matters: the first row whose `part` occurs in the kernel's name is used. CUTLASS also has attention
/// kernels, and NCCL's kernel names contain data types.
constexpr std::array kernel_names{
    KernelName{"nccl", KernelClass::communication},
    KernelName{"rccl", KernelClass::communication},
    KernelName{"nvshmem", KernelClass::communication},
    KernelName{"deep_ep", KernelClass::communication},
    KernelName{"cross_device_reduce", KernelClass::communication},
    KernelName{"multimem_all_", KernelClass::communication},
    KernelName{"all_reduce_kernel", KernelClass::communication},
    KernelName{"userbuffers", KernelClass::communication},
    KernelName{"triton_poi", KernelClass::memory_bound}, // Inductor's names list all operations that a kernel fuses
    KernelName{"triton_red", KernelClass::memory_bound},
    KernelName{"triton_per", KernelClass::memory_bound},
    KernelName{"flash", KernelClass::attention},
    KernelName{"fmha", KernelClass::attention},
    KernelName{"attention", KernelClass::attention},
    KernelName{"attn", KernelClass::attention},
    KernelName{"sdpa", KernelClass::attention},
    KernelName{"splitkreduce", KernelClass::gemm},
    KernelName{"gemm", KernelClass::gemm},
    KernelName{"nvjet", KernelClass::gemm},
    KernelName{"cijk_", KernelClass::gemm}, // Tensile kernels of rocBLAS and hipBLASLt
    KernelName{"matmul", KernelClass::gemm},
    KernelName{"gemv", KernelClass::gemm},
    KernelName{"triton_tem", KernelClass::gemm}, // Inductor's Triton templates are GEMMs
    KernelName{"xmma", KernelClass::gemm},
    KernelName{"wgrad", KernelClass::gemm},
    KernelName{"dgrad", KernelClass::gemm},
    KernelName{"cutlass", KernelClass::gemm},
    KernelName{"scudnn", KernelClass::gemm}, // cuDNN computes convolutions as GEMMs
    KernelName{"convolve", KernelClass::gemm},
    KernelName{"cublaslt", KernelClass::gemm}};

struct CommunicationName {
    std::string_view part; ///< part of a kernel's name, in lower case without underscores
    CommunicationKind kind;
};
constexpr std::array communication_names{CommunicationName{"alltoall", CommunicationKind::all_to_all},
                                         CommunicationName{"dispatch", CommunicationKind::all_to_all},
                                         CommunicationName{"combine", CommunicationKind::all_to_all},
                                         CommunicationName{"allreduce", CommunicationKind::all_reduce},
                                         CommunicationName{"allgather", CommunicationKind::all_gather},
                                         CommunicationName{"reducescatter", CommunicationKind::reduce_scatter},
                                         CommunicationName{"sendrecv", CommunicationKind::send_receive},
                                         CommunicationName{"send", CommunicationKind::send_receive},
                                         CommunicationName{"recv", CommunicationKind::send_receive},
                                         CommunicationName{"broadcast", CommunicationKind::broadcast},
                                         CommunicationName{"crossdevicereduce", CommunicationKind::all_reduce},
                                         CommunicationName{"reduce", CommunicationKind::reduce}};

constexpr std::size_t longest_kernel_name = 400;

std::string lowered(std::string_view name, bool keeps_underscores) {
    std::string lower;
    for (const char c : name.substr(0, longest_kernel_name))
        if (c != '_' || keeps_underscores)
            lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return lower;
}

/// Removes the parameter list, which may contain types of other libraries, and FBGEMM's namespace, because most kernels
/// in it are not GEMMs.
std::string without_parameters(std::string_view name) {
    std::string lower = lowered(name, true);
    for (const std::string_view part : {std::string_view("(anonymous namespace)"), std::string_view("fbgemm_gpu")})
        for (std::size_t at = lower.find(part); at != std::string::npos; at = lower.find(part, at))
            lower.erase(at, part.size());
    return lower.substr(0, lower.find('('));
}

CommunicationKind communication_in(std::string_view words) {
    const std::string lower = lowered(words, false);
    for (const CommunicationName &each : communication_names)
        if (lower.find(each.part) != std::string::npos)
            return each.kind;
    return CommunicationKind::other;
}

} // namespace

std::string_view kernel_class_name(KernelClass kind) {
    constexpr std::array<std::string_view, kernel_class_count> names{"gemm", "attention", "communication",
                                                                     "memory_bound", "copy"};
    return names[static_cast<std::size_t>(kind)];
}

std::string_view communication_kind_name(CommunicationKind kind) {
    constexpr std::array<std::string_view, communication_kind_count> names{
        "all_reduce", "all_gather", "reduce_scatter", "all_to_all", "send_receive", "broadcast", "reduce", "other"};
    return names[static_cast<std::size_t>(kind)];
}

KernelClass class_of_kernel(std::string_view name) {
    const std::string lower = without_parameters(name);
    for (const KernelName &each : kernel_names)
        if (lower.find(each.part) != std::string::npos)
            return each.kind;
    return KernelClass::memory_bound;
}

CommunicationKind communication_of_kernel(std::string_view name, std::string_view collective) {
    const CommunicationKind stated = communication_in(collective);
    return stated == CommunicationKind::other ? communication_in(name) : stated;
}

} // namespace meshwright

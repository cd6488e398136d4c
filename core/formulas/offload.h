// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/function.h"

#include <algorithm>

/// Cost of offloading optimizer states and activations to host memory.
namespace meshwright::formula {

/// Achieved bandwidth of the accelerator-to-host link in bytes/s per direction, or of host memory during the optimizer
/// update. Host memory is assumed to be as fast as the links it feeds.
inline FormulaFunction host_rate{[](auto bandwidth, auto share) { return bandwidth * share; }};
/// Time of the optimizer update on the host. Gradients arrive and weights leave during the update, in both directions
/// simultaneously.
/// @param bytes_per_parameter memory traffic of the update
/// Source: ZeRO-Offload, arXiv 2101.06840
inline FormulaFunction host_update_seconds{[](auto parameters, auto bytes_per_parameter, auto gradient_bytes,
                                              auto weight_bytes, auto link_rate, auto update_rate) {
    return parameters * max(bytes_per_parameter / update_rate, max(gradient_bytes, weight_bytes) / link_rate);
}};
/// Offloaded activations per layer and microbatch. @param slack allocated bytes over the sum of the operations
inline FormulaFunction host_copy_bytes{
    [](auto saved_bytes, auto slack, auto offloaded) { return saved_bytes * slack * offloaded; }};
/// Exposed copy time of a layer's pass: the part that does not overlap with it. Copies to the host overlap with the
/// forward pass, copies back with the backward pass. Source: Isaev et al., Calculon, SC'23
inline FormulaFunction host_copy_seconds{
    [](auto bytes, auto link_rate, auto pass_seconds) { return max(0.0, bytes / link_rate - pass_seconds); }};

} // namespace meshwright::formula

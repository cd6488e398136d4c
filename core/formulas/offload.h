// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/function.h"

#include <algorithm>

namespace meshwright::formula {

/// Sustained rate in bytes/s: the host link's bandwidth per direction times a factor. The factor is the link's
/// efficiency, or the rate of host memory during the optimizer update relative to the link's bandwidth.
inline FormulaFunction host_rate{[](auto bandwidth, auto share) { return bandwidth * share; }};
/// Time of the optimizer update on the host. During the update, gradients arrive and weights leave at the same time.
/// @param bytes_per_parameter memory traffic of the update
/// Source: ZeRO-Offload, arXiv 2101.06840
inline FormulaFunction host_update_seconds{[](auto parameters, auto bytes_per_parameter, auto gradient_bytes,
                                              auto weight_bytes, auto link_rate, auto update_rate) {
    return parameters * max(bytes_per_parameter / update_rate, max(gradient_bytes, weight_bytes) / link_rate);
}};
/// Bytes of offloaded activations per layer and microbatch. @param slack ratio of allocated bytes to the tensors that
/// operations save
inline FormulaFunction host_copy_bytes{
    [](auto saved_bytes, auto slack, auto offloaded) { return saved_bytes * slack * offloaded; }};
/// Exposed copy time of a layer's forward or backward pass: the part that does not overlap with it. Copies to the host
/// overlap with the forward pass, copies back with the backward pass. Source: Isaev et al., Calculon, SC'23
inline FormulaFunction host_copy_seconds{
    [](auto bytes, auto link_rate, auto pass_seconds) { return max(0.0, bytes / link_rate - pass_seconds); }};

} // namespace meshwright::formula

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/function.h"

#include <algorithm>

/// What states and activations in host memory cost a step.
namespace meshwright::formula {

/// What copies reach of the link between an accelerator and its host, bytes a second each way; what the host's
/// processors move of their memory, which is sized to the links that it feeds.
inline FormulaFunction host_rate{[](double bandwidth, double share) { return bandwidth * share; }};
/// Update of states in host memory by the host's processors: gradients come and weights go beside it, each way by
/// itself. @param bytes_per_parameter  memory traffic of the update
/// Source: ZeRO-Offload, arXiv 2101.06840
inline FormulaFunction host_update_seconds{[](double parameters, double bytes_per_parameter, double gradient_bytes,
                                              double weight_bytes, double link_rate, double update_rate) {
    return parameters * std::max(bytes_per_parameter / update_rate, std::max(gradient_bytes, weight_bytes) / link_rate);
}};
/// Activations of a layer and microbatch that go to host memory. @param slack  allocated against the sum over
/// operations
inline FormulaFunction host_copy_bytes{
    [](double saved_bytes, double slack, double offloaded) { return saved_bytes * slack * offloaded; }};
/// What a layer's pass waits for them: what does not fit beside it, down with the forward and up with the backward
/// pass. Source: Isaev and others, Calculon, SC'23
inline FormulaFunction host_copy_seconds{[](double bytes, double link_rate, double pass_seconds) {
    return std::max(0.0, bytes / link_rate - pass_seconds);
}};

} // namespace meshwright::formula

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "layers/operations.h"

#include <string_view>

/// Helpers that build operations. Include this header only in files that list a layer's operations.
namespace meshwright {

template <Number N>
BasicKernelSeconds<N> seconds_of(const BasicTensorPasses<N> &moved, const BasicDevice<N> &device) {
    const auto bytes = [&moved](const N &passes) {
        return label(passes * label(moved.bytes, {"tensor", "", Quantity::bytes}),
                     {"bytes", "bytes moved by a fused kernel", Quantity::bytes,
                      "tensor size times the number of reads and writes"});
    };
    return device.traffic(bytes(moved.forward), bytes(moved.backward));
}

/// Memory traffic of a fused kernel: the number of times that it reads or writes `bytes` in the forward and in the
/// backward pass.
template <Number N>
BasicTensorPasses<N> passes_over(const N &tensor, double forward, double backward) {
    const auto passes = [](std::string_view title, double times) {
        return read<N>(times,
                       {Origin::software, "passes", title, Quantity::number, "/stack",
                        "counted: reads and writes of the operation's tensor in a fused kernel"});
    };
    return {.bytes = tensor,
            .forward = passes("reads and writes of the tensor, forward", forward),
            .backward = passes("reads and writes of the tensor, backward", backward)};
}

/// A tensor that an operation saves. @param why  names the tensor and the gradient that needs it
template <Number N>
N saved(const N &bytes, std::string_view name, std::string_view why) {
    return label(bytes, {name, why, Quantity::bytes, "Korthikanti et al., arXiv 2205.05198, section 4"});
}

template <Number N>
N stack_number(std::string_view name, std::string_view title, std::string_view field, double value) {
    return read<N>(value, {Origin::software, name, title, Quantity::number, field, "the plan's software"});
}

} // namespace meshwright

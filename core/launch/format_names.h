// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace meshwright {

/// The plan's name for a number format, given its name in PyTorch: "bf16" for "bfloat16". Empty for any text other than
/// "float32", "bfloat16" and "float16".
std::string format_of_torch(std::string_view name);

/// The plan's name of a number format by any of its names: "bf16" for "bf16", "bfloat16" and "torch.bfloat16", "fp32"
/// also for "float", and "fp16" also for "half". Empty for any other text.
std::string format_named(std::string_view name);

} // namespace meshwright

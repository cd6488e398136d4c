// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/format_names.h"

namespace meshwright {

std::string format_of_torch(std::string_view name) {
    return name == "float32" ? "fp32" : name == "bfloat16" ? "bf16" : name == "float16" ? "fp16" : "";
}

std::string format_named(std::string_view name) {
    constexpr std::string_view module = "torch.";
    if (name.starts_with(module))
        name.remove_prefix(module.size());
    if (name == "fp32" || name == "bf16" || name == "fp16")
        return std::string(name);
    return name == "float" ? "fp32" : name == "half" ? "fp16" : format_of_torch(name);
}

} // namespace meshwright

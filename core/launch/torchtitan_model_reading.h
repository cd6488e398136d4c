// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/torchtitan_flavors.h"

#include <optional>
#include <string_view>

namespace meshwright {

/// Reads a Python file that adds a flavor to one of torchtitan's families through its arguments class, as modules for
/// `experimental.custom_import` do: `llama3_args["7B"] = TransformerModelArgs(dim=4096, n_layers=32, ...)`. Only
/// numbers and booleans among the arguments are read. Empty if the text adds no flavor of llama3, qwen3 or deepseek_v3.
std::optional<TorchtitanFlavor> added_flavor(std::string_view python);

} // namespace meshwright

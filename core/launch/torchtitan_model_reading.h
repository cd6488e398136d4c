// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/torchtitan_flavors.h"

#include <optional>
#include <string_view>

namespace meshwright {

/// Reads a Python file that adds a flavor to one of torchtitan's families by its arguments class, as a module of
/// `experimental.custom_import` does: `llama3_args["7B"] = TransformerModelArgs(dim=4096, n_layers=32, ...)`. Arguments
/// other than numbers and booleans are left out. Empty if the text adds no flavor of llama3, qwen3 or deepseek_v3.
std::optional<TorchtitanFlavor> added_flavor(std::string_view python);

} // namespace meshwright

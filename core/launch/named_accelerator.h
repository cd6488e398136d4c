// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace meshwright {

/// The accelerator that a text mentions by a common short name ("train_llama3_8b_h100_fp8.sh", "8xA100-40GB"), as
/// a preset's id; empty if it names none or several.
std::string named_accelerator(std::string_view text);

} // namespace meshwright

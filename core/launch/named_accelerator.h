// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace meshwright {

/// The id of the accelerator preset that a text mentions by a short name ("train_llama3_8b_h100_fp8.sh",
/// "8xA100-40GB"); empty if it mentions none or several.
std::string named_accelerator(std::string_view text);

} // namespace meshwright

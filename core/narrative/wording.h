// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"
#include "quantities/text.h"

#include <string>
#include <vector>

namespace meshwright {

/// A time for display: "23.0 s".
inline std::string duration(double seconds) {
    return text_of(seconds, Quantity::seconds);
}
/// "GPUs" for NVIDIA and AMD, otherwise "accelerators".
std::string accelerators_of(const Plan &plan);
std::string singular_accelerator(const Plan &plan);
/// "a", "a and b", "a, b and c".
std::string enumeration_of(const std::vector<std::string> &items);
/// A count rounded to an integer, with thousands separators.
std::string rounded_count(double count);

} // namespace meshwright

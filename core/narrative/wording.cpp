// SPDX-License-Identifier: GPL-3.0-or-later
#include "narrative/wording.h"

#include <cmath>

namespace meshwright {

std::string singular_accelerator(const Plan &plan) {
    const std::string &vendor = plan.cluster.accelerator.vendor;
    return vendor == "NVIDIA" || vendor == "AMD" ? "GPU" : "accelerator";
}

std::string accelerators_of(const Plan &plan) {
    return singular_accelerator(plan) + "s";
}

std::string enumeration_of(const std::vector<std::string> &items) {
    std::string text;
    for (std::size_t i = 0; i < items.size(); ++i)
        text += (i == 0 ? "" : i + 1 == items.size() ? " and " : ", ") + items[i];
    return text;
}

std::string rounded_count(double count) {
    return grouped(std::round(count));
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/torchtitan_stages.h"

namespace meshwright {

std::vector<std::int64_t> torchtitan_layers(std::int64_t layers, std::int64_t stages, std::int64_t first,
                                            std::int64_t last) {
    const std::int64_t counted = layers + first + last;
    const std::int64_t each = counted / stages;
    if (each < 1 || first > each || last > each)
        return {};
    std::vector<std::int64_t> result(static_cast<std::size_t>(stages), each);
    for (std::int64_t i = 0; i < counted % stages; ++i)
        ++result[static_cast<std::size_t>(i)];
    result.front() -= first;
    result.back() -= last;
    return result;
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace meshwright {

/// A figure that a sentence says.
struct FigureInText {
    std::string text; ///< as it stands there: "12.3 GB"; figures come in the sentence's order
    std::string figure; ///< path of its explanation ("memory.peak_bytes"), or JSON pointer of the plan field that it is
    bool operator==(const FigureInText &) const = default;
};

} // namespace meshwright

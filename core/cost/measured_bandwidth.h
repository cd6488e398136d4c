// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/cluster.h"

#include <optional>
#include <vector>

namespace meshwright {

/// Bus bandwidth of a tier's collectives as measured, by bytes and ranks: straight between measurements where axes are
/// logarithmic; beyond the most bytes, the fewest and the most ranks what was measured last, below the fewest bytes as
/// long as those take.
class MeasuredBandwidth {
public:
    MeasuredBandwidth() = default;
    explicit MeasuredBandwidth(std::vector<BusBandwidth> lines);

    bool empty() const { return m_lines.empty(); }

    /// Two measurements of the same ranks on either side of a size; both the same at the ends.
    struct BySize {
        const BusBandwidth *below = nullptr;
        const BusBandwidth *above = nullptr;
        double bytes_per_second = 0;
    };
    struct Reading {
        BySize fewer; ///< ranks
        BySize more;
        double bytes_per_second = 0;
        bool beneath = false; ///< fewer bytes than were measured
    };
    /// Where one of the two collectives is not measured, the other stands for it. @pre not empty
    Reading at(Collective collective, double ranks, double bytes) const;

    /// What the tier's links sustain for one accelerator. @param inside  accelerators of a group of the tier inside
    /// @param nominal  of its links  @pre not empty
    double sustained(double inside, double nominal) const;

private:
    using Lines = std::vector<BusBandwidth>::const_iterator;
    BySize by_size(Lines first, Lines last, double bytes) const;

    std::vector<BusBandwidth> m_lines; ///< by collective, ranks and bytes
};

} // namespace meshwright

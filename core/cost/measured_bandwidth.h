// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/cluster.h"

#include <optional>
#include <vector>

namespace meshwright {

/// Measured bus bandwidth of a tier's collectives, interpolated linearly over bytes and ranks on logarithmic axes.
/// Above the largest size, and outside the measured range of ranks, the nearest measurement applies. Below the smallest
/// size the time stays constant.
class MeasuredBandwidth {
public:
    MeasuredBandwidth() = default;
    explicit MeasuredBandwidth(std::vector<BusBandwidth> lines);

    bool empty() const { return m_lines.empty(); }

    /// The measured sizes on either side of a message size, for one number of ranks. Outside the measured sizes, both
    /// are the same measurement.
    struct BySize {
        const BusBandwidth *below = nullptr;
        const BusBandwidth *above = nullptr;
        double bytes_per_second = 0;
    };
    struct Reading {
        BySize fewer; ///< for the nearest measured number of ranks at or below the requested one
        BySize more;
        double bytes_per_second = 0;
        bool beneath = false; ///< whether the size is below the smallest measured one
    };
    /// Looks up a collective. All-reduce and all-gather stand in for each other if only one of them was measured. @pre
    /// not empty
    Reading at(Collective collective, double ranks, double bytes) const;

    /// Sustained bandwidth of the tier's links per accelerator.
    /// @param inside accelerators in one domain of the tier below
    /// @param nominal bandwidth of the links
    /// @pre not empty
    double sustained(double inside, double nominal) const;

private:
    using Lines = std::vector<BusBandwidth>::const_iterator;
    BySize by_size(Lines first, Lines last, double bytes) const;

    std::vector<BusBandwidth> m_lines; ///< sorted by collective, ranks and bytes
};

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/cluster.h"
#include "formulas/traced.h"

#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

/// Measured bus bandwidth of a tier's collectives, interpolated linearly over bytes and ranks on logarithmic axes.
/// Above the largest size, and outside the measured range of ranks, the nearest measurement applies. Below the smallest
/// size the time stays constant.
class MeasuredBandwidth {
public:
    MeasuredBandwidth() = default;
    /// @param tier  index of the tier, and its name, for derivations
    explicit MeasuredBandwidth(std::vector<BusBandwidth> lines, std::size_t tier = 0, std::string name = {});

    bool empty() const { return m_lines.empty(); }

    template <Number N>
    struct Reading {
        N bytes_per_second = 0;
        bool beneath = false; ///< whether the size is below the smallest measured one
    };
    /// Looks up a collective. All-reduce and all-gather stand in for each other if only one of them was measured. @pre
    /// not empty
    template <Number N = double>
    Reading<N> at(Collective collective, const N &ranks, const N &bytes) const;

    /// Sustained bandwidth of the tier's links per accelerator.
    /// @param inside accelerators in one domain of the tier below
    /// @param nominal bandwidth of the links
    /// @pre not empty
    double sustained(double inside, double nominal) const;

private:
    using Lines = std::vector<BusBandwidth>::const_iterator;
    /// Bandwidth at a size, from the measurements with one number of ranks.
    template <Number N>
    N by_size(Lines first, Lines last, const N &bytes) const;
    template <Number N>
    N measured_number(double value, std::string_view name, Quantity quantity) const;

    std::vector<BusBandwidth> m_lines; ///< sorted by collective, ranks and bytes
    std::size_t m_tier = 0;
    std::string m_name;
};

} // namespace meshwright

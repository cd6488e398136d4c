// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

namespace meshwright {

/// One transfer through something that is shared.
struct Flow {
    double start = 0; ///< s
    double bits = 0;
    double most_bits_per_second = 0; ///< what its own link allows
    double end = 0; ///< found by the sharing
};

/// A server's link that many transfers go through at once: max-min fair among those of one fragment, with fragments in
/// the order of their release before each other. Source: Bertsekas and Gallager, Data Networks, section 6.5.2.
class SharedCapacity {
public:
    explicit SharedCapacity(double bits_per_second);

    /// Finds when the flows of one fragment end. Later fragments get what this one leaves.
    void share(std::vector<Flow> &flows);

private:
    /// From `start` to the next segment's start this much is left.
    struct Segment {
        double start;
        double free;
    };

    void forget_before(double time);
    std::size_t segment_at(double time) const;
    void take(double from, double to, double rate);
    void split(double time);
    void set_rates(double free);

    std::vector<Segment> m_segments;
    std::vector<std::size_t> m_order; ///< scratch: flows by their own rate
    std::vector<double> m_left; ///< scratch: bits of flows
    std::vector<double> m_rates;
    std::vector<std::size_t> m_active; ///< flows under way, slowest own rate first
    std::vector<Flow> *m_flows = nullptr;
};

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace meshwright {

struct Flow {
    double start = 0; ///< start of the transfer in seconds
    double bits = 0;
    double max_bits_per_second = 0; ///< maximum rate of the flow, set by its own link
    double end = 0; ///< end in seconds, calculated by share()
};

/// A server's link that many transfers share. Rates are max-min fair among the transfers of one fragment, and earlier
/// fragments have priority over later ones. Source: Bertsekas and Gallager, Data Networks, section 6.5.2.
///
/// Flows whose own link is slower than the fair rate run at their own rate. All others have the same rate, so one
/// counter of the bits carried at the fair rate suffices for them. Starting, ending or switching a flow takes
/// logarithmic time in the number of flows.
class SharedCapacity {
public:
    explicit SharedCapacity(double bits_per_second);

    /// Calculates when the flows of one fragment end. Later fragments get the capacity that remains.
    void share(std::vector<Flow> &flows);

private:
    /// A segment of time with constant capacity, from `start` to the next segment's start.
    struct Segment {
        double start;
        double free;
    };
    /// The end of a flow: a time for a flow at its own rate, or a number of bits for a flow at the fair rate.
    struct End {
        double at;
        std::size_t rank;
        // Reversed, so that the top of a heap is the earliest end.
        bool operator<(const End &other) const { return at > other.at; }
    };
    enum class Kind : unsigned char { absent, fair, own };

    void forget_before(double time);
    template <typename Key>
    void sort_by(const Key &key);
    void begin(std::vector<Flow> &flows);
    void join(std::size_t rank, double left);
    void to_fair(std::size_t rank, double left);
    void to_own_rate(std::size_t rank, double left);
    double left_of(std::size_t rank) const;
    void demote(std::size_t rank);
    void balance(double free);
    double fair_rate_of(double free) const;
    void drop_stale(std::vector<End> &heap, Kind kind) const;
    void end(std::size_t rank);
    void advance(double until);
    double next_end();
    void take_used(double from, double to);
    void merge_used();

    std::vector<Segment> m_segments;
    std::vector<Segment> m_used; ///< capacity used by the current fragment in each segment
    std::vector<Segment> m_merged; ///< scratch space for merging segments
    std::vector<std::size_t> m_by_start; ///< indices into m_by_rate, ordered by the flows' start
    std::vector<std::size_t> m_by_rate; ///< flows, sorted by their own rate; `rank` is an index into it

    std::vector<std::pair<double, std::size_t>> m_sorted; ///< scratch space for sorting
    std::vector<Flow> *m_flows = nullptr;
    std::vector<double> m_rates;
    /// End of each flow, in the order of m_by_rate: the time of its end if it runs at its own rate; the value of
    /// m_carried at its end, in bits, if it runs at the fair rate.
    std::vector<double> m_ends;
    std::vector<Kind> m_kinds;
    std::vector<End> m_fair_ends; ///< heaps of the flows' ends; an entry is stale if its flow has changed its Kind
    std::vector<End> m_own_ends;
    std::size_t m_slower = 0; ///< number of flows whose own rate is at most the fair rate
    double m_time = 0;
    double m_fair_rate = 0;
    double m_carried = 0; ///< bits carried so far by a flow at the fair rate
    double m_own_sum = 0; ///< total rate in bits/s of flows that run at their own rate
    std::size_t m_own = 0; ///< number of flows that run at their own rate
    std::size_t m_fair = 0;
};

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace meshwright {

/// One transfer through something that is shared.
struct Flow {
    double start = 0; ///< s
    double bits = 0;
    double max_bits_per_second = 0; ///< what its own link allows
    double end = 0; ///< found by the sharing
};

/// A server's link that many transfers go through at once: max-min fair among those of one fragment, with fragments in
/// the order of their release before each other. Source: Bertsekas and Gallager, Data Networks, section 6.5.2.
///
/// Flows whose own link is slower than the fair share go at their own rate; all others have one rate, so that only what
/// that has carried in all has to be counted. A flow that starts or ends takes the logarithm of their number, and what
/// it moves from one kind to the other.
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
    /// A flow ends when it is this late, or when the fair share has carried so much.
    struct End {
        double at;
        std::size_t rank;
        bool operator<(const End &other) const { return at > other.at; } // the earliest on top of a heap
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
    std::vector<Segment> m_used; ///< of the fragment at hand: what it takes from each time on
    std::vector<Segment> m_merged; ///< scratch
    std::vector<std::size_t> m_by_start; ///< ranks of flows
    std::vector<std::size_t> m_by_rate; ///< flows by their own rate; a place in it is a flow's rank

    std::vector<std::pair<double, std::size_t>> m_sorted; ///< scratch
    std::vector<Flow> *m_flows = nullptr;
    std::vector<double> m_rates; ///< by rank
    std::vector<double> m_ends; ///< by rank, in the sense of its kind
    std::vector<Kind> m_kinds; ///< by rank
    std::vector<End> m_fair_ends; ///< heaps; what a flow said before it went over to the other kind is stale
    std::vector<End> m_own_ends;
    std::size_t m_slower = 0; ///< ranks whose own rate is no more than the fair one
    double m_time = 0;
    double m_fair_rate = 0;
    double m_carried = 0; ///< bits, by a flow at the fair rate
    double m_own_sum = 0; ///< bits/s, of those at their own rate
    std::size_t m_own = 0; ///< how many these are
    std::size_t m_fair = 0;
};

} // namespace meshwright

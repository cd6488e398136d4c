// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "search/layout.h"
#include "search/score.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace meshwright {

struct Candidate {
    Layout layout;
    Score score;
};

/// Better objective, then shorter run, then shorter step, then the simpler layout: a strict order.
bool is_better(const Candidate &a, const Candidate &b);

/// What a search is to find.
struct Wanted {
    std::size_t top = 10; ///< how many of the best
    bool pareto = true; ///< the front of run time, peak, cost and accelerators, as far as `front_reach`
    bool curves = false; ///< the best at every value of a field
    std::vector<LayoutField> curve_fields; ///< of these fields; empty: of all
    bool by_schedule = false; ///< the best of every schedule
};

/// The front goes on until a run takes so many times the shortest and costs so many times the cheapest: what saves
/// memory at twice the time is no choice that anybody has.
inline constexpr double front_reach = 1.25;

/// Places of a layout's values in them; `any` where the layout is not that far decided.
using FieldPlaces = std::array<std::uint16_t, layout_field_count>;
inline constexpr std::uint16_t any_place = UINT16_MAX;
std::uint16_t place_of(const FieldValues &values, LayoutField field, std::int64_t value);

/// Collects what a search is to find, and says what could still change it.
class Goals {
public:
    /// @param found  what has been found before and stands still meanwhile; null: nothing
    Goals(const Wanted &wanted, const FieldValues &values, const Goals *found);

    /// Whether a layout that is in no respect better than `bound` could be among what is wanted. Where it could not, a
    /// layout is in what is wanted already that is better in every respect.
    bool could_matter(const Score &bound, const FieldPlaces &places) const {
        return could_be_best(bound) || (m_wanted.pareto && could_be_on_front(bound))
            || (m_wanted.curves && could_be_on_curve(bound, places));
    }
    bool wants_curves() const { return m_wanted.curves; }
    bool goes_by_time_alone() const { return !m_wanted.pareto && !m_wanted.curves; }
    void add(const Candidate &candidate, const FieldPlaces &places);
    void add(const Goals &other);

    std::vector<Candidate> best() const; ///< best first
    std::vector<Candidate> front() const; ///< by run time
    /// By field and value; step_seconds of infinity: none was found.
    const std::array<std::vector<Candidate>, layout_field_count> &curves() const { return m_curves; }

private:
    bool could_be_best(const Score &bound) const {
        if (m_wanted.top == 0 || (m_full && is_less(m_limit, bound)))
            return false;
        return m_found == nullptr || m_found->could_be_best(bound);
    }
    bool could_be_on_front(const Score &bound) const;
    bool is_within_reach(const Score &score) const;
    bool could_be_on_curve(const Score &bound, const FieldPlaces &places) const;
    double min_on_curve(std::size_t field, std::uint16_t place) const;
    void add_best(const Candidate &candidate);
    void add_front(const Candidate &candidate);
    void add_curves(const Candidate &candidate, const FieldPlaces &places);
    void settle();

    Wanted m_wanted;
    const Goals *m_found;
    std::vector<Candidate> m_best; ///< the wanted number and some more
    bool m_full = false; ///< m_limit holds
    Score m_limit; ///< of the last one wanted
    std::vector<Candidate> m_front;
    double m_shortest_run; ///< of all that were added
    double m_cheapest_run; ///< dollars
    std::array<std::vector<Candidate>, layout_field_count> m_curves;
    std::array<double, layout_field_count> m_highest{}; ///< of each curve
};

} // namespace meshwright

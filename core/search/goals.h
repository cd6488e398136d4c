// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "search/configuration.h"
#include "search/score.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace meshwright {

struct Candidate {
    Configuration layout;
    Score score;
};

/// A strict order of candidates: by objective, then by run time, then by step time, then by simplicity.
bool is_better(const Candidate &a, const Candidate &b);

struct Wanted {
    std::size_t top = 10;
    /// Whether to list the Pareto front of run time, peak memory, cost and accelerators, up to `front_reach`.
    bool pareto = true;
    bool curves = false; ///< whether to list the best configuration at every value of a field
    std::vector<ConfigurationField> curve_fields;
    bool by_schedule = false; ///< whether to list the best configuration of every schedule
};

/// Cutoff of the Pareto front: a configuration is on the front only if its run time or its cost is at most this factor
/// times the minimum, because saving memory is not worth a much longer run.
inline constexpr double front_reach = 1.25;

/// Indices of a configuration's values in FieldValues; `any` if a value has not been decided yet.
using FieldPlaces = std::array<std::uint16_t, configuration_field_count>;
inline constexpr std::uint16_t any_place = UINT16_MAX;
std::uint16_t place_of(const FieldValues &values, ConfigurationField field, std::int64_t value);

/// Collects the results of a search, and tells whether a candidate could still change them.
class Goals {
public:
    /// @param found  results of earlier rounds, which must not change while this object is used; null if none
    Goals(const Wanted &wanted, const FieldValues &values, const Goals *found);

    /// Whether a configuration that is no better than `bound` in any objective could be listed. If not, the lists
    /// already have one that is better in every objective.
    bool could_matter(const Score &bound, const FieldPlaces &places) const {
        return could_be_best(bound) || (m_wanted.pareto && could_be_on_front(bound))
            || (m_wanted.curves && could_be_on_curve(bound, places));
    }
    bool wants_curves() const { return m_wanted.curves; }
    bool goes_by_time_alone() const { return !m_wanted.pareto && !m_wanted.curves; }
    void add(const Candidate &candidate, const FieldPlaces &places);
    void add(const Goals &other);

    std::vector<Candidate> best() const;
    std::vector<Candidate> front() const; ///< Pareto front, sorted by run time
    /// Curves by field and value; step_seconds is infinite if no configuration was found.
    const std::array<std::vector<Candidate>, configuration_field_count> &curves() const { return m_curves; }

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
    std::vector<Candidate> m_best; ///< at least the best `top` candidates
    bool m_full = false;
    Score m_limit; ///< score of the last listed candidate, which a new one must beat
    std::vector<Candidate> m_front;
    double m_shortest_run;
    double m_cheapest_run; ///< lowest cost of a run, in dollars
    std::array<std::vector<Candidate>, configuration_field_count> m_curves;
    std::array<double, configuration_field_count> m_highest{}; ///< largest value of the objective on each curve
};

} // namespace meshwright

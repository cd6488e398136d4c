// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/goals.h"

#include <algorithm>
#include <limits>

namespace meshwright {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Whether `a` is at least as good as `b` in every objective of the Pareto front.
bool covers(const Score &a, const Score &b) {
    return a.run_seconds <= b.run_seconds && a.peak_bytes <= b.peak_bytes && a.dollars <= b.dollars
        && a.accelerators <= b.accelerators;
}

bool is_equal(const Score &a, const Score &b) {
    return a.run_seconds == b.run_seconds && a.peak_bytes == b.peak_bytes && a.dollars == b.dollars
        && a.accelerators == b.accelerators;
}

bool beats(const Candidate &a, const Candidate &b) {
    if (is_equal(a.score, b.score))
        return is_better(a, b);
    return covers(a.score, b.score);
}

} // namespace

bool is_better(const Candidate &a, const Candidate &b) {
    if (is_less(a.score, b.score))
        return true;
    return !is_less(b.score, a.score) && is_simpler(a.layout, b.layout);
}

std::uint16_t place_of(const FieldValues &values, ConfigurationField field, std::int64_t value) {
    const std::vector<std::int64_t> &all = values[static_cast<std::size_t>(field)];
    return static_cast<std::uint16_t>(std::lower_bound(all.begin(), all.end(), value) - all.begin());
}

Goals::Goals(const Wanted &wanted, const FieldValues &values, const Goals *found)
    : m_wanted(wanted)
    , m_found(found)
    , m_shortest_run(infinity)
    , m_cheapest_run(infinity) {
    m_highest.fill(infinity);
    if (!m_wanted.curves)
        return;
    Candidate none;
    none.score.objective = none.score.run_seconds = none.score.step_seconds = infinity;
    const std::vector<ConfigurationField> &fields = m_wanted.curve_fields;
    for (std::size_t i = 0; i < configuration_field_count; ++i)
        if (fields.empty()
            || std::find(fields.begin(), fields.end(), static_cast<ConfigurationField>(i)) != fields.end())
            m_curves[i].assign(values[i].size(), none);
}

bool Goals::is_within_reach(const Score &score) const {
    return score.run_seconds <= front_reach * m_shortest_run || score.dollars <= front_reach * m_cheapest_run;
}

bool Goals::could_be_on_front(const Score &bound) const {
    if (!is_within_reach(bound))
        return false;
    for (const Candidate &candidate : m_front)
        if (covers(candidate.score, bound) && !is_equal(candidate.score, bound))
            return false;
    return m_found == nullptr || m_found->could_be_on_front(bound);
}

double Goals::min_on_curve(std::size_t field, std::uint16_t place) const {
    const double own = place == any_place ? m_highest[field] : m_curves[field][place].score.objective;
    return m_found == nullptr ? own : std::min(own, m_found->min_on_curve(field, place));
}

bool Goals::could_be_on_curve(const Score &bound, const FieldPlaces &places) const {
    for (std::size_t field = 0; field < configuration_field_count; ++field)
        if (!m_curves[field].empty() && bound.objective <= min_on_curve(field, places[field]))
            return true;
    return false;
}

void Goals::add(const Candidate &candidate, const FieldPlaces &places) {
    if (m_wanted.top > 0)
        add_best(candidate);
    if (m_wanted.pareto)
        add_front(candidate);
    if (m_wanted.curves)
        add_curves(candidate, places);
}

void Goals::add_best(const Candidate &candidate) {
    if (m_full && is_less(m_limit, candidate.score))
        return;
    m_best.push_back(candidate);
    if (m_best.size() >= 2 * m_wanted.top + 16 || (!m_full && m_best.size() >= m_wanted.top))
        settle();
}

void Goals::settle() {
    if (m_wanted.top == 0 || m_best.size() < m_wanted.top)
        return;
    const auto last = m_best.begin() + static_cast<std::ptrdiff_t>(m_wanted.top) - 1;
    std::nth_element(m_best.begin(), last, m_best.end(), is_better);
    m_limit = last->score;
    m_full = true;
    m_best.resize(m_wanted.top);
}

void Goals::add_front(const Candidate &candidate) {
    m_shortest_run = std::min(m_shortest_run, candidate.score.run_seconds);
    m_cheapest_run = std::min(m_cheapest_run, candidate.score.dollars);
    for (const Candidate &other : m_front)
        if (beats(other, candidate))
            return;
    std::erase_if(m_front, [&](const Candidate &other) { return beats(candidate, other); });
    m_front.push_back(candidate);
}

void Goals::add_curves(const Candidate &candidate, const FieldPlaces &places) {
    for (std::size_t field = 0; field < configuration_field_count; ++field) {
        if (places[field] >= m_curves[field].size())
            continue; // the plan's value may lie outside the search space
        Candidate &best = m_curves[field][places[field]];
        if (!is_better(candidate, best))
            continue;
        best = candidate;
        const auto highest = std::max_element(
            m_curves[field].begin(), m_curves[field].end(),
            [](const Candidate &a, const Candidate &b) { return a.score.objective < b.score.objective; });
        m_highest[field] = highest->score.objective;
    }
}

void Goals::add(const Goals &other) {
    if (!other.m_best.empty()) {
        for (const Candidate &candidate : other.m_best)
            add_best(candidate);
        settle();
    }
    for (const Candidate &candidate : other.m_front)
        add_front(candidate);
    for (std::size_t field = 0; field < configuration_field_count; ++field)
        for (std::size_t i = 0; i < other.m_curves[field].size(); ++i) {
            FieldPlaces places;
            places.fill(any_place);
            places[field] = static_cast<std::uint16_t>(i);
            if (other.m_curves[field][i].score.objective < infinity)
                add_curves(other.m_curves[field][i], places);
        }
}

std::vector<Candidate> Goals::best() const {
    std::vector<Candidate> best = m_best;
    std::sort(best.begin(), best.end(), is_better);
    best.resize(std::min(best.size(), m_wanted.top));
    return best;
}

std::vector<Candidate> Goals::front() const {
    std::vector<Candidate> front = m_front;
    std::erase_if(front, [this](const Candidate &candidate) { return !is_within_reach(candidate.score); });
    std::sort(front.begin(), front.end(), [](const Candidate &a, const Candidate &b) {
        if (a.score.run_seconds != b.score.run_seconds)
            return a.score.run_seconds < b.score.run_seconds;
        return is_better(a, b);
    });
    return front;
}

} // namespace meshwright

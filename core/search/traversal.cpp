// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/traversal.h"

#include <tbb/parallel_for.h>

#include <algorithm>

namespace meshwright {

namespace {

constexpr std::size_t first_round = 4; ///< pieces: what it finds spares the others most
constexpr std::size_t longest_round = 32;
constexpr std::size_t first_families = 32; ///< most families are never looked into
constexpr std::int64_t first_looks = 16; ///< layouts of a piece that are evaluated before it is another's turn

/// In how many degrees a stem is another than a layout's.
int differences(const Stem &stem, const Layout &layout) {
    return (stem.variant == std::max(0, layout.variant) ? 0 : 1) + (stem.tensor == layout.tensor ? 0 : 1)
        + (stem.context == layout.context ? 0 : 1) + (stem.expert == layout.expert ? 0 : 1)
        + (stem.expert_tensor == layout.expert_tensor ? 0 : 1)
        + (stem.micro_sequences == layout.micro_sequences ? 0 : 1)
        + (stem.sequence_parallel == layout.sequence_parallel ? 0 : 1);
}

} // namespace

Traversal::Traversal(Request request, Goals &goals)
    : m_request(std::move(request))
    , m_goals(goals)
    , m_pieces(pieces_of(m_request.space))
    , m_families(families_of(m_request.space, m_pieces))
    , m_round(first_round) { }

void Traversal::run() {
    climb();
    bound_families();
    go_through_families();
}

/// From the plan's own stem to better ones, each time through all that differ from it in one degree at most: what is
/// found on the way spares most of the others.
void Traversal::climb() {
    Works works;
    for (Layout at = m_request.present; !m_request.stop.stop_requested();) {
        works.clear();
        for (Piece &piece : m_pieces)
            if (!piece.is_done && differences(m_request.space.stems()[piece.stem], at) <= 1) {
                piece.is_done = true;
                works.push_back({.piece = &piece, .bound = {}, .search = {}});
            }
        if (works.empty())
            return;
        go_through(works);
        const std::vector<Candidate> best = m_goals.best();
        if (!best.empty())
            at = best.front().layout;
    }
}

void Traversal::bound_families() {
    tbb::parallel_for(std::size_t{0}, m_families.size(), [&](std::size_t i) {
        if (m_request.stop.stop_requested())
            return;
        Family &family = m_families[i];
        const StemSearch::Variant &variant = variant_of(family.least);
        const double least =
            least_step_seconds(family, m_request.space, m_request.values, variant, scratch(family.least.variant));
        family.bound = variant.appraiser.worth(least, 0);
    });
    sort_by_bound(m_families);
}

/// In batches, lowest bound first.
void Traversal::go_through_families() {
    std::size_t batch = first_families;
    Works works;
    for (std::size_t next = 0; next < m_families.size() && !m_request.stop.stop_requested(); batch *= 2) {
        works.clear();
        for (std::size_t taken = 0; next < m_families.size() && taken < batch; ++next) {
            const Family &family = m_families[next];
            const bool matters = could_matter(family.bound);
            taken += matters ? 1 : 0;
            for (std::size_t i = family.first_piece; i < family.last_piece; ++i) {
                if (m_pieces[i].is_done)
                    continue;
                if (matters)
                    works.push_back({.piece = &m_pieces[i], .bound = {}, .search = {}});
                else
                    m_considered += m_pieces[i].layouts;
            }
        }
        go_through(works);
    }
}

/// First every unit of every piece is opened, then what waits is looked at.
void Traversal::go_through(Works &works) {
    bound_pieces(works);
    open(works);
    look_at_waiting(works);
    for (const Work &work : works)
        if (work.search != nullptr) {
            m_evaluated += work.search->evaluated();
            m_funnel += work.search->funnel();
        }
}

void Traversal::bound_pieces(Works &works) {
    tbb::parallel_for(std::size_t{0}, works.size(), [&](std::size_t i) {
        if (m_request.stop.stop_requested())
            return;
        const Stem &stem = m_request.space.stems()[works[i].piece->stem];
        works[i].search = std::make_unique<StemSearch>(m_request.space, m_request.values, variant_of(stem), stem,
                                                       scratch(stem.variant));
        works[i].bound = variant_of(stem).appraiser.worth(works[i].search->least_step_seconds(), 0);
    });
    sort_by_bound(works);
}

void Traversal::open(Works &works) {
    std::vector<const Work *> round;
    for (auto next = works.begin(); next != works.end() && !m_request.stop.stop_requested();) {
        round.clear();
        for (; next != works.end() && round.size() < m_round; ++next) {
            m_considered += next->piece->layouts;
            if (could_matter(next->bound))
                round.push_back(&*next);
            else
                next->search.reset();
        }
        in_parallel(round, [this](const Work &work, const Layout *skip, Goals &found) {
            for (std::size_t unit = work.piece->first_unit; unit < work.piece->last_unit; ++unit)
                work.search->open(m_request.space.units()[unit], skip, found, m_request.stop);
        });
        m_round = std::min(2 * m_round, longest_round);
        report();
    }
}

/// Lowest bound first and a little of each piece at a time, for each look may spare others.
void Traversal::look_at_waiting(const Works &works) {
    std::vector<const Work *> waiting;
    for (const Work &work : works)
        if (work.search != nullptr)
            waiting.push_back(&work);
    std::vector<const Work *> round;
    for (std::int64_t most = first_looks; !waiting.empty() && !m_request.stop.stop_requested(); most *= 2) {
        std::erase_if(waiting, [](const Work *work) { return !work->search->waits(); });
        std::stable_sort(waiting.begin(), waiting.end(), [](const Work *a, const Work *b) {
            return a->search->least_waiting_seconds() < b->search->least_waiting_seconds();
        });
        for (std::size_t next = 0; next < waiting.size(); next += round.size()) {
            const auto first = waiting.begin() + static_cast<std::ptrdiff_t>(next);
            round.assign(first, first + static_cast<std::ptrdiff_t>(std::min(longest_round, waiting.size() - next)));
            in_parallel(round, [this, most](const Work &work, const Layout *skip, Goals &found) {
                work.search->go_on(most, skip, found, m_request.stop);
            });
        }
        report();
    }
}

/// A round: all of its pieces see what the rounds before have found, so that the number of threads changes nothing.
template <typename Run>
void Traversal::in_parallel(const std::vector<const Work *> &works, const Run &run) {
    std::vector<Goals> found(works.size(), Goals(m_request.wanted, m_request.values, &m_goals));
    tbb::parallel_for(std::size_t{0}, works.size(), [&](std::size_t i) {
        if (m_request.stop.stop_requested())
            return;
        works[i]->search->use(scratch(m_request.space.stems()[works[i]->piece->stem].variant));
        run(*works[i], m_request.space.holds_present() ? &m_request.present : nullptr, found[i]);
    });
    for (const Goals &one : found)
        m_goals.add(one);
}

Plan &Traversal::scratch(std::int32_t variant) {
    Scratch &own = m_scratch.local();
    if (own.variant != variant) {
        own.variant = variant;
        own.plan = m_request.space.variants()[static_cast<std::size_t>(variant)];
    }
    return own.plan;
}

const StemSearch::Variant &Traversal::variant_of(const Stem &stem) const {
    return m_request.variants[static_cast<std::size_t>(stem.variant)];
}

bool Traversal::could_matter(const Worth &bound) const {
    FieldPlaces places;
    places.fill(any_place);
    return m_goals.could_matter(bound, places);
}

void Traversal::report() const {
    if (m_request.progress)
        m_request.progress(m_considered);
}

} // namespace meshwright

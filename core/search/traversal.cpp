// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/traversal.h"

#include "threads/for_each_index.h"

#include <algorithm>

namespace meshwright {

namespace {

/// Number of pieces in the first round. Its results rule out most other pieces.
constexpr std::size_t first_round = 4;
constexpr std::size_t longest_round = 256;
constexpr std::size_t climbed_together =
    8; ///< number of best kernel shapes that each round of hill climbing starts from
constexpr std::size_t first_families =
    32; ///< number of families in the first batch, after which most other families are ruled out
constexpr std::size_t max_families = 4096; ///< maximum number of families per batch
constexpr std::size_t max_open = 8192; ///< maximum number of queued pieces, which take tens of kilobytes each
constexpr std::int64_t max_waiting =
    4'000'000; ///< maximum number of queued configurations, which take tens of bytes each
constexpr std::int64_t first_looks = 16; ///< number of configurations of one piece to evaluate before the next piece

KernelShape kernel_shape_of(const Configuration &layout) {
    return {.variant = std::max(0, layout.variant),
            .tensor = layout.tensor,
            .context = layout.context,
            .expert = layout.expert,
            .expert_tensor = layout.expert_tensor,
            .micro_sequences = layout.micro_sequences,
            .sequence_parallel = layout.sequence_parallel};
}

/// Number of settings that differ between two kernel shapes, not counting the expert-parallel degree.
int differences(const KernelShape &a, const KernelShape &b) {
    return (a.variant == b.variant ? 0 : 1) + (a.tensor == b.tensor ? 0 : 1) + (a.context == b.context ? 0 : 1)
        + (a.expert_tensor == b.expert_tensor ? 0 : 1) + (a.micro_sequences == b.micro_sequences ? 0 : 1)
        + (a.sequence_parallel == b.sequence_parallel ? 0 : 1);
}

} // namespace

Traversal::Traversal(Request request, Goals &goals)
    : m_request(std::move(request))
    , m_goals(goals)
    , m_round(first_round) {
    for (const ShapeFamily &family : m_request.space.families())
        m_families.push_back({.kernel_shapes = &family, .bound = {}, .pieces = {}});
}

void Traversal::run() {
    climb();
    bound_families();
    go_through_families();
}

/// Hill climbing from the plan's own kernel shape, for all expert degrees. Each round searches all shapes that differ
/// from one of the best in at most one degree. Its results rule out most other shapes.
void Traversal::climb() {
    Works works;
    std::vector<KernelShape> from{kernel_shape_of(m_request.present)};
    std::vector<KernelShape> behind;
    for (int most = 0; !from.empty() && !m_request.stop.stop_requested(); most = 1) {
        works.clear();
        for (const KernelShape &at : from)
            for (Family &family : m_families)
                if (const int others = differences(family.kernel_shapes->kernel_shape, at); others <= most)
                    look_into(family, works, [&](const KernelShape &kernel_shape) {
                        return others == 0 || kernel_shape.expert == at.expert;
                    });
        go_through(works);
        if (most > 0)
            behind.insert(behind.end(), from.begin(), from.end());
        from = best_kernel_shapes(behind);
    }
}

/// The kernel shapes of the best configurations so far, or the plan's own shape if there are none. Omits the shapes in
/// `behind`.
std::vector<KernelShape> Traversal::best_kernel_shapes(const std::vector<KernelShape> &behind) const {
    std::vector<KernelShape> best;
    for (const Candidate &candidate : m_goals.best())
        if (const KernelShape kernel_shape = kernel_shape_of(candidate.layout);
            best.size() < climbed_together && std::find(best.begin(), best.end(), kernel_shape) == best.end())
            best.push_back(kernel_shape);
    if (best.empty())
        best.push_back(kernel_shape_of(m_request.present));
    std::erase_if(best, [&](const KernelShape &kernel_shape) {
        return std::find(behind.begin(), behind.end(), kernel_shape) != behind.end();
    });
    return best;
}

void Traversal::list_pieces(Family &family) const {
    if (family.pieces.empty())
        family.pieces = m_request.space.pieces_of(*family.kernel_shapes);
}

void Traversal::look_into(Family &family, Works &works,
                          const std::function<bool(const KernelShape &kernel_shape)> &wanted) {
    list_pieces(family);
    for (Piece &piece : family.pieces)
        if (!piece.is_done && wanted(piece.kernel_shape)) {
            piece.is_done = true;
            works.push_back({.piece = &piece, .bound = {}, .search = {}, .funnel = {}});
        }
}

void Traversal::bound_families() {
    for_each_index(m_families.size(), [&](std::size_t i) {
        if (m_request.stop.stop_requested())
            return;
        Family &family = m_families[i];
        const KernelShape &kernel_shape = family.kernel_shapes->kernel_shape;
        const ShapeSearch::Variant &variant = variant_of(kernel_shape);
        const double least = min_step_seconds(*family.kernel_shapes, m_request.space, m_request.values, variant,
                                              scratch(kernel_shape.variant));
        family.bound = variant.scorer.score(least, 0);
    });
    sort_by_bound(m_families);
}

/// Searches the families in batches, lowest bound first.
void Traversal::go_through_families() {
    std::size_t most = first_families;
    std::vector<Family *> batch;
    Works works;
    for (auto next = m_families.begin(); next != m_families.end() && !m_request.stop.stop_requested();
         most = std::min(2 * most, max_families)) {
        batch.clear();
        for (; next != m_families.end() && batch.size() < most; ++next) {
            if (could_matter(next->bound)) {
                batch.push_back(&*next);
                continue;
            }
            m_considered += next->pieces.empty() ? next->kernel_shapes->layouts : 0;
            for (const Piece &piece : next->pieces)
                m_considered += piece.is_done ? 0 : piece.layouts;
        }
        for_each_index(batch.size(), [&](std::size_t i) { list_pieces(*batch[i]); });
        works.clear();
        for (Family *family : batch)
            look_into(*family, works, [](const KernelShape &) { return true; });
        go_through(works);
        for (Family *family : batch)
            family->pieces = {};
    }
}

/// Bounds and sorts the pieces, then evaluates them from the lowest bound up, in groups with few enough configurations
/// to be queued in memory.
void Traversal::go_through(Works &works) {
    bound_pieces(works);
    for (std::size_t begin = 0; begin < works.size();) {
        std::int64_t layouts = 0;
        std::size_t end = begin;
        for (; end < works.size() && end - begin < max_open
             && (end == begin || layouts + works[end].piece->layouts <= max_waiting);
             ++end)
            layouts += works[end].piece->layouts;
        const std::span<Work> together = std::span(works).subspan(begin, end - begin);
        open(together);
        look_at_waiting(together);
        for_each_index(together.size(), [&](std::size_t i) { together[i].finish(); });
        begin = end;
    }
    for (const Work &work : works) {
        m_evaluated += work.evaluated;
        m_funnel += work.funnel;
    }
}

void Traversal::Work::finish() {
    if (search == nullptr)
        return;
    evaluated = search->evaluated();
    funnel = search->funnel();
    search.reset();
}

void Traversal::bound_pieces(Works &works) {
    for_each_index(works.size(), [&](std::size_t i) {
        if (m_request.stop.stop_requested())
            return;
        const KernelShape &kernel_shape = works[i].piece->kernel_shape;
        // The object is not stored: most pieces are never searched, and one object per piece would take too much
        // memory.
        const ShapeSearch search(m_request.space, m_request.values, variant_of(kernel_shape), kernel_shape,
                                 scratch(kernel_shape.variant));
        works[i].bound = variant_of(kernel_shape).scorer.score(search.min_step_seconds(), 0);
    });
    sort_by_bound(works);
}

void Traversal::open(std::span<Work> works) {
    std::vector<Work *> round;
    for (auto next = works.begin(); next != works.end() && !m_request.stop.stop_requested();) {
        round.clear();
        for (; next != works.end() && round.size() < m_round; ++next) {
            m_considered += next->piece->layouts;
            if (could_matter(next->bound))
                round.push_back(&*next);
        }
        in_parallel(round, [this](const Work &work, const Configuration *skip, Goals &found) {
            for (const PipelineUnit *unit : work.piece->units)
                work.search->open(*unit, skip, found, m_request.stop);
        });
        m_round = std::min(2 * m_round, longest_round);
        report();
    }
}

/// Evaluates queued configurations, lowest bound first. Takes only a few from each piece at a time, because each
/// evaluation may rule out others.
void Traversal::look_at_waiting(std::span<Work> works) {
    std::vector<Work *> waiting;
    for (Work &work : works)
        if (work.search != nullptr && work.search->waits())
            waiting.push_back(&work);
    std::vector<Work *> round;
    for (std::int64_t most = first_looks; !waiting.empty() && !m_request.stop.stop_requested(); most *= 2) {
        std::erase_if(waiting, [](const Work *work) { return work->search == nullptr; });
        std::stable_sort(waiting.begin(), waiting.end(), [](const Work *a, const Work *b) {
            return a->search->min_waiting_seconds() < b->search->min_waiting_seconds();
        });
        for (std::size_t next = 0; next < waiting.size(); next += round.size()) {
            const auto first = waiting.begin() + static_cast<std::ptrdiff_t>(next);
            round.assign(first, first + static_cast<std::ptrdiff_t>(std::min(longest_round, waiting.size() - next)));
            in_parallel(round, [this, most](const Work &work, const Configuration *skip, Goals &found) {
                work.search->go_on(most, skip, found, m_request.stop);
            });
        }
        report();
    }
}

/// Runs one round. Its pieces use only the results of earlier rounds, so the number of threads does not affect the
/// outcome.
template <typename Run>
void Traversal::in_parallel(const std::vector<Work *> &works, const Run &run) {
    std::vector<std::optional<Goals>> found(works.size());
    for_each_index(works.size(), 1, [&](std::size_t i) {
        if (m_request.stop.stop_requested())
            return;
        const KernelShape &kernel_shape = works[i]->piece->kernel_shape;
        Plan &plan = scratch(kernel_shape.variant);
        if (works[i]->search == nullptr)
            works[i]->search = std::make_unique<ShapeSearch>(m_request.space, m_request.values,
                                                             variant_of(kernel_shape), kernel_shape, plan);
        else
            works[i]->search->use(plan);
        run(*works[i], m_request.space.holds_present() ? &m_request.present : nullptr,
            found[i].emplace(m_request.wanted, m_request.values, &m_goals));
        if (!works[i]->search->waits())
            works[i]->finish();
    });
    for (const std::optional<Goals> &one : found)
        if (one)
            m_goals.add(*one);
}

Plan &Traversal::scratch(std::int32_t variant) {
    Scratch &own = m_scratch.local();
    if (own.variant != variant) {
        own.variant = variant;
        own.plan = *m_request.variants[static_cast<std::size_t>(variant)].plan;
    }
    return own.plan;
}

const ShapeSearch::Variant &Traversal::variant_of(const KernelShape &kernel_shape) const {
    return m_request.variants[static_cast<std::size_t>(kernel_shape.variant)];
}

bool Traversal::could_matter(const Score &bound) const {
    FieldPlaces places;
    places.fill(any_place);
    return m_goals.could_matter(bound, places);
}

void Traversal::report() const {
    if (m_request.progress)
        m_request.progress(m_considered);
}

} // namespace meshwright

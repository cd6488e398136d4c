// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/search.h"

#include "evaluate/evaluate.h"
#include "plan/plan_json.h"
#include "search/outer_settings.h"
#include "search/traversal.h"

#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <chrono>
#include <limits>

namespace meshwright {

namespace {

Constraints constraints_for(const Plan &plan, const SearchOptions &options) {
    constexpr double nothing_is_too_large = -1e30;
    Constraints constraints = constraints_of(plan);
    if (options.any_size)
        constraints.headroom_bytes = nothing_is_too_large;
    return constraints;
}

class Searching {
public:
    /// @param wanted  by closed forms
    Searching(const Plan &plan, const Library &library, const SearchOptions &options, const Wanted &wanted)
        : m_plan(plan)
        , m_options(options)
        , m_constraints(constraints_for(plan, options))
        , m_space(plan, m_constraints, search_variants(plan, m_constraints, options.objective, library), options.shard)
        , m_values(wanted.curves ? m_space.values() : FieldValues{})
        , m_wanted(wanted)
        , m_goals(m_wanted, m_values, nullptr)
        , m_present(layout_of(plan)) {
        const bool outer = plan.outer.method != OuterMethod::none;
        if (outer && m_constraints.searches(SearchOption::outer))
            m_outers = outer_settings(plan);
        for (const Plan &variant : m_space.variants()) {
            const Assumptions assumed(variant.assumptions);
            m_variants.push_back({.plan = &variant,
                                  .assumed = assumed,
                                  .appraiser = Appraiser(variant, options.objective, m_constraints),
                                  .kernels = std::make_shared<KernelTable>(variant, assumed),
                                  .least_held = std::make_shared<LeastHeldTable>(),
                                  .exact_runs = outer && m_space.variants().size() > 1});
        }
    }

    /// In the calling thread's arena.
    SearchResult take() {
        const auto start = std::chrono::steady_clock::now();
        SearchResult result{.objective = m_options.objective, .top = m_options.wanted.top, .shard = m_options.shard};
        result.considered = m_space.layouts();
        look_at_present();
        std::int64_t evaluated = 0;
        if (m_options.shard.index == 0 && !m_space.holds_present()) {
            ++result.considered;
            ++evaluated;
            ++(m_present_fits ? result.funnel.fit : result.funnel.too_large);
        }
        m_total = result.considered;
        Traversal traversal({.space = m_space,
                             .values = m_values,
                             .variants = m_variants,
                             .wanted = m_wanted,
                             .present = m_present,
                             .stop = m_options.stop,
                             .progress = [this](std::int64_t considered) { report(considered); }},
                            m_goals);
        traversal.run();
        result.complete = !m_options.stop.stop_requested();
        result.evaluated = evaluated + traversal.evaluated();
        result.pruned = result.considered - result.evaluated;
        result.funnel += traversal.funnel();
        if (result.complete)
            result.funnel.slower =
                result.considered - result.funnel.fit - result.funnel.too_large - result.funnel.repeats;
        list(result);
        result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        return result;
    }

    /// Whether so many did not fit once executed that fewer are listed than there may be.
    bool lacks_some(const SearchResult &result) const {
        return result.complete && result.results.size() < m_options.wanted.top && m_goals.best().size() >= m_wanted.top;
    }

private:
    /// The plan itself is a candidate whatever the constraints say, as long as it leaves the headroom.
    void look_at_present() {
        const Result result = evaluate(m_plan, Depth::closed_forms);
        m_present_fits = m_variants.front().appraiser.fits(result.memory.peak_bytes);
        if (!m_present_fits)
            return;
        Candidate candidate{.layout = m_present, .worth = worth_of(m_variants.front(), result)};
        candidate.layout.variant = present_variant;
        m_goals.add(candidate, places_of(candidate.layout));
    }

    static Worth worth_of(const StemSearch::Variant &variant, const Result &result) {
        return variant.exact_runs
            ? variant.appraiser.of_run(result.run.seconds, result.step.seconds, result.memory.peak_bytes)
            : variant.appraiser.worth(result.step.seconds, result.memory.peak_bytes);
    }

    FieldPlaces places_of(const Layout &layout) const {
        FieldPlaces places{};
        for (std::size_t i = 0; i < layout_field_count; ++i) {
            const auto field = static_cast<LayoutField>(i);
            const std::int64_t value = value_of(layout, field);
            const bool there = std::binary_search(m_values[i].begin(), m_values[i].end(), value);
            places[i] = there ? place_of(m_values, field, value) : any_place;
        }
        return places;
    }

    Plan plan_of(const Candidate &candidate) const {
        if (candidate.layout.variant == present_variant)
            return m_plan;
        Plan plan = m_space.variants()[static_cast<std::size_t>(candidate.layout.variant)];
        apply(candidate.layout, plan);
        if (candidate.layout.recompute != RecomputeMode::modules)
            plan.recompute.modules.clear();
        return plan;
    }

    const StemSearch::Variant &variant_of(const Candidate &candidate) const {
        return m_variants[static_cast<std::size_t>(std::max(0, candidate.layout.variant))];
    }

    /// A candidate with the figures that it is listed with.
    struct Listed {
        Candidate candidate;
        SearchEntry entry;
    };

    Listed listed(const Candidate &candidate) const {
        Listed listed{.candidate = candidate, .entry = {.plan = plan_of(candidate)}};
        SearchEntry &entry = listed.entry;
        if (m_outers.size() > 1)
            entry.plan.outer = best_outer(entry.plan, m_outers);
        const Result result =
            evaluate(entry.plan, m_options.ranking == Ranking::executed ? Depth::numbers : Depth::closed_forms);
        Worth &worth = listed.candidate.worth;
        if (m_options.ranking == Ranking::executed)
            worth = worth_of(variant_of(candidate), result);
        set_figures(result, entry);
        entry.order = {worth.objective, worth.run_seconds, worth.step_seconds};
        const std::vector<double> simple = simplicity(candidate.layout);
        entry.order.insert(entry.order.end(), simple.begin(), simple.end());
        return listed;
    }

    void report(std::int64_t considered) const {
        if (!m_options.progress)
            return;
        SearchProgress progress{
            .considered = std::min(considered, m_total), .layouts = m_total, .best = {}, .best_step_seconds = 0};
        const std::vector<Candidate> best = m_goals.best();
        if (!best.empty()) {
            progress.best = plan_of(best.front());
            progress.best_step_seconds = best.front().worth.step_seconds;
        }
        m_options.progress(progress);
    }

    /// Every candidate that could be listed, once: the best, the front, the best at each value of a field.
    std::vector<Candidate> finalists() const {
        std::vector<Candidate> all = m_goals.best();
        if (m_options.stop.stop_requested()) { // who stops a search waits for it
            all.resize(std::min(all.size(), listed_when_stopped));
            return all;
        }
        const std::vector<Candidate> front = m_goals.front();
        all.insert(all.end(), front.begin(), front.end());
        for (const std::vector<Candidate> &curve : m_goals.curves())
            std::copy_if(curve.begin(), curve.end(), std::back_inserter(all), [](const Candidate &candidate) {
                return candidate.worth.step_seconds < std::numeric_limits<double>::infinity();
            });
        std::sort(all.begin(), all.end(), is_better);
        all.erase(std::unique(all.begin(), all.end(),
                              [](const Candidate &a, const Candidate &b) { return a.layout == b.layout; }),
                  all.end());
        return all;
    }

    void list(SearchResult &result) const {
        const std::vector<Candidate> candidates = finalists();
        std::vector<Listed> all(candidates.size());
        const auto left_out = [this](std::size_t i) {
            return i >= listed_when_stopped && m_options.stop.stop_requested();
        };
        tbb::parallel_for(std::size_t{0}, all.size(), [&](std::size_t i) {
            if (!left_out(i))
                all[i] = listed(candidates[i]);
        });
        if (m_options.stop.stop_requested()) {
            result.complete = false;
            all.resize(std::min(all.size(), listed_when_stopped));
        }
        // By its own order a pipeline may hold more than its closed form says: what then does not fit is left out.
        std::erase_if(
            all, [this](const Listed &one) { return !variant_of(one.candidate).appraiser.fits(one.entry.peak_bytes); });
        std::sort(all.begin(), all.end(),
                  [](const Listed &a, const Listed &b) { return is_better(a.candidate, b.candidate); });
        Goals ranked(m_options.wanted, m_values, nullptr);
        for (const Listed &one : all)
            ranked.add(one.candidate, places_of(one.candidate.layout));
        const auto entry_of = [&](const Candidate &candidate) {
            return std::find_if(all.begin(), all.end(),
                                [&](const Listed &one) { return one.candidate.layout == candidate.layout; })
                ->entry;
        };
        for (std::size_t i = 0; i < std::min(all.size(), m_options.wanted.top); ++i)
            result.results.push_back(all[i].entry);
        if (result.complete)
            for (const Candidate &candidate : ranked.front())
                result.pareto.push_back(entry_of(candidate));
        list_curves(ranked, result);
    }

    void list_curves(const Goals &ranked, SearchResult &result) const {
        for (std::size_t i = 0; i < layout_field_count; ++i)
            for (std::size_t place = 0; place < ranked.curves()[i].size(); ++place) {
                const Worth &worth = ranked.curves()[i][place].worth;
                const bool reachable = worth.step_seconds < std::numeric_limits<double>::infinity();
                result.curves[i].push_back({.value = m_values[i][place],
                                            .reachable = reachable,
                                            .step_seconds = reachable ? worth.step_seconds : 0});
            }
    }

    static constexpr std::int32_t present_variant = -1;
    static constexpr std::size_t listed_when_stopped = 10;

    const Plan &m_plan;
    const SearchOptions &m_options;
    Constraints m_constraints;
    LayoutSpace m_space;
    FieldValues m_values; ///< where there are curves to find
    std::vector<StemSearch::Variant> m_variants;
    Wanted m_wanted;
    Goals m_goals;
    Layout m_present;
    std::vector<Outer> m_outers; ///< what is tried with each layout that is listed
    bool m_present_fits = false;
    std::int64_t m_total = 0;
};

} // namespace

SearchResult search(const Plan &plan, const Library &library, const SearchOptions &options) {
    std::vector<Diagnostic> problems = check_plan(plan);
    if (!problems.empty())
        throw InputError(std::move(problems));
    Wanted wanted = options.wanted;
    if (options.ranking == Ranking::executed && wanted.top > 0) // execution may rank them otherwise, or leave some out
        wanted.top = std::max(wanted.top, least_executed);
    // More than this process may use would be refused, with a warning on standard error.
    const int most = tbb::info::default_concurrency();
    tbb::task_arena arena(options.threads > 0 ? std::min(options.threads, most) : most);
    return arena.execute([&] {
        double seconds = 0;
        for (;; wanted.top *= 2) {
            Searching searching(plan, library, options, wanted);
            SearchResult result = searching.take();
            result.seconds = seconds += result.seconds;
            if (!searching.lacks_some(result))
                return result;
        }
    });
}

} // namespace meshwright

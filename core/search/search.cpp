// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/search.h"

#include "evaluate/evaluate.h"
#include "plan/plan_json.h"
#include "plan/runnable.h"
#include "search/outer_settings.h"
#include "search/pipelined_1f1b.h"
#include "search/search_stop.h"
#include "search/ties.h"
#include "search/traversal.h"
#include "threads/for_each_index.h"

#include <algorithm>
#include <chrono>
#include <deque>
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

/// Also requests the curve over schedules if the best configuration of each schedule is wanted, because that curve
/// lists them.
Wanted looked_for(Wanted wanted) {
    if (!wanted.by_schedule)
        return wanted;
    std::vector<ConfigurationField> &fields = wanted.curve_fields;
    if (!wanted.curves)
        fields = {ConfigurationField::schedule};
    else if (!fields.empty() && std::find(fields.begin(), fields.end(), ConfigurationField::schedule) == fields.end())
        fields.push_back(ConfigurationField::schedule);
    wanted.curves = true;
    return wanted;
}

/// Those variants of a space whose outer optimizer states need the same amount of memory.
struct Pass {
    std::vector<Plan>
        changed; ///< variants with an outer loop other than the plan's; if empty, the space's own variants
    std::vector<ShapeSearch::Variant> variants;
    Goals goals;
    bool present_fits = false;
};

class Searching {
public:
    /// @param wanted  as `options.wanted`, but with a longer ranking if simulation may reorder or drop configurations
    /// @param variants  the plan with each combination of formats, batch and cluster
    Searching(const Plan &plan, SearchVariants variants, const SearchOptions &options, const Wanted &wanted,
              const SearchStop &stop)
        : m_plan(plan)
        , m_options(options)
        , m_stop(stop)
        , m_constraints(constraints_for(plan, options))
        , m_has_all_variants(variants.is_whole)
        , m_space(plan, m_constraints, std::move(variants.plans), options.shard, stop.token())
        , m_values(wanted.curves || wanted.by_schedule ? m_space.values() : FieldValues{})
        , m_wanted(looked_for(wanted))
        , m_present(configuration_of(plan))
        , m_holds_to_constraints(holds_to_constraints()) {
        const bool outer = plan.outer.method != OuterMethod::none;
        if (outer && m_constraints.searches(SearchOption::outer))
            for (const OuterSettings &settings : outer_settings(plan))
                add_pass(settings);
        else if (outer && m_space.variants().size() > 1)
            add_pass({{.outer = plan.outer}});
        else
            add_pass({});
    }

    /// Searches and returns the results. Runs in the calling thread's task arena.
    SearchResult take() {
        SearchResult result{.objective = m_options.objective, .top = m_options.wanted.top, .shard = m_options.shard};
        const bool present_apart = m_options.shard.index == 0 && m_holds_to_constraints && !m_space.holds_present();
        const std::int64_t layouts = m_space.layouts() + (present_apart ? 1 : 0);
        m_total = layouts * static_cast<std::int64_t>(m_passes.size());
        const bool is_counted = m_has_all_variants && m_space.is_whole();
        for (Pass &pass : m_passes) {
            if (m_holds_to_constraints)
                look_at_present(pass);
            if (present_apart) {
                ++result.evaluated;
                ++(pass.present_fits ? result.funnel.fit : result.funnel.too_large);
            }
            result.considered += (present_apart ? 1 : 0) + go_through(pass, result.considered, result);
        }
        result.end = end();
        result.complete = result.end == SearchEnd::whole;
        result.unsearched = is_counted ? std::optional(m_total - result.considered) : std::nullopt;
        result.pruned = result.considered - result.evaluated;
        if (result.complete || result.end == SearchEnd::size_limit)
            result.funnel.slower =
                result.considered - result.funnel.fit - result.funnel.too_large - result.funnel.repeats;
        list(result);
        return result;
    }

    /// Whether the list may be incomplete, because too many of the selected configurations did not fit when simulated.
    bool lacks_some(const SearchResult &result) const {
        return result.complete && result.results.size() < m_options.wanted.top
            && std::any_of(m_passes.begin(), m_passes.end(),
                           [this](const Pass &pass) { return pass.goals.best().size() >= m_wanted.top; });
    }

private:
    /// Whether kernels take the same time in both variants, which then differ only in placement and batch.
    static bool share_kernels(const Plan &a, const Plan &b) {
        return a.precision == b.precision && a.offload == b.offload && a.cluster.tiers == b.cluster.tiers
            && a.cluster.accelerator == b.cluster.accelerator;
    }
    /// Shares the kernel table of an earlier variant with the same kernel times, or creates one.
    static std::shared_ptr<KernelTable> kernels_of(const std::vector<Plan> &plans, std::size_t at, const Pass &pass,
                                                   const Assumptions &assumed) {
        for (std::size_t i = 0; i < at; ++i)
            if (share_kernels(plans[i], plans[at]))
                return pass.variants[i].kernels;
        return std::make_shared<KernelTable>(plans[at], assumed);
    }
    /// @param settings  outer loops to try; if empty, only the plan's own outer loop is used, and configurations are
    /// ranked by step time instead of run time
    void add_pass(const OuterSettings &settings) {
        Pass &pass = m_passes.emplace_back(Pass{.changed = {}, .variants = {}, .goals = {m_wanted, m_values, nullptr}});
        if (!settings.empty() && settings.front().outer != m_plan.outer) {
            pass.changed = m_space.variants();
            for (Plan &plan : pass.changed)
                plan.outer = settings.front().outer;
        }
        const std::vector<Plan> &plans = pass.changed.empty() ? m_space.variants() : pass.changed;
        for (std::size_t i = 0; i < plans.size(); ++i) {
            const Assumptions assumed(plans[i].assumptions);
            const Scorer scorer(plans[i], m_options.objective, m_constraints);
            const ShapeSearch::Variant *alike = m_passes.size() > 1 ? &m_passes.front().variants[i] : nullptr;
            pass.variants.push_back(
                {.plan = &plans[i],
                 .assumed = assumed,
                 .scorer = scorer,
                 .kernels = alike != nullptr ? alike->kernels : kernels_of(plans, i, pass, assumed),
                 .activation_bound =
                     alike != nullptr ? alike->activation_bound : std::make_shared<ActivationBoundTable>(),
                 .outer = settings.empty() ? nullptr : std::make_shared<const OuterChoice>(plans[i], scorer, settings),
                 .exact_runs = !settings.empty() && plans.size() > 1});
        }
    }

    SearchEnd end() const {
        return m_stop.is_asked()                         ? SearchEnd::stopped
            : m_stop.is_over()                           ? SearchEnd::time_limit
            : !m_has_all_variants || !m_space.is_whole() ? SearchEnd::size_limit
                                                         : SearchEnd::whole;
    }

    /// @param before  number of configurations that earlier passes considered
    /// @returns number of configurations that this pass considered
    std::int64_t go_through(Pass &pass, std::int64_t before, SearchResult &result) {
        std::int64_t considered = 0;
        m_space.list_first();
        do {
            Traversal traversal({.space = m_space,
                                 .values = m_values,
                                 .variants = pass.variants,
                                 .wanted = m_wanted,
                                 .present = m_present,
                                 .stop = m_stop.token(),
                                 .progress = [=, this](std::int64_t more) { report(before + considered + more); }},
                                pass.goals);
            traversal.run();
            considered += traversal.considered();
            result.evaluated += traversal.evaluated();
            result.funnel += traversal.funnel();
        } while (!m_stop.token().stop_requested() && m_space.list_next());
        return considered;
    }

    bool holds_to_constraints() const {
        for (std::size_t i = 0; i < configuration_field_count; ++i) {
            const auto field = static_cast<ConfigurationField>(i);
            const std::int64_t value = value_of(m_present, field);
            if (!m_constraints.admits(field, value, value))
                return false;
        }
        return m_constraints.any_software || !cannot_run(m_plan);
    }

    /// Adds the plan's own configuration as a candidate, even if the search would not reach it.
    void look_at_present(Pass &pass) const {
        const ShapeSearch::Variant &variant = pass.variants.front();
        Plan present = m_plan;
        present.outer = variant.plan->outer;
        const Result result = evaluate(present, Depth::closed_forms);
        pass.present_fits = variant.scorer.fits(result.memory.peak_bytes);
        if (!pass.present_fits)
            return;
        Candidate candidate{.layout = m_present,
                            .score = score_of(variant, result.step.seconds, result.memory.peak_bytes)};
        candidate.layout.variant = present_variant;
        pass.goals.add(candidate, places_of(candidate.layout));
    }

    static Score score_of(const ShapeSearch::Variant &variant, double step_seconds, double peak_bytes) {
        return variant.exact_runs ? variant.outer->ranking_score(step_seconds, peak_bytes)
                                  : variant.scorer.score(step_seconds, peak_bytes);
    }

    FieldPlaces places_of(const Configuration &layout) const {
        FieldPlaces places{};
        for (std::size_t i = 0; i < configuration_field_count; ++i) {
            const auto field = static_cast<ConfigurationField>(i);
            const std::int64_t value = value_of(layout, field);
            const bool there = std::binary_search(m_values[i].begin(), m_values[i].end(), value);
            places[i] = there ? place_of(m_values, field, value) : any_place;
        }
        return places;
    }

    /// Returns a copy of the candidate with a variant index that is unique across passes.
    Candidate of_pass(std::size_t pass, Candidate candidate) const {
        std::int32_t &variant = candidate.layout.variant;
        const auto passes = static_cast<std::int32_t>(pass);
        variant += variant == present_variant ? -passes : passes * static_cast<std::int32_t>(m_space.variants().size());
        return candidate;
    }

    /// @param layout  the configuration of a candidate that of_pass() returned
    std::size_t pass_of(const Configuration &layout) const {
        return layout.variant <= present_variant ? static_cast<std::size_t>(present_variant - layout.variant)
                                                 : static_cast<std::size_t>(layout.variant) / m_space.variants().size();
    }
    /// @param candidate  a candidate that of_pass() returned
    const ShapeSearch::Variant &variant_of(const Candidate &candidate) const {
        const Pass &pass = m_passes[pass_of(candidate.layout)];
        const std::int32_t variant = candidate.layout.variant;
        return variant <= present_variant
            ? pass.variants.front()
            : pass.variants[static_cast<std::size_t>(variant) % m_space.variants().size()];
    }

    Plan plan_of(const Candidate &candidate) const {
        if (candidate.layout.variant <= present_variant)
            return m_plan;
        Plan plan = *variant_of(candidate).plan;
        apply(candidate.layout, plan);
        if (candidate.layout.recompute != RecomputeMode::modules)
            plan.recompute.modules.clear();
        return plan;
    }

    bool are_alike(Configuration a, Configuration b) const {
        const auto count = static_cast<std::int32_t>(m_space.variants().size());
        for (Configuration *layout : {&a, &b})
            layout->variant = layout->variant <= present_variant ? present_variant : layout->variant % count;
        return a == b;
    }

    struct Listed {
        Candidate candidate;
        SearchEntry entry;
    };

    Listed listed(const Candidate &candidate) const {
        Listed listed{.candidate = candidate, .entry = {.plan = plan_of(candidate)}};
        SearchEntry &entry = listed.entry;
        Score &score = listed.candidate.score;
        const ShapeSearch::Variant &variant = variant_of(candidate);
        double handicap = 1;
        if (variant.outer != nullptr) {
            const OuterChoice::Best best = variant.outer->best(score.step_seconds, score.peak_bytes);
            score = best.score;
            entry.plan.outer = best.setting->outer;
            handicap = best.setting->handicap();
        }
        const bool executed = m_options.ranking == Ranking::executed;
        const Result result = evaluate(entry.plan, executed ? Depth::listing : Depth::closed_forms);
        if (executed)
            score = variant.outer != nullptr
                ? variant.scorer.of_run(result.run.seconds, result.step.seconds, result.memory.peak_bytes, handicap)
                : variant.scorer.score(result.step.seconds, result.memory.peak_bytes);
        set_figures(result, entry);
        entry.order = {score.objective, score.run_seconds, score.step_seconds};
        const std::vector<double> simple = simplicity(candidate.layout);
        entry.order.insert(entry.order.end(), simple.begin(), simple.end());
        const Runnability runnability = runnability_of(entry.plan);
        entry.runnable = runnability.is_runnable();
        entry.reason = runnability.reason(entry.plan);
        entry.techniques = techniques_of(entry.plan);
        return listed;
    }

    void report(std::int64_t considered) const {
        if (!m_options.progress)
            return;
        SearchProgress progress{
            .considered = std::min(considered, m_total), .layouts = m_total, .best = {}, .best_step_seconds = 0};
        std::vector<Candidate> best;
        for (std::size_t i = 0; i < m_passes.size(); ++i)
            for (const Candidate &candidate : m_passes[i].goals.best())
                best.push_back(of_pass(i, candidate));
        if (const auto first = std::min_element(best.begin(), best.end(), is_better); first != best.end()) {
            progress.best = plan_of(*first);
            progress.best_step_seconds = first->score.step_seconds;
        }
        m_options.progress(progress);
    }

    /// Every candidate of each pass that could be listed: the best, the Pareto front, and the best at each value of a
    /// field.
    std::vector<Candidate> finalists() const {
        const bool stopped = m_stop.is_asked(); // a stopped search must return at once
        std::vector<Candidate> all;
        for (std::size_t i = 0; i < m_passes.size(); ++i) {
            const auto add = [&](const std::vector<Candidate> &some) {
                for (const Candidate &candidate : some)
                    if (candidate.score.step_seconds < std::numeric_limits<double>::infinity())
                        all.push_back(of_pass(i, candidate));
            };
            const Goals &goals = m_passes[i].goals;
            add(goals.best());
            if (stopped)
                continue;
            add(goals.front());
            for (const std::vector<Candidate> &curve : goals.curves())
                add(curve);
        }
        std::sort(all.begin(), all.end(), is_better);
        all.erase(std::unique(all.begin(), all.end(),
                              [](const Candidate &a, const Candidate &b) { return a.layout == b.layout; }),
                  all.end());
        if (stopped)
            all.resize(std::min(all.size(), listed_when_stopped));
        return all;
    }

    /// Simulates the candidates, best first, until the time limit.
    std::vector<Listed> executed(const std::vector<Candidate> &candidates, SearchResult &result) const {
        std::vector<std::optional<Listed>> done(candidates.size());
        const auto is_left_out = [this](std::size_t i) {
            return (i >= listed_when_stopped && m_stop.is_asked()) || (i > 0 && m_stop.is_all_over());
        };
        for_each_index(done.size(), [&](std::size_t i) {
            if (!is_left_out(i))
                done[i] = listed(candidates[i]);
        });
        if (m_stop.is_asked()) {
            result.end = SearchEnd::stopped;
            done.resize(std::min(done.size(), listed_when_stopped));
        }
        std::vector<Listed> all;
        for (std::optional<Listed> &one : done)
            if (one)
                all.push_back(std::move(*one));
        if (all.size() < done.size() && result.end == SearchEnd::whole)
            result.end = SearchEnd::time_limit;
        result.complete = result.end == SearchEnd::whole;
        return all;
    }

    void list(SearchResult &result) const {
        const std::vector<Candidate> candidates = finalists();
        std::vector<Listed> all = executed(candidates, result);
        if (m_options.shard.count > 1 && result.complete)
            list_finalists(candidates, all, result);
        // A simulated pipeline may need more memory than its closed form, so drop candidates that no longer fit.
        std::erase_if(all, [this](const Listed &one) { return !still_fits(one); });
        std::sort(all.begin(), all.end(),
                  [](const Listed &a, const Listed &b) { return is_better(a.candidate, b.candidate); });
        Goals ranked(looked_for(m_options.wanted), m_values, nullptr);
        for (const Listed &one : all)
            ranked.add(one.candidate, places_of(one.candidate.layout));
        const auto entry_of = [&](const Candidate &candidate) {
            return std::find_if(all.begin(), all.end(),
                                [&](const Listed &one) { return one.candidate.layout == candidate.layout; })
                ->entry;
        };
        list_best(all, result);
        const bool stopped = result.end == SearchEnd::stopped;
        if (!stopped)
            for (const Candidate &candidate : ranked.front())
                result.pareto.push_back(entry_of(candidate));
        if (m_options.wanted.curves)
            list_curves(ranked, result);
        if (m_options.wanted.by_schedule && !stopped)
            list_schedules(all, result);
        mark_ties(result);
    }

    /// @param all  the simulated candidates, in the order of `candidates`
    void list_finalists(const std::vector<Candidate> &candidates, const std::vector<Listed> &all,
                        SearchResult &result) const {
        for (std::size_t i = 0; i < configuration_field_count; ++i)
            if (!m_passes.front().goals.curves()[i].empty())
                result.finalist_fields.push_back(static_cast<ConfigurationField>(i));
        for (std::size_t i = 0; i < all.size(); ++i) {
            const Configuration &layout = candidates[i].layout;
            Finalist &finalist = result.finalists.emplace_back(Finalist{
                .pass = pass_of(layout), .closed_form = candidates[i].score, .simplicity = simplicity(layout)});
            for (std::size_t field = 0; field < configuration_field_count; ++field)
                finalist.values[field] = value_of(layout, static_cast<ConfigurationField>(field));
            if (!still_fits(all[i]))
                continue;
            finalist.executed = all[i].candidate.score;
            finalist.entry = all[i].entry;
        }
    }

    bool still_fits(const Listed &one) const {
        const double peak = one.entry.peak_bytes;
        return variant_of(one.candidate).scorer.fits(peak)
            && (m_options.any_size || m_constraints.headroom != Headroom::sure
                || peak * sure_memory_factor(one.entry.plan) <= one.entry.plan.cluster.accelerator.memory_bytes);
    }

    /// Lists the best configuration of each schedule, best first. A pipeline of one stage belongs to no schedule.
    static void list_schedules(const std::vector<Listed> &all, SearchResult &result) {
        for (const Listed &one : all) {
            const auto is_same = [&](const SearchEntry &other) {
                return schedule_of(other.plan) == schedule_of(one.entry.plan);
            };
            if (std::none_of(result.best_by_schedule.begin(), result.best_by_schedule.end(), is_same))
                result.best_by_schedule.push_back(one.entry);
        }
    }
    static std::optional<Schedule> schedule_of(const Plan &plan) {
        return plan.parallelism.pipeline > 1 ? std::optional(plan.parallelism.schedule) : std::nullopt;
    }

    /// Lists each configuration once, with its best outer loop.
    void list_best(const std::vector<Listed> &all, SearchResult &result) const {
        std::vector<Configuration> taken;
        for (const Listed &one : all) {
            const Configuration &layout = one.candidate.layout;
            if (taken.size() == m_options.wanted.top)
                break;
            if (m_passes.size() > 1 && std::any_of(taken.begin(), taken.end(), [&](const Configuration &other) {
                    return are_alike(layout, other);
                }))
                continue;
            taken.push_back(layout);
            result.results.push_back(one.entry);
        }
    }

    void list_curves(const Goals &ranked, SearchResult &result) const {
        for (std::size_t i = 0; i < configuration_field_count; ++i)
            for (std::size_t place = 0; place < ranked.curves()[i].size(); ++place) {
                const Score &score = ranked.curves()[i][place].score;
                const bool reachable = score.step_seconds < std::numeric_limits<double>::infinity();
                result.curves[i].push_back({.value = m_values[i][place],
                                            .reachable = reachable,
                                            .step_seconds = reachable ? score.step_seconds : 0});
            }
    }

    static constexpr std::int32_t present_variant = -1;
    static constexpr std::size_t listed_when_stopped = 10;

    const Plan &m_plan;
    const SearchOptions &m_options;
    const SearchStop &m_stop;
    Constraints m_constraints;
    bool m_has_all_variants;
    ConfigurationSpace m_space;
    FieldValues m_values; ///< values of each field; empty unless curves are requested
    Wanted m_wanted;
    Configuration m_present;
    bool m_holds_to_constraints; ///< whether the plan's own configuration and software meet the constraints
    std::deque<Pass> m_passes;
    std::int64_t m_total = 0; ///< number of configurations to consider, over all passes
};

SearchResult searched(const Plan &plan, const Library &library, const SearchOptions &options, const SearchStop &stop) {
    Wanted wanted = options.wanted;
    if (options.ranking == Ranking::executed && wanted.top > 0) // simulation may reorder or drop configurations
        wanted.top = std::max(wanted.top, min_executed);
    return on_threads(options.threads, options.urgency, [&] {
        const auto start = std::chrono::steady_clock::now();
        for (;; wanted.top *= 2) {
            Searching searching(plan, search_variants(plan, constraints_for(plan, options), options.objective, library),
                                options, wanted, stop);
            SearchResult result = searching.take();
            result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
            if (!searching.lacks_some(result) || stop.token().stop_requested())
                return result;
        }
    });
}

/// Searches 1F1B with several stages separately if the search has listed none. That happens if a pipeline of one stage,
/// which counts as 1F1B in comparisons, is faster.
void add_pipelined_1f1b(const Plan &plan, const Library &library, SearchOptions options, const SearchStop &stop,
                        SearchResult &result) {
    std::vector<SearchEntry> &bests = result.best_by_schedule;
    const bool is_there = std::any_of(bests.begin(), bests.end(), [](const SearchEntry &entry) {
        return entry.plan.parallelism.pipeline > 1 && entry.plan.parallelism.schedule == Schedule::one_f_one_b;
    });
    const std::optional<Plan> narrowed = is_there ? std::nullopt : with_pipelined_1f1b(plan);
    if (!narrowed)
        return;
    options.wanted = {.top = 1, .pareto = false};
    options.progress = {};
    SearchResult found = searched(*narrowed, library, options, stop);
    result.seconds += found.seconds;
    result.end = found.end;
    result.complete = found.complete;
    for (SearchEntry &entry : found.results) {
        entry.plan.constraints_json = plan.constraints_json;
        const auto behind = std::find_if(bests.begin(), bests.end(),
                                         [&](const SearchEntry &other) { return entry.order < other.order; });
        bests.insert(behind, std::move(entry));
    }
}

} // namespace

SearchResult search(const Plan &plan, const Library &library, const SearchOptions &options) {
    std::vector<Diagnostic> problems = check_plan(plan);
    if (!problems.empty())
        throw InputError(std::move(problems));
    const SearchStop stop(options.stop, options.time_limit_seconds);
    SearchResult result = searched(plan, library, options, stop);
    if (options.wanted.by_schedule && result.complete)
        add_pipelined_1f1b(plan, library, options, stop, result);
    return result;
}

} // namespace meshwright

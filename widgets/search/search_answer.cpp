// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/search_answer.h"

#include "evaluate/evaluate.h"
#include "gantt/schedule_names.h"
#include "input/diagnostic.h"
#include "plan/plan_json.h"
#include "plan/runnable.h"
#include "search/score.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace meshwright {

namespace {

bool isSameLayout(const Plan &a, const Plan &b) {
    return a.parallelism == b.parallelism && a.batch == b.batch && a.recompute == b.recompute && a == b;
}

/// The plan's JSON for the search, including its constraints.
nlohmann::ordered_json searchFieldsOf(const Plan &plan) {
    return plan.constraints_json.empty() ? nlohmann::ordered_json::object()
                                         : nlohmann::ordered_json::parse(plan.constraints_json);
}

SearchEntry entryOf(const Result &result) {
    SearchEntry entry{.plan = result.plan};
    set_figures(result, entry);
    const Runnability runnability = runnability_of(result.plan);
    entry.runnable = runnability.is_runnable();
    entry.reason = runnability.reason(result.plan);
    return entry;
}

/// Index of the simplest of the rows that tie with the first row; of equally simple ones, the one with the most
/// headroom. The first row is chosen if only that one improves on the plan, because a recommendation must not slow the
/// run down.
std::optional<std::size_t> recommendedAmong(const SearchAnswer &answer) {
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < std::min(answer.rows.size(), recommendedOf); ++i) {
        const SearchEntry &one = answer.rows[i].entry;
        if (answer.rows[i].rank == 0 || !one.tied)
            continue;
        const SearchEntry *other = best ? &answer.rows[*best].entry : nullptr;
        if (other == nullptr || one.techniques.size() < other->techniques.size()
            || (one.techniques.size() == other->techniques.size() && one.headroom_bytes > other->headroom_bytes))
            best = i;
    }
    if (!best)
        return best;
    const bool isPlan = answer.rows[*best].present && answer.presentHolds();
    return isPlan || answer.gains(answer.rows[*best]) || !answer.gains(answer.rows.front()) ? best : 0;
}

class Answering {
public:
    Answering(const SearchQuestion &question, const Library &library, const std::stop_token &stop,
              const std::function<void(const SearchProgress &)> &progress,
              const std::function<void(SearchAnswerPointer)> &publish)
        : m_question(question)
        , m_library(library)
        , m_publish(publish)
        , m_stop(stop) {
        m_options.objective = question.objective;
        m_options.stop = stop;
        m_options.progress = progress;
        m_options.time_limit_seconds = maxSearchSeconds;
        // In the window, edits and their evaluation have priority over the search.
        m_options.urgency = question.firstOnly ? Urgency::now : Urgency::background;
    }

    void answer() {
        m_present = std::make_shared<const Result>(evaluate(m_question.plan, Depth::numbers));
        SearchResult first = searched(m_question.plan, {.top = recommendedOf, .pareto = true});
        if (first.results.empty() && first.complete)
            return answerThatNothingFits(std::move(first));
        const bool goesOn = first.complete || first.end == SearchEnd::size_limit;
        publish(std::move(first), SearchStage::first);
        if (!goesOn || m_question.firstOnly)
            return;
        const std::size_t top = m_question.curvesOnly ? recommendedOf : maxListed;
        SearchResult listed =
            searched(m_question.plan,
                     {.top = top, .pareto = true, .curves = true, .curve_fields = sliderFields(), .by_schedule = true});
        if (!listed.complete && listed.end != SearchEnd::size_limit)
            return;
        if (listed.complete)
            addLandscapes(listed);
        const SearchStage stage = listed.complete ? SearchStage::complete : SearchStage::listed;
        publish(std::move(listed), stage);
    }

private:
    SearchResult searched(const Plan &plan, const Wanted &wanted) {
        m_options.wanted = wanted;
        return search(plan, m_library, m_options);
    }

    /// Adds the shortest step time at every value of each field: among the configurations that fit or, with `any_size`,
    /// among those that do not.
    void addLandscapes(const SearchResult &found) {
        const Constraints constraints = constraints_of(m_question.plan);
        for (std::size_t i = 0; i < configuration_field_count; ++i)
            for (const CurvePoint &point : found.curves[i])
                if (point.reachable && !constraints.fixed[i])
                    (m_options.any_size ? m_landscapes[i].tooLarge : m_landscapes[i].fits)
                        .insert(point.value, point.step_seconds);
        // Chunks mean different things in different schedules, so the best configuration for each number of chunks is
        // shown with its schedule.
        Landscape &chunks = m_landscapes[static_cast<std::size_t>(ConfigurationField::chunks)];
        for (const SearchEntry &entry : found.results) {
            const Parallelism &best = entry.plan.parallelism;
            if (!chunks.with.contains(best.chunks))
                chunks.with.insert(best.chunks,
                                   best.schedule == m_question.plan.parallelism.schedule ? QString()
                                                                                         : scheduleText(best.schedule));
        }
    }

    void answerThatNothingFits(SearchResult nothing) {
        m_fits = false;
        m_options.any_size = true;
        const std::size_t top = m_question.firstOnly ? recommendedOf : maxListed;
        SearchResult any =
            searched(m_question.plan,
                     {.top = top, .pareto = true, .curves = !m_question.firstOnly, .curve_fields = sliderFields()});
        m_options.progress = {};
        // The funnel still describes the search for configurations that fit.
        nothing.results = std::move(any.results);
        nothing.pareto = std::move(any.pareto);
        nothing.curves = std::move(any.curves);
        if (!any.complete || nothing.results.empty()) {
            publish(std::move(nothing), SearchStage::listed);
            return;
        }
        if (!m_question.firstOnly)
            addLandscapes(nothing);
        publish(nothing, SearchStage::listed);
        m_options.any_size = false;
        findWider();
        publish(std::move(nothing), SearchStage::complete);
    }

    void findWider() {
        const Constraints constraints = constraints_of(m_question.plan);
        for (const SearchOption option : {SearchOption::precision, SearchOption::offload, SearchOption::layout}) {
            if (constraints.searches(option) || m_stop.stop_requested())
                continue;
            SearchResult wider = searched(withOption(option), {.top = 1, .pareto = false});
            if (wider.complete && !wider.results.empty())
                m_wider.push_back({.option = option, .best = std::move(wider.results.front())});
        }
    }

    Plan withOption(SearchOption option) const {
        Plan plan = m_question.plan;
        nlohmann::ordered_json kept = searchFieldsOf(plan);
        kept["constraints"]["also"].push_back(search_option_names()[static_cast<std::size_t>(option)]);
        plan.constraints_json = kept.dump();
        return plan;
    }

    void publish(SearchResult found, SearchStage stage) {
        auto answer = std::make_shared<SearchAnswer>();
        answer->question = m_question;
        answer->stage = stage;
        answer->stopped = !found.complete;
        answer->present = m_present;
        answer->fits = m_fits;
        answer->wider = m_wider;
        answer->landscapes = m_landscapes;
        answer->headroom_bytes = headroom_bytes(m_question.plan, constraints_of(m_question.plan));
        addRows(*answer, std::move(found.results), std::move(found.pareto));
        found.recommended = m_fits ? recommendedAmong(*answer) : std::nullopt;
        addSchedules(*answer, std::move(found.best_by_schedule));
        found.results.clear();
        found.pareto.clear();
        found.best_by_schedule.clear();
        answer->found = std::move(found);
        if (const LayoutRow *best = answer->bestRow())
            answer->best = std::make_shared<const Result>(evaluate(best->entry.plan, Depth::numbers));
        m_publish(answer);
    }

    void addRows(SearchAnswer &answer, std::vector<SearchEntry> results, std::vector<SearchEntry> front) const {
        const double needed = answer.headroom_bytes;
        bool presentThere = false;
        const auto add = [&](SearchEntry entry, int rank, bool onFront) {
            LayoutRow row{.entry = std::move(entry), .rank = rank, .present = false, .onFront = onFront};
            row.present = !presentThere && isSameLayout(row.entry.plan, m_question.plan);
            presentThere = presentThere || row.present;
            answer.rows.push_back(std::move(row));
        };
        for (std::size_t i = 0; i < results.size(); ++i)
            add(std::move(results[i]), static_cast<int>(i) + 1, false);
        for (SearchEntry &point : front) {
            answer.least_excess_bytes = answer.least_excess_bytes == 0
                ? needed - point.headroom_bytes
                : std::min(answer.least_excess_bytes, needed - point.headroom_bytes);
            const auto same = std::find_if(answer.rows.begin(), answer.rows.end(),
                                           [&](const LayoutRow &row) { return row.entry.order == point.order; });
            if (same != answer.rows.end())
                same->onFront = true;
            else
                add(std::move(point), 0, true);
        }
        if (!presentThere)
            add(entryOf(*m_present), 0, false);
    }

    static void addSchedules(SearchAnswer &answer, std::vector<SearchEntry> best) {
        for (SearchEntry &entry : best) {
            const auto same = std::find_if(answer.rows.begin(), answer.rows.end(),
                                           [&](const LayoutRow &row) { return row.entry.plan == entry.plan; });
            const LayoutRow row = same != answer.rows.end()
                ? *same
                : answer.rows.emplace_back(LayoutRow{.entry = std::move(entry), .ofSchedule = true});
            answer.schedules.push_back(row);
        }
    }

    const SearchQuestion &m_question;
    const Library &m_library;
    const std::function<void(SearchAnswerPointer)> &m_publish;
    std::stop_token m_stop;
    SearchOptions m_options;
    std::shared_ptr<const Result> m_present;
    std::vector<WiderSearch> m_wider;
    Landscapes m_landscapes;
    bool m_fits = true;
};

} // namespace

const std::vector<ConfigurationField> &sliderFields() {
    static const std::vector<ConfigurationField> fields{ConfigurationField::tensor,         ConfigurationField::context,
                                                        ConfigurationField::pipeline,       ConfigurationField::chunks,
                                                        ConfigurationField::expert,         ConfigurationField::data,
                                                        ConfigurationField::micro_sequences};
    return fields;
}

void answerQuestion(const SearchQuestion &question, const Library &library, const std::stop_token &stop,
                    const std::function<void(const SearchProgress &)> &progress,
                    const std::function<void(SearchAnswerPointer)> &publish) {
    try {
        Answering(question, library, stop, progress, publish).answer();
    } catch (const InputError &error) {
        auto answer = std::make_shared<SearchAnswer>();
        answer->question = question;
        answer->stage = SearchStage::complete;
        if (!error.diagnostics().empty()) {
            answer->problem = error.diagnostics().front().message.text;
            answer->expected = error.diagnostics().front().expected.text;
        }
        publish(answer);
    }
}

bool isOfSameRun(const Plan &a, const Plan &b) {
    return a.cluster == b.cluster && a.model == b.model && a.batch.global_sequences == b.batch.global_sequences
        && a.batch.sequence_length == b.batch.sequence_length;
}

double figureOf(const SearchEntry &entry, Objective objective) {
    switch (objective) {
    case Objective::time:
        break;
    case Objective::cost:
    case Objective::tokens_per_dollar:
        return entry.dollars;
    case Objective::accelerators:
        return entry.accelerators;
    case Objective::energy:
        return entry.joules;
    }
    return entry.run_seconds;
}

QString figurePathOf(Objective objective) {
    switch (objective) {
    case Objective::time:
        break;
    case Objective::cost:
    case Objective::tokens_per_dollar:
        return QStringLiteral("run.rental_dollars");
    case Objective::accelerators:
        return QStringLiteral("cluster.accelerators");
    case Objective::energy:
        return QStringLiteral("run.energy_joules");
    }
    return QStringLiteral("run.seconds");
}

Quantity quantityOf(Objective objective) {
    switch (objective) {
    case Objective::time:
        break;
    case Objective::cost:
    case Objective::tokens_per_dollar:
        return Quantity::dollars;
    case Objective::accelerators:
        return Quantity::count;
    case Objective::energy:
        return Quantity::joules;
    }
    return Quantity::seconds;
}

bool stepsCompare(const SearchAnswer &answer) {
    const Plan &plan = answer.question.plan;
    return std::all_of(answer.rows.begin(), answer.rows.end(), [&](const LayoutRow &row) {
        return row.entry.plan.batch.global_sequences == plan.batch.global_sequences
            && row.entry.plan.cluster.accelerators() == plan.cluster.accelerators();
    });
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/first_plan.h"

#include "catalog/library.h"
#include "evaluate/evaluate.h"
#include "input/diagnostic.h"
#include "plan/plan_json.h"
#include "search/minimum_split.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>

namespace meshwright {

namespace {

using Json = nlohmann::ordered_json;

/// Number of top results in which to look for an alternative with a different parallel configuration.
constexpr std::size_t compared_entries = 24;

/// Reads the document's plan and replaces its parallel degrees by valid ones.
/// @throws InputError
Plan split_plan(const Json &document, const Library &library) {
    PlanReading reading = read_plan(document, library);
    Plan &plan = reading.plan;
    if (take_minimum_split(plan))
        return plan;
    if (!reading.valid())
        throw InputError(std::move(reading.diagnostics));
    throw InputError("/batch/global_sequences",
                     fmt::format("no split of {} sequences across {} accelerators is valid",
                                 plan.batch.global_sequences, plan.site_accelerators()),
                     "expected a batch that can be divided by a data-parallel degree");
}

bool splits_alike(const Plan &a, const Plan &b) {
    const Parallelism &first = a.parallelism;
    const Parallelism &second = b.parallelism;
    return first.tensor == second.tensor && first.context == second.context && first.pipeline == second.pipeline
        && first.expert == second.expert && first.data == second.data && a.recompute == b.recompute;
}

class FirstSearch {
public:
    FirstSearch(const PlanRequest &request, const Library &library, const std::stop_token &stop)
        : m_library(library)
        , m_stop(stop) {
        m_found.request = request;
    }

    FirstPlan take() {
        const auto start = std::chrono::steady_clock::now();
        m_document = document_of(m_found.request, m_library);
        const SearchResult result = searched(m_document, {.top = compared_entries, .pareto = false}, Ranking::executed);
        m_found.considered = result.considered;
        if (!result.results.empty())
            keep(result.results);
        else if (result.complete)
            m_found.fits_on = min_that_fits();
        m_found.document = std::make_shared<const Json>(m_document);
        m_found.complete = result.complete && !m_stop.stop_requested();
        m_found.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        return std::move(m_found);
    }

private:
    SearchResult searched(const Json &document, const Wanted &wanted, Ranking ranking) const {
        const Plan plan = split_plan(document, m_library);
        SearchOptions options;
        options.wanted = wanted;
        options.ranking = ranking;
        options.stop = m_stop;
        return search(plan, m_library, options);
    }

    void keep(const std::vector<SearchEntry> &results) {
        const Json best = to_json(results.front()).at("patch");
        for (const char *key : {"parallelism", "batch", "recompute"})
            merge_patch(m_document[key].is_null() ? m_document[key] = Json::object() : m_document[key], best.at(key));
        const auto next = std::find_if(results.begin(), results.end(), [&](const SearchEntry &entry) {
            return !splits_alike(entry.plan, results.front().plan);
        });
        if (next != results.end())
            m_found.next = *next;
        Result result = evaluated();
        const PlanRequest &request = m_found.request;
        const double tokens = result.run.tokens;
        if (request.days && result.run.days > 0) {
            set_tokens(tokens * *request.days / result.run.days, result);
            if (is_dear(result))
                set_tokens(result.run.tokens * *request.budget_dollars / result.run.rental_dollars, result);
            train_next_on(result.run.tokens);
        } else if (is_dear(result)) {
            m_found.affordable_tokens = tokens * *request.budget_dollars / result.run.rental_dollars;
        }
        m_found.result = std::make_shared<const Result>(std::move(result));
    }

    Result evaluated() const { return evaluate(plan_from_json(m_document, m_library), Depth::numbers); }
    bool is_dear(const Result &result) const {
        const std::optional<double> &budget = m_found.request.budget_dollars;
        return budget && result.run.rental_dollars > *budget;
    }
    void set_tokens(double tokens, Result &result) {
        m_document["run"]["tokens"] = std::max(1.0, std::floor(tokens));
        result = evaluated();
    }
    void train_next_on(double tokens) {
        if (!m_found.next)
            return;
        m_found.next->plan.run.tokens = tokens;
        set_figures(evaluate(m_found.next->plan, Depth::numbers), *m_found.next);
    }

    bool fits_with(std::int64_t accelerators) const {
        PlanRequest request = m_found.request;
        request.accelerators = accelerators;
        try {
            return !searched(document_of(request, m_library), {.top = 1, .pareto = false}, Ranking::closed_forms)
                        .results.empty();
        } catch (const InputError &) {
            return false; // the batch cannot be divided across this number of accelerators
        }
    }

    /// Doubles the accelerators until a configuration fits, then tries the midpoint between the last two.
    std::optional<std::int64_t> min_that_fits() const {
        const auto accelerator = m_library.accelerator(m_found.request.accelerator);
        const std::int64_t own = whole_nodes(*accelerator, m_found.request.accelerators);
        for (std::int64_t growth = 2; growth <= max_tried_growth && !m_stop.stop_requested(); growth *= 2) {
            if (!fits_with(own * growth))
                continue;
            const std::int64_t less = whole_nodes(*accelerator, own * growth / 4 * 3);
            const std::int64_t enough = growth == 2 && less == own ? own * growth : less;
            return enough < own * growth && fits_with(enough) ? enough : whole_nodes(*accelerator, own * growth);
        }
        return std::nullopt;
    }

    const Library &m_library;
    std::stop_token m_stop;
    FirstPlan m_found;
    Json m_document;
};

} // namespace

FirstPlan find_first_plan(const PlanRequest &request, const Library &library, const std::stop_token &stop) {
    FirstPlan refused{.request = request, .complete = true};
    try {
        return FirstSearch(request, library, stop).take();
    } catch (const InputError &error) {
        const Diagnostic &first = error.diagnostics().front();
        refused.problem =
            first.expected.text.empty() ? first.message.text : first.message.text + "; " + first.expected.text;
    } catch (const FileError &error) {
        refused.problem = error.what();
    }
    return refused;
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "search/goals.h"
#include "search/shape_search.h"
#include "search/space.h"
#include "threads/urgency.h"

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace meshwright {

class Library;
struct Result;

/// How far a search is, from the thread that called it.
struct SearchProgress {
    std::int64_t considered = 0; ///< of the space, pruned or evaluated
    std::int64_t layouts = 0; ///< in the space
    std::optional<Plan> best; ///< so far
    double best_step_seconds = 0;
};

/// What what is listed is ranked by, and by which figures.
enum class Ranking {
    closed_forms, ///< the bounds and the choice are exact for these
    executed ///< pipelines of the best by closed forms are executed and ranked again
};

struct SearchOptions {
    Objective objective = Objective::time;
    Wanted wanted;
    Ranking ranking = Ranking::executed;
    Shard shard;
    bool any_size = false; ///< lists what does not fit as well: what could be had with more memory
    int threads = 0; ///< 0: all there are
    Urgency urgency = Urgency::now;
    std::stop_token stop;
    /// After most of them the search ends where it is, what it has found is executed, and the result says so; unset: as
    /// long as it takes.
    std::optional<double> time_limit_seconds;
    std::function<void(const SearchProgress &)> progress;
};

/// At least so many of the best by closed forms are executed, however few are to be listed; more where then too few
/// fit.
inline constexpr std::size_t min_executed = 64;

/// One layout that a search lists, with the figures that `evaluate` gives for its plan.
struct SearchEntry {
    Plan plan;
    double step_seconds = 0;
    double mfu = 0;
    double peak_bytes = 0;
    double headroom_bytes = 0;
    double run_seconds = 0;
    double dollars = 0; ///< rent
    double joules = 0;
    double accelerators = 0;
    std::vector<double> order; ///< what ranks it, compared one after another: objective, run, step, then simplicity
    /// Whether the plan's software can run it, as far as is known. Only with `constraints.any_software` can it be
    /// false.
    bool runnable = true;
    std::string reason; ///< why not, or what is not known of the software; empty where it is known to run
    bool tied = false; ///< cannot be told from the first: see `tied_within`
    std::vector<std::string> techniques; ///< that it needs, as plans spell them: fewer are simpler
};

/// Those that a result has under the same names.
void set_figures(const Result &result, SearchEntry &entry);

/// The best achievable at one value of a field.
struct CurvePoint {
    std::int64_t value = 1;
    bool reachable = false; ///< a layout with this value fits
    double step_seconds = 0; ///< of the best by the search's objective
};

/// What ended a search.
enum class SearchEnd {
    whole, ///< there is nothing left to search
    stopped, ///< whoever started it
    time_limit,
    size_limit ///< the space has more layouts than are listed
};
/// "whole", "stopped", "time-limit", "size-limit"
const std::vector<std::string> &search_end_names();

/// A layout that was executed because of its closed forms: with those of all shards, what the whole search executes can
/// be chosen again.
struct Finalist {
    std::size_t pass = 0; ///< of outer loops that hold the same in memory
    Score closed_form;
    std::array<std::int64_t, layout_field_count> values{};
    std::vector<double> simplicity;
    std::optional<Score> executed; ///< unset: it does not fit
    SearchEntry entry; ///< where it fits
};

struct SearchResult {
    Objective objective = Objective::time;
    std::size_t top = 10; ///< how many were asked for
    Shard shard;
    bool complete = true; ///< false where it ended early: what is listed is the best so far
    SearchEnd end = SearchEnd::whole;
    std::int64_t considered = 0; ///< pruned + evaluated; a layout counts with each number of an outer loop's fragments
    /// Layouts that were not considered before it ended; not known where it ended before all were listed.
    std::optional<std::int64_t> unsearched = 0;
    std::int64_t pruned = 0; ///< left out because a bound proves that they are not among what is listed
    std::int64_t evaluated = 0;
    Funnel funnel; ///< adds up to what was considered, once the search is complete
    double seconds = 0; ///< how long it took
    std::vector<SearchEntry> results; ///< best first; only what fits, unless any size is wanted
    std::vector<SearchEntry> pareto; ///< by run time
    std::vector<SearchEntry> best_by_schedule; ///< best first, where asked for; the plan itself counts for its own
    /// Results whose objective is at most this share above the first's are tied with it.
    double tied_within = 0;
    std::optional<std::size_t> recommended; ///< of `results`: of those tied the simplest, then the roomiest
    std::array<std::vector<CurvePoint>, layout_field_count> curves; ///< where asked for
    std::vector<Finalist> finalists; ///< of a shard
    std::vector<LayoutField> finalist_fields; ///< the best at every value of these are among them
};

/// Goes through every layout that the plan's constraints admit, the plan itself among them, for those that fit and are
/// best; where the constraints ask for it, with every outer loop of `outer_settings`, of which each layout is listed
/// with the best. Exact by closed forms: what is not evaluated has a bound on its step and on its memory, worked out by
/// the model's own functions, that keeps it out of the best. These are then executed and ranked. The same on any number
/// of threads. Stops within a tenth of a second when asked to.
/// @throws InputError if the plan is not valid or its constraints name what is not known
SearchResult search(const Plan &plan, const Library &library, const SearchOptions &options);

/// The contract's object.
nlohmann::ordered_json to_json(const SearchResult &result);
nlohmann::ordered_json to_json(const SearchEntry &entry);

/// Tells one search from others: of the same plan with the same options, whatever the shard.
std::string search_key(const Plan &plan, const SearchOptions &options);

} // namespace meshwright

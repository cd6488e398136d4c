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

/// Progress of a search, reported on the calling thread.
struct SearchProgress {
    std::int64_t considered = 0; ///< number of configurations pruned or evaluated
    std::int64_t layouts = 0; ///< number of configurations in the space
    std::optional<Plan> best;
    double best_step_seconds = 0;
};

enum class Ranking {
    closed_forms, ///< by closed forms, for which bounds and ranking are exact
    executed ///< by closed forms; then the best candidates are simulated and ranked again
};

struct SearchOptions {
    Objective objective = Objective::time;
    Wanted wanted;
    Ranking ranking = Ranking::executed;
    Shard shard;
    /// Whether to also list configurations that do not fit, to show what more memory would allow.
    bool any_size = false;
    int threads = 0; ///< number of threads; 0 for all cores
    Urgency urgency = Urgency::now;
    std::stop_token stop;
    /// Once most of this time has passed, the search evaluates no further configurations, simulates its best
    /// candidates, and marks the result incomplete. Unset: no limit.
    std::optional<double> time_limit_seconds;
    std::function<void(const SearchProgress &)> progress;
};

/// Minimum number of candidates to simulate, best by closed forms first, even if fewer are listed. More are
/// simulated if too few of them fit.
inline constexpr std::size_t min_executed = 64;

struct SearchEntry {
    Plan plan;
    double step_seconds = 0;
    double mfu = 0;
    double peak_bytes = 0;
    double headroom_bytes = 0;
    double run_seconds = 0;
    double dollars = 0;
    double joules = 0;
    double accelerators = 0;
    std::vector<double> order; ///< sort keys in order: objective, run time, step time, then simplicity
    /// Whether the plan's software can run it, as far as known. Can be false only with `constraints.any_software`.
    bool runnable = true;
    std::string
        reason; ///< reason why it cannot run, or what is unknown about the software; empty if it is known to run
    bool tied = false; ///< whether it is tied with the first result; see `tied_within`
    /// Techniques that the configuration needs, spelled as in plans; fewer are simpler.
    std::vector<std::string> techniques;
};

/// Copies the figures with the same names from a result.
void set_figures(const Result &result, SearchEntry &entry);

struct CurvePoint {
    std::int64_t value = 1;
    bool reachable = false; ///< whether a configuration with this value fits
    double step_seconds = 0; ///< step time of the configuration that is best by the search's objective
};

enum class SearchEnd {
    whole,
    stopped,
    time_limit,
    size_limit ///< the space has more configurations than can be listed
};
/// Names of the ends: "whole", "stopped", "time-limit", "size-limit".
const std::vector<std::string> &search_end_names();

/// A configuration that was simulated because it was among the best by closed forms. From the finalists of all shards,
/// a merge selects what a search of the whole space would have selected.
struct Finalist {
    std::size_t pass = 0; ///< index of the group of outer loops with the same memory
    Score closed_form;
    std::array<std::int64_t, configuration_field_count> values{};
    std::vector<double> simplicity;
    std::optional<Score> executed; ///< score after simulation; unset if it does not fit
    SearchEntry entry;
};

struct SearchResult {
    Objective objective = Objective::time;
    std::size_t top = 10;
    Shard shard;
    bool complete = true; ///< false if the search ended early, with the best configurations so far
    SearchEnd end = SearchEnd::whole;
    /// Pruned + evaluated; a configuration is counted once for each number of outer-loop fragments.
    std::int64_t considered = 0;
    /// Number of configurations not considered before the search ended; unset if it ended before all were listed.
    std::optional<std::int64_t> unsearched = 0;
    std::int64_t pruned = 0; ///< number of configurations ruled out by a bound
    std::int64_t evaluated = 0;
    Funnel funnel; ///< its counts add up to `considered` once the search is complete
    double seconds = 0;
    std::vector<SearchEntry> results; ///< best first; only configurations that fit, unless any_size is set
    std::vector<SearchEntry> pareto; ///< Pareto front, sorted by run time
    std::vector<SearchEntry> best_by_schedule; ///< best first, if requested; includes the plan itself
    /// Results are tied with the first if their objective is at most this fraction higher.
    double tied_within = 0;
    /// Index of the simplest tied result; of several, the one with the most headroom.
    std::optional<std::size_t> recommended;
    std::array<std::vector<CurvePoint>, configuration_field_count> curves;
    std::vector<Finalist> finalists; ///< candidates of a shard, to be merged with those of other shards
    /// Fields for which the finalists include the best configuration at each value.
    std::vector<ConfigurationField> finalist_fields;
};

/// Finds the best configurations that fit, among all those allowed by the plan's constraints and the plan itself. If
/// the constraints request it, each configuration is tried with every outer loop of `outer_settings` and listed with
/// the best one. With closed forms the result is exact: a configuration is skipped only if lower bounds on its step
/// time and memory, calculated by the model's own functions, rule it out. The best are then simulated and ranked. The
/// result does not depend on the number of threads. Stops within 0.1 s on request.
/// @throws InputError if the plan is not valid or its constraints contain an unknown name
SearchResult search(const Plan &plan, const Library &library, const SearchOptions &options);

/// The JSON printed by `search --json`, and one of its configurations.
nlohmann::ordered_json to_json(const SearchResult &result);
nlohmann::ordered_json to_json(const SearchEntry &entry);

/// Identifies a search: all shards with the same plan and options have the same key.
std::string search_key(const Plan &plan, const SearchOptions &options);

} // namespace meshwright

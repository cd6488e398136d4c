// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/result.h"
#include "quantities/text.h"
#include "search/landscape.h"
#include "search/search.h"
#include "search/ties.h"

#include <QString>

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace meshwright {

class Library;

/// What is to be searched for.
struct SearchQuestion {
    Plan plan;
    Objective objective = Objective::time;
    bool curvesOnly = false; ///< for what stands beside the plan: no list of a thousand
    bool operator==(const SearchQuestion &) const = default;
};

/// One layout as the table, the charts and the heading show it.
struct LayoutRow {
    SearchEntry entry;
    int rank = 0; ///< from 1; 0: beyond those that are ranked
    bool present = false; ///< the plan itself
    bool onFront = false; ///< nothing is better in run time, memory, cost and accelerators at once
    bool ofSchedule = false; ///< beyond those that are ranked and the front, but the best of its schedule
    QString pin; ///< "A" to "D" where it is pinned
    bool elsewhere = false; ///< pinned, and not listed any more: its figures are those with which it last was
};

/// What could be had if the search were to vary one thing more.
struct WiderSearch {
    SearchOption option = SearchOption::offload;
    SearchEntry best;
};

/// Why the plan itself is ranked among the results, or not.
enum class Standing { ranked, beyond, too_large, headroom, software, constraints };

/// How far an answer goes. Each stage has all that the one before it has.
enum class SearchStage {
    first, ///< the best and the front
    listed, ///< the best thousand, of a space too large to go through or where wider searches are still to come
    complete ///< the best thousand and the best at every value of each degree; where nothing fits, wider searches too
};

struct SearchAnswer {
    SearchQuestion question;
    SearchStage stage = SearchStage::first;
    bool stopped = false; ///< before its end: the best so far
    std::string problem; ///< why there is no answer; empty: there is one
    std::string expected;
    std::shared_ptr<const Result> present;
    std::shared_ptr<const Result> best; ///< null where no layout is listed
    /// Best first, then the front's further points, then the plan if it is not among them, then further bests of
    /// schedules.
    std::vector<LayoutRow> rows;
    SearchResult found; ///< counts and curves; its layouts are in `rows`
    bool fits = true; ///< false: nothing fits, and what is listed are the fastest of those that do not
    double headroom_bytes = 0; ///< that the search keeps free on the fullest accelerator
    double least_excess_bytes = 0; ///< where nothing fits: of the listed front, the least over capacity and headroom
    std::vector<WiderSearch> wider;
    Landscapes landscapes; ///< of a complete answer: the best at every value of each degree

    std::vector<LayoutRow> schedules; ///< the best of each schedule, best first; of ranks only where they are listed

    const LayoutRow *bestRow() const { return rows.empty() || rows.front().rank != 1 ? nullptr : &rows.front(); }
    /// The configuration to apply: the recommended one, or the best where only that gains on the plan. The plan itself
    /// is passed over where it leaves too little headroom or cannot be run.
    const LayoutRow *offeredRow() const;
    /// Of the best `recommendedOf` that are tied with the first the simplest, then the roomiest; the first where that
    /// gains nothing on the plan and the first does.
    const LayoutRow *recommendedRow() const;
    Standing presentStanding() const;
    /// Whether the plan leaves the headroom that the search keeps, and its software can run it.
    bool presentHolds() const;
    /// Whether another configuration is better than the plan by so much that it is worth a change.
    bool gains(const LayoutRow &row) const;
    int tiedCount() const; ///< how many rows cannot be told from the best, it included
    const LayoutRow *presentRow() const;
};
using SearchAnswerPointer = std::shared_ptr<const SearchAnswer>;

/// How the best thousand are counted.
inline constexpr std::size_t maxListed = 1000;
/// Among how many of the best one is recommended: as many as the first answer lists, so that it does not change as the
/// list grows. Of a thousand it would be one of the slowest that still tie.
inline constexpr std::size_t recommendedOf = max_recommendable;
/// A search of the window ends after so many seconds with the best so far; the command line sets its own limit.
inline constexpr double maxSearchSeconds = 25;
/// Degrees that have a slider with a curve under it.
const std::vector<LayoutField> &sliderFields();

/// Searches in stages; each is handed to `publish` as soon as it is there.
void answerQuestion(const SearchQuestion &question, const Library &library, const std::stop_token &stop,
                    const std::function<void(const SearchProgress &)> &progress,
                    const std::function<void(SearchAnswerPointer)> &publish);

/// Whether two plans train one model with one batch on one cluster, so that configurations of one can be those of the
/// other.
bool isOfSameRun(const Plan &a, const Plan &b);

/// The number that an objective makes small: seconds of the run, dollars, accelerators or joules.
double figureOf(const SearchEntry &entry, Objective objective);
/// Path of that number in a result, and what it is a number of.
QString figurePathOf(Objective objective);
Quantity quantityOf(Objective objective);
/// Whether steps of the rows can be compared: one batch, one number of accelerators.
bool stepsCompare(const SearchAnswer &answer);

} // namespace meshwright

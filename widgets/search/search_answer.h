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

struct SearchQuestion {
    Plan plan;
    Objective objective = Objective::time;
    bool curvesOnly = false; ///< calculates the curves, and lists only the best few configurations; for the sliders and
                             ///< for the strip next to the plan
    bool firstOnly = false; ///< ends with the first answer, without curves; used for reports
    bool operator==(const SearchQuestion &) const = default;
};

/// One configuration as shown in the table, the charts and the heading.
struct LayoutRow {
    SearchEntry entry;
    int rank = 0; ///< rank from 1; 0 if the configuration is not ranked
    bool present = false;
    bool onFront = false; ///< whether the row is on the Pareto front of run time, memory, cost and accelerators
    bool ofSchedule = false; ///< neither ranked nor on the front, but the best configuration for its schedule
    QString pin; ///< "A" to "D" if pinned, otherwise empty
    bool elsewhere = false; ///< pinned but no longer listed, so its figures are from the answer that last listed it
};

/// The best configuration of a wider search, which includes one option that the original search leaves out.
struct WiderSearch {
    SearchOption option = SearchOption::offload;
    SearchEntry best;
};

/// Whether the plan's own configuration is ranked among the results, and if not, why.
enum class Standing { ranked, beyond, too_large, headroom, software, constraints };

/// How complete an answer is. Each stage includes the previous one.
enum class SearchStage {
    first, ///< the best few configurations and the Pareto front
    listed, ///< the best 1,000 configurations; the space is too large to finish, or wider searches are still running
    complete ///< also the best configuration for every value of each degree and, if nothing fits, the wider searches
};

struct SearchAnswer {
    SearchQuestion question;
    SearchStage stage = SearchStage::first;
    bool stopped = false; ///< true if the search ended early; the rows are the best so far
    std::string problem; ///< why there is no answer; empty if there is one
    std::string expected;
    std::shared_ptr<const Result> present;
    std::shared_ptr<const Result> best; ///< null if no configuration is listed
    /// The ranked rows, best first. They are followed by other rows of the Pareto front, by the plan if it is not
    /// among them, and by other rows that are the best for their schedule.
    std::vector<LayoutRow> rows;
    SearchResult found; ///< counts and curves of the search; the configurations are in `rows`
    bool fits = true; ///< false if nothing fits; then the rows are the fastest configurations that do not fit
    double headroom_bytes = 0; ///< minimum headroom on the fullest accelerator
    /// If nothing fits, the smallest memory shortfall of the rows on the Pareto front, including the required headroom.
    double least_excess_bytes = 0;
    std::vector<WiderSearch> wider;
    Landscapes landscapes; ///< the best configuration for every value of each degree; only in a complete answer

    std::vector<LayoutRow> schedules; ///< the best configuration for each schedule, best first; ranked only if listed

    const LayoutRow *bestRow() const { return rows.empty() || rows.front().rank != 1 ? nullptr : &rows.front(); }
    /// The configuration to apply: the recommended one, or the best if only that one improves on the plan. The plan
    /// itself is skipped if it leaves too little headroom or its software cannot run it.
    const LayoutRow *offeredRow() const;
    /// The simplest of the best `recommendedOf` rows that tie with the first; among equally simple ones, the one with
    /// the most headroom. It is the first row if only that one improves on the plan.
    const LayoutRow *recommendedRow() const;
    Standing presentStanding() const;
    /// Whether the plan leaves the required headroom and its software can run it.
    bool presentHolds() const;
    /// Whether a configuration improves on the plan by enough to justify a change (0.5%).
    bool gains(const LayoutRow &row) const;
    int tiedCount() const; ///< number of ranked rows that tie with the best, including the best
    const LayoutRow *presentRow() const;
};
using SearchAnswerPointer = std::shared_ptr<const SearchAnswer>;

inline constexpr std::size_t maxListed = 1000;
/// Number of best rows from which the recommended row is chosen. The first answer already lists them, so that the
/// recommendation does not change as the list grows. Among all 1,000 rows, the recommended one would be one of the
/// slowest that still tie.
inline constexpr std::size_t recommendedOf = max_recommendable;
/// Time limit of a search in the window, which then shows the best so far. The command line sets its own limit.
inline constexpr double maxSearchSeconds = 25;
/// Fields that have a slider with a curve below it.
const std::vector<ConfigurationField> &sliderFields();

/// Searches in stages and passes each answer to `publish` as soon as it is complete.
void answerQuestion(const SearchQuestion &question, const Library &library, const std::stop_token &stop,
                    const std::function<void(const SearchProgress &)> &progress,
                    const std::function<void(SearchAnswerPointer)> &publish);

/// Whether two plans train the same model with the same batch on the same cluster. A configuration of one plan can then
/// be applied to the other.
bool isOfSameRun(const Plan &a, const Plan &b);

double figureOf(const SearchEntry &entry, Objective objective);
/// Path and quantity of the result's figure that an objective minimizes.
QString figurePathOf(Objective objective);
Quantity quantityOf(Objective objective);
/// Whether the rows' step times can be compared: all have the plan's batch size and number of accelerators.
bool stepsCompare(const SearchAnswer &answer);

} // namespace meshwright

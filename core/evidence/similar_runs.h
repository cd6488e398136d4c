// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidence/compared_run.h"
#include "evidence/error_statistics.h"
#include "evidence/evidence_table.h"
#include "evidence/similar_run.h"

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

/// Measured runs next to their predictions, without runs that cannot be predicted. Their strings point into the table.
std::vector<ComparedRun> compared_runs(const EvidenceTable &table, const std::vector<Prediction> &predictions);

/// Measured runs with the model's predictions. Immutable; thread-safe.
class KnownRuns {
public:
    explicit KnownRuns(std::span<const ComparedRun> runs);
    KnownRuns(const EvidenceTable &table, const std::vector<Prediction> &predictions);
    /// Lets standard() use the predictions from build time if it is called without overrides and the library's files
    /// are unchanged.
    static void start_from(const BuiltInRuns &runs);
    /// The built-in runs, predicted with overrides for some constants of the registry. Recent sets are cached: the
    /// first call for a set takes about 0.1 s, later calls no time.
    static std::shared_ptr<const KnownRuns> standard(const std::map<std::string, double> &overrides = {});
    /// Like standard(), but returns null if the runs are not cached, instead of predicting them.
    static std::shared_ptr<const KnownRuns> at_hand(const std::map<std::string, double> &overrides);

    /// The nearest runs with a measured step time, nearest first.
    /// @param without_source  excludes the runs of this source
    std::vector<SimilarRun> nearest(const RunFeatures &features, std::size_t most,
                                    std::string_view without_source = {}) const;
    /// The measured runs nearest to a plan, including runs of the plan's machine.
    std::vector<SimilarRun> nearest(const Plan &plan, std::size_t most) const;
    /// 80% interval of step time from the errors on the nearest runs, weighted by proximity and widened with distance.
    /// Source: weighted conformal prediction, Tibshirani et al. 2019, arXiv 1904.06019.
    IntervalFactors step_interval(const RunFeatures &features, std::string_view without_source = {}) const;
    /// Interval of peak memory from the nearest runs; runs with another kind of memory figure have less weight.
    IntervalFactors memory_interval(const RunFeatures &features, MeasuredMemory kind,
                                    std::string_view without_source = {}) const;
    /// Weighted fractions of the nearest runs that lie below the low end and below the high end of an interval.
    static constexpr double low_share = 0.08;
    static constexpr double high_share = 0.92;
    /// Interval of a plan's step time. A run of the plan's own machine counts as ten other runs. Tested with published
    /// runs: with constants fitted to 3, 6, 12 and 24 runs of a source on one kind of accelerator, 83%, 85%, 80% and
    /// 82% of its other runs are inside their intervals, whose widths (high / low - 1) are 0.20, 0.21, 0.20 and 0.22.
    /// Intervals from the runs of other sources alone have widths of 0.26 to 0.29.
    IntervalFactors step_interval(const Plan &plan, std::string_view without_source = {}) const;
    IntervalFactors memory_interval(const Plan &plan, MeasuredMemory kind, std::string_view without_source = {}) const;
    std::size_t steps() const { return m_steps.size(); }
    std::size_t memories() const { return m_memories.size(); }

private:
    struct Known {
        SimilarRun run;
        RunFeatures features;
        MeasuredMemory kind = MeasuredMemory::unknown;
        double error = 0; ///< ln(measured / predicted) of this figure
    };
    struct Near {
        double distance;
        const Known *known;
        double weight = 1; ///< weight of the run at distance 0
    };
    /// Runs with this figure from the plan's own machine, except runs on other accelerators.
    static std::vector<Known> own(const Plan &plan, std::optional<CheckedFigure> OwnRun::*figure);
    template <typename Distance>
    static std::vector<Near> near(const std::vector<Known> &list, const Distance &distance_of, std::size_t most,
                                  std::string_view without_source);
    static double memory_distance(const RunFeatures &features, MeasuredMemory kind, const Known &known);
    static IntervalFactors factors(const std::vector<Near> &chosen);

    std::vector<Known> m_steps;
    std::vector<Known> m_memories;
};

/// Sets every prediction's interval, based on the runs of other sources.
void add_intervals(const EvidenceTable &table, const KnownRuns &known, std::vector<Prediction> &predictions);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidence/error_statistics.h"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

/// Where a plan stands among runs. Sizes are logarithms to base 2, so that a doubling is a distance of one times its
/// weight; kinds are 0 or 1.
struct RunFeatures {
    static constexpr std::size_t count = 13;
    std::array<float, count> values{};
    std::string stack;
    std::string framework;
    std::string architecture;
};
RunFeatures features_of(const Plan &plan);

/// Weighted Euclidean distance; other software and other kinds of accelerators add to it.
double distance(const RunFeatures &a, const RunFeatures &b);

/// A measured run near a plan.
struct SimilarRun {
    std::string id;
    std::string source;
    double measured_seconds = 0;
    double predicted_seconds = 0;
    double distance = 0;
};

/// Factors on a predicted time between which four of five measured ones lie.
struct IntervalFactors {
    double low = 1;
    double high = 1;
};

/// Measured runs with what the model says of them. A value once made; safe to ask from several threads.
class KnownRuns {
public:
    /// Runs without a measured step, stalled ones and those that cannot be predicted are left out.
    KnownRuns(const std::vector<MeasuredRun> &runs, const std::vector<RunPlan> &plans,
              const std::vector<Prediction> &predictions);
    /// The program's own runs (presets/evidence/measured-runs.csv), read and predicted when first asked for. Empty
    /// where the file is missing.
    static const KnownRuns &standard();

    /// The nearest runs, nearest first. @param without_source  whose runs do not count
    std::vector<SimilarRun> nearest(const RunFeatures &features, std::size_t most,
                                    std::string_view without_source = {}) const;
    /// 80 % interval from the errors on the nearest runs, nearer ones counting more; wider the farther they are.
    /// Source: weighted conformal prediction, Tibshirani and others 2019, arXiv 1904.06019.
    IntervalFactors interval(const RunFeatures &features, std::string_view without_source = {}) const;
    std::size_t size() const { return m_runs.size(); }

private:
    struct Known {
        SimilarRun run;
        RunFeatures features;
    };
    struct Near {
        double distance;
        const Known *known;
    };
    std::vector<Near> near(const RunFeatures &features, std::size_t most, std::string_view without_source) const;

    std::vector<Known> m_runs;
};

/// Gives every prediction the interval that runs of other sources support.
void add_intervals(const std::vector<MeasuredRun> &runs, const std::vector<RunPlan> &plans, const KnownRuns &known,
                   std::vector<Prediction> &predictions);

} // namespace meshwright

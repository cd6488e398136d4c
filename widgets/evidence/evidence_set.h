// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidence/similar_runs.h"

#include <QString>
#include <QVector>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace meshwright {

/// The figure whose predictions are compared with measurements.
enum class EvidenceMetric { Step, Memory };

/// A measured figure with its prediction: step time in seconds, or peak memory in bytes.
struct EvidencePoint {
    std::size_t row = 0;
    int family = 0;
    double measured = 0;
    double predicted = 0;

    /// Relative error: predicted / measured - 1.
    double error() const { return predicted / measured - 1; }
};

/// Sources grouped by who made the measurements. Each of the largest families has a color of its own; the last one
/// combines all others.
struct EvidenceFamily {
    QString name;
    std::size_t rows = 0;
};

struct EvidenceSource {
    QString name;
    int family = 0;
    std::vector<std::size_t> rows;
    EvidenceSummary summary;
    double low = 0; ///< 10th percentile of the signed step time errors
    double high = 0; ///< 90th percentile of the signed step time errors
};

/// Measured runs, their predictions under some assumptions, and statistics on them. Immutable once built.
struct EvidenceSet {
    std::shared_ptr<const EvidenceTable> table; ///< never null
    std::map<std::string, double> overrides;
    std::shared_ptr<const KnownRuns> known; ///< measured runs predicted under the same assumptions; never null
    std::vector<Prediction> predictions; ///< by row; a run's interval is derived from the runs of other sources
    std::vector<EvidencePoint> steps; ///< points of all runs that did not stall
    std::vector<EvidencePoint> memories;
    QVector<EvidenceFamily> families;
    std::vector<int> familyOfRow;
    std::vector<EvidenceSource> sources;
    EvidenceSummary all;
    std::vector<bool> fitted; ///< for each row, whether the program's constants were fitted to its step time
    double milliseconds = 0;

    const std::vector<EvidencePoint> &points(EvidenceMetric metric) const {
        return metric == EvidenceMetric::Step ? steps : memories;
    }
};
struct EvidenceSlice {
    std::vector<std::size_t> rows; ///< rows of the set's table, in ascending order
    EvidenceSummary summary;
    std::size_t fitted = 0; ///< number of rows in the slice to which constants were fitted
    bool whole = true;
    bool near = false;
    QString words;
};
EvidenceSlice sliceOf(const EvidenceSet &set, std::vector<std::size_t> rows);

using EvidenceSetPointer = std::shared_ptr<const EvidenceSet>;

inline constexpr int ColouredFamilies = 6;

/// Predicts all rows on all cores; takes tens of milliseconds for the program's own rows.
EvidenceSetPointer evidenceSetOf(std::shared_ptr<const EvidenceTable> table, std::map<std::string, double> overrides);

QString runName(const MeasuredRun &run);
QString machinesText(const EvidenceTable &table, std::size_t row);
/// Degrees of tensor, pipeline and data parallelism, then context and expert degrees greater than 1: "8 · 4 · 16, CP
/// 2".
QString degreesText(const Plan &plan);

} // namespace meshwright

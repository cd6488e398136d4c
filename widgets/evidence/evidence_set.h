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

/// The predicted figure that is compared.
enum class EvidenceMetric { Step, Memory };

/// A measured figure with its prediction: step time in seconds or peak memory in bytes.
struct EvidencePoint {
    std::size_t row = 0; ///< row in the table
    int family = 0; ///< index in EvidenceSet::families
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

/// A source with its rows and their errors.
struct EvidenceSource {
    QString name; ///< name in the table
    int family = 0;
    std::vector<std::size_t> rows;
    EvidenceSummary summary;
    double low = 0; ///< 10th percentile of the signed step time errors
    double high = 0; ///< 90th percentile of these errors
};

/// Measured runs, their predictions under some assumptions, and statistics on them. Immutable once built.
struct EvidenceSet {
    std::shared_ptr<const EvidenceTable> table; ///< never null
    std::map<std::string, double> overrides;
    std::shared_ptr<const KnownRuns> known; ///< known runs under the same assumptions; never null
    std::vector<Prediction> predictions; ///< intervals are derived from runs of other sources
    std::vector<EvidencePoint> steps; ///< points of all runs that are not stalled
    std::vector<EvidencePoint> memories;
    QVector<EvidenceFamily> families;
    std::vector<int> familyOfRow;
    std::vector<EvidenceSource> sources;
    EvidenceSummary all;
    std::vector<bool> fitted; ///< for each row, whether the program's constants were fitted to its step time
    double milliseconds = 0; ///< time that calculating the predictions took

    const std::vector<EvidencePoint> &points(EvidenceMetric metric) const {
        return metric == EvidenceMetric::Step ? steps : memories;
    }
};
/// Selected rows of a set, and how well they are predicted.
struct EvidenceSlice {
    std::vector<std::size_t> rows; ///< rows of the set's table, in ascending order
    EvidenceSummary summary;
    std::size_t fitted = 0; ///< number of these rows to which constants were fitted
    bool whole = true; ///< whether the slice has all rows of the set
    bool near = false; ///< whether to show only the runs nearest to the plan
    QString words; ///< filter text; empty for none
};
EvidenceSlice sliceOf(const EvidenceSet &set, std::vector<std::size_t> rows);

using EvidenceSetPointer = std::shared_ptr<const EvidenceSet>;

/// Number of families that have their own color; the others share one.
inline constexpr int ColouredFamilies = 6;

/// Predicts all rows on all cores; takes tens of milliseconds for the program's own rows.
EvidenceSetPointer evidenceSetOf(std::shared_ptr<const EvidenceTable> table, std::map<std::string, double> overrides);

/// Model name such as "Llama 3.1 70B", or the id of the row if the source names no model.
QString runName(const MeasuredRun &run);
/// Number and type of accelerators: "1,024 × H100".
QString machinesText(const EvidenceTable &table, std::size_t row);
/// Tensor · pipeline · data degrees, then context and expert degrees if greater than 1: "8 · 4 · 16, CP 2".
QString degreesText(const Plan &plan);

} // namespace meshwright

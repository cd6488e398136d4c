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

/// Which of the two predicted figures is looked at.
enum class EvidenceMetric { Step, Memory };

/// One measured figure with its prediction: seconds of a step or bytes at the peak.
struct EvidencePoint {
    std::size_t row = 0; ///< in the table
    int family = 0; ///< in EvidenceSet::families
    double measured = 0;
    double predicted = 0;

    /// Predicted over measured less one.
    double error() const { return predicted / measured - 1; }
};

/// Sources that belong together, by who measured. The large ones have a colour of their own; the last is all others.
struct EvidenceFamily {
    QString name;
    std::size_t rows = 0;
};

/// One source: its name, its rows and the errors on them.
struct EvidenceSource {
    QString name; ///< as the table words it
    int family = 0;
    std::vector<std::size_t> rows;
    EvidenceSummary summary;
    double low = 0; ///< 10 and 90 % of the signed errors of steps
    double high = 0;
};

/// Measured runs, what the model says of them under some assumptions, and what follows. A value once made.
struct EvidenceSet {
    std::shared_ptr<const EvidenceTable> table; ///< never null
    std::map<std::string, double> overrides;
    std::shared_ptr<const KnownRuns> known; ///< under the same assumptions; never null
    std::vector<Prediction> predictions; ///< with intervals from runs of other sources
    std::vector<EvidencePoint> steps; ///< stalled runs left out
    std::vector<EvidencePoint> memories;
    QVector<EvidenceFamily> families;
    std::vector<int> familyOfRow;
    std::vector<EvidenceSource> sources;
    EvidenceSummary all;
    std::vector<bool> fitted; ///< by row: its step was among those that the program's constants were fitted to
    double milliseconds = 0; ///< that the predictions took

    const std::vector<EvidencePoint> &points(EvidenceMetric metric) const {
        return metric == EvidenceMetric::Step ? steps : memories;
    }
};
/// Rows of a set that are looked at, and how well they are predicted.
struct EvidenceSlice {
    std::vector<std::size_t> rows; ///< of the set's table, in its order
    EvidenceSummary summary;
    std::size_t fitted = 0; ///< of the rows, as EvidenceSet::fitted
    bool whole = true; ///< all rows of the set
    bool near = false; ///< those nearest to the plan, among other filters
    QString words; ///< that they were filtered by; empty for none
};
EvidenceSlice sliceOf(const EvidenceSet &set, std::vector<std::size_t> rows);

using EvidenceSetPointer = std::shared_ptr<const EvidenceSet>;

/// So many families have a colour; the rest share one.
inline constexpr int ColouredFamilies = 6;

/// Predicts all rows on all cores: tens of milliseconds for the program's own.
EvidenceSetPointer evidenceSetOf(std::shared_ptr<const EvidenceTable> table, std::map<std::string, double> overrides);

/// "Llama 3.1 70B", or the row's id where the source names no model.
QString runName(const MeasuredRun &run);
/// "1,024 × H100"
QString machinesText(const EvidenceTable &table, std::size_t row);
/// Tensor · pipeline · data, context and experts where there are any.
QString layoutText(const Plan &plan);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "calibration/machine_fit.h"
#include "charts/chart_view.h"
#include "evidence/evidence_set.h"

#include <vector>

namespace meshwright {

/// Colour of a family of sources; the last one, all others, is grey.
Kind kindOfFamily(int family);

/// Columns of a histogram of errors, and the errors at its ends. What lies beyond them is counted in the outermost.
inline constexpr int errorColumns = 40;
inline constexpr double errorReach = 0.5;
/// Which column counts an error.
int columnOfError(double error);

/// Rows by the error of their prediction, stacked by family of sources.
ChartView errorHistogram(const std::vector<EvidencePoint> &points, const QVector<EvidenceFamily> &families);

/// Predicted over measured, both logarithmic: what is right lies on the diagonal. Points are things, best by what was
/// measured.
/// @param band  factor on either side of the diagonal between which 90 % of the points lie; 1 for none
/// @param present  the present plan's estimate and interval, if it has one
ChartView evidenceScatter(const std::vector<EvidencePoint> &points, EvidenceMetric metric, double band,
                          const std::optional<ChartMark> &present);

/// Predicted over measured of one's own runs, both logarithmic: a ring before the fit, a dot after it, what is right on
/// the diagonal. Runs are things; null for none.
ChartView fitChart(const MachineFit *fit, EvidenceMetric metric);

} // namespace meshwright

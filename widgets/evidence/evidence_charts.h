// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "calibration/machine_fit.h"
#include "charts/chart_view.h"
#include "evidence/evidence_set.h"

#include <vector>

namespace meshwright {

/// Color of a family of sources; the last family, all other sources, is gray.
Kind kindOfFamily(int family);

/// Number of columns in the error histogram, and the absolute error at its ends. Larger errors are counted in the
/// outermost columns.
inline constexpr int errorColumns = 40;
inline constexpr double errorReach = 0.5;
int columnOfError(double error);

ChartView errorHistogram(const std::vector<EvidencePoint> &points, const QVector<EvidenceFamily> &families);

/// Predicted over measured values on logarithmic axes; correct predictions lie on the diagonal. Each point is
/// selectable; points must be in order of the measured value.
/// @param band  factor on either side of the diagonal within which 90% of the points lie; 1 for none
/// @param present  estimate and interval of the current plan, if it has one
ChartView evidenceScatter(const std::vector<EvidencePoint> &points, EvidenceMetric metric, double band,
                          const std::optional<ChartMark> &present);

/// Predicted over measured values of the user's runs on logarithmic axes: a ring before the fit, a dot after it;
/// correct predictions lie on the diagonal. Runs are selectable. @param fit  null for none
ChartView fitChart(const MachineFit *fit, EvidenceMetric metric);

} // namespace meshwright

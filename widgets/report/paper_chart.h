// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart_view.h"
#include "report/report_parts.h"

#include <QRectF>

#include <vector>

namespace meshwright {

class Paper;

/// Draws a chart as vectors on any thread. Qt Charts cannot do this, because its graphics scene belongs to the
/// application's main thread. Columns are not drawn.
void paintChart(Paper &paper, const QRectF &area, const ChartView &view);

struct TitledChart {
    QString title;
    ChartView view;
};
void paintCharts(Paper &paper, const QRectF &area, const std::vector<TitledChart> &charts, int columns);

/// A chart's series as a table of at most `most` rows, spread evenly over the points of the first series.
TablePart tableOf(const ChartView &view, int most);

} // namespace meshwright

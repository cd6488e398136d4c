// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart_view.h"
#include "plots/plot.h"

namespace meshwright {

/// A plot as a chart. Lines are read along the x axis; in all other forms each row is an item.
ChartView plotChart(const Plot &plot);

/// A cell of a plot for a reader, with its unit: "1.34B", "38.2%"; empty if it is unknown.
QString plotCellText(const Plot &plot, std::size_t row, std::size_t column);

} // namespace meshwright

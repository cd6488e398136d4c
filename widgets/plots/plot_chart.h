// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart_view.h"
#include "plots/plot.h"

namespace meshwright {

/// The chart of a plot. In a line plot the user hovers along the x axis; in all other plots each row is an item.
ChartView plotChart(const Plot &plot);

/// Text of a plot's cell with its unit: "1.34B", "38.2%"; empty if the value is unknown.
QString plotCellText(const Plot &plot, std::size_t row, std::size_t column);

} // namespace meshwright

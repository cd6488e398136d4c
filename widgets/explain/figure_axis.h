// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart_axis.h"
#include "formulas/formula.h"

#include <QString>

#include <string_view>

namespace meshwright {

/// The largest printed unit of a quantity that is not above `largest`: GB for 2e9 bytes, % for a share.
AxisUnit axisUnit(double largest, Quantity quantity, std::string_view unit = {});

/// An axis that prints values of a quantity; `unit` where they are not in its SI unit. Its ends are still to be set.
ChartAxis axisOf(const QString &title, Quantity quantity, std::string_view unit = {});

/// Gives a y axis the ends that hold its values: logarithmic where they are all above 0 and far apart.
void fitValues(ChartAxis &axis, double low, double high, Quantity quantity, std::string_view unit = {});

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart_axis.h"
#include "formulas/formula.h"

#include <QString>

#include <string_view>

namespace meshwright {

/// The largest output unit that does not exceed `largest`: GB for 2e9 bytes, % for a fraction.
AxisUnit axisUnit(double largest, Quantity quantity, std::string_view unit = {});

/// An axis that formats values of a quantity. If the values are not in SI units, `unit` is their unit. The caller sets
/// the ends of the axis.
ChartAxis axisOf(const QString &title, Quantity quantity, std::string_view unit = {});

/// Sets the ends of a y axis to fit its values: logarithmic if they are all positive and far apart.
void fitValues(ChartAxis &axis, double low, double high, Quantity quantity, std::string_view unit = {});

} // namespace meshwright

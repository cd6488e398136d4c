// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "calculators/calculator.h"
#include "formulas/derivation.h"

#include <QString>
#include <QVector>

#include <optional>

namespace meshwright {

/// A place in the plan's derivation that uses a formula, with the argument values there.
struct PlanValues {
    QString title; ///< the quantity calculated there: "Feed_forward.up, forward"
    QString figure; ///< the figure that it is part of: "Step time"
    QString value; ///< the result, formatted
    ArgumentTexts texts;
    double number = 0; ///< the result as a number in its unit
    std::string result; ///< name of the formula's result that the plan uses here; empty for none
};

/// Nothing while the plan is still being calculated.
using PlanPlaces = std::optional<QVector<PlanValues>>;

/// The places where a plan uses this formula, at most `limit`; places with equal values are listed once. The last entry
/// has the plan's values that match a symbol by name and are the same throughout the plan.
QVector<PlanValues> valuesFromPlan(const Derivation &tree, const Formula &formula, int limit = 24);

} // namespace meshwright

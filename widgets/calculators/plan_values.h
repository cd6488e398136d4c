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
    QString title; ///< such as "Feed_forward.up, forward"
    QString figure; ///< the figure that contains it: "Step time"
    QString value;
    ArgumentTexts texts;
    double number = 0; ///< the result as a number in its unit
    std::string result; ///< which of the formula's results the plan uses here, by name; may be empty
};

/// Unset while the plan is being calculated.
using PlanPlaces = std::optional<QVector<PlanValues>>;

/// The places where a plan uses this formula, at most `limit`. Places with equal values are listed once. The last entry
/// collects the values that are the same throughout the plan and that match a symbol by name.
QVector<PlanValues> valuesFromPlan(const Derivation &tree, const Formula &formula, int limit = 24);

} // namespace meshwright

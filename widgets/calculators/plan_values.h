// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "calculators/calculator.h"
#include "formulas/derivation.h"

#include <QString>
#include <QVector>

#include <optional>

namespace meshwright {

/// A place in a plan's explanation that a formula gives, with the values that it takes there.
struct PlanValues {
    QString title; ///< what is calculated there: "Feed_forward.up, forward"
    QString figure; ///< of which it is a part: "Time of one step"
    QString value; ///< what comes out
    ArgumentTexts texts;
    double number = 0; ///< the same, in the result's unit
    std::string result; ///< of the formula's results, the one that is calculated there; empty where none is
};

/// Nothing while the plan is still worked out.
using PlanPlaces = std::optional<QVector<PlanValues>>;

/// The places where a plan is calculated by this formula. Equal values are named once; at most `most`. Last, and not of
/// one place: what the plan knows by the name of a symbol and that has one value throughout.
QVector<PlanValues> valuesFromPlan(const Derivation &tree, const Formula &formula, int most = 24);

} // namespace meshwright

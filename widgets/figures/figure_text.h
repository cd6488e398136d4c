// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "quantities/text.h"

#include <QString>

#include <cstdint>

namespace meshwright {

/// A figure and its unit separately: "4.6" and "GB".
struct FigureParts {
    QString figure;
    QString unit;
};

/// Formats a value as the core does, but with a typographic minus sign (U+2212).
QString figureText(double value, Quantity quantity);
FigureParts figureParts(double value, Quantity quantity);
/// A ratio as a percentage: "12.4%".
QString shareText(double share);
/// Appends the unit to a number as the core does: "23.0 s", "31.7%".
QString withUnit(const QString &number, const QString &unit);
/// Splits a text made by one of the functions above into number and unit.
FigureParts partsOf(const QString &text);
/// A count with thousands separators: "1,152".
QString countText(double count);
/// A number without a unit; large numbers are abbreviated: "390", "6,243", "34M".
QString plainText(double number);

} // namespace meshwright

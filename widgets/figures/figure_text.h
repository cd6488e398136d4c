// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "quantities/text.h"

#include <QString>

#include <cstdint>

namespace meshwright {

/// A figure and its unit, apart: "4.6" and "GB".
struct FigureParts {
    QString figure;
    QString unit;
};

/// The core's text of a value, with a true minus sign.
QString figureText(double value, Quantity quantity);
FigureParts figureParts(double value, Quantity quantity);
/// "12.4 %"
QString shareText(double share);
/// "1,152"
QString countText(double count);
/// A number without a unit, large ones shortened: "390", "6,243", "34 M".
QString plainText(double number);

} // namespace meshwright

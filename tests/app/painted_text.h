// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <QString>
#include <QVector>

class QWidget;

namespace meshwright {

/// A number that a widget shows: painted by the widget itself, in a label, or through the delegate of a cell.
struct PaintedNumber {
    QString number;
    QString text; ///< the whole text that contains the number
    QString rest; ///< the rest of the text after the number
    QPointF middle; ///< center of the number, in the widget's coordinates
};

/// Returns all numbers in the texts that a widget paints, but not in those that its child widgets paint. "1f1b" and
/// "H100" are words, not numbers.
QVector<PaintedNumber> paintedNumbers(QWidget &widget);

} // namespace meshwright

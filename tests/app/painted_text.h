// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <QString>
#include <QVector>

class QWidget;

namespace meshwright {

/// A number that a widget paints: as its own text, in a label, or in a cell of a delegate.
struct PaintedNumber {
    QString number;
    QString text; ///< the text that contains the number
    QString rest; ///< the text after the number
    QPointF middle; ///< in the widget's coordinates
};

/// All numbers in the texts that a widget paints itself, without those of its children. "1f1b" and "H100" are words.
QVector<PaintedNumber> paintedNumbers(QWidget &widget);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <QString>
#include <QVector>

class QWidget;

namespace meshwright {

/// A number that a widget paints, by whatever means: as text of its own, of a label, of a delegate's cell.
struct PaintedNumber {
    QString number;
    QString text; ///< that it stands in
    QString rest; ///< of the text, after it
    QPointF middle; ///< in the widget's coordinates
};

/// All numbers of the texts that a widget paints itself; those of its children apart. "1f1b" and "H100" are words.
QVector<PaintedNumber> paintedNumbers(QWidget &widget);

} // namespace meshwright

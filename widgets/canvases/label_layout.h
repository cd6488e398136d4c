// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QVector>
#include <QtGlobal>

#include <algorithm>

namespace meshwright {

/// A label's place along one line, in logical pixels.
struct LabelSpan {
    qreal left = 0;
    qreal width = 0;
    qreal right() const { return left + width; }
};

/// A label centred on `centre`, moved just enough to lie within [low, high].
inline LabelSpan centredWithin(qreal centre, qreal width, qreal low, qreal high) {
    return {std::max(low, std::min(centre - width / 2, high - width)), width};
}

/// Which labels of a row to draw so that none come closer than `gap`: those in `first` (most important first), then
/// from the left. What does not fit is left out, never clipped.
QVector<bool> labelsThatFit(const QVector<LabelSpan> &labels, qreal gap, const QVector<int> &first = {});

} // namespace meshwright

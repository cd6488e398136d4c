// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QVector>
#include <QtGlobal>

#include <algorithm>

namespace meshwright {

/// Position of a label along one line, in logical pixels.
struct LabelSpan {
    qreal left = 0;
    qreal width = 0;
    qreal right() const { return left + width; }
};

/// Centers a label on `centre`, then moves it as little as needed to lie within [low, high].
inline LabelSpan centredWithin(qreal centre, qreal width, qreal low, qreal high) {
    return {std::max(low, std::min(centre - width / 2, high - width)), width};
}

/// Selects the labels of a row so that no two are closer than `gap`: first those in `first`, most important first, then
/// from the left. Labels that do not fit are omitted, never clipped.
QVector<bool> labelsThatFit(const QVector<LabelSpan> &labels, qreal gap, const QVector<int> &first = {});

} // namespace meshwright

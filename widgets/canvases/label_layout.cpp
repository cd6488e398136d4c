// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvases/label_layout.h"

namespace meshwright {

QVector<bool> labelsThatFit(const QVector<LabelSpan> &labels, qreal gap, const QVector<int> &first) {
    QVector<bool> shown(labels.size(), false);
    const auto place = [&](qsizetype index) {
        if (index < 0 || index >= labels.size() || shown[index])
            return;
        const LabelSpan &label = labels[index];
        for (qsizetype other = 0; other < labels.size(); ++other) {
            if (shown[other] && label.left < labels[other].right() + gap && labels[other].left < label.right() + gap)
                return;
        }
        shown[index] = true;
    };
    for (const int index : first)
        place(index);
    for (qsizetype index = 0; index < labels.size(); ++index)
        place(index);
    return shown;
}

} // namespace meshwright

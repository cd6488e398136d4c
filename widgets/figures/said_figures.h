// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "quantities/figure_in_text.h"

#include <QString>

#include <vector>

namespace meshwright {

/// Where a text says a figure.
struct SaidFigure {
    qsizetype start = 0;
    qsizetype length = 0;
    QString path; ///< of its explanation, or JSON pointer of the plan field that it is
};

/// Figures are looked for in their order, each behind the one before, up to the first that the text does not say.
inline std::vector<SaidFigure> saidFigures(const QString &text, const std::vector<FigureInText> &figures) {
    std::vector<SaidFigure> found;
    qsizetype from = 0;
    for (const FigureInText &figure : figures) {
        const QString shown = QString::fromStdString(figure.text);
        const qsizetype at = text.indexOf(shown, from);
        if (at < 0)
            break;
        from = at + shown.size();
        found.push_back({at, shown.size(), QString::fromStdString(figure.figure)});
    }
    return found;
}

} // namespace meshwright

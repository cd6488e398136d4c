// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/figure_text.h"

namespace meshwright {

QString figureText(double value, Quantity quantity) {
    QString text = QString::fromStdString(text_of(value, quantity));
    if (text.startsWith(QLatin1Char('-')))
        text.replace(0, 1, QChar(0x2212));
    return text;
}

FigureParts figureParts(double value, Quantity quantity) {
    const QString text = figureText(value, quantity);
    const qsizetype space = text.indexOf(QLatin1Char(' '));
    if (space < 0)
        return {text, {}};
    return {text.left(space), text.mid(space + 1)};
}

QString shareText(double share) {
    return figureText(share, Quantity::share);
}

QString countText(double count) {
    return figureText(count, Quantity::count);
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/figure_text.h"

#include <cmath>

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

QString plainText(double number) {
    if (std::abs(number) >= 1e6)
        return figureText(number, Quantity::parameters);
    return std::abs(number) >= 1000 ? QString::fromStdString(grouped(std::round(number)))
                                    : figureText(number, Quantity::number);
}

} // namespace meshwright

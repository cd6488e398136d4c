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
    return partsOf(figureText(value, quantity));
}

FigureParts partsOf(const QString &text) {
    if (text.endsWith(QLatin1Char('%')))
        return {text.chopped(1), QStringLiteral("%")};
    const qsizetype space = text.indexOf(QLatin1Char(' '));
    return space < 0 ? FigureParts{text, {}} : FigureParts{text.left(space), text.mid(space + 1)};
}

QString withUnit(const QString &number, const QString &unit) {
    return QString::fromStdString(with_unit(number.toStdString(), unit.toStdString()));
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

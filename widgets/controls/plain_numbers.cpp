// SPDX-License-Identifier: GPL-3.0-or-later
#include "controls/plain_numbers.h"

#include <QLocale>

#include <cmath>

namespace meshwright::plain_numbers {
namespace {

constexpr QChar Minus(0x2212);

QLocale figures() {
    QLocale locale = QLocale::c();
    locale.setNumberOptions(QLocale::DefaultNumberOptions);
    return locale;
}

QString bareFigures(const QString &text, const QString &unit) {
    QString bare = text.trimmed();
    if (!unit.isEmpty() && bare.endsWith(unit, Qt::CaseInsensitive))
        bare.chop(unit.size());
    bare.replace(Minus, QLatin1Char('-'));
    for (const QChar separator : {QChar(u','), QChar(u' '), QChar(0x00A0), QChar(0x202F), QChar(u'_')})
        bare.remove(separator);
    return bare;
}

} // namespace

std::optional<double> parseReal(const QString &text, const QString &unit) {
    bool understood = false;
    const double value = bareFigures(text, unit).toDouble(&understood);
    return understood && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::optional<qint64> parseInteger(const QString &text, const QString &unit) {
    const QString bare = bareFigures(text, unit);
    bool understood = false;
    if (const qint64 value = bare.toLongLong(&understood); understood)
        return value;
    // "1e6" counts as an integer. Doubles above 2^53 are integers too, but not exact.
    const double real = bare.toDouble(&understood);
    if (understood && std::floor(real) == real && std::abs(real) <= 9007199254740992.0)
        return qint64(real);
    return std::nullopt;
}

QString text(double value) {
    QString result = figures().toString(value, 'g', std::abs(value) >= 1e6 && std::abs(value) < 1e15 ? 15 : 6);
    return result.replace(QLatin1Char('-'), Minus);
}

QString text(qint64 value) {
    return figures().toString(qlonglong(value)).replace(QLatin1Char('-'), Minus);
}

} // namespace meshwright::plain_numbers

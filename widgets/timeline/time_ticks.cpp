// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/time_ticks.h"

#include "canvases/axis.h"
#include "theme/theme.h"

#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace meshwright {
namespace {

constexpr qreal TickDistance = 96; ///< minimum distance between ticks in logical pixels
constexpr qreal TickHeight = 4;
constexpr int MaxDecimals = 9;

int decimalsOf(double value) {
    return std::clamp(static_cast<int>(std::ceil(-std::log10(std::max(value, 1e-12)) - 1e-9)), 0, MaxDecimals);
}

/// Decimals needed to tell multiples of a step apart. The step is 1, 2, 2.5 or 5 times a power of ten.
int decimalsOfStep(double step) {
    const int decimals = std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9)));
    const double leading = step * std::pow(10, decimals);
    return std::abs(leading - std::round(leading)) > 1e-6 ? decimals + 1 : decimals;
}

/// Decimals that show four significant digits.
int decimalsFor(double value) {
    return value > 0 ? std::clamp(3 - static_cast<int>(std::floor(std::log10(value))), 0, 3) : 0;
}

constexpr double Minute = 60;
constexpr double Hour = 3600;

/// Distances between the ticks of a clock axis, in seconds.
constexpr std::array ClockSteps{1.0,        2.0,        5.0,         10.0,        15.0,        30.0, Minute,
                                2 * Minute, 5 * Minute, 10 * Minute, 15 * Minute, 30 * Minute, Hour, 2 * Hour,
                                3 * Hour,   6 * Hour,   12 * Hour,   24 * Hour,   48 * Hour};

/// Formats hours and minutes as "1:05", optionally with seconds.
QString clockText(double seconds, bool withSeconds) {
    const auto whole = static_cast<qint64>(std::llround(seconds));
    const auto two = [](qint64 number) { return QStringLiteral("%1").arg(number, 2, 10, QLatin1Char('0')); };
    QString text = QString::number(whole / 3600) + QLatin1Char(':') + two(whole / 60 % 60);
    return withSeconds ? text + QLatin1Char(':') + two(whole % 60) : text;
}

/// Whether a range is long enough to be labeled in hours and minutes.
bool readsAsClock(const TimeRange &range) {
    return range.end >= Hour && range.length() >= 10;
}

QVector<TimeTick> clockTicks(const TimeRange &range, int most) {
    double step = ClockSteps.back();
    for (const double each : ClockSteps)
        if (range.length() / each <= most) {
            step = each;
            break;
        }
    while (range.length() / step > most)
        step *= 2;
    QVector<TimeTick> ticks;
    for (double n = std::ceil(range.begin / step - 1e-9); n * step <= range.end * (1 + 1e-12); ++n) {
        QString text = clockText(n * step, step < Minute);
        if (ticks.isEmpty())
            text += QStringLiteral(" h");
        ticks.append({n * step, text});
    }
    return ticks;
}

} // namespace

QVector<TimeTick> timeTicks(const TimeRange &range, int most) {
    if (!(range.length() > 0) || most < 1)
        return {};
    if (readsAsClock(range))
        return clockTicks(range, most);
    // Choose the unit by the length of the range, unless that would make the labels long.
    const AxisUnit unit = timeUnit(std::max(range.length(), range.end / 2000));
    const QVector<double> lengths = niceTicks(range.length() / unit.size, most);
    if (lengths.size() < 2)
        return {};
    const double step = lengths[1];
    const int decimals = decimalsOfStep(step);
    QVector<TimeTick> ticks;
    const double first = std::ceil(range.begin / unit.size / step - 1e-9);
    for (double n = first; n * step * unit.size <= range.end * (1 + 1e-12); ++n) {
        QString text = fixedText(n * step, decimals);
        if (ticks.isEmpty())
            text += QLatin1Char(' ') + unit.name;
        ticks.append({n * step * unit.size, text});
    }
    return ticks;
}

QString durationText(double seconds) {
    if (seconds >= Hour)
        return clockText(seconds, true) + QStringLiteral(" h");
    const AxisUnit unit = timeUnit(seconds);
    const double value = seconds / unit.size;
    return fixedText(value, decimalsFor(value)) + QLatin1Char(' ') + unit.name;
}

QString timeText(double seconds, const TimeRange &visible) {
    if (readsAsClock(visible))
        return clockText(seconds, true);
    const AxisUnit unit = timeUnit(std::max(seconds, visible.length()));
    return fixedText(seconds / unit.size, decimalsOf(visible.length() / unit.size / 1000)) + QLatin1Char(' ')
        + unit.name;
}

void paintRuler(QPainter &painter, const QRectF &rect, const TimeRange &range, const Theme &theme, RulerSide side) {
    painter.save();
    painter.setFont(theme.font(TypeRole::Caption));
    const QFontMetricsF metrics(painter.font());
    const bool above = side == RulerSide::AbovePlot;
    const qreal ticksTop = above ? rect.bottom() - TickHeight : rect.top();
    const qreal baseline = above ? ticksTop - 3 : std::round(ticksTop + TickHeight + 2 + metrics.ascent());
    const QVector<TimeTick> ticks = timeTicks(range, std::max(1, static_cast<int>(rect.width() / TickDistance)));
    for (const TimeTick &tick : ticks) {
        const qreal x = std::round(rect.left() + timeToX(tick.time, range, rect.width()));
        painter.fillRect(QRectF(x, ticksTop, 1, TickHeight), theme.colour(ColourRole::LineStrong));
        const qreal width = metrics.horizontalAdvance(tick.text);
        painter.setPen(theme.colour(ColourRole::Text2));
        painter.drawText(
            QPointF(std::clamp(x - width / 2, rect.left(), std::max(rect.left(), rect.right() - width)), baseline),
            tick.text);
    }
    painter.restore();
}

} // namespace meshwright

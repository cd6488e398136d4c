// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/time_ticks.h"

#include "canvases/axis.h"
#include "theme/theme.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace meshwright {
namespace {

constexpr qreal TickDistance = 96; ///< least, in logical pixels
constexpr qreal TickHeight = 4;
constexpr int MostDecimals = 9;

int decimalsOf(double value) {
    return std::clamp(static_cast<int>(std::ceil(-std::log10(std::max(value, 1e-12)) - 1e-9)), 0, MostDecimals);
}

/// Of a step of 1, 2, 2.5 or 5 times a power of ten: as many as tell its multiples apart.
int decimalsOfStep(double step) {
    const int decimals = std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9)));
    const double leading = step * std::pow(10, decimals);
    return std::abs(leading - std::round(leading)) > 1e-6 ? decimals + 1 : decimals;
}

/// Four figures.
int decimalsFor(double value) {
    return value > 0 ? std::clamp(3 - static_cast<int>(std::floor(std::log10(value))), 0, 3) : 0;
}

} // namespace

QVector<TimeTick> timeTicks(const TimeRange &range, int most) {
    if (!(range.length() > 0) || most < 1)
        return {};
    // The unit reads well for the step, unless that makes the times themselves long.
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
    const AxisUnit unit = timeUnit(seconds);
    const double value = seconds / unit.size;
    return fixedText(value, decimalsFor(value)) + QLatin1Char(' ') + unit.name;
}

QString timeText(double seconds, const TimeRange &visible) {
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

// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/step_memory_chart.h"

#include "figures/figure_event.h"
#include "figures/figure_text.h"
#include "memory/stacked_area.h"
#include "theme/picture_ratio.h"
#include "theme/surfaces.h"
#include "theme/theme.h"
#include "timeline/time_ticks.h"
#include "timeline/timeline_axis.h"
#include "timeline/timeline_layout.h"
#include "timeline/timeline_marks.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace meshwright {
namespace {

constexpr int NameGap = 8;
constexpr int MaxTicks = 6;
constexpr int PixelsOfTick = 36;
constexpr double Headroom = 1.08;
constexpr qreal PeakRadius = 4;
constexpr qreal StaleOpacity = 0.45;

} // namespace

StepMemoryChart::StepMemoryChart(TimelineAxis *axis, QWidget *parent)
    : TimelineChart(axis, parent) {
    showsNoFigures(this, NotFigures::axis);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void StepMemoryChart::setTrace(const MemoryTracePointer &trace) {
    m_trace = trace;
    forget();
}

void StepMemoryChart::setHighest(double bytes) {
    m_highest = bytes;
    forget();
}

void StepMemoryChart::setCapacity(double bytes) {
    m_capacity = bytes;
    forget();
}

void StepMemoryChart::setStale(bool stale) {
    m_stale = stale;
    update();
}

double StepMemoryChart::highest() const {
    const double own = m_trace == nullptr ? 0 : m_trace->peak().total();
    const double high = std::max({m_highest, m_capacity, own});
    return high > 0 ? high : 1;
}

QRectF StepMemoryChart::plot() const {
    return {timelines::Gutter, 8, std::max(1.0, double(width() - timelines::Gutter - timelines::RightMargin)),
            std::max(1.0, double(height() - 12))};
}

LinearScale StepMemoryChart::scale() const {
    const QRectF area = plot();
    return {.low = 0, .high = highest() * Headroom, .left = area.bottom(), .right = area.top()};
}

void StepMemoryChart::drawArea() {
    const qreal ratio = pictureRatio(this);
    const QSizeF area = plot().size() * ratio;
    const QSize size(int(std::round(area.width())), int(std::round(area.height())));
    if (m_picture.size() == size)
        return;
    const Theme &theme = Theme::of(this);
    m_picture = QImage(size, QImage::Format_RGB32);
    m_picture.fill(theme.colour(ColourRole::Window));
    if (m_trace != nullptr)
        drawStackedArea(m_picture, *m_trace,
                        {.visible = axis().visible(), .highest = highest() * Headroom, .capacity = m_capacity}, theme);
    m_picture.setDevicePixelRatio(ratio);
}

void StepMemoryChart::paintEvent(QPaintEvent *) {
    const Theme &theme = Theme::of(this);
    QPainter painter(this);
    painter.fillRect(rect(), theme.colour(ColourRole::Window));
    drawArea();
    const QRectF area = plot();
    painter.setOpacity(m_stale ? StaleOpacity : 1);
    painter.drawImage(area.topLeft(), m_picture);
    paintAxis(painter, theme);
    if (m_trace != nullptr)
        paintPeak(painter, theme);
    paintMarks(painter, theme);
    painter.setOpacity(1);
    paintFocus(painter, theme);
}

void StepMemoryChart::paintAxis(QPainter &painter, const Theme &theme) const {
    const QRectF area = plot();
    const LinearScale y = scale();
    painter.setFont(theme.font(TypeRole::Caption));
    const QFontMetricsF metrics(painter.font());
    const AxisUnit unit = byteUnit(highest());
    const QVector<double> ticks =
        niceTicks(highest() / unit.size, std::clamp(int(area.height() / PixelsOfTick), 1, MaxTicks));
    const double step = ticks.size() > 1 ? ticks[1] : 1;
    QColor line = theme.colour(ColourRole::LineStrong);
    line.setAlphaF(0.35F);
    for (const double tick : ticks) {
        if (tick == 0)
            continue;
        const qreal at = std::round(y.toX(tick * unit.size));
        painter.fillRect(QRectF(area.left(), at, area.width(), 1), line);
        painter.setPen(theme.colour(ColourRole::Text2));
        const QString text = tickText(tick, step) + (tick == ticks.last() ? QLatin1Char(' ') + unit.name : QString());
        painter.drawText(QPointF(area.left() - NameGap - metrics.horizontalAdvance(text), at + metrics.capHeight() / 2),
                         text);
    }
    if (!(m_capacity > 0))
        return;
    const qreal at = std::round(y.toX(m_capacity));
    painter.fillRect(QRectF(area.left(), at, area.width(), 2), theme.colour(ColourRole::Text));
    const QString text = tr("capacity %1").arg(figureText(m_capacity, Quantity::bytes));
    const bool over = m_trace != nullptr && m_trace->peak().total() > m_capacity;
    painter.setPen(theme.colour(over ? ColourRole::Text : ColourRole::Text2));
    painter.drawText(QPointF(area.right() - metrics.horizontalAdvance(text) - 4,
                             over ? at - 4 : std::min(at + 4 + metrics.ascent(), area.bottom())),
                     text);
}

void StepMemoryChart::paintPeak(QPainter &painter, const Theme &theme) const {
    const MemoryPoint &peak = m_trace->peak();
    const TimeRange &visible = axis().visible();
    if (peak.seconds < visible.begin || peak.seconds > visible.end)
        return;
    const QRectF area = plot();
    const QPointF at(area.left() + timeToX(peak.seconds, visible, area.width()), scale().toX(peak.total()));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.colour(ColourRole::Window), 1.5));
    painter.setBrush(theme.colour(ColourRole::Text));
    painter.drawEllipse(at, PeakRadius, PeakRadius);
    painter.setFont(theme.font(TypeRole::Caption, TextWeight::SemiBold));
    const QFontMetricsF metrics(painter.font());
    const QString text = tr("peak %1").arg(figureText(peak.total(), Quantity::bytes));
    const qreal wide = metrics.horizontalAdvance(text) + 8;
    const bool right = at.x() + PeakRadius + 2 + wide < area.right();
    QRectF label(right ? at.x() + PeakRadius + 2 : at.x() - PeakRadius - 2 - wide, at.y() - metrics.height() / 2, wide,
                 metrics.height());
    label.moveTop(std::max(label.top(), area.top()));
    surfaces::rounded(painter, label, Theme::radius(Corner::Mark), theme.colour(ColourRole::Raised));
    painter.setPen(theme.colour(ColourRole::Text));
    painter.drawText(label, Qt::AlignCenter, text);
}

HoverContent StepMemoryChart::describe(QPointF place) const {
    HoverContent content;
    const double time = timeAt(place.x());
    if (m_trace == nullptr || time < m_trace->whole().begin || time > m_trace->whole().end)
        return content;
    // Describe the highest point in the pixel column, which is the one that is drawn.
    const double column = axis().visible().length() / std::max(1.0, plot().width() * devicePixelRatioF());
    const std::size_t index = m_trace->highestWithin(time, time + column);
    const MemoryPoint &point = m_trace->point(index);
    content.title = figureText(point.total(), Quantity::bytes);
    content.rows.append({tr("Time"), timeText(std::max(time, point.seconds), axis().visible())});
    if (!m_trace->memory().peak_tensors.empty()) // measured traces do not record operations
        content.rows.append({tr("During"), QString::fromStdString(m_trace->memory().operation(index))});
    for (std::size_t kind = step_memory_kind_count; kind-- > 0;)
        if (point.bytes[kind] > 0)
            content.rows.append({stepMemoryKindText(static_cast<StepMemoryKind>(kind)),
                                 figureText(point.bytes[kind], Quantity::bytes)});
    if (m_capacity > 0)
        content.rows.append({tr("Headroom"), figureText(m_capacity - point.total(), Quantity::bytes)});
    return content;
}

} // namespace meshwright

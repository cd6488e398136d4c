// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme/control_states.h"
#include "theme/surfaces.h"
#include "theme/theme.h"
#include "timeline/time_ticks.h"
#include "timeline/timeline_axis.h"
#include "timeline/timeline_canvas.h"
#include "timeline/timeline_marks.h"

#include <QElapsedTimer>
#include <QLoggingCategory>
#include <QPaintEvent>
#include <QPainter>
#include <QPainterPath>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace meshwright {
namespace {

Q_LOGGING_CATEGORY(frameTimes, "meshwright.timeline.frames", QtWarningMsg)

constexpr qreal NameGap = 8;
constexpr qreal LabelPitch = 14; ///< minimum distance between row names in logical pixels
constexpr double NanosecondsOfMillisecond = 1e6;

} // namespace

void TimelineCanvas::paintEvent(QPaintEvent *event) {
    QElapsedTimer time;
    time.start();
    const Theme &theme = Theme::of(this);
    QPainter painter(viewport());
    const QRectF area = plot();
    // Fills only the area around the rows, because their picture covers the rest.
    const QRect whole = viewport()->rect();
    const QColor window = theme.colour(ColourRole::Window);
    painter.fillRect(QRectF(0, 0, whole.width(), area.top()), window);
    painter.fillRect(QRectF(0, area.top(), area.left(), area.height()), window);
    painter.fillRect(QRectF(area.right(), area.top(), whole.width() - area.right(), area.height()), window);
    painter.fillRect(QRectF(0, area.bottom(), whole.width(), whole.height() - area.bottom()), window);
    paintRows(painter, event->region());
    if (m_ruler == Ruler::Shown)
        paintRuler(painter, QRectF(area.left(), 0, area.width(), area.top()), m_axis->visible(), theme,
                   RulerSide::AbovePlot);
    paintGutter(painter, theme);
    painter.save();
    painter.setClipRect(area);
    paintChosen(painter, theme);
    paintLinks(painter, theme);
    painter.restore();
    paintTimelineMarks(painter, area, *m_axis, theme, m_ruler == Ruler::Shown ? MarkText::Shown : MarkText::Left);
    if (showsFocusRing(this) && !m_current.isValid())
        surfaces::focusRing(painter, viewport()->rect(), Theme::radius(Corner::Field), theme);
    m_frameMilliseconds = static_cast<double>(time.nsecsElapsed()) / NanosecondsOfMillisecond;
    qCDebug(frameTimes) << m_frameMilliseconds << "ms";
    Q_EMIT framePainted(m_frameMilliseconds);
}

void TimelineCanvas::paintGutter(QPainter &painter, const Theme &theme) const {
    const QRectF area = plot();
    painter.save();
    painter.setFont(theme.font(TypeRole::Caption));
    painter.setPen(theme.colour(ColourRole::Text2));
    const QFontMetricsF metrics(painter.font());
    if (m_ruler == Ruler::Shown)
        painter.drawText(QRectF(0, 0, area.left() - NameGap, area.top() - 3), Qt::AlignRight | Qt::AlignBottom,
                         m_model->trackWord);
    painter.setClipRect(QRectF(0, area.top() - 6, area.left(), area.height() + 12));
    const TimelineLayout layout = currentConfiguration();
    const int scroll = verticalScrollBar()->value();
    const int count = static_cast<int>(m_model->tracks.size());
    const auto isInner = [&](int row) { return m_model->tracks[static_cast<std::size_t>(row)].depth() > 0; };
    int rows = 0;
    for (int row = 0; row < count; ++row)
        rows += isInner(row) ? 0 : 1;
    const qreal pitch = layout.pitch * count / std::max(1, rows); // height of a row including its unfolded streams
    // If rows are too short for a label each, only every 2nd, 5th, 10th ... row is labeled.
    int every = 1;
    for (const int step : {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10'000}) {
        every = step;
        if (step * pitch >= LabelPitch)
            break;
    }
    const auto rectOfName = [&](int row) {
        return layout.row(row, 0, area.left() - NameGap).translated(0, area.top() - scroll);
    };
    const auto baselineOf = [&](int row) {
        const QRectF rect = rectOfName(row);
        // Clamps the baseline, because without a ruler above it, the name of a low first row would be cut off at the
        // top.
        const qreal highest = m_ruler == Ruler::Shown || scroll > 0 ? rect.top() : area.top() + metrics.capHeight() + 1;
        return std::round(std::max(highest, rect.center().y() + metrics.capHeight() / 2));
    };
    // Row names take priority: an unfolded stream's name is drawn only if it does not overlap them.
    std::vector<qreal> taken;
    const auto fits = [&](qreal baseline) {
        return std::none_of(taken.begin(), taken.end(),
                            [&](qreal other) { return std::abs(other - baseline) < metrics.capHeight() + 3; });
    };
    const auto name = [&](int row) {
        const QRectF rect = rectOfName(row);
        const qreal baseline = baselineOf(row);
        const bool cutOff = baseline - metrics.capHeight() < area.top() - 6 || baseline > area.bottom() + 1;
        if (rect.bottom() < area.top() || rect.top() > area.bottom() || cutOff || !fits(baseline))
            return;
        const QString text = m_model->tracks[static_cast<std::size_t>(row)].name();
        painter.setPen(theme.colour(isInner(row) ? ColourRole::Text3 : ColourRole::Text2));
        painter.drawText(QPointF(rect.right() - metrics.horizontalAdvance(text), baseline), text);
        taken.push_back(baseline);
    };
    int own = 0;
    for (int row = 0; row < count; ++row)
        if (!isInner(row) && own++ % every == 0)
            name(row);
    for (int row = 0; row < count; ++row)
        if (isInner(row))
            name(row);
    painter.restore();
}

void TimelineCanvas::paintChosen(QPainter &painter, const Theme &theme) const {
    const QRectF area = plot();
    const auto outline = [&](SpanIndex span, const QColor &colour, qreal width) {
        const QRectF rect = rectOf(span);
        if (rect.right() < area.left() || rect.left() > area.right())
            return;
        painter.setPen(QPen(colour, width));
        painter.setBrush(Qt::NoBrush);
        if (rect.width() >= 4)
            painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
        else
            painter.fillRect(QRectF(rect.left(), rect.top(), std::max(1.0, rect.width()), rect.height()), colour);
    };
    painter.setRenderHint(QPainter::Antialiasing);
    for (const SpanIndex span : m_chosen)
        outline(span, theme.colour(ColourRole::Text), 1.5);
    if (m_hovered.isValid() && m_hovered != m_current)
        outline(m_hovered, theme.colour(ColourRole::Accent), 1.5);
    if (m_current.isValid())
        outline(m_current, theme.colour(ColourRole::Accent), 2.5);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void TimelineCanvas::paintLinks(QPainter &painter, const Theme &theme) const {
    if (m_links.empty())
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    QColor colour = theme.colour(ColourRole::Text);
    colour.setAlphaF(0.75F);
    painter.setPen(QPen(colour, 1));
    const QRectF area = plot();
    for (const TimelineLink &link : m_links) {
        const QRectF from = rectOf(link.from);
        const QRectF to = rectOf(link.to);
        if (std::max(from.right(), to.left()) < area.left() || std::min(from.right(), to.left()) > area.right())
            continue;
        const bool down = to.center().y() >= from.center().y();
        painter.drawLine(QPointF(from.right(), down ? from.bottom() : from.top()),
                         QPointF(to.left(), down ? to.top() : to.bottom()));
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

} // namespace meshwright

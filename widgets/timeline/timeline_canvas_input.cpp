// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvases/axis.h"
#include "figures/figure_text.h"
#include "theme/theme.h"
#include "timeline/time_ticks.h"
#include "timeline/timeline_axis.h"
#include "timeline/timeline_canvas.h"
#include "timeline/timeline_colours.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace meshwright {
namespace {

constexpr qreal CrowdBelow = 3; ///< width in pixels below which the pointer covers several spans
constexpr double FitMargin = 0.04;

} // namespace

bool TimelineCanvas::viewportEvent(QEvent *event) {
    if (event->type() == QEvent::Leave) {
        m_card.hide();
        m_hovered = {};
        m_axis->setCursor({});
        viewport()->update();
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void TimelineCanvas::wheelEvent(QWheelEvent *event) {
    m_gestures->wheel(event);
}

void TimelineCanvas::mousePressEvent(QMouseEvent *event) {
    if (plot().contains(event->position()))
        m_gestures->press(event);
}

void TimelineCanvas::mouseMoveEvent(QMouseEvent *event) {
    if (m_gestures->move(event)) {
        m_card.hide();
        return;
    }
    hover(event->position());
}

void TimelineCanvas::hover(QPointF place) {
    const QRectF area = plot();
    m_axis->setCursor(area.contains(place) ? std::optional(m_gestures->timeAt(place.x())) : std::nullopt);
    const SpanIndex span = spanAt(place);
    if (span != m_hovered) {
        m_hovered = span;
        viewport()->update();
    }
    const bool crowded = area.contains(place) && currentConfiguration().pitch < 1;
    const HoverContent content = crowded ? describeRows(place)
        : span.isValid()                 ? describe(span, place.x())
                                         : HoverContent{};
    if (content.title.isEmpty())
        m_card.hide();
    else
        m_card.show(viewport(), place.toPoint(), content);
}

HoverContent TimelineCanvas::describe(SpanIndex span, qreal x) const {
    const TimelineTrack &track = m_model->tracks[static_cast<std::size_t>(span.track)];
    const TimeRange column{m_gestures->timeAt(x - CrowdBelow / 2), m_gestures->timeAt(x + CrowdBelow / 2)};
    if (track.time(span.span).length() < column.length())
        return describeCrowd(span, column);
    return m_describe ? m_describe(span) : HoverContent{};
}

HoverContent TimelineCanvas::describeCrowd(SpanIndex span, const TimeRange &column) const {
    const TimelineTrack &track = m_model->tracks[static_cast<std::size_t>(span.track)];
    const std::size_t first = track.spanAt(column.begin);
    const std::size_t last = track.spanFrom(first, column.end);
    HoverContent content;
    const std::size_t spans = std::min(last, track.count() - 1) - first + 1;
    content.title = spans == 1 ? tr("1 span in %1").arg(durationText(column.length()))
                               : tr("%1 spans in %2").arg(spans).arg(durationText(column.length()));
    const StyleSeconds seconds = track.secondsIn(column);
    for (std::size_t style = 1; style < m_model->styles.size(); ++style)
        if (seconds.of[style] > 0)
            content.rows.append({m_model->styles[style].name, shareText(seconds.of[style] / column.length())});
    content.footnote = tr("Zoom in to see each span.");
    return content;
}

/// Describes the rows that share a pixel: the fraction of time in each style for the pixel's column.
HoverContent TimelineCanvas::describeRows(QPointF place) const {
    const TimelineLayout layout = currentConfiguration();
    const double top = std::floor(place.y() - plot().top()) + verticalScrollBar()->value();
    const auto count = static_cast<double>(m_model->tracks.size());
    const double first = std::floor(top / layout.pitch);
    const double last = std::min(count, std::ceil((top + 1) / layout.pitch));
    HoverContent content;
    if (first < 0 || first >= last)
        return content;
    const TimeRange column{m_gestures->timeAt(place.x() - CrowdBelow / 2),
                           m_gestures->timeAt(place.x() + CrowdBelow / 2)};
    StyleSeconds all;
    for (double row = first; row < last; ++row) {
        const StyleSeconds seconds = m_model->tracks[static_cast<std::size_t>(row)].secondsIn(column);
        for (std::size_t style = 0; style < all.of.size(); ++style)
            all.of[style] += seconds.of[style];
    }
    content.title = tr("%1 %2 to %3")
                        .arg(m_model->trackWord, m_model->tracks[static_cast<std::size_t>(first)].name(),
                             m_model->tracks[static_cast<std::size_t>(last) - 1].name());
    for (std::size_t style = 1; style < m_model->styles.size(); ++style)
        if (all.of[style] > 0)
            content.rows.append(
                {m_model->styles[style].name, shareText(all.of[style] / (last - first) / column.length())});
    return content;
}

void TimelineCanvas::mouseReleaseEvent(QMouseEvent *event) {
    const QRectF area = plot();
    if (m_gestures->release(event) || event->button() != Qt::LeftButton)
        return;
    if (!area.contains(event->position())) {
        const int row = currentConfiguration().rowAt(event->position().y() - area.top() + verticalScrollBar()->value());
        if (row >= 0 && event->position().x() < area.left() && event->position().y() >= area.top())
            Q_EMIT trackNameClicked(row);
        return;
    }
    const SpanIndex span = spanAt(event->position());
    m_axis->setMeasured({});
    setCurrent(span);
    Q_EMIT chosen(span.isValid() && isWork(span) ? span : SpanIndex{});
}

void TimelineCanvas::keyPressEvent(QKeyEvent *event) {
    if (m_gestures->key(event))
        return;
    switch (event->key()) {
    case Qt::Key_Left:
        moveCurrent(0, -1);
        break;
    case Qt::Key_Right:
        moveCurrent(0, 1);
        break;
    case Qt::Key_Up:
        moveCurrent(-1, 0);
        break;
    case Qt::Key_Down:
        moveCurrent(1, 0);
        break;
    case Qt::Key_F:
        if (event->modifiers() & Qt::ControlModifier)
            event->ignore();
        else
            fitChosen();
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (m_current.isValid())
            Q_EMIT chosen(isWork(m_current) ? m_current : SpanIndex{});
        break;
    case Qt::Key_Escape:
        if (m_axis->measured()) {
            m_axis->setMeasured({});
        } else if (m_current.isValid() || m_number >= 0) {
            setCurrent({});
            Q_EMIT chosen({});
        } else {
            event->ignore();
        }
        m_card.hide();
        break;
    default:
        event->ignore();
    }
}

void TimelineCanvas::moveCurrent(int rows, int spans) {
    if (m_model->tracks.empty())
        return;
    const int count = static_cast<int>(m_model->tracks.size());
    const int row = m_current.isValid() ? std::clamp(m_current.track + rows, 0, count - 1) : 0;
    const TimelineTrack &track = m_model->tracks[static_cast<std::size_t>(row)];
    if (track.count() == 0)
        return;
    const TimeRange &visible = m_axis->visible();
    std::size_t span = 0;
    if (!m_current.isValid()) {
        span = std::min(track.spanAt(visible.begin), track.count() - 1);
    } else if (rows != 0) {
        const TimeRange time = m_model->tracks[static_cast<std::size_t>(m_current.track)].time(m_current.span);
        span = std::min(track.spanAt((time.begin + time.end) / 2), track.count() - 1);
    } else {
        span = m_current.span;
    }
    // Skip idle spans; the up and down keys can still reach them.
    const auto isNothing = [&] { return track.look(span).style == NothingStyle; };
    bool first = m_current.isValid() && rows == 0;
    while (first || isNothing()) {
        if ((spans < 0 && span == 0) || (spans >= 0 && span + 1 >= track.count()))
            break;
        span = spans < 0 ? span - 1 : span + 1;
        first = false;
    }
    if (isNothing())
        return;
    setCurrent({row, span});
    reveal(m_current);
    announce();
}

void TimelineCanvas::reveal(SpanIndex span) {
    const TimeRange time = m_model->tracks[static_cast<std::size_t>(span.track)].time(span.span);
    const TimeRange &visible = m_axis->visible();
    if (time.begin < visible.begin || time.end > visible.end) {
        const double to = time.begin < visible.begin ? time.begin - FitMargin * visible.length()
                                                     : time.end - (1 - FitMargin) * visible.length();
        m_axis->show(shifted(visible, to - visible.begin));
    }
    const QRectF rect = rectOf(span);
    const QRectF area = plot();
    QScrollBar *bar = verticalScrollBar();
    if (rect.top() < area.top())
        bar->setValue(bar->value() - static_cast<int>(std::ceil(area.top() - rect.top())));
    else if (rect.bottom() > area.bottom())
        bar->setValue(bar->value() + static_cast<int>(std::ceil(rect.bottom() - area.bottom())));
}

void TimelineCanvas::fitChosen() {
    const std::optional<TimeRange> range = m_axis->measured() ? m_axis->measured() : chosenRange();
    if (range && range->length() > 0)
        m_axis->show(widened(*range, FitMargin), TimelineAxis::Pace::Smooth);
}

void TimelineCanvas::focusOutEvent(QFocusEvent *event) {
    QAbstractScrollArea::focusOutEvent(event);
    m_card.hide();
    viewport()->update();
}

void TimelineCanvas::hideEvent(QHideEvent *event) {
    m_card.hide();
    QAbstractScrollArea::hideEvent(event);
}

} // namespace meshwright

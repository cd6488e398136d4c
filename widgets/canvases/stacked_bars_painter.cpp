// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvases/stacked_bars_painter.h"

#include "canvases/label_layout.h"
#include "canvases/stacked_segment_paint.h"
#include "theme/surfaces.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace meshwright {
namespace {

constexpr qreal SegmentPadding = 7;
constexpr qreal TwoLinesFrom = 34;
constexpr qreal OneLineFrom = 14;
constexpr qreal TwoLineEndsFrom = 30;

} // namespace

StackedBarsPainter::StackedBarsPainter(const StackedBarsView &view, const Theme &theme)
    : m_view(view)
    , m_theme(theme)
    , m_plain(theme.font(TypeRole::Caption))
    , m_strong(theme.font(TypeRole::Caption, TextWeight::SemiBold))
    , m_body(theme.font(TypeRole::Body))
    , m_bodyStrong(theme.font(TypeRole::Body, TextWeight::SemiBold)) { }

StackedColumns StackedBarsPainter::columns(const StackedBarsView &view, const Theme &theme) {
    const QFontMetricsF strong(theme.font(TypeRole::Body, TextWeight::SemiBold));
    const QFontMetricsF plain(theme.font(TypeRole::Caption));
    StackedColumns columns{24, 40};
    for (const StackedRow &row : view.rows) {
        columns.labels =
            std::max({columns.labels, strong.horizontalAdvance(row.label), plain.horizontalAdvance(row.sublabel)});
        columns.totals =
            std::max({columns.totals, strong.horizontalAdvance(row.total), plain.horizontalAdvance(row.note)});
    }
    return columns;
}

void StackedBarsPainter::paint(QPainter &painter, const StackedBarsLayout &layout, SegmentIndex highlighted) const {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    paintAxis(painter, layout);
    for (int row = layout.firstVisible(); row < layout.endVisible(); ++row)
        paintRowEnds(painter, layout, row);
    painter.save();
    if (layout.scrollRange() > 0)
        painter.setClipRect(layout.rows, Qt::IntersectClip);
    for (int row = layout.firstVisible(); row < layout.endVisible(); ++row)
        paintRow(painter, layout, row);
    if (!m_view.ghost.isEmpty())
        paintGhost(painter, layout);
    if (highlighted.isValid() && highlighted.row < m_view.rows.size()
        && highlighted.segment < m_view.rows[highlighted.row].segments.size()) {
        const QRectF rect = segments::snapped(painter, layout.segment(m_view, highlighted)).adjusted(-2, -2, 1, 2);
        surfaces::rounded(painter, rect, 3, {}, m_theme.colour(ColourRole::Text), 2);
    }
    painter.restore();
    if (m_view.capacity)
        paintCapacity(painter, layout);
    painter.restore();
}

void StackedBarsPainter::paintAxis(QPainter &painter, const StackedBarsLayout &layout) const {
    const QFontMetricsF metrics(m_plain);
    const qreal baseline = layout.rows.bottom() + 8 + metrics.ascent();
    const double step = layout.ticks.size() > 1 ? layout.ticks[1] : 1;
    QVector<LabelSpan> spans;
    QStringList texts;
    for (const double tick : layout.ticks) {
        const qreal x = layout.scale.toX(tick * m_view.unit.size);
        painter.fillRect(QRectF(std::round(x) - 0.5, layout.rows.top(), 1, layout.rows.height()),
                         m_theme.colour(ColourRole::Grid));
        QString text = tickText(tick, step);
        const qreal width = metrics.horizontalAdvance(text);
        // Numbers are centered on their ticks; the unit follows the last one.
        const bool last = texts.size() + 1 == layout.ticks.size();
        if (last)
            text += QLatin1Char(' ') + m_view.unit.name;
        texts.append(text);
        spans.append({x - width / 2, metrics.horizontalAdvance(text)});
    }
    const QVector<bool> shown = labelsThatFit(spans, 8, {int(spans.size()) - 1, 0});
    painter.setFont(m_plain);
    painter.setPen(m_theme.colour(ColourRole::Text3));
    for (int i = 0; i < spans.size(); ++i) {
        if (shown[i])
            painter.drawText(QPointF(spans[i].left, baseline), texts[i]);
    }
}

void StackedBarsPainter::paintRow(QPainter &painter, const StackedBarsLayout &layout, int row) const {
    const StackedRow &content = m_view.rows[row];
    const double capacity = m_view.capacity.value_or(std::numeric_limits<double>::infinity());
    double before = 0;
    for (int i = 0; i < content.segments.size(); ++i) {
        const StackedSegment &segment = content.segments[i];
        if (segment.value <= 0)
            continue;
        const QRectF rect = segments::snapped(painter, layout.segment(m_view, {row, i}));
        paintSegment(painter, rect, segment);
        QRectF free = rect;
        if (m_view.ghost.size() == m_view.rows.size() && rect.height() >= GhostFrom)
            free.setBottom(rect.bottom() - GhostHeight - 1);
        if (before + segment.value > capacity)
            free.setRight(layout.scale.toX(std::max(before, capacity)));
        paintSegmentLabel(painter, free, segment);
        before += segment.value;
    }
    if (!m_view.capacity)
        return;
    const QRectF bar = layout.bar(row);
    const qreal end = layout.scale.toX(before);
    const qreal limit = layout.scale.toX(capacity);
    const QRectF rest =
        segments::snapped(painter, QRectF(std::min(end, limit), bar.top(), std::abs(limit - end), bar.height()));
    if (before <= capacity) {
        const QColor line = mixed(m_theme.colour(ColourRole::LineStrong), m_theme.colour(ColourRole::Card), 0.55);
        segments::absent(painter, rest, line, m_theme.colour(ColourRole::Card));
    } else {
        segments::absent(painter, rest, m_theme.colour(ColourRole::Bad), m_theme.colour(ColourRole::BadSoft));
        if (rest.height() >= 8)
            surfaces::rounded(painter, rest, 2, {}, m_theme.colour(ColourRole::Bad), 1);
        paintOverflow(painter, layout, row, rest);
    }
}

/// Marks each kind's memory above the capacity with a band in the kind's color, its name and the excess.
void StackedBarsPainter::paintOverflow(QPainter &painter, const StackedBarsLayout &layout, int row,
                                       const QRectF &area) const {
    constexpr qreal Band = 4;
    if (area.height() < OneLineFrom)
        return;
    const double capacity = m_view.capacity.value_or(0);
    double before = 0;
    for (const StackedSegment &segment : m_view.rows[row].segments) {
        const double begin = std::max(before, capacity);
        before += segment.value;
        if (before <= begin)
            continue;
        const qreal left = layout.scale.toX(begin);
        const QRectF part(left, area.top(), layout.scale.toX(before) - left, area.height());
        painter.fillRect(segments::snapped(painter, QRectF(part.left(), part.bottom() - Band, part.width(), Band)),
                         m_theme.fill(segment.kind));
        StackedSegment over = segment;
        over.value = before - begin;
        const QStringList lines = labelFor(over, part.adjusted(0, 0, 0, -Band).size());
        if (!lines.isEmpty() && lines.first().startsWith(segment.name))
            paintOverflowLabel(painter, part.adjusted(0, 0, 0, -Band), lines);
    }
}

void StackedBarsPainter::paintOverflowLabel(QPainter &painter, const QRectF &rect, const QStringList &lines) const {
    const QFontMetricsF strong(m_strong);
    const QFontMetricsF plain(m_plain);
    const qreal middle = (strong.ascent() - strong.descent()) / 2;
    const qreal left = rect.left() + SegmentPadding;
    const bool two = lines.size() == 2;
    for (int i = 0; i < lines.size(); ++i) {
        const QFontMetricsF &metrics = two && i == 0 ? strong : plain;
        const qreal centre = rect.center().y() + (two ? (i == 0 ? -7 : 7) : 0);
        // Text is illegible on hatching, so it gets a background.
        painter.fillRect(QRectF(left - 3, centre - 7, metrics.horizontalAdvance(lines[i]) + 6, 14),
                         m_theme.colour(ColourRole::BadSoft));
        painter.setFont(two && i == 0 ? m_strong : m_plain);
        painter.setPen(m_theme.colour(ColourRole::Text));
        painter.drawText(QPointF(left, std::round(centre + middle)), lines[i]);
    }
}

void StackedBarsPainter::paintSegment(QPainter &painter, const QRectF &rect, const StackedSegment &segment) const {
    const QColor fill = m_theme.fill(segment.kind);
    // A gap of one pixel separates neighboring segments. Segments up to 3 pixels wide have none, because it would erase
    // them.
    const QRectF body = rect.width() > 3 ? rect.adjusted(0, 0, -1, 0) : rect;
    segments::fill(painter, body, segment, fill, m_theme);
}

QStringList StackedBarsPainter::labelFor(const StackedSegment &segment, const QSizeF &size) const {
    const QFontMetricsF plain(m_plain);
    const QFontMetricsF strong(m_strong);
    const qreal room = size.width() - 2 * SegmentPadding;
    if (size.height() < OneLineFrom || room <= 0) {
        const bool letterFits = size.height() >= 11 && size.width() >= strong.horizontalAdvance(segment.letter) + 3;
        return letterFits && !segment.letter.isEmpty() ? QStringList{segment.letter} : QStringList();
    }
    const QString value = m_view.text(segment.value);
    const QString shownValue = m_view.textWithUnit(segment.value);
    const bool nameFits = strong.horizontalAdvance(segment.name) <= room;
    if (size.height() >= TwoLinesFrom && nameFits && plain.horizontalAdvance(shownValue) <= room)
        return {segment.name, shownValue};
    const QString both = segment.name + QLatin1Char(' ') + shownValue;
    if (plain.horizontalAdvance(both) <= room)
        return {both};
    if (nameFits)
        return {segment.name};
    if (plain.horizontalAdvance(value) <= room)
        return {value};
    if (!segment.letter.isEmpty() && strong.horizontalAdvance(segment.letter) + 3 <= size.width())
        return {segment.letter};
    return {};
}

void StackedBarsPainter::paintSegmentLabel(QPainter &painter, const QRectF &rect, const StackedSegment &segment) const {
    const QStringList lines = labelFor(segment, rect.size());
    if (lines.isEmpty())
        return;
    const bool hatched = segment.fill == SegmentFill::Hatched;
    const bool heavy = lines.size() == 2 || lines.first() == segment.letter;
    const QFontMetricsF metrics(heavy ? m_strong : m_plain);
    painter.setFont(heavy ? m_strong : m_plain);
    painter.setPen(hatched ? m_theme.colour(ColourRole::Text) : m_theme.label(segment.kind));
    const qreal width = metrics.horizontalAdvance(lines.first());
    const bool centred = lines.first() == segment.letter;
    const qreal left = centred ? rect.center().x() - width / 2 : rect.left() + SegmentPadding;
    if (hatched || segment.fill == SegmentFill::Striped) {
        const QColor under = hatched ? m_theme.colour(ColourRole::Card) : m_theme.fill(segment.kind);
        painter.fillRect(QRectF(left - 3, rect.center().y() - 8, width + 6, 16), under);
    }
    const qreal middle = (metrics.ascent() - metrics.descent()) / 2;
    if (lines.size() == 1) {
        painter.drawText(QPointF(left, std::round(rect.center().y() + middle)), lines.first());
        return;
    }
    painter.drawText(QPointF(left, std::round(rect.center().y() - 7 + middle)), lines.first());
    painter.setFont(m_plain);
    painter.drawText(QPointF(left, std::round(rect.center().y() + 7 + middle)), lines.last());
}

void StackedBarsPainter::paintRowEnds(QPainter &painter, const StackedBarsLayout &layout, int row) const {
    const QRectF bar = layout.bar(row);
    const StackedRow &content = m_view.rows[row];
    const bool twoLines = bar.height() >= TwoLineEndsFrom - 6;
    if (row % layout.labelStride(14) != 0)
        return;
    // A label that has scrolled halfway out of view is not drawn.
    if (bar.center().y() < layout.rows.top() + 3 || bar.center().y() > layout.rows.bottom() - 3)
        return;
    const qreal right = layout.rows.right();
    const QFontMetricsF strong(m_bodyStrong);
    const QFontMetricsF plain(m_plain);
    const qreal middle = (strong.ascent() - strong.descent()) / 2;
    const bool one = !twoLines || (content.sublabel.isEmpty() && content.note.isEmpty());
    const qreal first = std::round(bar.center().y() + middle - (one ? 0 : 7));
    const qreal second = first + 14;
    const bool small = layout.pitch < 16;
    painter.setFont(small ? m_plain : m_bodyStrong);
    painter.setPen(m_theme.colour(small ? ColourRole::Text2 : ColourRole::Text));
    painter.drawText(QPointF(0, first), content.label);
    const qreal totalWidth = QFontMetricsF(painter.font()).horizontalAdvance(content.total);
    // If there is no room for the note below the total, the total has the note's color instead.
    if (one && content.noteTone != Tone::Neutral)
        painter.setPen(m_theme.ink(content.noteTone));
    painter.drawText(QPointF(right - totalWidth, first), content.total);
    if (one)
        return;
    painter.setFont(m_plain);
    painter.setPen(m_theme.colour(ColourRole::Text3));
    painter.drawText(QPointF(0, second), content.sublabel);
    if (content.noteTone != Tone::Neutral)
        painter.setPen(m_theme.ink(content.noteTone));
    painter.drawText(QPointF(right - plain.horizontalAdvance(content.note), second), content.note);
}

QVector<StackedSegment> StackedBarsPainter::unnamed(const StackedBarsLayout &layout) const {
    QVector<StackedSegment> found;
    QSet<QString> named;
    for (int row = 0; row < m_view.rows.size(); ++row) {
        for (int i = 0; i < m_view.rows[row].segments.size(); ++i) {
            const StackedSegment &segment = m_view.rows[row].segments[i];
            const QStringList lines =
                segment.value > 0 ? labelFor(segment, layout.segment(m_view, {row, i}).size()) : QStringList();
            if (!lines.isEmpty() && lines.first().startsWith(segment.name))
                named.insert(segment.name);
        }
    }
    QSet<QString> listed;
    for (const StackedRow &row : m_view.rows) {
        for (const StackedSegment &segment : row.segments) {
            if (segment.value > 0 && !named.contains(segment.name) && !listed.contains(segment.name)) {
                listed.insert(segment.name);
                found.append(segment);
            }
        }
    }
    return found;
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/timeline_paper.h"

#include "report/paper.h"
#include "theme/theme.h"
#include "timeline/timeline_colours.h"
#include "timeline/timeline_coordinates.h"

#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <cmath>

namespace meshwright {
namespace {

constexpr qreal MinSpan = 1.2; ///< width from which spans are drawn individually
constexpr qreal ShareColumn = 2; ///< column width where narrow spans are drawn as fractions
constexpr qreal AreaColumn = 0.5;
constexpr qreal RowGapShare = 0.12;
constexpr qreal LabelledHeight = 11;
constexpr qreal LabelPadding = 3;

class RowsOnPaper {
public:
    RowsOnPaper(QPainter &painter, const QRectF &rect, const TimelineModel &model, const Theme &theme)
        : m_painter(painter)
        , m_rect(rect)
        , m_model(model)
        , m_colours(model, theme, 1)
        , m_pitch(rect.height() / static_cast<qreal>(model.tracks.size()))
        , m_font(paperFont(TypeRole::Caption)) { }

    void paint() {
        m_painter.save();
        m_painter.setRenderHint(QPainter::Antialiasing, false);
        m_painter.setPen(Qt::NoPen);
        for (std::size_t track = 0; track < m_model.tracks.size(); ++track)
            row(m_model.tracks[track], m_rect.top() + static_cast<qreal>(track) * m_pitch);
        m_painter.restore();
    }

private:
    qreal xOf(double time) const { return m_rect.left() + timeToX(time, m_model.whole, m_rect.width()); }

    void row(const TimelineTrack &track, qreal top) {
        const qreal height = m_pitch * (1 - RowGapShare);
        const qreal mean = (xOf(track.extent().end) - xOf(track.extent().begin))
            / static_cast<qreal>(std::max<std::size_t>(1, track.count()));
        if (mean >= MinSpan)
            spans(track, top, height);
        else
            shares(track, top, height);
    }

    void spans(const TimelineTrack &track, qreal top, qreal height) {
        for (std::size_t i = 0; i < track.count(); ++i) {
            const SpanLook &look = track.look(i);
            if (look.style == NothingStyle)
                continue;
            const TimelineColours::Style &style = m_colours.styles[look.style];
            const qreal left = xOf(track.time(i).begin);
            const QRectF block(left, top, xOf(track.time(i).end) - left, height);
            m_painter.fillRect(block, QColor(style.hatched ? style.mean : style.fill[look.shade]));
            if (!style.hatched) {
                m_painter.fillRect(QRectF(block.left(), block.top(), std::min(0.4, block.width() / 4), height),
                                   QColor(style.edge[look.shade]));
                label(look, block);
            }
        }
    }

    void label(const SpanLook &look, const QRectF &block) {
        if (block.height() < LabelledHeight)
            return;
        const QString text =
            m_model.styles[look.style].letter + (look.number >= 0 ? QString::number(look.number) : QString());
        const QFontMetricsF metrics(m_font);
        if (metrics.horizontalAdvance(text) + 2 * LabelPadding > block.width())
            return;
        m_painter.setFont(m_font);
        m_painter.setPen(QColor(m_colours.styles[look.style].label));
        m_painter.drawText(block, Qt::AlignCenter, text);
        m_painter.setPen(Qt::NoPen);
    }

    void shares(const TimelineTrack &track, qreal top, qreal height) {
        ShareWalk walk(track, m_model.whole.begin);
        for (qreal x = 0; x < m_rect.width(); x += ShareColumn) {
            const qreal width = std::min(ShareColumn, m_rect.width() - x);
            StyleSeconds seconds;
            walk.addUntil(xToTime(x + width, m_model.whole, m_rect.width()), seconds);
            const double all = m_model.whole.length() * width / m_rect.width();
            qreal y = top;
            for (std::size_t style = 1; style < m_model.styles.size(); ++style) {
                const qreal part = height * seconds.of[style] / all;
                if (part > 0)
                    m_painter.fillRect(QRectF(m_rect.left() + x, y, width, part), QColor(m_colours.styles[style].mean));
                y += part;
            }
        }
    }

    QPainter &m_painter;
    QRectF m_rect;
    const TimelineModel &m_model;
    TimelineColours m_colours;
    qreal m_pitch;
    QFont m_font;
};

} // namespace

void paintTimelineRows(QPainter &painter, const QRectF &rect, const TimelineModel &model, const Theme &theme) {
    if (!model.tracks.empty())
        RowsOnPaper(painter, rect, model, theme).paint();
}

void paintStackedArea(QPainter &painter, const QRectF &rect, const MemoryTrace &trace, double highest,
                      const Theme &theme) {
    const TimeRange whole = trace.whole();
    const auto timeAt = [&](qreal x) { return xToTime(x, whole, rect.width()); };
    std::vector<std::size_t> columns;
    for (qreal x = 0; x < rect.width(); x += AreaColumn)
        columns.push_back(trace.highestWithin(timeAt(x), timeAt(x + AreaColumn)));
    std::vector<double> below(columns.size(), 0);
    painter.save();
    painter.setPen(Qt::NoPen);
    for (std::size_t kind = 0; kind < step_memory_kind_count; ++kind) {
        QPolygonF upper;
        QPolygonF lower;
        const auto edge = [&](QPolygonF &line, std::size_t i, double bytes) {
            const qreal y = rect.bottom() - rect.height() * bytes / highest;
            const qreal left = rect.left() + static_cast<qreal>(i) * AreaColumn;
            line << QPointF(left, y) << QPointF(std::min(left + AreaColumn, rect.right()), y);
        };
        bool seen = false;
        for (std::size_t i = 0; i < columns.size(); ++i) {
            const double bytes = trace.point(columns[i]).bytes[kind];
            seen = seen || bytes > 0;
            edge(lower, i, below[i]);
            below[i] += bytes;
            edge(upper, i, below[i]);
        }
        if (!seen)
            continue;
        std::reverse(lower.begin(), lower.end());
        painter.setBrush(theme.fill(stepMemoryColour(static_cast<StepMemoryKind>(kind))));
        painter.drawPolygon(upper + lower);
    }
    painter.restore();
}

} // namespace meshwright

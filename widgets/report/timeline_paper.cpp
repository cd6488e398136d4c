// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/timeline_paper.h"

#include "figures/figure_text.h"
#include "report/paper.h"
#include "theme/theme.h"
#include "timeline/timeline_colours.h"
#include "timeline/timeline_coordinates.h"

#include <QLineF>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace meshwright {
namespace {

constexpr qreal MinSpan = 1.2; ///< minimum width of spans that are drawn individually
constexpr qreal ShareColumn = 2; ///< width of the columns that show narrow spans as fractions
constexpr qreal MinHatched = 3; ///< minimum width of idle spans that are hatched
constexpr qreal HatchSpacing = 4;
constexpr qreal RowGapShare = 0.12;
constexpr qreal LabelledHeight = 11;
constexpr qreal LabelPadding = 3;

/// Rectangles grouped by color. Each color is drawn as one path, which takes a tenth of the bytes of separate
/// rectangles.
class ColouredRects {
public:
    void add(const QRectF &rect, QRgb colour) {
        if (rect.width() > 0 && rect.height() > 0)
            m_paths[colour].addRect(rect);
    }
    void paint(QPainter &painter) const {
        for (const auto &[colour, path] : m_paths)
            painter.fillPath(path, QColor(colour));
    }

private:
    std::map<QRgb, QPainterPath> m_paths;
};

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
        for (std::size_t track = 0; track < m_model.tracks.size(); ++track)
            row(m_model.tracks[track], m_rect.top() + static_cast<qreal>(track) * m_pitch);
        m_painter.save();
        m_painter.setRenderHint(QPainter::Antialiasing, false);
        m_blocks.paint(m_painter);
        m_edges.paint(m_painter);
        m_painter.setRenderHint(QPainter::Antialiasing);
        for (const auto &[colour, lines] : m_hatches) {
            m_painter.setPen(QPen(QColor(colour), 0.7));
            m_painter.drawLines(lines);
        }
        m_painter.setFont(m_font);
        for (const Label &label : m_labels) {
            m_painter.setPen(QColor(label.colour));
            m_painter.drawText(label.at, label.text);
        }
        m_painter.restore();
    }

private:
    struct Label {
        QPointF at;
        QString text;
        QRgb colour;
    };

    qreal xOf(double time) const {
        return std::clamp(m_rect.left() + timeToX(time, m_model.whole, m_rect.width()), m_rect.left(), m_rect.right());
    }

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
            if (style.hatched && block.width() >= MinHatched) {
                hatch(block, style.hatchLine);
                continue;
            }
            m_blocks.add(block, style.hatched ? style.mean : style.fill[look.shade]);
            if (style.hatched)
                continue;
            m_edges.add(QRectF(block.left(), block.top(), std::min(0.4, block.width() / 4), height),
                        style.edge[look.shade]);
            label(look, block);
        }
    }

    /// The lines end at the block's edge, because an SVG writer does not clip.
    void hatch(const QRectF &block, QRgb colour) {
        const qreal first = std::ceil((block.left() + block.top()) / HatchSpacing) * HatchSpacing;
        for (qreal sum = first; sum < block.right() + block.bottom(); sum += HatchSpacing) {
            const qreal right = std::min(block.right(), sum - block.top());
            const qreal left = std::max(block.left(), sum - block.bottom());
            if (right > left)
                m_hatches[colour].append(QLineF(left, sum - left, right, sum - right));
        }
    }

    void label(const SpanLook &look, const QRectF &block) {
        if (block.height() < LabelledHeight)
            return;
        const QString text =
            m_model.styles[look.style].letter + (look.number >= 0 ? QString::number(look.number) : QString());
        const QFontMetricsF metrics(m_font);
        const qreal width = metrics.horizontalAdvance(text);
        if (width + 2 * LabelPadding <= block.width())
            m_labels.push_back(
                {{block.center().x() - width / 2, block.center().y() + (metrics.ascent() - metrics.descent()) / 2},
                 text,
                 m_colours.styles[look.style].label});
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
                m_blocks.add(QRectF(m_rect.left() + x, y, width, part), m_colours.styles[style].mean);
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
    ColouredRects m_blocks;
    ColouredRects m_edges;
    std::map<QRgb, QList<QLineF>> m_hatches;
    std::vector<Label> m_labels;
};

} // namespace

void paintTimelineRows(QPainter &painter, const QRectF &rect, const TimelineModel &model, const Theme &theme) {
    if (!model.tracks.empty())
        RowsOnPaper(painter, rect, model, theme).paint();
}

std::vector<LegendValue> timelineLegend(const TimelineModel &model) {
    StyleSeconds all;
    for (const TimelineTrack &track : model.tracks) {
        const StyleSeconds seconds = track.secondsIn(model.whole);
        for (std::size_t style = 0; style < MaxTimelineStyles; ++style)
            all.of[style] += seconds.of[style];
    }
    const double whole = model.whole.length() * static_cast<double>(model.tracks.size());
    std::vector<LegendValue> legend;
    for (std::size_t style = 1; style < model.styles.size(); ++style)
        if (const TimelineStyle &look = model.styles[style]; all.of[style] > 0)
            legend.push_back(
                {{look.name, look.kind,
                  look.fill == TimelineStyle::Fill::Hatched ? SegmentFill::Hatched : SegmentFill::Solid, look.letter},
                 shareText(all.of[style] / whole),
                 {}});
    return legend;
}

QString stepMemoryLetter(StepMemoryKind kind) {
    constexpr std::array<char16_t, step_memory_kind_count> letters{u'R', u'W', u'S', u'G', u'A', u'L', u'B'};
    return QString(QChar(letters.at(static_cast<std::size_t>(kind))));
}

} // namespace meshwright

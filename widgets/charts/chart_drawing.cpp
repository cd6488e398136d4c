// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chart_drawing.h"

#include "canvases/label_layout.h"
#include "charts/plot_scene.h"
#include "theme/surfaces.h"
#include "theme/theme.h"

#include <QLineF>
#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <cmath>
#include <utility>

namespace meshwright {

namespace {

constexpr qreal labelGap = 8;
constexpr qreal titleGap = 4;
constexpr qreal tickRow = 20;
constexpr qreal legendHeight = 20;
constexpr qreal swatchWidth = 14;
constexpr qreal topMargin = 8;
constexpr qreal rightMargin = 12;
constexpr qreal pixelsPerXTick = 72;
constexpr qreal pixelsPerYTick = 34;
constexpr qreal groupGap = 4; ///< pixels between the labels of adjacent groups
constexpr qreal dotReach = 10; ///< maximum distance in pixels from the mouse to a hovered dot

double edgeOf(const ChartAxis &axis) {
    return axis.categories ? 0.5 : 0;
}

} // namespace

ChartDrawing::ChartDrawing(const QRectF &rect, const ChartView &view, const Theme &theme)
    : m_rect(rect)
    , m_view(view)
    , m_theme(theme)
    , m_font(theme.font(TypeRole::Caption))
    , m_metrics(m_font) {
    const bool titled = view.titles == AxisTitles::Shown;
    const qreal title = titled ? std::ceil(m_metrics.height()) : 0;
    const qreal top = std::ceil(rect.top() + topMargin + (hasLegend() ? legendHeight : 0));
    const qreal height = std::max(1.0, std::floor(rect.bottom() - top - tickRow - title));
    m_yTicks = ticksOf(view.y, std::max(2, static_cast<int>(height / pixelsPerYTick)));
    qreal widest = 0;
    for (const ChartTick &tick : m_yTicks)
        widest = std::max(widest, m_metrics.horizontalAdvance(tick.text));
    const qreal left = std::ceil(rect.left() + title + (titled ? titleGap : 0) + widest + labelGap);
    m_plot = QRectF(left, top, std::max(1.0, std::floor(rect.right() - left - rightMargin)), height);
    m_xTicks = ticksOf(view.x, std::max(2, static_cast<int>(m_plot.width() / pixelsPerXTick)));
}

bool ChartDrawing::hasLegend() const {
    const auto isNamed = [](const auto &each) { return !each.name.isEmpty(); };
    return !m_view.legend.isEmpty()
        || std::count_if(m_view.series.cbegin(), m_view.series.cend(), isNamed)
            + std::count_if(m_view.dots.cbegin(), m_view.dots.cend(), isNamed)
            + std::count_if(m_view.columns.cbegin(), m_view.columns.cend(), isNamed)
        > 1;
}

QPointF ChartDrawing::at(const QPointF &value) const {
    // Clamped, because coordinates far outside the chart would overflow in the painter.
    const double y = std::clamp(m_view.y.shareOf(value.y()), -10.0, 10.0);
    const double x = std::clamp(m_view.x.shareOf(value.x()), -10.0, 10.0);
    return {m_plot.left() + x * m_plot.width(), m_plot.bottom() - y * m_plot.height()};
}

QPointF ChartDrawing::valueAt(const QPointF &place) const {
    return {m_view.x.valueAt(std::clamp((place.x() - m_plot.left()) / m_plot.width(), 0.0, 1.0)),
            m_view.y.valueAt(std::clamp((m_plot.bottom() - place.y()) / m_plot.height(), 0.0, 1.0))};
}

QRectF ChartDrawing::columnAt(int thing) const {
    const qreal each = m_plot.width() / std::max(1, m_view.things);
    return {m_plot.left() + thing * each, m_plot.top(), each, m_plot.height()};
}

QPointF ChartDrawing::beyond(const QPointF &value) const {
    constexpr double rounding = 1e-9;
    const auto side = [](double share) { return share < -rounding ? -1.0 : share > 1 + rounding ? 1.0 : 0.0; };
    return {side(m_view.x.shareOf(value.x())), -side(m_view.y.shareOf(value.y()))};
}

/// Calls take(item, position, dots) for each dot that represents an item.
template <typename Take>
void ChartDrawing::forEachDot(const Take &take) const {
    for (const ChartDots &dots : m_view.dots)
        for (qsizetype i = 0; i < dots.things.size(); ++i)
            take(dots.things.at(i), at(dots.points.at(i)), dots);
}

QPointF ChartDrawing::placeOfThing(int thing) const {
    QPointF place = columnAt(thing).center();
    forEachDot([&](int each, const QPointF &at, const ChartDots &) { place = each == thing ? at : place; });
    return place;
}

int ChartDrawing::thingAt(const QPointF &place) const {
    if (m_view.pointing == Pointing::Columns) {
        const qreal share = (place.x() - m_plot.left()) / m_plot.width();
        return share < 0 || share >= 1 ? -1 : static_cast<int>(share * m_view.things);
    }
    int nearest = -1;
    qreal least = dotReach * dotReach;
    forEachDot([&](int thing, const QPointF &at, const ChartDots &) {
        const qreal square = QPointF::dotProduct(at - place, at - place);
        if (square < least) {
            least = square;
            nearest = thing;
        }
    });
    return nearest;
}

int ChartDrawing::figureMarkAt(const QPointF &place) const {
    int nearest = -1;
    qreal least = m_view.pointing == Pointing::AlongX ? markReach : 0; // 0: only a mark's label can be hit
    for (int i = 0; i < m_view.marks.size(); ++i) {
        const ChartMark &mark = m_view.marks.at(i);
        const QRectF label = labelOf(mark);
        if (mark.figure.isEmpty() || label.isEmpty())
            continue;
        const qreal away = label.contains(place) ? 0 : QLineF(at(mark.at), place).length();
        if (away <= least) {
            nearest = i;
            least = away;
        }
    }
    return nearest;
}

void ChartDrawing::paintPointed(QPainter &painter, int thing) const {
    if (m_view.pointing == Pointing::Columns) {
        QColor veil = m_theme.colour(ColourRole::Text);
        veil.setAlphaF(0.12F);
        painter.fillRect(columnAt(thing), veil);
        return;
    }
    forEachDot([&](int each, const QPointF &at, const ChartDots &dots) {
        if (each != thing)
            return;
        painter.setBrush(dots.hollow ? QBrush(Qt::NoBrush) : QBrush(colourOf(dots.ink, m_theme)));
        painter.setPen(QPen(m_theme.colour(ColourRole::Text), 1.5));
        painter.drawEllipse(at, dots.radius + 2, dots.radius + 2);
    });
}

void ChartDrawing::paintAxes(QPainter &painter) const {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    if (!m_view.nothing.isEmpty()) {
        painter.setFont(m_theme.font(TypeRole::Body));
        painter.setPen(m_theme.colour(ColourRole::Text2));
        painter.drawText(m_rect, Qt::AlignCenter | Qt::TextWordWrap, m_view.nothing);
    } else {
        painter.setFont(m_font);
        paintGrid(painter);
        paintTitles(painter);
        paintLegend(painter);
    }
    painter.restore();
}

void ChartDrawing::paintPlot(QPainter &painter) const {
    if (m_view.nothing.isEmpty())
        PlotScene(m_rect, m_plot, m_view, m_theme).paint(painter);
}

void ChartDrawing::paintGrid(QPainter &painter) const {
    if (m_view.hatched) {
        const qreal top = std::max(m_plot.top(), std::round(at({0, m_view.hatched->second}).y()));
        const qreal bottom = std::min(m_plot.bottom(), std::round(at({0, m_view.hatched->first}).y()));
        if (bottom > top)
            surfaces::hatch(painter, QRectF(m_plot.left(), top, m_plot.width(), bottom - top),
                            mixed(m_theme.colour(ColourRole::LineStrong), m_theme.colour(ColourRole::Card), 0.5));
    }
    // A line at 0 within the axis separates positive from negative values.
    const auto isDivide = [](const ChartTick &tick, const ChartAxis &axis) { return tick.value == 0 && axis.low < 0; };
    const auto ink = [&](bool divide) { return m_theme.colour(divide ? ColourRole::LineStrong : ColourRole::Grid); };
    const qreal rise = (m_metrics.ascent() - m_metrics.descent()) / 2;
    QVector<LabelSpan> labels;
    for (const ChartTick &tick : m_yTicks)
        labels.append({std::round(at({m_view.x.low, tick.value}).y()) - m_metrics.height() / 2, m_metrics.height()});
    QVector<bool> shown = labelsThatFit(labels, 0);
    for (int i = 0; i < labels.size(); ++i) {
        const ChartTick &tick = m_yTicks.at(i);
        const qreal y = std::round(at({m_view.x.low, tick.value}).y());
        const qreal line = std::round(at({m_view.x.low, tick.value - edgeOf(m_view.y)}).y());
        painter.fillRect(QRectF(m_plot.left(), line, m_plot.width(), 1), ink(isDivide(tick, m_view.y)));
        painter.setPen(m_theme.colour(ColourRole::Text3));
        if (shown.at(i))
            painter.drawText(
                QPointF(m_plot.left() - labelGap - m_metrics.horizontalAdvance(tick.text), std::round(y + rise)),
                tick.text);
    }
    labels.clear();
    for (const ChartTick &tick : m_xTicks)
        labels.append(centredWithin(at({tick.value, m_view.y.low}).x(), m_metrics.horizontalAdvance(tick.text),
                                    m_rect.left(), m_rect.right()));
    shown = labelsThatFit(labels, labelGap);
    for (int i = 0; i < labels.size(); ++i) {
        const ChartTick &tick = m_xTicks.at(i);
        const bool divide = isDivide(tick, m_view.x);
        if (divide || m_view.grid == Grid::Both)
            painter.fillRect(QRectF(std::round(at({tick.value - edgeOf(m_view.x), m_view.y.low}).x()), m_plot.top(), 1,
                                    m_plot.height()),
                             ink(divide));
        if (shown.at(i))
            painter.drawText(QPointF(labels.at(i).left, m_plot.bottom() + 4 + m_metrics.ascent()), tick.text);
    }
}

void ChartDrawing::paintTitles(QPainter &painter) const {
    if (m_view.titles == AxisTitles::Hidden)
        return;
    painter.setPen(m_theme.colour(ColourRole::Text2));
    if (m_view.x.groups.isEmpty())
        painter.drawText(QPointF(m_plot.center().x() - m_metrics.horizontalAdvance(m_view.x.title) / 2,
                                 m_rect.bottom() - m_metrics.descent() - 2),
                         m_view.x.title);
    else
        paintGroups(painter);
    painter.save();
    painter.translate(m_rect.left() + m_metrics.ascent(),
                      m_plot.center().y() + m_metrics.horizontalAdvance(m_view.y.title) / 2);
    painter.rotate(-90);
    painter.drawText(QPointF(0, 0), m_view.y.title);
    painter.restore();
}

/// Labels wider than their group are elided. If elision leaves too little text, only some of the labels are drawn.
void ChartDrawing::paintGroups(QPainter &painter) const {
    constexpr qreal leastWidth = 40;
    QVector<LabelSpan> labels;
    QStringList texts;
    for (const ChartGroup &group : m_view.x.groups) {
        const qreal left = std::round(at({group.low, m_view.y.low}).x());
        const qreal width = std::round(at({group.high, m_view.y.low}).x()) - left;
        if (left > m_plot.left() + 1)
            for (const auto &[top, bottom] :
                 {std::pair(m_plot.top(), m_plot.bottom()), std::pair(m_plot.bottom() + tickRow, m_rect.bottom())})
                painter.fillRect(QRectF(left, top, 1, bottom - top), m_theme.colour(ColourRole::Grid));
        texts << (width < leastWidth ? group.text : m_metrics.elidedText(group.text, Qt::ElideRight, width - groupGap));
        labels.append(
            centredWithin(left + width / 2, m_metrics.horizontalAdvance(texts.last()), m_plot.left(), m_plot.right()));
    }
    const QVector<bool> shown = labelsThatFit(labels, 0);
    for (qsizetype i = 0; i < labels.size(); ++i)
        if (shown.at(i))
            painter.drawText(QPointF(labels.at(i).left, m_rect.bottom() - m_metrics.descent() - 2), texts.at(i));
}

void ChartDrawing::paintLegend(QPainter &painter) const {
    if (!hasLegend())
        return;
    const qreal middle = m_rect.top() + legendHeight / 2 - 2;
    const qreal base = middle + (m_metrics.ascent() - m_metrics.descent()) / 2;
    qreal left = m_plot.left();
    if (!m_view.legend.isEmpty()) {
        painter.setPen(m_theme.colour(ColourRole::Text3));
        painter.drawText(QPointF(left, base), m_view.legend);
        left += m_metrics.horizontalAdvance(m_view.legend) + labelGap;
    }
    const auto add = [&](const QString &name, qreal swatch, const auto &paintSwatch) {
        const qreal width = swatch + 4 + m_metrics.horizontalAdvance(name);
        // A name that does not fit is left out; the hover card shows it.
        if (name.isEmpty() || left + width > m_rect.right())
            return;
        paintSwatch();
        painter.setPen(m_theme.colour(ColourRole::Text2));
        painter.drawText(QPointF(left + swatch + 4, base), name);
        left += width + 12;
    };
    for (const ChartSeries &series : m_view.series)
        add(series.name, swatchWidth, [&] {
            painter.setPen(penOf(series, m_theme));
            painter.drawLine(QPointF(left, middle), QPointF(left + swatchWidth, middle));
        });
    for (const ChartPart &part : m_view.columns)
        add(part.name, swatchWidth, [&] {
            painter.fillRect(QRectF(left, std::round(middle) - 4, swatchWidth, 8), colourOf(part.ink, m_theme));
        });
    for (const ChartDots &dots : m_view.dots) {
        const qreal radius = std::max(3.5, dots.radius);
        add(dots.name, 2 * radius, [&] {
            takeUp(painter, dots, m_theme);
            painter.drawEllipse(QPointF(left + radius, middle), radius, radius);
        });
    }
}

void ChartDrawing::paintDot(QPainter &painter, const QPointF &centre, const ChartInk &ink, qreal radius) const {
    painter.setPen(QPen(colourOf(ink, m_theme), 1.75));
    painter.setBrush(m_theme.colour(ColourRole::Card));
    painter.drawEllipse(centre, radius, radius);
}

} // namespace meshwright

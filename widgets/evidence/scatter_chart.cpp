// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/scatter_chart.h"

#include "canvases/label_layout.h"
#include "controls/figure_event.h"
#include "panels/figure_text.h"
#include "theme/surfaces.h"
#include "theme/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace meshwright {

namespace {

constexpr qreal leftMargin = 64; ///< tick labels and the axis' name
constexpr qreal bottomMargin = 36;
constexpr qreal topMargin = 6;
constexpr qreal rightMargin = 10;
constexpr qreal radius = 2.25;
constexpr qreal reach = 9; ///< of the pointer, in pixels
constexpr qreal pixelsPerTick = 56;

ChartAxis axisOf(const ScatterView &view) {
    ChartAxis axis{.title = {}, .scale = AxisScale::Logarithmic};
    axis.low = 0.1;
    axis.high = 10;
    if (!view.points.empty()) {
        axis.low = axis.high = view.points.front().measured;
        for (const EvidencePoint &point : view.points) {
            axis.low = std::min({axis.low, point.measured, point.predicted});
            axis.high = std::max({axis.high, point.measured, point.predicted});
        }
    }
    if (view.mark) {
        axis.low = std::min(axis.low, view.mark->low);
        axis.high = std::max(axis.high, view.mark->high);
    }
    axis.low /= 1.25;
    axis.high *= 1.25;
    const Quantity quantity = view.metric == EvidenceMetric::Step ? Quantity::seconds : Quantity::bytes;
    axis.text = [quantity](double value) { return figureText(value, quantity); };
    return axis;
}

} // namespace

Kind kindOfFamily(int family) {
    constexpr Kind kinds[ColouredFamilies] = {Kind::Blue,   Kind::Green,  Kind::Red,
                                              Kind::Yellow, Kind::Purple, Kind::Cyan};
    return family >= 0 && family < ColouredFamilies ? kinds[family] : Kind::Grey;
}

ScatterChart::ScatterChart(QWidget *parent)
    : QWidget(parent) {
    showsNoFigures(this, NotFigures::axis);
    setObjectName(QStringLiteral("evidenceScatter"));
    setAccessibleName(tr("Predicted against measured"));
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    m_axis = axisOf(m_view);
}

void ScatterChart::setView(const ScatterView &view) {
    constexpr std::size_t none = static_cast<std::size_t>(-1);
    const std::size_t row = m_current && hasFocus() ? m_view.points[*m_current].row : none;
    m_view = view;
    m_axis = axisOf(view);
    m_byMeasured.resize(view.points.size());
    std::iota(m_byMeasured.begin(), m_byMeasured.end(), std::size_t{0});
    std::stable_sort(m_byMeasured.begin(), m_byMeasured.end(), [&view](std::size_t a, std::size_t b) {
        return view.points[a].measured < view.points[b].measured;
    });
    m_layer = {};
    m_card.hide();
    m_current.reset();
    const auto same = std::find_if(view.points.begin(), view.points.end(),
                                   [row](const EvidencePoint &point) { return point.row == row; });
    if (same != view.points.end())
        m_current = static_cast<std::size_t>(same - view.points.begin());
    setAccessibleDescription(view.description);
    update();
}

QRectF ScatterChart::plot() const {
    return QRectF(rect()).adjusted(leftMargin, topMargin, -rightMargin, -bottomMargin);
}

QPointF ScatterChart::at(double measured, double predicted) const {
    const QRectF area = plot();
    return {area.left() + m_axis.shareOf(measured) * area.width(),
            area.bottom() - m_axis.shareOf(predicted) * area.height()};
}

QPointF ScatterChart::placeOf(const EvidencePoint &point) const {
    return at(point.measured, point.predicted);
}

std::optional<std::size_t> ScatterChart::pointAt(const QPointF &place) const {
    std::optional<std::size_t> nearest;
    qreal least = reach * reach;
    for (std::size_t i = 0; i < m_view.points.size(); ++i) {
        const QPointF apart = placeOf(m_view.points[i]) - place;
        const qreal square = QPointF::dotProduct(apart, apart);
        if (square < least) {
            least = square;
            nearest = i;
        }
    }
    return nearest;
}

void ScatterChart::paintAxes(QPainter &painter, const Theme &theme) const {
    const QRectF area = plot();
    painter.setFont(theme.font(TypeRole::Caption));
    const QFontMetricsF metrics(painter.font());
    const qreal rise = (metrics.ascent() - metrics.descent()) / 2;
    const QVector<ChartTick> across = ticksOf(m_axis, std::max(2, static_cast<int>(area.width() / pixelsPerTick)));
    const QVector<ChartTick> up = ticksOf(m_axis, std::max(2, static_cast<int>(area.height() / pixelsPerTick)));
    const QColor grid = theme.colour(ColourRole::Grid);
    painter.setPen(theme.colour(ColourRole::Text3));
    QVector<LabelSpan> labels;
    for (const ChartTick &tick : across) {
        const qreal x = std::round(at(tick.value, m_axis.low).x());
        painter.fillRect(QRectF(x, area.top(), 1, area.height()), grid);
        labels.append(centredWithin(x, metrics.horizontalAdvance(tick.text), 0, width()));
    }
    const QVector<bool> shown = labelsThatFit(labels, 8);
    for (int i = 0; i < labels.size(); ++i)
        if (shown.at(i))
            painter.drawText(QPointF(labels.at(i).left, area.bottom() + 4 + metrics.ascent()), across.at(i).text);
    for (const ChartTick &tick : up) {
        const qreal y = std::round(at(m_axis.low, tick.value).y());
        painter.fillRect(QRectF(area.left(), y, area.width(), 1), grid);
        painter.drawText(QPointF(area.left() - 8 - metrics.horizontalAdvance(tick.text), std::round(y + rise)),
                         tick.text);
    }
    painter.setPen(theme.colour(ColourRole::Text2));
    const QString across_title = m_view.metric == EvidenceMetric::Step ? tr("measured step") : tr("measured memory");
    const QString up_title = m_view.metric == EvidenceMetric::Step ? tr("predicted step") : tr("predicted memory");
    painter.drawText(
        QPointF(area.center().x() - metrics.horizontalAdvance(across_title) / 2, height() - metrics.descent() - 1),
        across_title);
    painter.save();
    painter.translate(metrics.ascent(), area.center().y() + metrics.horizontalAdvance(up_title) / 2);
    painter.rotate(-90);
    painter.drawText(QPointF(0, 0), up_title);
    painter.restore();
}

void ScatterChart::paintBand(QPainter &painter, const Theme &theme) const {
    const double low = m_axis.low;
    const double high = m_axis.high;
    if (const double factor = m_view.band; factor > 1) {
        QPainterPath band;
        band.moveTo(at(low, low * factor));
        band.lineTo(at(high, high * factor));
        band.lineTo(at(high, high / factor));
        band.lineTo(at(low, low / factor));
        band.closeSubpath();
        painter.fillPath(band, theme.colour(ColourRole::Raised));
    }
    painter.setPen(QPen(theme.colour(ColourRole::LineStrong), 1));
    painter.drawLine(at(low, low), at(high, high));
}

void ScatterChart::paintPoints(QPainter &painter, const Theme &theme) const {
    painter.setPen(Qt::NoPen);
    // Small families last, so that a large one does not cover them.
    for (int family = 0; family <= ColouredFamilies; ++family) {
        QColor colour = theme.fill(kindOfFamily(family));
        colour.setAlphaF(0.72F);
        painter.setBrush(colour);
        for (const EvidencePoint &point : m_view.points)
            if (point.family == family)
                painter.drawEllipse(placeOf(point), radius, radius);
    }
}

void ScatterChart::paintMark(QPainter &painter, const Theme &theme) const {
    if (!m_view.mark)
        return;
    const ScatterMark &mark = *m_view.mark;
    const QColor ink = theme.colour(ColourRole::Accent);
    painter.setPen(QPen(ink, 2));
    painter.drawLine(at(mark.low, mark.estimate), at(mark.high, mark.estimate));
    const QPointF centre = at(mark.estimate, mark.estimate);
    painter.setBrush(theme.colour(ColourRole::Card));
    painter.drawEllipse(centre, 5, 5);
    painter.setFont(theme.font(TypeRole::Body, TextWeight::SemiBold));
    const QFontMetricsF metrics(painter.font());
    const qreal width = metrics.horizontalAdvance(mark.text);
    const QRectF area = plot();
    // Below the diagonal to the right of the mark, where there are few points, else above it to the left.
    const bool toTheRight = centre.x() + 12 + width < area.right();
    const QRectF label(toTheRight ? centre.x() + 12 : centre.x() - 12 - width,
                       toTheRight ? std::min(centre.y() + 8, area.bottom() - metrics.height() - 2)
                                  : centre.y() - 8 - metrics.height(),
                       width, metrics.height());
    surfaces::rounded(painter, label.adjusted(-4, -1, 4, 1), 3, theme.colour(ColourRole::Card));
    painter.setPen(theme.colour(ColourRole::Text));
    painter.drawText(label, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine, mark.text);
}

void ScatterChart::paintLayer() {
    const qreal ratio = devicePixelRatioF();
    m_layer = QPixmap(size() * ratio);
    m_layer.setDevicePixelRatio(ratio);
    m_layer.fill(Qt::transparent);
    QPainter painter(&m_layer);
    const Theme &theme = Theme::of(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.save();
    painter.setClipRect(plot());
    paintBand(painter, theme);
    painter.restore();
    paintAxes(painter, theme);
    painter.setClipRect(plot());
    paintPoints(painter, theme);
}

void ScatterChart::paintEvent(QPaintEvent *) {
    if (m_layer.isNull() || m_layer.devicePixelRatio() != devicePixelRatioF())
        paintLayer();
    QPainter painter(this);
    painter.drawPixmap(QPointF(0, 0), m_layer);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme &theme = Theme::of(this);
    paintMark(painter, theme);
    if (m_current && *m_current < m_view.points.size()) {
        const EvidencePoint &point = m_view.points[*m_current];
        painter.setBrush(theme.fill(kindOfFamily(point.family)));
        painter.setPen(QPen(theme.colour(ColourRole::Text), 1.5));
        painter.drawEllipse(placeOf(point), radius + 2, radius + 2);
    }
    if (showsFocusRing(this))
        surfaces::focusRing(painter, rect(), Theme::radius(Corner::Field), theme);
}

void ScatterChart::resizeEvent(QResizeEvent *event) {
    m_layer = {};
    QWidget::resizeEvent(event);
}

void ScatterChart::changeEvent(QEvent *event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        m_layer = {};
        update();
    }
    QWidget::changeEvent(event);
}

void ScatterChart::point(std::optional<std::size_t> index) {
    m_current = index;
    setCursor(index ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (index && m_cardOf) {
        const HoverContent content = m_cardOf(m_view.points[*index]);
        m_card.show(this, placeOf(m_view.points[*index]).toPoint(), content);
        setAccessibleDescription(content.spoken());
    } else {
        m_card.hide();
        setAccessibleDescription(m_view.description);
    }
    update();
}

void ScatterChart::mouseMoveEvent(QMouseEvent *event) {
    const std::optional<std::size_t> found = pointAt(event->position());
    if (found != m_current)
        point(found);
}

void ScatterChart::mouseReleaseEvent(QMouseEvent *event) {
    const std::optional<std::size_t> found = pointAt(event->position());
    if (event->button() == Qt::LeftButton && found)
        Q_EMIT rowChosen(m_view.points[*found].row);
}

void ScatterChart::leaveEvent(QEvent *event) {
    point(std::nullopt);
    QWidget::leaveEvent(event);
}

void ScatterChart::step(int by) {
    if (m_byMeasured.empty())
        return;
    auto place = m_byMeasured.begin();
    if (m_current) {
        const auto now = std::find(m_byMeasured.begin(), m_byMeasured.end(), *m_current);
        const auto last = static_cast<std::ptrdiff_t>(m_byMeasured.size()) - 1;
        place += std::clamp<std::ptrdiff_t>(now - m_byMeasured.begin() + by, 0, last);
    }
    point(*place);
}

void ScatterChart::keyPressEvent(QKeyEvent *event) {
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
        step(event->key() == Qt::Key_Left ? -1 : 1);
        return;
    case Qt::Key_PageUp:
    case Qt::Key_PageDown:
        step(event->key() == Qt::Key_PageUp ? -50 : 50);
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (m_current)
            Q_EMIT rowChosen(m_view.points[*m_current].row);
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

void ScatterChart::focusOutEvent(QFocusEvent *event) {
    point(std::nullopt);
    QWidget::focusOutEvent(event);
}

} // namespace meshwright

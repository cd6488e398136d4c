// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvases/threshold_gauge.h"

#include "figures/figure_event.h"
#include "theme/surfaces.h"
#include "theme/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace meshwright {
namespace {

constexpr qreal Inset = 8;
constexpr int LabelHeight = 18;
constexpr int RailHeight = 18;

QString textOf(const GaugeMarker &marker) {
    return marker.name + QLatin1Char(' ') + marker.valueText;
}

} // namespace

QVector<LabelSpan> spreadLabels(const QVector<LabelSpan> &wanted, qreal gap, qreal low, qreal high) {
    qreal needed = wanted.isEmpty() ? 0 : (wanted.size() - 1) * gap;
    for (const LabelSpan &label : wanted)
        needed += label.width;
    if (needed > high - low)
        return {};
    QVector<LabelSpan> placed = wanted;
    qreal edge = low;
    for (LabelSpan &label : placed) {
        label.left = std::max(label.left, edge);
        edge = label.right() + gap;
    }
    edge = high;
    for (qsizetype i = placed.size(); i-- > 0;) {
        LabelSpan &label = placed[i];
        label.left = std::min(label.left, edge - label.width);
        edge = label.left - gap;
    }
    return placed;
}

ThresholdGauge::ThresholdGauge(QWidget *parent)
    : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setFocusPolicy(Qt::TabFocus);
    setCursor(Qt::PointingHandCursor);
    setAccessibleName(tr("H100-equivalents and the threshold"));
    connect(Theme::notifier(), &ThemeNotifier::changed, this, qOverload<>(&QWidget::update));
}

void ThresholdGauge::setView(const ThresholdGaugeView &view) {
    const bool taller = view.threshold.has_value() != m_view.threshold.has_value();
    m_view = view;
    QStringList parts;
    for (const GaugeMarker &marker : view.markers)
        parts.append(textOf(marker));
    if (view.threshold)
        parts.append(view.thresholdLabel);
    const QString all = parts.join(QStringLiteral(", "));
    setAccessibleDescription(view.description.isEmpty() ? all : view.description);
    // The tool tip has all labels, including those that do not fit on the gauge.
    setToolTip(view.description.isEmpty() ? all : all + QLatin1Char('\n') + view.description);
    if (taller)
        updateGeometry();
    update();
}

QList<FigureRef> ThresholdGauge::figures() const {
    QList<FigureRef> all;
    for (const GaugeMarker &marker : m_view.markers)
        if (!marker.figure.isEmpty())
            all << marker.figure;
    return all;
}

FigureRef ThresholdGauge::figureAt(const QPoint &place) const {
    const LogScale scale = scaleFor(m_view, 0, width());
    FigureRef nearest;
    qreal distance = width();
    for (const GaugeMarker &marker : m_view.markers) {
        const qreal away = std::abs(scale.toX(marker.value) - place.x());
        if (away >= distance || marker.figure.isEmpty())
            continue;
        distance = away;
        nearest = marker.figure;
    }
    return nearest;
}

FigureRef ThresholdGauge::currentFigure() const {
    return m_current < m_view.markers.size() ? m_view.markers[m_current].figure : FigureRef();
}

void ThresholdGauge::mouseReleaseEvent(QMouseEvent *event) {
    const FigureRef figure = rect().contains(event->pos()) ? figureAt(event->pos()) : FigureRef();
    if (event->button() == Qt::LeftButton)
        wantFigure(this, figure);
}

void ThresholdGauge::keyPressEvent(QKeyEvent *event) {
    const int direction = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
    const bool opens = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space;
    if (opens && !currentFigure().isEmpty()) {
        wantFigure(this, currentFigure());
    } else if (direction != 0 && !m_view.markers.isEmpty()) {
        m_current = std::clamp(m_current + direction, 0, int(m_view.markers.size()) - 1);
        setAccessibleDescription(textOf(m_view.markers[m_current]));
        update();
    } else {
        event->ignore();
    }
}

QSize ThresholdGauge::sizeHint() const {
    return {200, (m_view.threshold ? LabelHeight : 0) + RailHeight + LabelHeight};
}

QSize ThresholdGauge::minimumSizeHint() const {
    return {120, sizeHint().height()};
}

LogScale ThresholdGauge::scaleFor(const ThresholdGaugeView &view, qreal left, qreal right) {
    double low = view.threshold.value_or(1);
    double high = low;
    bool first = !view.threshold;
    for (const GaugeMarker &marker : view.markers) {
        low = first ? marker.value : std::min(low, marker.value);
        high = first ? marker.value : std::max(high, marker.value);
        first = false;
    }
    low = std::max(low, 1e-9);
    // A margin on both sides keeps markers away from the ends of the rail.
    const double margin = std::pow(std::max(high / low, 10.0), 0.09);
    return {low / margin, std::max(high, low) * margin, left, right};
}

void ThresholdGauge::paint(QPainter &painter, const QRectF &rect, const ThresholdGaugeView &view, const Theme &theme) {
    painter.save();
    painter.translate(rect.topLeft());
    painter.setRenderHint(QPainter::Antialiasing);
    const qreal width = rect.width();
    const LogScale scale = scaleFor(view, 0, width);
    const qreal top = view.threshold ? LabelHeight : 0;
    const qreal middle = top + RailHeight / 2.0;
    const QFont caption = theme.font(TypeRole::Caption);
    const QFontMetricsF metrics(caption);
    const QRectF rail(0, middle - 2, width, 4);
    surfaces::rounded(painter, rail, 2, theme.colour(ColourRole::Raised));
    const qreal reach = view.markers.isEmpty() ? 0 : scale.toX(view.markers.last().value);
    const QColor steel = mixed(theme.colour(ColourRole::LineStrong), theme.colour(ColourRole::Panel), 0.25);
    surfaces::rounded(painter, QRectF(0, rail.top(), reach, rail.height()), 2, steel);
    if (view.threshold) {
        const qreal x = std::round(scale.toX(*view.threshold));
        painter.fillRect(QRectF(x - 1, top - 2, 2, RailHeight + 2), theme.colour(ColourRole::Text2));
        const LabelSpan span = centredWithin(x, metrics.horizontalAdvance(view.thresholdLabel), 0, width);
        painter.setFont(caption);
        painter.setPen(theme.colour(ColourRole::Text2));
        painter.drawText(QPointF(span.left, top - 6), view.thresholdLabel);
    }
    QVector<LabelSpan> wanted;
    for (const GaugeMarker &marker : view.markers) {
        const qreal x = scale.toX(marker.value);
        surfaces::rounded(painter, QRectF(x - 5, middle - 5, 10, 10), 5, theme.colour(ColourRole::Panel),
                          theme.colour(ColourRole::Text2), 2);
        wanted.append(centredWithin(x, metrics.horizontalAdvance(textOf(marker)), 0, width));
    }
    QVector<LabelSpan> placed = spreadLabels(wanted, Inset, 0, width);
    QVector<bool> shown(wanted.size(), true);
    if (placed.size() != wanted.size()) {
        placed = wanted;
        shown = labelsThatFit(wanted, Inset, {int(wanted.size()) - 1, 0});
    }
    painter.setFont(caption);
    painter.setPen(theme.colour(ColourRole::Text2));
    for (int i = 0; i < placed.size(); ++i) {
        if (shown[i])
            painter.drawText(QPointF(placed[i].left, top + RailHeight + metrics.ascent()), textOf(view.markers[i]));
    }
    painter.restore();
}

void ThresholdGauge::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    const Theme &theme = Theme::of(this);
    paint(painter, rect(), m_view, theme);
    if (!showsFocusRing(this) || m_current >= m_view.markers.size())
        return;
    const qreal x = scaleFor(m_view, 0, width()).toX(m_view.markers[m_current].value);
    const qreal middle = (m_view.threshold ? LabelHeight : 0) + RailHeight / 2.0;
    painter.setRenderHint(QPainter::Antialiasing);
    surfaces::focusRing(painter, QRectF(x - 9, middle - 9, 18, 18), 9, theme);
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/fit_chart.h"

#include "canvases/label_layout.h"
#include "controls/figure_event.h"
#include "panels/figure_text.h"
#include "theme/surfaces.h"
#include "theme/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {

constexpr qreal leftMargin = 60;
constexpr qreal bottomMargin = 36;
constexpr qreal topMargin = 22; ///< the legend
constexpr qreal rightMargin = 10;
constexpr qreal radius = 4;
constexpr qreal reach = 12;
constexpr qreal pixelsPerTick = 56;
constexpr double margin = 1.2; ///< beyond the outermost points

} // namespace

FitChart::FitChart(QWidget *parent)
    : QWidget(parent) {
    showsNoFigures(this, NotFigures::axis);
    setObjectName(QStringLiteral("fitChart"));
    setAccessibleName(tr("Predicted against measured, before and after"));
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void FitChart::showFit(std::shared_ptr<const MachineFit> fit, EvidenceMetric metric) {
    m_metric = metric;
    m_points.clear();
    if (fit != nullptr)
        for (const FittedRun &run : fit->runs)
            if (const auto &figure = metric == EvidenceMetric::Step ? run.step : run.memory)
                m_points.push_back({QString::fromStdString(run.name), *figure});
    m_axis = {.title = {}, .scale = AxisScale::Logarithmic, .low = 1, .high = 10};
    if (!m_points.empty()) {
        m_axis.low = m_axis.high = m_points.front().figure.measured;
        for (const Point &point : m_points) {
            const FittedFigure &figure = point.figure;
            m_axis.low = std::min({m_axis.low, figure.measured, figure.before, figure.after});
            m_axis.high = std::max({m_axis.high, figure.measured, figure.before, figure.after});
        }
    }
    m_axis.low /= margin;
    m_axis.high *= margin;
    m_axis.text = [this](double value) { return textOf(value); };
    choose(std::nullopt);
}

QString FitChart::textOf(double value) const {
    return figureText(value, m_metric == EvidenceMetric::Step ? Quantity::seconds : Quantity::bytes);
}

QRectF FitChart::plot() const {
    return QRectF(rect()).adjusted(leftMargin, topMargin, -rightMargin, -bottomMargin);
}

QPointF FitChart::at(double measured, double predicted) const {
    const QRectF area = plot();
    return {area.left() + m_axis.shareOf(measured) * area.width(),
            area.bottom() - m_axis.shareOf(predicted) * area.height()};
}

void FitChart::paintAxes(QPainter &painter, const Theme &theme) const {
    const QRectF area = plot();
    painter.setFont(theme.font(TypeRole::Caption));
    const QFontMetricsF metrics(painter.font());
    const qreal rise = (metrics.ascent() - metrics.descent()) / 2;
    const auto ticks = [&](qreal length) { return ticksOf(m_axis, std::max(2, int(length / pixelsPerTick))); };
    painter.setPen(theme.colour(ColourRole::Text3));
    const QVector<ChartTick> across = ticks(area.width());
    QVector<LabelSpan> labels;
    for (const ChartTick &tick : across) {
        const qreal x = std::round(at(tick.value, m_axis.low).x());
        painter.fillRect(QRectF(x, area.top(), 1, area.height()), theme.colour(ColourRole::Grid));
        labels.append(centredWithin(x, metrics.horizontalAdvance(tick.text), 0, width()));
    }
    const QVector<bool> shown = labelsThatFit(labels, 8);
    for (int i = 0; i < labels.size(); ++i)
        if (shown.at(i))
            painter.drawText(QPointF(labels.at(i).left, area.bottom() + 4 + metrics.ascent()), across.at(i).text);
    for (const ChartTick &tick : ticks(area.height())) {
        const qreal y = std::round(at(m_axis.low, tick.value).y());
        painter.fillRect(QRectF(area.left(), y, area.width(), 1), theme.colour(ColourRole::Grid));
        painter.drawText(QPointF(area.left() - 8 - metrics.horizontalAdvance(tick.text), std::round(y + rise)),
                         tick.text);
    }
    painter.setPen(theme.colour(ColourRole::Text2));
    const bool step = m_metric == EvidenceMetric::Step;
    const QString across_title = step ? tr("measured step") : tr("measured memory");
    const QString up_title = step ? tr("predicted step") : tr("predicted memory");
    painter.drawText(
        QPointF(area.center().x() - metrics.horizontalAdvance(across_title) / 2, height() - metrics.descent() - 1),
        across_title);
    painter.save();
    painter.translate(metrics.ascent(), area.center().y() + metrics.horizontalAdvance(up_title) / 2);
    painter.rotate(-90);
    painter.drawText(QPointF(0, 0), up_title);
    painter.restore();
    // The legend: a ring and a dot.
    qreal x = area.left();
    for (const bool after : {false, true}) {
        const QPointF centre(x + radius, topMargin / 2 - 2);
        painter.setPen(QPen(theme.colour(after ? ColourRole::Accent : ColourRole::Text2), 1.5));
        painter.setBrush(after ? QBrush(theme.colour(ColourRole::Accent)) : QBrush(Qt::NoBrush));
        painter.drawEllipse(centre, radius, radius);
        const QString words = after ? tr("fitted to this machine") : tr("as the registry has it");
        painter.setPen(theme.colour(ColourRole::Text2));
        painter.drawText(QPointF(x + 3 * radius + 2, centre.y() + rise), words);
        x += 3 * radius + metrics.horizontalAdvance(words) + 20;
    }
}

void FitChart::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme &theme = Theme::of(this);
    if (m_points.empty()) {
        painter.setFont(theme.font(TypeRole::Body));
        painter.setPen(theme.colour(ColourRole::Text2));
        painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap,
                         m_metric == EvidenceMetric::Step ? tr("No run with a measured step yet")
                                                          : tr("No run with measured memory yet"));
        return;
    }
    paintAxes(painter, theme);
    painter.setPen(QPen(theme.colour(ColourRole::LineStrong), 1));
    painter.drawLine(at(m_axis.low, m_axis.low), at(m_axis.high, m_axis.high));
    for (std::size_t i = 0; i < m_points.size(); ++i) {
        const FittedFigure &figure = m_points[i].figure;
        const QPointF before = at(figure.measured, figure.before);
        const QPointF after = at(figure.measured, figure.after);
        const qreal size = m_current == i ? radius + 2 : radius;
        painter.setPen(QPen(theme.colour(ColourRole::Text2), 1.5));
        painter.setBrush(Qt::NoBrush);
        painter.drawLine(before, after);
        painter.drawEllipse(before, size, size);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.colour(ColourRole::Accent));
        painter.drawEllipse(after, size, size);
    }
    if (showsFocusRing(this))
        surfaces::focusRing(painter, rect(), Theme::radius(Corner::Field), theme);
}

void FitChart::choose(std::optional<std::size_t> index) {
    m_current = index;
    if (index) {
        const Point &point = m_points[*index];
        const FittedFigure &figure = point.figure;
        const auto withError = [&](double predicted) {
            const double error = predicted / figure.measured - 1;
            return QStringLiteral("%1, %2%3")
                .arg(textOf(predicted), error > 0 ? QStringLiteral("+") : QString(), shareText(error));
        };
        HoverContent content{.title = point.name, .swatch = {}, .rows = {}, .footnote = {}};
        content.rows = {{tr("Measured"), textOf(figure.measured)},
                        {tr("Before"), withError(figure.before)},
                        {tr("After"), withError(figure.after)}};
        if (figure.left_out)
            content.rows.append({tr("From the other runs"), withError(*figure.left_out)});
        m_card.show(this, at(figure.measured, figure.after).toPoint(), content);
        setAccessibleDescription(content.spoken());
    } else {
        m_card.hide();
        setAccessibleDescription(tr("%1 runs").arg(m_points.size()));
    }
    update();
}

void FitChart::mouseMoveEvent(QMouseEvent *event) {
    std::optional<std::size_t> nearest;
    qreal least = reach * reach;
    for (std::size_t i = 0; i < m_points.size(); ++i)
        for (const double predicted : {m_points[i].figure.before, m_points[i].figure.after}) {
            const QPointF apart = at(m_points[i].figure.measured, predicted) - event->position();
            if (const qreal square = QPointF::dotProduct(apart, apart); square < least) {
                least = square;
                nearest = i;
            }
        }
    if (nearest != m_current)
        choose(nearest);
}

void FitChart::leaveEvent(QEvent *event) {
    choose(std::nullopt);
    QWidget::leaveEvent(event);
}

void FitChart::keyPressEvent(QKeyEvent *event) {
    const bool forward = event->key() == Qt::Key_Right;
    if ((!forward && event->key() != Qt::Key_Left) || m_points.empty()) {
        QWidget::keyPressEvent(event);
        return;
    }
    const std::size_t last = m_points.size() - 1;
    if (!m_current)
        choose(forward ? 0 : last);
    else
        choose(forward ? std::min(*m_current + 1, last) : *m_current - (*m_current > 0 ? 1 : 0));
}

void FitChart::focusOutEvent(QFocusEvent *event) {
    choose(std::nullopt);
    QWidget::focusOutEvent(event);
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvases/line_chart.h"

#include "canvases/line_chart_painter.h"
#include "theme/surfaces.h"
#include "theme/theme.h"

#include <QKeyEvent>
#include <QLineF>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace meshwright {

namespace {

/// One press of an arrow key moves so far along the axis.
constexpr double keyStep = 0.02;
/// A mark is held from so many pixels around it.
constexpr qreal markReach = 12;

} // namespace

LineChart::LineChart(QWidget *parent)
    : QWidget(parent) {
    setAccessibleName(tr("Chart"));
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(Theme::notifier(), &ThemeNotifier::changed, this, qOverload<>(&QWidget::update));
}

void LineChart::setView(const LineChartView &view) {
    m_view = view;
    m_dragged.reset();
    setAccessibleName(tr("%1 against %2").arg(view.y.title, view.x.title));
    setAccessibleDescription(view.description);
    if (m_pointed)
        unpoint();
    update();
}

void LineChart::setPreferredHeight(int height) {
    m_preferredHeight = height;
    updateGeometry();
}

QRectF LineChart::plotOf(const QRectF &rect, const LineChartView &view, const Theme &theme) {
    return LineChartPainter(rect, view, theme).plot();
}

void LineChart::paint(QPainter &painter, const QRectF &rect, const LineChartView &view, const Theme &theme) {
    LineChartPainter(rect, view, theme).paint(painter);
}

QColor LineChart::colourOf(const ChartSeries &series, const Theme &theme) {
    return series.kind ? theme.fill(*series.kind) : theme.colour(ColourRole::Accent);
}

std::optional<double> LineChart::valueOf(const ChartSeries &series, double x, const ChartAxis &axis) {
    const QVector<QPointF> &points = series.points;
    const auto after = std::find_if(points.cbegin(), points.cend(), [x](const QPointF &p) { return p.x() >= x; });
    if (after == points.cend())
        return std::nullopt;
    if (after->x() == x || after == points.cbegin())
        return after->x() == x && std::isfinite(after->y()) ? std::optional(after->y()) : std::nullopt;
    const QPointF before = *std::prev(after);
    if (series.stepped)
        return std::isfinite(before.y()) ? std::optional(before.y()) : std::nullopt;
    const double from = axis.shareOf(before.x());
    const double share = (axis.shareOf(x) - from) / (axis.shareOf(after->x()) - from);
    const double y = before.y() + share * (after->y() - before.y());
    return std::isfinite(y) ? std::optional(y) : std::nullopt;
}

HoverContent LineChart::readAt(double x) const {
    HoverContent content{.title = QStringLiteral("%1 %2").arg(m_view.x.title, m_view.x.textOf(x)).trimmed(),
                         .swatch = {},
                         .rows = {},
                         .footnote = {}};
    for (const ChartSeries &series : m_view.series)
        if (const std::optional<double> y = valueOf(series, x, m_view.x))
            content.rows.append({series.name.isEmpty() ? m_view.y.title : series.name, m_view.y.textOf(*y)});
    return content;
}

QRectF LineChart::chartRect() const {
    constexpr qreal room = 4; // between labels and the ring around what has the focus
    return QRectF(rect()).adjusted(room, room, -room, 0);
}

void LineChart::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    const Theme &theme = Theme::of(this);
    paint(painter, chartRect(), m_view, theme);
    if (m_pointed)
        paintReading(painter);
    if (showsFocusRing(this))
        surfaces::focusRing(painter, rect(), Theme::radius(Corner::Field), theme);
}

void LineChart::paintReading(QPainter &painter) const {
    const Theme &theme = Theme::of(this);
    const LineChartPainter chart(chartRect(), m_view, theme);
    const double x = m_view.x.valueAt(*m_pointed);
    const qreal left = std::round(chart.at({x, m_view.y.low}).x());
    painter.fillRect(QRectF(left, chart.plot().top(), 1, chart.plot().height()), theme.colour(ColourRole::LineStrong));
    for (const ChartSeries &series : m_view.series)
        if (const std::optional<double> y = valueOf(series, x, m_view.x))
            chart.paintDot(painter, chart.at({x, *y}), colourOf(series, theme), 3);
}

void LineChart::point(double share, const QPoint &at) {
    m_pointed = std::clamp(share, 0.0, 1.0);
    const HoverContent content = readAt(m_view.x.valueAt(*m_pointed));
    if (content.rows.isEmpty())
        m_card.hide();
    else
        m_card.show(this, at, content);
    setAccessibleDescription(content.spoken());
    update();
}

void LineChart::unpoint() {
    m_pointed.reset();
    m_card.hide();
    setAccessibleDescription(m_view.description);
    update();
}

bool LineChart::isOnMark(QPointF place) const {
    if (!m_draggable || m_view.marks.isEmpty() || m_view.series.isEmpty())
        return false;
    const QPointF mark = LineChartPainter(chartRect(), m_view, Theme::of(this)).at(m_view.marks.first().at);
    return QLineF(mark, place).length() <= markReach;
}

int LineChart::figureMarkAt(QPointF place) const {
    const LineChartPainter chart(chartRect(), m_view, Theme::of(this));
    int nearest = -1;
    qreal least = markReach;
    for (int i = 0; i < m_view.marks.size(); ++i) {
        const ChartMark &mark = m_view.marks.at(i);
        const QRectF label = chart.labelOf(mark);
        if (mark.figure.isEmpty() || label.isEmpty())
            continue;
        const qreal away = label.contains(place) ? 0 : QLineF(chart.at(mark.at), place).length();
        if (away <= least) {
            nearest = i;
            least = away;
        }
    }
    return nearest;
}

QPoint LineChart::placeOf(const ChartMark &mark) const {
    return LineChartPainter(chartRect(), m_view, Theme::of(this)).at(mark.at).toPoint();
}

QStringList LineChart::figures() const {
    QStringList paths;
    for (const ChartMark &mark : m_view.marks)
        if (!mark.figure.isEmpty())
            paths << mark.figure;
    return paths;
}

QString LineChart::figureAt(const QPoint &place) const {
    const int mark = figureMarkAt(place);
    return mark < 0 ? QString() : m_view.marks.at(mark).figure;
}

bool LineChart::isScaleAt(const QPoint &place) const {
    return !plotOf(chartRect(), m_view, Theme::of(this)).contains(place);
}

QString LineChart::currentFigure() const {
    QString nearest;
    double least = 2;
    for (const ChartMark &mark : m_view.marks) {
        const double away = m_pointed ? std::abs(m_view.x.shareOf(mark.at.x()) - *m_pointed) : 0;
        if (mark.figure.isEmpty() || away >= least)
            continue;
        nearest = mark.figure;
        least = away;
    }
    return nearest;
}

void LineChart::drag(QPointF place) {
    const QRectF plot = plotOf(chartRect(), m_view, Theme::of(this));
    const double x = m_view.x.valueAt(std::clamp((place.x() - plot.left()) / plot.width(), 0.0, 1.0));
    const std::optional<double> y = valueOf(m_view.series.first(), x, m_view.x);
    if (!y)
        return;
    m_view.marks.first().at = {x, *y};
    m_view.marks.first().text = m_view.x.textOf(x);
    m_card.hide();
    m_pointed.reset();
    update();
}

void LineChart::mousePressEvent(QMouseEvent *event) {
    if (event->button() == Qt::LeftButton && isOnMark(event->position()))
        m_dragged = m_view.marks.first();
}

void LineChart::mouseReleaseEvent(QMouseEvent *event) {
    if (event->button() != Qt::LeftButton)
        return;
    if (m_dragged) {
        const double x = m_view.marks.first().at.x();
        const bool moved = x != m_dragged->at.x();
        m_dragged.reset();
        if (moved) {
            Q_EMIT markDropped(x);
            return;
        }
    }
    if (const QString figure = figureAt(event->pos()); !figure.isEmpty())
        Q_EMIT figureWanted(figure);
}

void LineChart::mouseMoveEvent(QMouseEvent *event) {
    if (m_dragged) {
        drag(event->position());
        return;
    }
    const bool opens = figureMarkAt(event->position()) >= 0;
    setCursor(isOnMark(event->position()) ? Qt::SizeHorCursor : opens ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (opens) {
        unpoint(); // its making is shown in place of what is read off
        return;
    }
    const QRectF plot = plotOf(chartRect(), m_view, Theme::of(this));
    const qreal x = event->position().x();
    if (m_view.series.isEmpty() || x < plot.left() - 4 || x > plot.right() + 4)
        unpoint();
    else
        point((x - plot.left()) / plot.width(), event->pos());
}

void LineChart::leaveEvent(QEvent *event) {
    unpoint();
    QWidget::leaveEvent(event);
}

void LineChart::keyPressEvent(QKeyEvent *event) {
    if (m_dragged && event->key() == Qt::Key_Escape) {
        m_view.marks.first() = *std::exchange(m_dragged, std::nullopt);
        update();
        return;
    }
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        const QString figure = currentFigure();
        if (m_draggable && m_pointed)
            Q_EMIT markDropped(m_view.x.valueAt(*m_pointed));
        else if (!figure.isEmpty())
            Q_EMIT figureWanted(figure);
        return;
    }
    const bool left = event->key() == Qt::Key_Left;
    if ((!left && event->key() != Qt::Key_Right) || m_view.series.isEmpty()) {
        QWidget::keyPressEvent(event);
        return;
    }
    const double start = m_view.marks.isEmpty() ? 0.5 : m_view.x.shareOf(m_view.marks.first().at.x());
    const double share = m_pointed ? *m_pointed + (left ? -keyStep : keyStep) : start;
    const QRectF plot = plotOf(chartRect(), m_view, Theme::of(this));
    point(share, QPointF(plot.left() + std::clamp(share, 0.0, 1.0) * plot.width(), plot.center().y()).toPoint());
}

void LineChart::focusOutEvent(QFocusEvent *event) {
    unpoint();
    QWidget::focusOutEvent(event);
}

} // namespace meshwright

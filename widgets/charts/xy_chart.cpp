// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/xy_chart.h"

#include "charts/chart_drawing.h"
#include "figures/figure_event.h"
#include "theme/surfaces.h"
#include "theme/theme.h"

#include <QKeyEvent>
#include <QLineF>
#include <QMouseEvent>
#include <QPaintEngine>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace meshwright {

namespace {

/// Distance that an arrow key moves the selection, as a fraction of the axis. In a chart of items, the key selects the
/// next item instead. A page key moves pageStep times as far.
constexpr double keyStep = 0.02;
constexpr int pageStep = 50;
constexpr qreal dragFrom = 5;

QRectF chartRect(const QWidget &widget) {
    constexpr qreal room = 4; // pixels between the labels and the focus ring
    return QRectF(widget.rect()).adjusted(room, room, -room, 0);
}

} // namespace

XyChart::XyChart(QWidget *parent)
    : QWidget(parent) {
    setAccessibleName(tr("Chart"));
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void XyChart::setView(ChartView view) {
    m_view = std::move(view);
    m_picture = {};
    m_dragged.reset();
    setAccessibleName(m_view.name.isEmpty() ? tr("%1 against %2").arg(m_view.y.title, m_view.x.title) : m_view.name);
    setAccessibleDescription(m_view.description);
    // The keyboard selection stays if the items are the same and only their values change.
    if (m_share || m_thing >= m_view.things || (m_thing >= 0 && !hasFocus()))
        unpoint();
    m_card.hide();
    update();
}

void XyChart::setMarks(const QVector<ChartMark> &marks) {
    m_view.marks = marks;
    update();
}

void XyChart::setPreferredHeight(int height) {
    m_preferredHeight = height;
    updateGeometry();
}

void XyChart::setStretching(const QSize &least) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setMinimumSize(least);
}

ChartDrawing XyChart::drawing() const {
    return {chartRect(*this), m_view, Theme::of(this)};
}

QRectF XyChart::plot() const {
    return drawing().plot();
}

QPoint XyChart::placeOf(const QPointF &value) const {
    return drawing().at(value).toPoint();
}

bool XyChart::reaches(const QPointF &value) const {
    return drawing().beyond(value).isNull();
}

QPoint XyChart::placeOfThing(int thing) const {
    return drawing().placeOfThing(thing).toPoint();
}

HoverContent XyChart::readAt(double x) const {
    HoverContent content{.title = QStringLiteral("%1 %2").arg(m_view.x.title, m_view.x.textOf(x)).trimmed(),
                         .swatch = {},
                         .rows = {},
                         .footnote = {}};
    for (const ChartSeries &series : m_view.series)
        if (const std::optional<double> y = valueOf(series, x, m_view.x))
            content.rows.append({series.name.isEmpty() ? m_view.y.title : series.name, m_view.y.textOf(*y)});
    return content;
}

void XyChart::paint(QPainter &painter, const QRectF &rect, const ChartView &view, const Theme &theme) {
    const ChartDrawing chart(rect, view, theme);
    chart.paintAxes(painter);
    chart.paintPlot(painter);
    chart.paintLabels(painter);
    chart.paintMarks(painter);
}

void XyChart::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    const Theme &theme = Theme::of(this);
    const ChartDrawing chart = drawing();
    chart.paintAxes(painter);
    if (painter.paintEngine()->type() == QPaintEngine::Raster) {
        // The picture must stay sharp when the chart is drawn larger than on screen.
        const qreal ratio = std::max(1.0, painter.deviceTransform().m11());
        const QSize pixels = (QSizeF(size()) * ratio).toSize();
        if (m_picture.size() != pixels || m_picture.devicePixelRatio() != ratio) {
            m_picture = QPixmap(pixels);
            m_picture.setDevicePixelRatio(ratio);
            m_picture.fill(Qt::transparent);
            QPainter picture(&m_picture);
            chart.paintPlot(picture);
        }
        painter.drawPixmap(QPointF(0, 0), m_picture);
    } else {
        chart.paintPlot(painter); // vector graphics instead of the cached pixmap
    }
    chart.paintLabels(painter);
    paintPointed(painter, chart);
    chart.paintMarks(painter);
    if (!m_brush.isEmpty()) {
        QColor fill = theme.colour(ColourRole::Accent);
        fill.setAlphaF(0.15F);
        surfaces::rounded(painter, m_brush, 2, fill, theme.colour(ColourRole::Accent));
    }
    if (showsFocusRing(this))
        surfaces::focusRing(painter, rect(), Theme::radius(Corner::Field), theme);
}

void XyChart::paintPointed(QPainter &painter, const ChartDrawing &chart) const {
    const Theme &theme = Theme::of(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (m_share) {
        const double x = m_view.x.valueAt(*m_share);
        const qreal left = std::round(chart.at({x, m_view.y.low}).x());
        painter.fillRect(QRectF(left, chart.plot().top(), 1, chart.plot().height()),
                         theme.colour(ColourRole::LineStrong));
        for (const ChartSeries &series : m_view.series)
            if (const std::optional<double> y = valueOf(series, x, m_view.x))
                chart.paintDot(painter, chart.at({x, *y}), series.ink, 3);
    }
    if (m_thing >= 0)
        chart.paintPointed(painter, m_thing);
}

void XyChart::changeEvent(QEvent *event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        m_picture = {};
        update();
    }
    QWidget::changeEvent(event);
}

void XyChart::say(const HoverContent &content, const QPoint &place) {
    if (content.rows.isEmpty() && content.footnote.isEmpty())
        m_card.hide();
    else
        m_card.show(this, place, content);
    setAccessibleDescription(content.spoken());
    update();
}

void XyChart::pointAlong(double share, const QPoint &place) {
    m_share = std::clamp(share, 0.0, 1.0);
    say(readAt(m_view.x.valueAt(*m_share)), place);
}

void XyChart::pointAt(int thing) {
    if (thing == m_thing)
        return;
    if (thing < 0 || !m_view.content)
        return unpoint();
    m_thing = thing;
    say(m_view.content(thing), placeOfThing(thing));
    Q_EMIT thingPointed(thing);
}

void XyChart::highlight(int thing) {
    if (m_thing != thing)
        m_card.hide();
    m_thing = thing;
    update();
}

void XyChart::unpoint() {
    m_share.reset();
    m_card.hide();
    setAccessibleDescription(m_view.description);
    if (std::exchange(m_thing, -1) >= 0)
        Q_EMIT thingPointed(-1);
    update();
}

bool XyChart::isOnMark(QPointF place) const {
    return m_draggable && !m_view.marks.isEmpty() && !m_view.series.isEmpty()
        && QLineF(drawing().at(m_view.marks.first().at), place).length() <= ChartDrawing::markReach;
}

QList<FigureRef> XyChart::figures() const {
    QList<FigureRef> all;
    for (const ChartMark &mark : m_view.marks)
        if (!mark.figure.isEmpty())
            all << mark.figure;
    return all;
}

FigureRef XyChart::figureAt(const QPoint &place) const {
    const int mark = drawing().figureMarkAt(place);
    return mark < 0 ? FigureRef() : m_view.marks.at(mark).figure;
}

FigureRef XyChart::currentFigure() const {
    FigureRef nearest;
    double least = 2;
    for (const ChartMark &mark : m_view.marks) {
        const double away = m_share ? std::abs(m_view.x.shareOf(mark.at.x()) - *m_share) : 0;
        if (mark.figure.isEmpty() || away >= least)
            continue;
        nearest = mark.figure;
        least = away;
    }
    return nearest;
}

void XyChart::drag(QPointF place) {
    const double x = drawing().valueAt(place).x();
    const std::optional<double> y = valueOf(m_view.series.first(), x, m_view.x);
    if (!y)
        return;
    m_view.marks.first().at = {x, *y};
    m_view.marks.first().text = m_view.x.textOf(x);
    m_card.hide();
    m_share.reset();
    update();
}

void XyChart::mousePressEvent(QMouseEvent *event) {
    if (event->button() != Qt::LeftButton)
        return;
    m_pressed = event->position();
    if (isOnMark(event->position()))
        m_dragged = m_view.marks.first();
}

void XyChart::mouseMoveEvent(QMouseEvent *event) {
    const QPointF place = event->position();
    if (m_dragged)
        return drag(place);
    if (m_brushable && m_pressed) {
        if (!m_brush.isEmpty() || (place - *m_pressed).manhattanLength() >= dragFrom) {
            m_card.hide();
            m_brush = QRectF(*m_pressed, place).normalized() & plot();
            update();
        }
        return;
    }
    const ChartDrawing chart = drawing();
    const QRectF &area = chart.plot();
    const bool opens = chart.figureMarkAt(place) >= 0;
    const bool along = m_view.pointing == Pointing::AlongX;
    const int thing = opens || along ? -1 : chart.thingAt(place);
    const bool presses = opens || (thing >= 0 && m_view.pointing == Pointing::Dots);
    setCursor(isOnMark(place) ? Qt::SizeHorCursor : presses ? Qt::PointingHandCursor : Qt::ArrowCursor);
    const bool beside =
        along && (m_view.series.isEmpty() || place.x() < area.left() - 4 || place.x() > area.right() + 4);
    if (opens || beside) // the derivation of a figure is shown instead of the hover card
        unpoint();
    else if (along)
        pointAlong((place.x() - area.left()) / area.width(), event->pos());
    else
        pointAt(thing);
}

void XyChart::mouseReleaseEvent(QMouseEvent *event) {
    if (event->button() != Qt::LeftButton || !std::exchange(m_pressed, std::nullopt))
        return;
    const QRectF brush = std::exchange(m_brush, QRectF());
    const std::optional<ChartMark> before = std::exchange(m_dragged, std::nullopt);
    update();
    if (before && m_view.marks.first().at.x() != before->at.x()) {
        Q_EMIT markDropped(m_view.marks.first().at.x());
    } else if (!brush.isEmpty()) {
        const ChartDrawing chart = drawing();
        Q_EMIT brushed(QRectF(chart.valueAt(brush.topLeft()), chart.valueAt(brush.bottomRight())));
    } else if (const FigureRef figure = figureAt(event->pos()); !figure.isEmpty()) {
        wantFigure(this, figure);
    } else if (m_view.pointing == Pointing::Dots) {
        Q_EMIT thingChosen(drawing().thingAt(event->position()));
    }
}

void XyChart::mouseDoubleClickEvent(QMouseEvent *event) {
    if (m_view.pointing == Pointing::Dots)
        Q_EMIT thingDoubleClicked(drawing().thingAt(event->position()));
}

void XyChart::leaveEvent(QEvent *event) {
    unpoint();
    QWidget::leaveEvent(event);
}

void XyChart::focusOutEvent(QFocusEvent *event) {
    unpoint();
    QWidget::focusOutEvent(event);
}

void XyChart::step(int by) {
    if (m_view.pointing != Pointing::AlongX) {
        if (m_view.things > 0)
            pointAt(m_thing < 0 ? m_view.firstThing : std::clamp(m_thing + by, 0, m_view.things - 1));
        return;
    }
    const double start = m_view.marks.isEmpty() ? 0.5 : m_view.x.shareOf(m_view.marks.first().at.x());
    const double share = std::clamp(m_share ? *m_share + by * keyStep : start, 0.0, 1.0);
    const QRectF area = plot();
    pointAlong(share, QPointF(area.left() + share * area.width(), area.center().y()).toPoint());
}

void XyChart::keyPressEvent(QKeyEvent *event) {
    const int key = event->key();
    const bool enters = key == Qt::Key_Return || key == Qt::Key_Enter;
    const bool pages = key == Qt::Key_PageUp || key == Qt::Key_PageDown;
    if (key == Qt::Key_Escape && m_dragged) {
        m_view.marks.first() = *std::exchange(m_dragged, std::nullopt);
        update();
    } else if (m_thing >= 0 && (enters || key == Qt::Key_Space)) {
        Q_EMIT thingChosen(m_thing);
    } else if (enters && m_draggable && m_share) {
        Q_EMIT markDropped(m_view.x.valueAt(*m_share));
    } else if (enters) {
        wantFigure(this, currentFigure());
    } else if (key == Qt::Key_Left || key == Qt::Key_Right) {
        step(key == Qt::Key_Left ? -1 : 1);
    } else if (pages && m_view.pointing != Pointing::AlongX) {
        step(key == Qt::Key_PageUp ? -pageStep : pageStep);
    } else {
        QWidget::keyPressEvent(event);
    }
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/plot_scene.h"

#include "theme/theme.h"

#include <QAreaSeries>
#include <QBarSeries>
#include <QBarSet>
#include <QChart>
#include <QGraphicsItem>
#include <QLegend>
#include <QLineSeries>
#include <QPainter>
#include <QScatterSeries>
#include <QStackedBarSeries>
#include <QValueAxis>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace meshwright {

namespace {

/// Margin in pixels around the plot. Qt Charts clips to the plot and would cut lines and dots on its edge.
constexpr qreal bleed = 3;
constexpr qreal dotPen = 1.5;

/// Draws all dots in one graphics item, because QScatterSeries creates one item per dot.
class DotsItem : public QGraphicsItem {
public:
    DotsItem(const QRectF &area, const Theme &theme, QGraphicsItem *parent)
        : QGraphicsItem(parent)
        , m_area(area)
        , m_theme(theme) {
        setZValue(100);
    }

    void add(const ChartDots &dots, const QVector<QPointF> &places) { m_dots.emplace_back(&dots, places); }
    QRectF boundingRect() const override { return m_area; }
    void paint(QPainter *painter, const QStyleOptionGraphicsItem *, QWidget *) override {
        for (const auto &[dots, places] : m_dots) {
            takeUp(*painter, *dots, m_theme);
            for (const QPointF &place : places)
                painter->drawEllipse(place, dots->radius, dots->radius);
        }
    }

private:
    const QRectF m_area;
    const Theme &m_theme;
    std::vector<std::pair<const ChartDots *, QVector<QPointF>>> m_dots;
};

} // namespace

QPen penOf(const ChartSeries &series, const Theme &theme) {
    QPen pen(colourOf(series.ink, theme), series.width, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin);
    // A solid line is drawn as one long dash, because Qt Charts draws solid lines in pieces with visible joints.
    pen.setDashPattern(series.dashed ? QList<qreal>{4, 3} : QList<qreal>{1e6, 1});
    return pen;
}

void takeUp(QPainter &painter, const ChartDots &dots, const Theme &theme) {
    QColor colour = colourOf(dots.ink, theme);
    colour.setAlphaF(static_cast<float>(dots.opacity));
    painter.setPen(dots.hollow ? QPen(colour, dotPen) : QPen(Qt::NoPen));
    painter.setBrush(dots.hollow ? QBrush(Qt::NoBrush) : QBrush(colour));
}

PlotScene::PlotScene(const QRectF &rect, const QRectF &plot, const ChartView &view, const Theme &theme)
    : m_rect(rect)
    , m_plot(plot)
    , m_view(view)
    , m_theme(theme)
    , m_scene(rect)
    , m_chart(new QChart)
    , m_x(new QValueAxis)
    , m_y(new QValueAxis) {
    m_scene.setItemIndexMethod(QGraphicsScene::NoIndex);
    m_scene.addItem(m_chart);
    m_chart->setBackgroundVisible(false);
    m_chart->legend()->hide();
    m_chart->setPlotArea(plot.adjusted(-bleed, -bleed, bleed, bleed));
    m_x->setVisible(false);
    m_y->setVisible(false);
    m_chart->addAxis(m_x, Qt::AlignBottom);
    m_chart->addAxis(m_y, Qt::AlignLeft);
    setRanges(view.columns.isEmpty() ? 0 : view.things);
    for (const ChartBand &band : view.bands)
        addBand(band);
    for (qsizetype i = view.series.size(); i-- > 0;)
        addSeries(view.series.at(i));
    if (!view.columns.isEmpty())
        addColumns();
    if (!view.dots.isEmpty())
        addDots();
}

QPointF PlotScene::placeOf(const QPointF &share) const {
    return m_chart->mapToPosition(share);
}

void PlotScene::setRanges(int columns) {
    const qreal across = bleed / m_plot.width();
    const qreal up = bleed / m_plot.height();
    m_y->setRange(-up, 1 + up);
    // Columns are centered at 0, 1, 2 …, with half a column's width to the left and right.
    if (columns > 0)
        m_x->setRange(-0.5 - across * columns, columns - 0.5 + across * columns);
    else
        m_x->setRange(-across, 1 + across);
}

QPointF PlotScene::shareOf(const QPointF &value) const {
    // Clamped, because coordinates far outside the plot would overflow in the painter.
    return {std::clamp(m_view.x.shareOf(value.x()), -10.0, 10.0), std::clamp(m_view.y.shareOf(value.y()), -10.0, 10.0)};
}

void PlotScene::add(QAbstractSeries *series) {
    m_chart->addSeries(series);
    series->attachAxis(m_x);
    series->attachAxis(m_y);
}

void PlotScene::addBand(const ChartBand &band) {
    auto *area = new QAreaSeries;
    const auto edge = [&](const QVector<QPointF> &points) {
        auto *line = new QLineSeries(area);
        for (const QPointF &point : points)
            line->append(shareOf(point));
        return line;
    };
    area->setUpperSeries(edge(band.upper));
    area->setLowerSeries(edge(band.lower));
    QColor colour = m_theme.colour(ColourRole::LineStrong);
    colour.setAlphaF(0.2F); // transparent, so that the grid shows through
    area->setPen(Qt::NoPen);
    area->setBrush(colour);
    add(area);
}

void PlotScene::addSeries(const ChartSeries &series) {
    QList<QPointF> run;
    const auto finish = [&] {
        if (run.size() > 1) {
            auto *line = new QLineSeries;
            line->setPen(penOf(series, m_theme));
            line->append(run);
            add(line);
        }
        run.clear();
    };
    for (const QPointF &point : series.points) {
        if (!std::isfinite(point.x()) || !std::isfinite(point.y())) {
            finish();
            continue;
        }
        const QPointF next = shareOf(point);
        if (series.stepped && !run.isEmpty())
            run.append({next.x(), run.last().y()});
        run.append(next);
    }
    finish();
}

void PlotScene::addColumns() {
    const bool stacked = m_view.parts == ColumnParts::Stacked;
    QAbstractBarSeries *const columns =
        stacked ? static_cast<QAbstractBarSeries *>(new QStackedBarSeries) : new QBarSeries;
    constexpr qreal adjacentWidth = 0.8;
    // Leaves one pixel between columns.
    columns->setBarWidth(stacked ? 1 - m_view.things / m_plot.width() : adjacentWidth);
    for (const ChartPart &part : m_view.columns) {
        auto *bars = new QBarSet({});
        bars->setPen(Qt::NoPen);
        bars->setBrush(colourOf(part.ink, m_theme));
        for (const double height : part.heights)
            bars->append(std::isfinite(height) ? m_view.y.shareOf(height) : 0);
        columns->append(bars);
    }
    add(columns);
}

void PlotScene::addDots() {
    add(new QScatterSeries); // provides the coordinate system for the dots
    auto *item = new DotsItem(m_chart->plotArea(), m_theme, m_chart);
    for (const ChartDots &dots : m_view.dots) {
        QVector<QPointF> places;
        places.reserve(dots.points.size());
        for (const QPointF &point : dots.points)
            if (std::isfinite(point.x()) && std::isfinite(point.y()))
                places.append(placeOf(shareOf(point)));
        item->add(dots, places);
    }
}

void PlotScene::paint(QPainter &painter) {
    painter.save();
    // Adjacent columns need sharp edges.
    painter.setRenderHint(QPainter::Antialiasing, m_view.columns.isEmpty());
    m_scene.render(&painter, m_rect, m_rect);
    painter.restore();
}

} // namespace meshwright

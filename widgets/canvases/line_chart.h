// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "canvases/chart_axis.h"
#include "canvases/hover_card.h"
#include "controls/figure_source.h"
#include "theme/roles.h"

#include <QPointF>
#include <QRectF>
#include <QWidget>

#include <optional>

namespace meshwright {

class Theme;

struct ChartSeries {
    QString name = {};
    /// By rising x; a y that is no number leaves a gap.
    QVector<QPointF> points = {};
    /// The accent for none: the one that the chart is about.
    std::optional<Kind> kind = {};
    bool dashed = false;
    /// Holds each value until the next one.
    bool stepped = false;
};

/// A point that is pointed out: the present value.
struct ChartMark {
    QPointF at;
    QString text = {};
    int series = 0;
    QString figure = {}; ///< whose making is opened there; may be empty
};

/// A vertical line with words at its top: a limit, an optimum.
struct ChartLine {
    double x = 0;
    QString text = {};
};

struct LineChartView {
    ChartAxis x = {};
    ChartAxis y = {};
    QVector<ChartSeries> series = {};
    QVector<ChartMark> marks = {};
    QVector<ChartLine> lines = {};
    /// What the chart says, for assistive technology.
    QString description = {};
};

/// Lines over one axis, with what the pointer or the arrow keys point at read off. A mark with a figure opens by a
/// click, or by Enter where it is the nearest one to what is pointed at.
class LineChart : public QWidget, public FigureSource {
    Q_OBJECT

public:
    explicit LineChart(QWidget *parent = nullptr);

    void setView(const LineChartView &view);
    const LineChartView &view() const { return m_view; }
    void setPreferredHeight(int height);
    /// The first mark can be dragged along the first series: by the pointer, or with Return at what is pointed at.
    void setMarkDraggable(bool draggable) { m_draggable = draggable; }

    QStringList figures() const override;
    QString figureAt(const QPoint &place) const override;
    QString currentFigure() const override;
    bool isScaleAt(const QPoint &place) const override;
    /// Where a mark's point stands.
    QPoint placeOf(const ChartMark &mark) const;

    QSize sizeHint() const override { return {320, m_preferredHeight}; }
    QSize minimumSizeHint() const override { return {160, 96}; }

    /// Where lines are drawn within `rect`.
    static QRectF plotOf(const QRectF &rect, const LineChartView &view, const Theme &theme);
    static void paint(QPainter &painter, const QRectF &rect, const LineChartView &view, const Theme &theme);
    static QColor colourOf(const ChartSeries &series, const Theme &theme);
    /// The value of a series at x, between its points as drawn; nothing outside of them and in gaps.
    static std::optional<double> valueOf(const ChartSeries &series, double x, const ChartAxis &axis);
    /// What is read off at x.
    HoverContent readAt(double x) const;

    /// Of the widget, what the chart is drawn into.
    QRectF chartRect() const;

Q_SIGNALS:
    /// The mark was let go of at another x of the axis.
    void markDropped(double x);
    void figureWanted(const QString &path);

protected:
    void paintEvent(QPaintEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;

private:
    void point(double share, const QPoint &at);
    bool isOnMark(QPointF place) const;
    int figureMarkAt(QPointF place) const;
    void drag(QPointF place);
    void unpoint();
    void paintReading(QPainter &painter) const;

    LineChartView m_view;
    std::optional<double> m_pointed; ///< share of the x axis
    HoverCardSlot m_card;
    int m_preferredHeight = 168;
    bool m_draggable = false;
    std::optional<ChartMark> m_dragged; ///< as it was before
};

} // namespace meshwright

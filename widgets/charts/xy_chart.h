// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "canvases/hover_card.h"
#include "charts/chart_view.h"
#include "figures/figure_source.h"

#include <QPixmap>
#include <QPointF>
#include <QRectF>
#include <QWidget>

#include <optional>

namespace meshwright {

class ChartDrawing;

/// A chart with x and y axes. What the pointer or the arrow keys point at is read off on a card: all series at a place
/// of the x axis, or a thing that has a dot or a column. A mark with a figure opens by a click, or by Enter where it is
/// the nearest one to what is pointed at.
class XyChart : public QWidget, public FigureSource {
    Q_OBJECT

public:
    explicit XyChart(QWidget *parent = nullptr);

    void setView(ChartView view);
    const ChartView &view() const { return m_view; }
    /// Other marks in the same chart.
    void setMarks(const QVector<ChartMark> &marks);
    /// As high as this and as wide as there is room.
    void setPreferredHeight(int height);
    /// As large as there is room, and no smaller than this.
    void setStretching(const QSize &least);
    /// The first mark can be dragged along the first series: by the pointer, or with Return at what is pointed at.
    void setMarkDraggable(bool draggable) { m_draggable = draggable; }
    /// A rectangle can be drawn.
    void setBrushable(bool brushable) { m_brushable = brushable; }

    /// Where axes stretch, in the widget.
    QRectF plot() const;
    QPoint placeOf(const QPointF &value) const;
    /// Whether a value lies within the axes.
    bool reaches(const QPointF &value) const;
    /// A thing's place; its last dot's where it has several.
    QPoint placeOfThing(int thing) const;
    /// The thing that is pointed at; -1 for none.
    int thing() const { return m_thing; }

    QList<FigureRef> figures() const override;
    FigureRef figureAt(const QPoint &place) const override;
    FigureRef currentFigure() const override;
    bool isScaleAt(const QPoint &place) const override { return !plot().contains(place); }

    QSize sizeHint() const override { return {320, m_preferredHeight}; }
    QSize minimumSizeHint() const override { return {160, 96}; }

    /// On any device: for pages and pictures.
    static void paint(QPainter &painter, const QRectF &rect, const ChartView &view, const Theme &theme);

Q_SIGNALS:
    /// The mark was let go of at another x of the axis.
    void markDropped(double x);
    /// By the pointer or the keys; -1 for none.
    void thingPointed(int thing);
    /// By a click, Enter or Space; -1 for a click on none.
    void thingChosen(int thing);
    void thingDoubleClicked(int thing);
    /// A rectangle was drawn, in values of the axes: y upwards from its top.
    void brushed(const QRectF &values);

protected:
    /// Points at a thing without a card.
    void highlight(int thing);

    void paintEvent(QPaintEvent *event) override;
    void changeEvent(QEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;

private:
    ChartDrawing drawing() const;
    void paintPointed(QPainter &painter, const ChartDrawing &chart) const;
    /// What is read off at x.
    HoverContent readAt(double x) const;
    void say(const HoverContent &content, const QPoint &place);
    void pointAlong(double share, const QPoint &place);
    void pointAt(int thing);
    void unpoint();
    bool isOnMark(QPointF place) const;
    void drag(QPointF place);
    void step(int by);

    ChartView m_view;
    QPixmap m_picture; ///< of the plot, which stays as the pointer moves; made when it is first needed
    std::optional<double> m_share; ///< of the x axis, that is pointed at
    int m_thing = -1;
    HoverCardSlot m_card;
    int m_preferredHeight = 168;
    bool m_draggable = false;
    bool m_brushable = false;
    std::optional<ChartMark> m_dragged; ///< as it was before
    std::optional<QPointF> m_pressed;
    QRectF m_brush;
};

} // namespace meshwright

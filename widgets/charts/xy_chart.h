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

/// A chart with x and y axes. A hover card describes the position selected by the pointer or the arrow keys: all series
/// at a value of x, or an item with a dot or column. A click on a mark with a figure opens its derivation, and so does
/// Enter if the mark is the nearest one to the selection.
class XyChart : public QWidget, public FigureSource {
    Q_OBJECT

public:
    explicit XyChart(QWidget *parent = nullptr);

    void setView(ChartView view);
    const ChartView &view() const { return m_view; }
    void setMarks(const QVector<ChartMark> &marks);
    /// Fixes the height; the width takes all available space.
    void setPreferredHeight(int height);
    /// Lets the chart take all available space. @param least  its minimum size
    void setStretching(const QSize &least);
    /// Lets the user drag the first mark along the first series, or move it to the selected position with Return.
    void setMarkDraggable(bool draggable) { m_draggable = draggable; }
    void setBrushable(bool brushable) { m_brushable = brushable; }

    /// Area between the axes, in widget coordinates.
    QRectF plot() const;
    QPoint placeOf(const QPointF &value) const;
    bool reaches(const QPointF &value) const;
    /// Position of an item. If it has several dots, the position of the last one.
    QPoint placeOfThing(int thing) const;
    /// Index of the selected item; -1 for none.
    int thing() const { return m_thing; }

    QList<FigureRef> figures() const override;
    FigureRef figureAt(const QPoint &place) const override;
    FigureRef currentFigure() const override;
    bool isScaleAt(const QPoint &place) const override { return !plot().contains(place); }

    QSize sizeHint() const override { return {320, m_preferredHeight}; }
    QSize minimumSizeHint() const override { return {160, 96}; }

    /// Paints a chart on any device, for reports and image files.
    static void paint(QPainter &painter, const QRectF &rect, const ChartView &view, const Theme &theme);

Q_SIGNALS:
    /// Emitted after the user has dragged the mark to another value of x.
    void markDropped(double x);
    /// Emitted after pointer or keys have selected another item; -1 for none.
    void thingPointed(int thing);
    /// Emitted after a click, Enter or Space on an item; -1 for a click outside all items.
    void thingChosen(int thing);
    void thingDoubleClicked(int thing);
    /// Emitted after the user has drawn a rectangle. In axis values, top() is the largest y and bottom() the smallest.
    void brushed(const QRectF &values);

protected:
    /// Selects an item without showing a card.
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
    HoverContent readAt(double x) const;
    void say(const HoverContent &content, const QPoint &place);
    void pointAlong(double share, const QPoint &place);
    void pointAt(int thing);
    void unpoint();
    bool isOnMark(QPointF place) const;
    void drag(QPointF place);
    void step(int by);

    ChartView m_view;
    QPixmap m_picture; ///< cached picture of the plot; it does not change as the pointer moves
    std::optional<double> m_share; ///< selected position on the x axis, from 0 to 1
    int m_thing = -1;
    HoverCardSlot m_card;
    int m_preferredHeight = 168;
    bool m_draggable = false;
    bool m_brushable = false;
    std::optional<ChartMark> m_dragged;
    std::optional<QPointF> m_pressed;
    QRectF m_brush;
};

} // namespace meshwright

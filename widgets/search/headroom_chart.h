// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart_axis.h"
#include "canvases/hover_card.h"
#include "controls/figure_source.h"
#include "search/layout_selection.h"

#include <QPixmap>
#include <QWidget>

#include <utility>
#include <vector>

namespace meshwright {

class Theme;

/// Layouts by step time and free memory, coloured by their tensor-parallel degree, with the front: what nothing is
/// better than in both. A click chooses a layout, a double click applies it, a drag brushes both axes. Arrow keys walk
/// along the front.
class HeadroomChart : public QWidget, public FigureSource {
    Q_OBJECT

public:
    explicit HeadroomChart(LayoutSelection *selection, QWidget *parent = nullptr);

    /// What the search holds free, in bytes: hatched under it.
    void setNeeded(double bytes);
    /// A row's place in the widget.
    QPointF placeOf(const LayoutRow &row) const;
    /// Where a row lies that the axes do not reach: -1, 0 or 1 to the right and down. It is marked with an arrow.
    QPointF beyond(const LayoutRow &row) const;
    /// The row drawn nearest to a place, within a few pixels; -1 for none.
    int rowAt(const QPointF &place) const;

    QStringList figures() const override;
    QString figureAt(const QPoint &place) const override;
    QString currentFigure() const override;
    bool isScaleAt(const QPoint &place) const override { return !plot().contains(place); }

    QSize sizeHint() const override { return {480, 280}; }
    QSize minimumSizeHint() const override { return {280, 200}; }

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    void measure();
    QRectF plot() const;
    QColor colourOf(std::int64_t tensor, const Theme &theme) const;
    void paintAxes(QPainter &painter, const Theme &theme) const;
    void paintLegend(QPainter &painter, const Theme &theme) const;
    void paintPoints(QPainter &painter, const Theme &theme) const;
    void paintFront(QPainter &painter, const Theme &theme) const;
    void paintMarks(QPainter &painter, const Theme &theme) const;
    void paintMark(QPainter &painter, const LayoutRow &row, const QColor &colour, const QString &word,
                   const Theme &theme) const;
    /// The rows that are marked with their steps, and where the words stand.
    std::vector<std::pair<const LayoutRow *, QString>> marked() const;
    QRectF wordsOf(const LayoutRow &row, const QString &word) const;
    void point(const QPoint &place);
    void brush(const QRectF &area);
    std::vector<int> frontRows() const;

    LayoutSelection *m_selection;
    ChartAxis m_time;
    ChartAxis m_headroom;
    double m_needed = 0;
    std::vector<std::int64_t> m_tensors;
    std::optional<QPointF> m_pressed;
    QRectF m_dragged;
    HoverCardSlot m_card;
};

/// What a card says of a layout: its settings and figures.
HoverContent layoutContent(const LayoutSelection &selection, int row);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "canvases/hover_card.h"
#include "canvases/legend.h"
#include "canvases/stacked_bars_layout.h"
#include "canvases/stacked_bars_view.h"
#include "figures/figure_source.h"

#include <QAbstractScrollArea>

#include <functional>

namespace meshwright {

class Theme;

/// A horizontal stacked bar chart with an axis, a hover card and full keyboard access: arrows move the highlighted
/// segment, Home and End go to the ends of a row, Enter activates. Rows scroll if there are too many for the height.
///
/// QHorizontalStackedBarSeries is not used. It elides the names of 64 rows to "…" instead of labeling every second row.
/// It lacks totals at the end of rows, a capacity line, hatches and names in segments, and keyboard access.
class StackedBars : public QAbstractScrollArea, public FigureSource {
    Q_OBJECT

public:
    explicit StackedBars(QWidget *parent = nullptr);

    const StackedBarsView &stackedView() const { return m_view; }
    StackedBarsLayout currentConfiguration() const;
    SegmentIndex highlighted() const { return m_highlighted; }
    void setHighlighted(SegmentIndex index);
    /// Maximum height of sizeHint(), 500 by default. If rows do not fit, they get lower, and then scroll.
    void setMaxHeight(int height);
    /// Fixes the size during a gesture, so that nothing moves under the pointer: axis, columns and legend only grow,
    /// and the size hint is constant.
    void setHeld(bool held);

    /// Figures of the segments and of the rows' totals, and the formula lines of their hover cards.
    struct Figures {
        std::function<FigureRef(SegmentIndex)> path;
        std::function<FigureRef(int row)> total;
        std::function<QString(const FigureRef &figure)> lines;
    };
    void setFigures(Figures figures) { m_figures = std::move(figures); }

    QList<FigureRef> figures() const override;
    FigureRef figureAt(const QPoint &place) const override;
    FigureRef currentFigure() const override { return pathOf(m_highlighted); }
    bool isScaleAt(const QPoint &place) const override;
    bool hasOwnHover(const QPoint &place) const override { return totalAt(place).isEmpty(); }

    /// Entries for a Legend next to the title: the kinds whose names fit in no segment, then the hatches.
    QVector<LegendEntry> legendEntries() const;
    /// Paints the whole chart with its legend on any device, with all rows and no highlight.
    static void paintTo(QPainter &painter, const QRectF &rect, const StackedBarsView &view,
                        const QVector<LegendEntry> &extraLegend, const Theme &theme);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void legendChanged(const QVector<meshwright::LegendEntry> &entries);
    void highlightChanged(meshwright::SegmentIndex index);

protected:
    void setStackedView(const StackedBarsView &view);
    /// Minimum value at the end of the axis while the size is held, so that the axis does not shrink; 0 otherwise.
    double heldReach() const { return m_held ? m_view.largest() : 0; }
    virtual void rebuild() = 0;
    void setGhostRows(const QVector<StackedRow> &ghost);
    virtual HoverContent describe(SegmentIndex index) const = 0;
    virtual void activate(SegmentIndex index) = 0;
    /// Hatches that the legend lists after the kinds whose names fit in no segment.
    virtual QVector<LegendEntry> extraLegend() const { return {}; }

    bool viewportEvent(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void hideEvent(QHideEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void refresh();
    void moveHighlight(int rows, int segments);
    void reveal(int row);
    void announce();
    StackedBarsLayout unscrolledLayout() const;
    FigureRef pathOf(SegmentIndex index) const;
    FigureRef totalAt(const QPoint &place) const;
    HoverContent explained(SegmentIndex index) const;

    StackedBarsView m_view;
    StackedColumns m_columns;
    QVector<LegendEntry> m_legend;
    SegmentIndex m_highlighted;
    SegmentIndex m_pressed;
    HoverCardSlot m_card;
    Figures m_figures;
    int m_maxHeight = 500;
    bool m_held = false;
    QSize m_heldSize;
    QSize m_heldLeast;
};

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/xy_chart.h"
#include "figures/figure_ref.h"
#include "search/layout_selection.h"

#include <utility>
#include <vector>

namespace meshwright {

/// Layouts by step time and free memory, coloured by their tensor-parallel degree, with the front: what nothing is
/// better than in both. A click chooses a layout, a double click applies it, a drag brushes both axes. Arrow keys walk
/// along the front.
class HeadroomChart : public XyChart {
    Q_OBJECT

public:
    explicit HeadroomChart(LayoutSelection *selection, QWidget *parent = nullptr);

    /// What the search holds free, in bytes: hatched under it.
    void setNeeded(double bytes);
    /// A row's place in the widget, at the edge where the axes do not reach it.
    QPoint placeOf(const LayoutRow &row) const;
    bool reaches(const LayoutRow &row) const;

    FigureRef currentFigure() const override;

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    void showAnswer();
    void setAxes(ChartView &view);
    ChartInk inkOf(std::int64_t tensor) const;
    void addDots(ChartView &view) const;
    void addFront(ChartView &view) const;
    QVector<ChartMark> marks() const;
    /// Rows that are marked with their steps, and by which word.
    std::vector<std::pair<const LayoutRow *, QString>> marked() const;
    std::vector<int> frontRows() const;

    LayoutSelection *m_selection;
    double m_needed = 0;
    std::vector<std::int64_t> m_tensors;
};

/// What a card says of a layout: its settings and figures.
HoverContent layoutContent(const LayoutSelection &selection, int row);

} // namespace meshwright

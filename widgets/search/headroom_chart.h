// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/xy_chart.h"
#include "figures/figure_ref.h"
#include "search/configuration_selection.h"

#include <utility>
#include <vector>

namespace meshwright {

/// Configurations by step time and memory headroom, colored by tensor-parallel degree, with the Pareto front: the
/// configurations that no other one beats in both step time and headroom. A click selects a configuration, a double
/// click applies it, a drag brushes both axes. The arrow keys walk along the front.
class HeadroomChart : public XyChart {
    Q_OBJECT

public:
    explicit HeadroomChart(ConfigurationSelection *selection, QWidget *parent = nullptr);

    /// Sets the headroom that the search requires, in bytes; the area below it is hatched.
    void setNeeded(double bytes);
    /// Position of a row in the widget; at the edge if it lies beyond the axes.
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
    /// Rows to mark, and the label of each mark.
    std::vector<std::pair<const LayoutRow *, QString>> marked() const;
    std::vector<int> frontRows() const;

    ConfigurationSelection *m_selection;
    double m_needed = 0;
    std::vector<std::int64_t> m_tensors;
};

HoverContent layoutContent(const ConfigurationSelection &selection, int row);

} // namespace meshwright

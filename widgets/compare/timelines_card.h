// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "compare/comparison_run.h"
#include "controls/card.h"

#include <QStringList>

#include <vector>

namespace meshwright {

class FigureLine;
class TextLabel;
class TimelineAxis;
class TimelineCanvas;
class TimelineLegend;

/// The pipelines of the compared plans, one under the other on one time axis.
class TimelinesCard : public Card {
    Q_OBJECT

public:
    explicit TimelinesCard(QWidget *parent = nullptr);

    /// @param comparison  comparison of the same plans, for the figures in the headings
    void showTimelines(const std::vector<ComparedTimeline> &timelines, const PlanComparison &comparison);
    /// The canvas of a plan, or null if the index is too large.
    TimelineCanvas *canvas(int plan) const;

private:
    struct Row {
        QWidget *whole = nullptr;
        FigureLine *heading = nullptr;
        TextLabel *problem = nullptr;
        TimelineCanvas *canvas = nullptr;
        ComparedTimeline shown;
    };
    Row &rowAt(std::size_t plan);
    void showRow(std::size_t plan, const PlanComparison &comparison);

    TimelineAxis *m_axis;
    TimelineLegend *m_legend;
    std::vector<Row> m_rows;
};

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "canvases/axis.h"
#include "gantt/memory_curves_model.h"
#include "timeline/timeline_chart.h"

namespace meshwright {

/// What every rank holds over the time axis that it shares with the timelines above it: the rank in focus filled by
/// kind, the others as lines, the capacity over them; or how much each has in flight.
class MemoryCurves : public TimelineChart {
    Q_OBJECT

public:
    enum class Shows { Bytes, InFlight };

    explicit MemoryCurves(TimelineAxis *axis, QWidget *parent = nullptr);

    void setModel(const MemoryCurvesPointer &model);
    const MemoryCurvesPointer &model() const { return m_model; }
    void setShows(Shows shows);
    /// Clamped to the ranks that there are.
    void setFocusRank(int rank);
    int focusRank() const { return m_focus; }

    QRectF plot() const override;
    HoverContent describe(QPointF place) const override;
    /// From values to heights in the plot, downwards.
    LinearScale scale() const;

    QSize sizeHint() const override { return {640, 160}; }
    QSize minimumSizeHint() const override { return {320, 112}; }

Q_SIGNALS:
    /// A click on a rank's line.
    void rankChosen(int rank);

protected:
    void paintEvent(QPaintEvent *event) override;
    void clicked(QPointF place) override;
    bool keyPressed(int key) override;

private:
    const std::vector<StepCurve> &curves() const;
    double highest() const;
    int rankAt(QPointF place) const;
    void drawCurves();
    void drawRank(int rank, QRgb colour, int thickness);
    void fillFocus(const Theme &theme);
    void paintAxis(QPainter &painter, const Theme &theme) const;
    void paintNames(QPainter &painter, const Theme &theme) const;

    MemoryCurvesPointer m_model;
    Shows m_shows = Shows::Bytes;
    int m_focus = 0;
};

} // namespace meshwright

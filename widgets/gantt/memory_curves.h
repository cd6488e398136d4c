// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "canvases/axis.h"
#include "gantt/memory_curves_model.h"
#include "timeline/timeline_chart.h"

namespace meshwright {

/// Memory or microbatches in flight per rank, on the time axis of the timelines above. The selected rank is an area
/// filled by kind of memory, other ranks are lines, and the device capacity is a horizontal line.
class MemoryCurves : public TimelineChart {
    Q_OBJECT

public:
    enum class Shows { Bytes, InFlight };

    explicit MemoryCurves(TimelineAxis *axis, QWidget *parent = nullptr);

    void setModel(const MemoryCurvesPointer &model);
    const MemoryCurvesPointer &model() const { return m_model; }
    void setShows(Shows shows);
    /// Clamps the rank to the valid range.
    void setFocusRank(int rank);
    int focusRank() const { return m_focus; }

    QRectF plot() const override;
    HoverContent describe(QPointF place) const override;
    /// Maps values to y coordinates in the plot; y grows downward.
    LinearScale scale() const;

    QSize sizeHint() const override { return {640, 160}; }
    QSize minimumSizeHint() const override { return {320, 112}; }

Q_SIGNALS:
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

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "canvases/axis.h"
#include "canvases/hover_card.h"
#include "gantt/memory_curves_model.h"
#include "timeline/timeline_gestures.h"

#include <QImage>
#include <QWidget>

namespace meshwright {

class Theme;
class TimelineAxis;

/// What every rank holds over the time axis that it shares with the timelines above it: the rank in focus filled by
/// kind, the others as lines, the capacity over them; or how much each has in flight.
class MemoryCurves : public QWidget {
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

    QRectF plot() const;
    /// From values to heights in the plot, downwards.
    LinearScale scale() const;

    QSize sizeHint() const override { return {640, 128}; }
    QSize minimumSizeHint() const override { return {320, 84}; }

Q_SIGNALS:
    /// A click on a rank's line.
    void rankChosen(int rank);

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    const std::vector<StepCurve> &curves() const;
    double highest() const;
    int rankAt(QPointF place) const;
    void drawCurves();
    void drawRank(int rank, QRgb colour, int thickness);
    void fillFocus(const Theme &theme);
    void paintAxis(QPainter &painter, const Theme &theme) const;
    void paintNames(QPainter &painter, const Theme &theme) const;
    HoverContent describe(double time, int rank) const;
    void forget();

    TimelineAxis *m_axis;
    TimelineGestures *m_gestures;
    MemoryCurvesPointer m_model;
    Shows m_shows = Shows::Bytes;
    int m_focus = 0;
    QImage m_picture;
    HoverCardSlot m_card;
};

} // namespace meshwright

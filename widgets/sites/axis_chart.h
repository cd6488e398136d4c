// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "canvases/hover_card.h"
#include "sites/sites_run.h"
#include "timeline/timeline_gestures.h"

#include <QPixmap>
#include <QWidget>

namespace meshwright {

class Theme;
class TimelineAxis;

/// A chart of a run of sites over the time axis that it shares with the timelines above it; understands their gestures.
class AxisChart : public QWidget {
    Q_OBJECT

public:
    AxisChart(TimelineAxis *axis, const QString &name, QWidget *parent = nullptr);

    /// Null for nothing.
    void setRun(const SitesRunPointer &run);
    /// Where it is drawn over the axis.
    QRectF plot() const;
    /// What is said of a place; a title that is empty for nothing.
    virtual HoverContent describe(QPointF place) const = 0;

protected:
    virtual void paintChart(QPainter &painter, const Theme &theme) const = 0;
    const SitesRun *run() const { return m_run.get(); }
    const TimelineAxis &axis() const { return *m_axis; }
    double timeAt(qreal x) const { return m_gestures->timeAt(x); }
    qreal xAt(double time) const { return m_gestures->xAt(time); }
    /// Right-aligned beside the plot, its middle at y.
    void paintName(QPainter &painter, const Theme &theme, const QString &text, qreal y) const;
    /// A line across the plot with its value beside it.
    void paintTick(QPainter &painter, const Theme &theme, const QString &text, qreal y) const;
    void forget();

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
    TimelineAxis *m_axis;
    TimelineGestures *m_gestures;
    SitesRunPointer m_run;
    QPixmap m_picture;
    HoverCardSlot m_card;
};

} // namespace meshwright

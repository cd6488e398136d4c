// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "canvases/hover_card.h"
#include "timeline/timeline_gestures.h"

#include <QImage>
#include <QWidget>

namespace meshwright {

class Theme;
class TimelineAxis;

/// A chart that shares its time axis with timelines. It supports the same gestures, shows the shared pointer, and
/// has a hover card. Its picture is cached until the axis, the theme or the size changes.
class TimelineChart : public QWidget {
    Q_OBJECT

public:
    explicit TimelineChart(TimelineAxis *axis, QWidget *parent = nullptr);

    virtual QRectF plot() const = 0;
    /// Content of the hover card at a position of the plot; an empty title shows no card.
    virtual HoverContent describe(QPointF place) const = 0;
    /// Makes a drag without Shift measure as well.
    void setMeasuring(bool measuring);

protected:
    const TimelineAxis &axis() const { return *m_axis; }
    double timeAt(qreal x) const { return m_gestures->timeAt(x); }
    qreal xAt(double time) const { return m_gestures->xAt(time); }
    void forget();
    virtual void clicked(QPointF place);
    /// Called for a key that is not a gesture. @returns whether the key was handled
    virtual bool keyPressed(int key);
    /// Draws the overlay that all charts on a time axis share: pointer, measured range, sweep line and focus ring.
    void paintMarks(QPainter &painter, const Theme &theme) const;
    void paintFocus(QPainter &painter, const Theme &theme) const;

    void resizeEvent(QResizeEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void changeEvent(QEvent *event) override;

    QImage m_picture;

private:
    TimelineAxis *m_axis;
    TimelineGestures *m_gestures;
    HoverCardSlot m_card;
};

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "canvases/hover_card.h"
#include "timeline/timeline_gestures.h"

#include <QImage>
#include <QWidget>

namespace meshwright {

class Theme;
class TimelineAxis;

/// A chart over the time axis that it shares with the timelines beside it: understands their gestures, follows their
/// pointer, and has a card beside its own. What it draws it keeps until the axis, the theme or its size changes.
class TimelineChart : public QWidget {
    Q_OBJECT

public:
    explicit TimelineChart(TimelineAxis *axis, QWidget *parent = nullptr);

    /// Where it is drawn over the axis.
    virtual QRectF plot() const = 0;
    /// What is said of a place of the plot; a title that is empty for nothing.
    virtual HoverContent describe(QPointF place) const = 0;
    /// A drag without Shift measures too.
    void setMeasuring(bool measuring);

protected:
    const TimelineAxis &axis() const { return *m_axis; }
    double timeAt(qreal x) const { return m_gestures->timeAt(x); }
    qreal xAt(double time) const { return m_gestures->xAt(time); }
    /// What it draws is to be drawn anew.
    void forget();
    /// A click in the plot, and no drag; a key that is no gesture. @returns whether the key means something
    virtual void clicked(QPointF place);
    virtual bool keyPressed(int key);
    /// What all such charts have over them: pointer, measure, sweep, and the ring of the focus.
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

    QImage m_picture; ///< as last drawn; null: to be drawn

private:
    TimelineAxis *m_axis;
    TimelineGestures *m_gestures;
    HoverCardSlot m_card;
};

} // namespace meshwright

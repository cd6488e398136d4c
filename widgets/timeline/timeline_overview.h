// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "timeline/timeline_model.h"

#include <QImage>
#include <QWidget>

namespace meshwright {

class Theme;
class TimelineAxis;

/// The whole axis in a thin strip, with a window that marks the visible range. The window can be dragged as a whole or
/// by its ends. A press outside moves it there.
class TimelineOverview : public QWidget {
    Q_OBJECT

public:
    explicit TimelineOverview(TimelineAxis *axis, QWidget *parent = nullptr);

    void setModel(const TimelineModelPointer &model);
    void setName(const QString &name);
    QRectF plot() const;
    QRectF window() const;

    /// Height of the strip above its ruler, in pixels.
    void setStripHeight(int pixels);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    enum class Grip { None, Begin, Middle, End };
    Grip gripAt(QPointF place) const;
    double timeAt(qreal x) const;
    qreal xAt(double time) const;
    void drawStrip();
    void forget();

    int m_stripHeight = 46;
    TimelineAxis *m_axis;
    TimelineModelPointer m_model;
    QString m_name;
    QImage m_strip;
    Grip m_grip = Grip::None;
    double m_gripOffset = 0; ///< seconds between the pointer and the dragged edge
};

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractSlider>
#include <QStringList>
#include <QVector>

#include <optional>

namespace meshwright {

class Theme;

/// A slider over a short list of valid values (stops), evenly spaced regardless of their values. An optional curve
/// above it shows the best step time at each stop.
///
/// QAbstractSlider::value() is the index of the nearest stop; stop() is the value itself, which may lie between stops
/// (a degree that is not a divisor). In that case, the thumb is hollow and amber between two stops until the user moves
/// it to one. Keys are Left, Right, Home and End; the wheel scrolls the area around the slider.
class SteppedSlider : public QAbstractSlider {
    Q_OBJECT

public:
    explicit SteppedSlider(QWidget *parent = nullptr);

    /// @param stops  ascending; an empty list shows an empty rail
    /// @param labels  default: the stops as numbers
    void setStops(const QVector<qint64> &stops, const QStringList &labels = {});
    const QVector<qint64> &stops() const { return m_stops; }
    qint64 stop() const { return m_stop; }
    bool isOffList() const;

    /// One value per stop. Smaller values are better and drawn lower; stops without a value are hatched. Empty for no
    /// curve.
    void setCurve(const QVector<std::optional<double>> &curve);
    /// Reserves the height of the curve even without one, so that nothing moves when it appears.
    void setCurveRoom(bool kept);
    /// Values of the stops at which no configuration fits, drawn as hollow dots on the hatch. May be empty.
    void setHollowCurve(const QVector<std::optional<double>> &curve);
    /// Index of the best stop, which has a green dot.
    void setBest(std::optional<int> index);

    qreal positionOf(int index) const;
    /// Horizontal center of any value; between two stops it is interpolated logarithmically.
    qreal positionOfValue(qint64 value) const;
    int indexAt(qreal x) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

public Q_SLOTS:
    /// Does not emit stopChosen().
    void setStop(qint64 value);

Q_SIGNALS:
    /// Emitted when the user selects another stop by key, click or drag.
    void stopChosen(qint64 value);
    /// Everything between dragStarted() and dragFinished() is one gesture and one undo step.
    void dragStarted();
    void dragFinished();

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void leaveEvent(QEvent *event) override;

private:
    void choose(int index);
    void chooseNeighbor(int direction);
    void paintCurve(QPainter &painter, const Theme &theme) const;
    void paintRail(QPainter &painter, const Theme &theme) const;
    void paintLabels(QPainter &painter, const Theme &theme) const;
    int curveHeight() const;
    qreal railMiddle() const;

    QVector<qint64> m_stops;
    QStringList m_labels;
    qint64 m_stop = 0;
    QVector<std::optional<double>> m_curve;
    QVector<std::optional<double>> m_hollowCurve;
    std::optional<int> m_best;
    int m_hovered = -1;
    bool m_dragging = false;
    bool m_curveRoom = false;
};

} // namespace meshwright

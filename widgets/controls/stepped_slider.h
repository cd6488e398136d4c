// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractSlider>
#include <QStringList>
#include <QVector>

#include <optional>

namespace meshwright {

class Theme;

/// A slider over a short list of allowed values, evenly spaced whatever their size. Above it, optionally, a landscape:
/// what could be had at each value.
///
/// QAbstractSlider::value() is the index of the nearest stop; stop() is the value itself, which may be off the list (a
/// degree that does not divide): then it is drawn hollow in amber between its neighbours, and only the user moves it
/// on to the list. Left/Right and Home/End by keyboard; the wheel scrolls what is around it.
class SteppedSlider : public QAbstractSlider {
    Q_OBJECT

public:
    explicit SteppedSlider(QWidget *parent = nullptr);

    /// Rising. Labels default to the figures. An empty list disables nothing but shows an empty rail.
    void setStops(const QVector<qint64> &stops, const QStringList &labels = {});
    const QVector<qint64> &stops() const { return m_stops; }
    qint64 stop() const { return m_stop; }
    bool isOffList() const;

    /// One value a stop, less is better, drawn higher when worse; hatch where there is none. Empty for no landscape.
    void setCurve(const QVector<std::optional<double>> &curve);
    /// Keeps the room of a landscape even while there is none, so that nothing moves when it comes.
    void setCurveRoom(bool kept);
    /// One value a stop where the plan would not fit: a hollow dot on the hatch. May be empty.
    void setHollowCurve(const QVector<std::optional<double>> &curve);
    /// Index of the stop with the green dot.
    void setBest(std::optional<int> index);

    /// Horizontal centre of a stop, in widget coordinates.
    qreal positionOf(int index) const;
    /// Horizontal centre of any value, on or off the list; between neighbours in proportion to the logarithm.
    qreal positionOfValue(qint64 value) const;
    int indexAt(qreal x) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

public Q_SLOTS:
    /// Silent: emits neither stopChosen() nor anything that edits a plan.
    void setStop(qint64 value);

Q_SIGNALS:
    /// The user has moved to another stop, by key, click or in the midst of a drag.
    void stopChosen(qint64 value);
    /// What lies between the two is one gesture, and one undo step.
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
    void chooseBeside(int direction);
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

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <vector>

namespace meshwright {

class TimelineAxis;

/// Moves a sweep line along a time axis, either continuously, crossing the visible range in a few seconds, or in steps
/// to the next start or end of an operation.
class SweepPlayer : public QObject {
    Q_OBJECT

public:
    explicit SweepPlayer(TimelineAxis *axis, QObject *parent = nullptr);

    /// Times to which single steps move, in ascending order.
    void setStops(std::vector<double> stops) { m_stops = std::move(stops); }
    bool isPlaying() const { return m_timer.isActive(); }

    void togglePlaying();
    void pause();
    void step();
    void stepBack();
    /// Stops playback and removes the sweep line.
    void stop();

Q_SIGNALS:
    void playingChanged(bool playing);

private:
    void tick();
    void moveTo(double time);
    double place() const;

    TimelineAxis *m_axis;
    QTimer m_timer;
    QElapsedTimer m_sinceTick;
    std::vector<double> m_stops;
};

} // namespace meshwright

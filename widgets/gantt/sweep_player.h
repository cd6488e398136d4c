// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <vector>

namespace meshwright {

class TimelineAxis;

/// Moves a sweep line over a time axis: by itself, so that what is in sight passes in some seconds, or from one begin
/// or end of an operation to the next.
class SweepPlayer : public QObject {
    Q_OBJECT

public:
    explicit SweepPlayer(TimelineAxis *axis, QObject *parent = nullptr);

    /// Where steps stop, ascending.
    void setStops(std::vector<double> stops) { m_stops = std::move(stops); }
    bool isPlaying() const { return m_timer.isActive(); }

    void togglePlaying();
    void pause();
    void step();
    void stepBack();
    /// No sweep line any more.
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

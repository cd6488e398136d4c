// SPDX-License-Identifier: GPL-3.0-or-later
#include "gantt/sweep_player.h"

#include "timeline/timeline_axis.h"

#include <algorithm>

namespace meshwright {
namespace {

constexpr int FramePause = 16; ///< pause between frames in milliseconds
constexpr double SecondsInSight = 12; ///< seconds that the sweep takes to cross the visible range
constexpr double TurnAt = 0.9; ///< the axis scrolls once the sweep is beyond this fraction of the visible range

} // namespace

SweepPlayer::SweepPlayer(TimelineAxis *axis, QObject *parent)
    : QObject(parent)
    , m_axis(axis) {
    m_timer.setInterval(FramePause);
    connect(&m_timer, &QTimer::timeout, this, &SweepPlayer::tick);
}

double SweepPlayer::place() const {
    return m_axis->sweep().value_or(m_axis->visible().begin);
}

void SweepPlayer::togglePlaying() {
    if (m_timer.isActive()) {
        pause();
        return;
    }
    if (!m_axis->sweep() || *m_axis->sweep() >= m_axis->whole().end)
        m_axis->setSweep(m_axis->showsAll() ? m_axis->whole().begin : m_axis->visible().begin);
    m_sinceTick.start();
    m_timer.start();
    Q_EMIT playingChanged(true);
}

void SweepPlayer::pause() {
    if (!m_timer.isActive())
        return;
    m_timer.stop();
    Q_EMIT playingChanged(false);
}

void SweepPlayer::stop() {
    pause();
    m_axis->setSweep({});
}

void SweepPlayer::tick() {
    constexpr double Milliseconds = 1e3;
    const double seconds = static_cast<double>(m_sinceTick.restart()) / Milliseconds;
    moveTo(place() + seconds / SecondsInSight * m_axis->visible().length());
    if (place() >= m_axis->whole().end)
        pause();
}

void SweepPlayer::moveTo(double time) {
    const double to = std::clamp(time, m_axis->whole().begin, m_axis->whole().end);
    m_axis->setSweep(to);
    const TimeRange &visible = m_axis->visible();
    const double turn = visible.begin + TurnAt * visible.length();
    if (to > turn)
        m_axis->panBy(to - turn);
    else if (to < visible.begin)
        m_axis->panBy(to - visible.begin);
}

void SweepPlayer::step() {
    pause();
    const auto next = std::upper_bound(m_stops.begin(), m_stops.end(), place());
    moveTo(!m_axis->sweep() ? place() : next != m_stops.end() ? *next : m_axis->whole().end);
}

void SweepPlayer::stepBack() {
    pause();
    const auto next = std::lower_bound(m_stops.begin(), m_stops.end(), place());
    moveTo(next != m_stops.begin() ? *std::prev(next) : m_axis->whole().begin);
}

} // namespace meshwright

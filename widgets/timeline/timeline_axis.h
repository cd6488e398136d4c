// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "timeline/timeline_coordinates.h"

#include <QObject>

#include <optional>

class QVariantAnimation;

namespace meshwright {

/// What all charts over one time axis share: which part of it is in sight, where the pointer is, what is measured, and
/// how far a sweep has come. Each chart only listens to it, and none knows another.
class TimelineAxis : public QObject {
    Q_OBJECT

public:
    enum class Pace { AtOnce, Smooth };

    explicit TimelineAxis(QObject *parent = nullptr);

    const TimeRange &whole() const { return m_whole; }
    const TimeRange &visible() const { return m_visible; }
    bool showsAll() const { return m_visible == m_whole; }
    /// Where the pointer is.
    std::optional<double> cursor() const { return m_cursor; }
    std::optional<TimeRange> measured() const { return m_measured; }
    /// How far a run that is played has come.
    std::optional<double> sweep() const { return m_sweep; }

    /// Another length of the whole keeps what is in sight, or all of it where all was.
    void setWhole(const TimeRange &whole);
    /// Moved and shortened so that it lies within the whole.
    void show(const TimeRange &range, Pace pace = Pace::AtOnce);
    void showAll(Pace pace = Pace::Smooth) { show(m_whole, pace); }
    /// Keeps `time` where it is. A factor above 1 comes closer.
    void zoomAbout(double time, double factor, Pace pace = Pace::AtOnce);
    void panBy(double seconds, Pace pace = Pace::AtOnce);

    void setCursor(std::optional<double> time);
    void setMeasured(std::optional<TimeRange> range);
    void setSweep(std::optional<double> time);

Q_SIGNALS:
    /// The whole or what is in sight of it.
    void changed();
    /// Pointer, measure or sweep: what lies over a chart.
    void marksChanged();

private:
    TimeRange allowed(const TimeRange &range) const;
    void set(const TimeRange &range);
    const TimeRange &goal() const;

    TimeRange m_whole{0, 1};
    TimeRange m_visible{0, 1};
    TimeRange m_from;
    TimeRange m_to;
    std::optional<double> m_cursor;
    std::optional<TimeRange> m_measured;
    std::optional<double> m_sweep;
    QVariantAnimation *m_way;
};

} // namespace meshwright

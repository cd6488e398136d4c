// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "timeline/timeline_coordinates.h"

#include <QObject>

#include <optional>

class QVariantAnimation;

namespace meshwright {

/// State shared by all charts on one time axis: the visible range, the pointer, the measured range and the sweep line.
/// Charts listen only to the axis and do not know each other.
class TimelineAxis : public QObject {
    Q_OBJECT

public:
    enum class Pace { AtOnce, Smooth };

    explicit TimelineAxis(QObject *parent = nullptr);

    const TimeRange &whole() const { return m_whole; }
    const TimeRange &visible() const { return m_visible; }
    bool showsAll() const { return m_visible == m_whole; }
    std::optional<double> cursor() const { return m_cursor; }
    std::optional<TimeRange> measured() const { return m_measured; }
    std::optional<double> sweep() const { return m_sweep; }

    /// Sets the whole range. Keeps the visible range, or shows everything if everything was visible.
    void setWhole(const TimeRange &whole);
    /// Shows a range, moved and shortened to lie within the whole.
    void show(const TimeRange &range, Pace pace = Pace::AtOnce);
    void showAll(Pace pace = Pace::Smooth) { show(m_whole, pace); }
    /// Zooms around `time`, which keeps its position. A factor above 1 zooms in.
    void zoomAbout(double time, double factor, Pace pace = Pace::AtOnce);
    void panBy(double seconds, Pace pace = Pace::AtOnce);

    void setCursor(std::optional<double> time);
    void setMeasured(std::optional<TimeRange> range);
    void setSweep(std::optional<double> time);

Q_SIGNALS:
    /// The whole or the visible range changed.
    void changed();
    /// The pointer, the measured range or the sweep line changed.
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

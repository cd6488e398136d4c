// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/timeline_axis.h"

#include "theme/theme.h"

#include <QEasingCurve>
#include <QVariantAnimation>

#include <algorithm>
#include <utility>

namespace meshwright {
namespace {

/// At higher magnification, a double could no longer distinguish neighboring pixels.
constexpr double MaxMagnification = 1e9;

} // namespace

TimelineAxis::TimelineAxis(QObject *parent)
    : QObject(parent)
    , m_way(new QVariantAnimation(this)) {
    m_way->setStartValue(0.0);
    m_way->setEndValue(1.0);
    m_way->setEasingCurve(QEasingCurve::OutCubic);
    connect(m_way, &QVariantAnimation::valueChanged, this, [this](const QVariant &share) {
        if (m_way->state() == QAbstractAnimation::Running)
            set(between(m_from, m_to, share.toDouble()));
    });
    // The animation reports its last value when it is no longer running, so set the target here.
    connect(m_way, &QVariantAnimation::finished, this, [this] { set(m_to); });
}

void TimelineAxis::setWhole(const TimeRange &whole) {
    if (whole == m_whole || !(whole.length() > 0))
        return;
    const bool all = showsAll();
    m_way->stop();
    m_whole = whole;
    m_visible = all ? whole : allowed(m_visible);
    Q_EMIT changed();
}

void TimelineAxis::show(const TimeRange &range, Pace pace) {
    m_way->stop();
    const TimeRange target = allowed(range);
    const int duration = pace == Pace::Smooth ? Theme::duration(Motion::Zoom) : 0;
    if (duration == 0) {
        set(target);
        return;
    }
    m_from = m_visible;
    m_to = target;
    m_way->setDuration(duration);
    m_way->start();
}

void TimelineAxis::zoomAbout(double time, double factor, Pace pace) {
    const TimeRange from = goal();
    // Clamp the factor instead of the range. Otherwise the time under the cursor would drift at the limit.
    const double most = from.length() / (m_whole.length() / MaxMagnification);
    show(zoomedAbout(from, time, std::min(factor, std::max(1.0, most))), pace);
}

void TimelineAxis::panBy(double seconds, Pace pace) {
    show(shifted(goal(), seconds), pace);
}

const TimeRange &TimelineAxis::goal() const {
    return m_way->state() == QAbstractAnimation::Running ? m_to : m_visible;
}

void TimelineAxis::setCursor(std::optional<double> time) {
    if (std::exchange(m_cursor, time) != time)
        Q_EMIT marksChanged();
}

void TimelineAxis::setMeasured(std::optional<TimeRange> range) {
    if (std::exchange(m_measured, range) != range)
        Q_EMIT marksChanged();
}

void TimelineAxis::setSweep(std::optional<double> time) {
    if (std::exchange(m_sweep, time) != time)
        Q_EMIT marksChanged();
}

TimeRange TimelineAxis::allowed(const TimeRange &range) const {
    const double least = m_whole.length() / MaxMagnification;
    if (range.length() >= least)
        return movedInto(range, m_whole);
    const double middle = (range.begin + range.end) / 2;
    return movedInto({middle - least / 2, middle + least / 2}, m_whole);
}

void TimelineAxis::set(const TimeRange &range) {
    if (range == m_visible)
        return;
    m_visible = range;
    Q_EMIT changed();
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <algorithm>

namespace meshwright {

/// A stretch of time in seconds, end not before begin.
struct TimeRange {
    double begin = 0;
    double end = 0;
    double length() const { return end - begin; }
    bool contains(double time) const { return time >= begin && time < end; }
    bool operator==(const TimeRange &) const = default;
};

/// All arithmetic between time and horizontal position. Positions are relative to the plot's left edge; values outside
/// [0, width] are valid, and an empty range lies at 0.
inline qreal timeToX(double time, const TimeRange &range, qreal width) {
    return range.length() > 0 ? (time - range.begin) / range.length() * width : 0;
}

inline double xToTime(qreal x, const TimeRange &range, qreal width) {
    return width > 0 ? range.begin + x / width * range.length() : range.begin;
}

/// The range `factor` times as short that has `time` at the same place; a factor below 1 lengthens it.
inline TimeRange zoomedAbout(const TimeRange &range, double time, double factor) {
    return {time - (time - range.begin) / factor, time + (range.end - time) / factor};
}

inline TimeRange shifted(const TimeRange &range, double seconds) {
    return {range.begin + seconds, range.end + seconds};
}

/// Moved, and only then shortened, so that it lies within `whole`.
inline TimeRange movedInto(const TimeRange &range, const TimeRange &whole) {
    if (range.length() >= whole.length())
        return whole;
    if (range.begin < whole.begin)
        return shifted(range, whole.begin - range.begin);
    return range.end > whole.end ? shifted(range, whole.end - range.end) : range;
}

/// With a share of its length added on both sides.
inline TimeRange widened(const TimeRange &range, double share) {
    return {range.begin - range.length() * share, range.end + range.length() * share};
}

/// Between two ranges, `share` (0 to 1) of the way.
inline TimeRange between(const TimeRange &from, const TimeRange &to, double share) {
    return {from.begin + (to.begin - from.begin) * share, from.end + (to.end - from.end) * share};
}

} // namespace meshwright

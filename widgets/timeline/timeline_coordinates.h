// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <algorithm>

namespace meshwright {

/// A time range in seconds; `end` is not before `begin`.
struct TimeRange {
    double begin = 0;
    double end = 0;
    double length() const { return end - begin; }
    bool contains(double time) const { return time >= begin && time < end; }
    bool operator==(const TimeRange &) const = default;
};

/// Conversion between time and horizontal position. Positions are relative to the plot's left edge and may lie outside
/// [0, width]; an empty range maps to 0.
inline qreal timeToX(double time, const TimeRange &range, qreal width) {
    return range.length() > 0 ? (time - range.begin) / range.length() * width : 0;
}

inline double xToTime(qreal x, const TimeRange &range, qreal width) {
    return width > 0 ? range.begin + x / width * range.length() : range.begin;
}

/// The range shortened by `factor` with `time` at the same relative position; a factor below 1 lengthens it.
inline TimeRange zoomedAbout(const TimeRange &range, double time, double factor) {
    return {time - (time - range.begin) / factor, time + (range.end - time) / factor};
}

inline TimeRange shifted(const TimeRange &range, double seconds) {
    return {range.begin + seconds, range.end + seconds};
}

/// The range moved to lie within `whole`, and shortened only if necessary.
inline TimeRange movedInto(const TimeRange &range, const TimeRange &whole) {
    if (range.length() >= whole.length())
        return whole;
    if (range.begin < whole.begin)
        return shifted(range, whole.begin - range.begin);
    return range.end > whole.end ? shifted(range, whole.end - range.end) : range;
}

inline TimeRange widened(const TimeRange &range, double share) {
    return {range.begin - range.length() * share, range.end + range.length() * share};
}

/// Linear interpolation between two ranges; `share` is 0 to 1.
inline TimeRange between(const TimeRange &from, const TimeRange &to, double share) {
    return {from.begin + (to.begin - from.begin) * share, from.end + (to.end - from.end) * share};
}

} // namespace meshwright

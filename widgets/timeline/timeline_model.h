// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "theme/roles.h"
#include "timeline/timeline_track.h"

#include <QString>

#include <memory>
#include <vector>

namespace meshwright {

/// How the spans of one style look.
struct TimelineStyle {
    enum class Fill {
        Solid, ///< work
        Hatched, ///< idle: the colour is that of the lines
        Blank ///< takes room and shows nothing
    };
    QString name; ///< as in a legend
    QString letter; ///< before the number where there is room; may be empty
    Kind kind = Kind::Grey;
    Fill fill = Fill::Solid;
};

/// Rows over one time axis.
struct TimelineModel {
    std::vector<TimelineStyle> styles{TimelineStyle{}}; ///< at most MostTimelineStyles; the first stands for nothing
    std::vector<TimelineTrack> tracks;
    TimeRange whole; ///< from the begin of the axis to its end
    int numbersInCycle = 0; ///< numbers are written modulo this; 0: as they are
    QString trackWord; ///< over the names of the rows: "rank"
};

using TimelineModelPointer = std::shared_ptr<const TimelineModel>;

/// A span of a model.
struct SpanIndex {
    int track = -1;
    std::size_t span = 0;
    bool isValid() const { return track >= 0; }
    bool operator==(const SpanIndex &) const = default;
};

} // namespace meshwright

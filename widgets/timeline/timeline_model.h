// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "theme/roles.h"
#include "timeline/timeline_track.h"

#include <QString>

#include <memory>
#include <vector>

namespace meshwright {

struct TimelineStyle {
    enum class Fill {
        Solid, ///< span is filled; used for work
        Hatched, ///< span has hatch lines in the style's color; used for idle time
        Blank ///< span takes up space but is not drawn
    };
    QString name;
    QString letter; ///< letter before the number, drawn if there is room; may be empty
    Kind kind = Kind::Grey;
    Fill fill = Fill::Solid;
};

struct TimelineModel {
    /// At most MaxTimelineStyles; the first is NothingStyle.
    std::vector<TimelineStyle> styles{TimelineStyle{}};
    std::vector<TimelineTrack> tracks;
    TimeRange whole;
    int numbersInCycle = 0; ///< labels show numbers modulo this value; 0 shows them unchanged
    QString trackWord; ///< heading of the row names, such as "rank"
};

using TimelineModelPointer = std::shared_ptr<const TimelineModel>;

struct SpanIndex {
    int track = -1;
    std::size_t span = 0;
    bool isValid() const { return track >= 0; }
    bool operator==(const SpanIndex &) const = default;
};

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "theme/roles.h"
#include "timeline/timeline_track.h"

#include <QString>

#include <memory>
#include <vector>

namespace meshwright {

/// Appearance of the spans of one style.
struct TimelineStyle {
    enum class Fill {
        Solid, ///< a filled span: work
        Hatched, ///< idle time; the color applies to the hatch lines
        Blank ///< takes up space but is not drawn
    };
    QString name; ///< name in the legend
    QString letter; ///< drawn before the number if it fits; may be empty
    Kind kind = Kind::Grey;
    Fill fill = Fill::Solid;
};

/// Rows of spans on one time axis.
struct TimelineModel {
    /// Styles of the spans, at most MaxTimelineStyles; the first is NothingStyle.
    std::vector<TimelineStyle> styles{TimelineStyle{}};
    std::vector<TimelineTrack> tracks;
    TimeRange whole; ///< full range of the axis
    int numbersInCycle = 0; ///< numbers are shown modulo this; 0: unchanged
    QString trackWord; ///< heading of the row names, e.g. "rank"
};

using TimelineModelPointer = std::shared_ptr<const TimelineModel>;

/// Index of a span in a model.
struct SpanIndex {
    int track = -1;
    std::size_t span = 0;
    bool isValid() const { return track >= 0; }
    bool operator==(const SpanIndex &) const = default;
};

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "timeline/timeline_model.h"

#include <QRectF>

#include <vector>

namespace meshwright {

/// Where the rows of a timeline stand, in logical pixels from the top of the first; rows that belong to another are
/// lower.
struct TimelineLayout {
    static constexpr qreal Row = 18;
    static constexpr qreal LeastRow = 2;
    static constexpr qreal MostRow = 32; ///< of a timeline of few rows
    static constexpr qreal PartShare = 0.7; ///< of a row's height, for those that belong to it

    std::vector<qreal> tops; ///< one more than rows
    qreal pitch = Row; ///< of a row of its own

    qreal height() const { return tops.empty() ? 0 : tops.back(); }
    /// -1 outside.
    int rowAt(qreal y) const;
    /// Without the space to the next one.
    QRectF row(int index, qreal left, qreal width) const;
};

/// What becomes of rows that have no room.
enum class CrowdedRows {
    Scroll, ///< below two pixels the layout is higher than the room
    ScrollParts, ///< likewise, and rows that others unfold into stay high enough to be read
    Squeeze ///< rows are lower, below a pixel if need be
};
/// Rows as high as fit into `room`.
TimelineLayout layoutTimeline(const TimelineModel &model, qreal room, CrowdedRows crowded = CrowdedRows::Scroll);

/// What a timeline of these rows asks for and at least takes.
qreal preferredTimelineHeight(const TimelineModel &model);
qreal minTimelineHeight(const TimelineModel &model);

} // namespace meshwright

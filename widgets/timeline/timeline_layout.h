// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "timeline/timeline_model.h"

#include <QRectF>

#include <vector>

namespace meshwright {

/// Vertical positions of the rows of a timeline, in logical pixels from the top of the first row. Rows that belong to
/// another row are lower than full rows.
struct TimelineLayout {
    static constexpr qreal Row = 18;
    static constexpr qreal MinRow = 2;
    static constexpr qreal MaxRow = 32; ///< maximum height of a row, in a timeline of few rows
    static constexpr qreal PartShare = 0.7; ///< height of a row that belongs to another, as a fraction of a full row

    std::vector<qreal> tops; ///< top of each row, followed by the bottom of the last row
    qreal pitch = Row;

    qreal height() const { return tops.empty() ? 0 : tops.back(); }
    /// The row at `y`; -1 if `y` is outside.
    int rowAt(qreal y) const;
    /// The rectangle of a row without the gap to the next one.
    QRectF row(int index, qreal left, qreal width) const;
};

enum class CrowdedRows {
    Scroll, ///< rows are at least two pixels high and scroll
    ScrollParts, ///< rows scroll; if some rows are unfolded, all rows stay legible
    Squeeze ///< rows shrink, down to less than a pixel
};
/// Lays out rows as high as possible in a height of `room`.
TimelineLayout layoutTimeline(const TimelineModel &model, qreal room, CrowdedRows crowded = CrowdedRows::Scroll);

/// Preferred and minimum height of a timeline with these rows.
qreal preferredTimelineHeight(const TimelineModel &model);
qreal minTimelineHeight(const TimelineModel &model);

} // namespace meshwright

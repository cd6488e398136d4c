// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/timeline_layout.h"

#include <algorithm>
#include <cmath>

namespace meshwright {
namespace {

/// Total height of all rows in units of a full row.
qreal rowsOf(const TimelineModel &model) {
    qreal rows = 0;
    for (const TimelineTrack &track : model.tracks)
        rows += track.depth() == 0 ? 1 : TimelineLayout::PartShare;
    return std::max<qreal>(1, rows);
}

constexpr qreal MinUnfoldedRow = 11;

qreal preferredRow(qreal rows) {
    return rows <= 2 ? TimelineLayout::MaxRow : rows <= 8 ? 24 : TimelineLayout::Row;
}

qreal minRow(const TimelineModel &model, CrowdedRows crowded) {
    if (crowded == CrowdedRows::Squeeze)
        return 0;
    const bool unfolded = std::any_of(model.tracks.begin(), model.tracks.end(),
                                      [](const TimelineTrack &track) { return track.depth() > 0; });
    return crowded == CrowdedRows::ScrollParts && unfolded ? MinUnfoldedRow : TimelineLayout::MinRow;
}

} // namespace

int TimelineLayout::rowAt(qreal y) const {
    if (y < 0 || y >= height())
        return -1;
    return static_cast<int>(std::upper_bound(tops.begin(), tops.end(), y) - tops.begin()) - 1;
}

QRectF TimelineLayout::row(int index, qreal left, qreal width) const {
    const qreal top = tops[static_cast<std::size_t>(index)];
    const qreal pitchHere = tops[static_cast<std::size_t>(index) + 1] - top;
    const qreal gap = pitchHere >= 12 ? 2 : pitchHere >= 6 ? 1 : pitchHere >= 4 ? 0.5 : 0;
    return {left, top, width, pitchHere - gap};
}

TimelineLayout layoutTimeline(const TimelineModel &model, qreal room, CrowdedRows crowded) {
    const qreal rows = rowsOf(model);
    const qreal least = minRow(model, crowded);
    TimelineLayout layout;
    layout.pitch = std::clamp(room / rows, least, std::max(TimelineLayout::Row, preferredRow(rows)));
    // Whole pixels make all rows equally tall. Low rows are not rounded, because that would change their height too
    // much.
    if (layout.pitch >= 8)
        layout.pitch = std::floor(layout.pitch);
    layout.tops.reserve(model.tracks.size() + 1);
    qreal top = 0;
    for (const TimelineTrack &track : model.tracks) {
        layout.tops.push_back(top);
        const qreal part = std::max(least, layout.pitch * TimelineLayout::PartShare);
        top += track.depth() == 0 ? layout.pitch : part >= 8 ? std::floor(part) : part;
    }
    layout.tops.push_back(top);
    return layout;
}

qreal preferredTimelineHeight(const TimelineModel &model) {
    const qreal rows = rowsOf(model);
    return rows * preferredRow(rows);
}

qreal minTimelineHeight(const TimelineModel &model) {
    return std::min(rowsOf(model) * TimelineLayout::MinRow + 8, 96.0);
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/timeline_raster.h"

#include "threads/for_each_index.h"
#include "timeline/timeline_row_painter.h"

#include <algorithm>
#include <atomic>
#include <cmath>

namespace meshwright {
namespace {

/// Spreads the channels of a color 16 bits apart, so that one multiplication weights them all.
std::uint64_t spread(QRgb colour) {
    return std::uint64_t(qRed(colour)) << 32 | std::uint64_t(qGreen(colour)) << 16 | std::uint64_t(qBlue(colour));
}

RowPainter::Target targetOf(QImage &image) {
    return {.pixels = reinterpret_cast<QRgb *>(image.bits()),
            .pitch = image.bytesPerLine() / static_cast<std::ptrdiff_t>(sizeof(QRgb)),
            .width = image.width(),
            .height = image.height()};
}

} // namespace

std::optional<int> columnsBetween(const TimeRange &from, const TimeRange &to, int width) {
    constexpr double exact = 1e-4; // maximum misalignment of the ranges, as a fraction of a column's width
    const double column = to.length() / width;
    const double columns = (to.begin - from.begin) / column;
    const double whole = std::round(columns);
    if (std::abs(columns - whole) > exact || std::abs(from.length() - to.length()) > exact * column
        || std::abs(whole) >= width)
        return {};
    return static_cast<int>(whole);
}

StyleSeconds columnSeconds(const TimelineTrack &track, const TimeRange &range, int width, int column) {
    return track.secondsIn({xToTime(column, range, width), xToTime(column + 1, range, width)});
}

TimelineRaster::TimelineRaster(const TimelineModel &model, const Theme &theme, qreal ratio)
    : m_model(model)
    , m_ratio(ratio)
    , m_colours(model, theme, ratio) {
    for (std::size_t style = 0; style < std::min<std::size_t>(model.styles.size(), MaxTimelineStyles); ++style) {
        const QRgb colour = m_colours.styles[style].mean;
        m_paints.push_back({colour, spread(colour)});
    }
}

std::size_t TimelineRaster::pan(QImage &image, const std::vector<TrackRow> &rows, const TimeRange &before,
                                const TimeRange &range, const RasterDetail &detail) const {
    const std::optional<int> columns = columnsBetween(before, range, image.width());
    if (!columns || !(range.length() > 0)) {
        paint(image, rows, range, detail);
        return 0;
    }
    const RowPainter::Target target = targetOf(image);
    std::atomic<std::size_t> kept = 0;
    for_each_index(rows.size(), [&](std::size_t row) {
        RowPainter painter(*this, target, rows[row], range, detail);
        if (painter.showsSharesAlone() && RowPainter(*this, target, rows[row], before, detail).showsSharesAlone()) {
            painter.paintMoved(*columns);
            ++kept;
        } else {
            painter.paint();
        }
    });
    return kept;
}

void TimelineRaster::paint(QImage &image, const std::vector<TrackRow> &rows, const TimeRange &range,
                           const RasterDetail &detail) const {
    if (!(range.length() > 0))
        return;
    const RowPainter::Target target = targetOf(image);
    for_each_index(rows.size(), [&](std::size_t row) { RowPainter(*this, target, rows[row], range, detail).paint(); });
}

} // namespace meshwright

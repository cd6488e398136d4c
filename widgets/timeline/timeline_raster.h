// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "timeline/glyph_cache.h"
#include "timeline/timeline_colours.h"
#include "timeline/timeline_model.h"

#include <QImage>

#include <cstdint>
#include <optional>
#include <vector>

namespace meshwright {

/// Top and bottom of a track in an image, in device pixels.
struct TrackBand {
    int top = 0;
    int height = 1;
};

struct TrackRow {
    const TimelineTrack *track = nullptr;
    TrackBand band;
};

struct RasterDetail {
    const GlyphCache *glyphs = nullptr; ///< null draws no labels
    bool marks = false;
};

/// Seconds of each style in column `column` of a picture that shows `range` in `width` pixel columns.
StyleSeconds columnSeconds(const TimelineTrack &track, const TimeRange &range, int width, int column);

/// Number of columns by which a picture of the range `from` must move left to show the range `to` of the same length.
/// Empty if the columns of the two ranges are not aligned, or if the ranges do not overlap.
std::optional<int> columnsBetween(const TimeRange &from, const TimeRange &to, int width);

/// Draws tracks directly into the scan lines of a 32-bit image, without antialiasing. A span that is at least three
/// pixels wide is drawn as a block. A column with narrower spans shows the fraction of its time in each style. These
/// are stacked in the order of the styles and exact to 1/256 pixel, so that no span hides another.
class TimelineRaster {
public:
    /// @param model   must outlive this raster
    /// @param ratio   device pixels per logical pixel
    TimelineRaster(const TimelineModel &model, const Theme &theme, qreal ratio);

    const TimelineColours &colours() const { return m_colours; }
    /// Draws `range` across the width of the image. Pixels between the rows are not changed.
    /// @param rows  rows whose bands do not overlap, because they are drawn on several threads
    void paint(QImage &image, const std::vector<TrackRow> &rows, const TimeRange &range,
               const RasterDetail &detail) const;

    /// Draws over a picture of another range of the same length. Rows without blocks reuse the columns that both ranges
    /// have in common.
    /// @returns the number of rows that were reused
    std::size_t pan(QImage &image, const std::vector<TrackRow> &rows, const TimeRange &before, const TimeRange &range,
                    const RasterDetail &detail) const;

private:
    friend class RowPainter;
    /// The mean color of a style, prepared for mixing.
    struct Paint {
        QRgb colour;
        std::uint64_t spread;
    };

    const TimelineModel &m_model;
    qreal m_ratio;
    TimelineColours m_colours;
    std::vector<Paint> m_paints;
};

} // namespace meshwright

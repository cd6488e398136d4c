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

/// Where a track stands in an image, in device pixels.
struct TrackBand {
    int top = 0;
    int height = 1;
};

struct TrackRow {
    const TimelineTrack *track = nullptr;
    TrackBand band;
};

/// What is drawn of a track besides its colours.
struct RasterDetail {
    const GlyphCache *glyphs = nullptr; ///< none: no labels
    bool marks = false; ///< underline marked spans
};

/// Seconds of each style in pixel column `column` of a picture of `range` that is `width` columns wide.
StyleSeconds columnSeconds(const TimelineTrack &track, const TimeRange &range, int width, int column);

/// Whole columns of a picture of range `from` that it has to go to the left to show `to`, which is as long; none where
/// both do not lie on one grid of columns, or have none in common.
std::optional<int> columnsBetween(const TimeRange &from, const TimeRange &to, int width);

/// Draws tracks straight into the scan lines of an image of 32 bits a pixel, without antialiasing. A span of three
/// pixels and more is drawn as a block. A column that any narrower one touches shows what share of it each style takes,
/// one above the other in the order of the styles and exact to a 256th of a pixel: no span hides another.
class TimelineRaster {
public:
    /// @param model   outlives this
    /// @param ratio   device pixels for each logical one
    TimelineRaster(const TimelineModel &model, const Theme &theme, qreal ratio);

    const TimelineColours &colours() const { return m_colours; }
    /// The image's width shows `range`. What lies between the rows is left as it is.
    /// @param rows  whose bands do not overlap: they are drawn on several threads
    void paint(QImage &image, const std::vector<TrackRow> &rows, const TimeRange &range,
               const RasterDetail &detail) const;

    /// The same over a picture of another range that is as long: rows of column shares alone keep what both ranges
    /// have.
    /// @returns how many these are
    std::size_t pan(QImage &image, const std::vector<TrackRow> &rows, const TimeRange &before, const TimeRange &range,
                    const RasterDetail &detail) const;

private:
    friend class RowPainter;
    /// A style's mean colour, ready to be mixed.
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

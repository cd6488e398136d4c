// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "timeline/timeline_raster.h"

#include <cstdint>
#include <vector>

namespace meshwright {

/// Draws one track into its band of a picture. Rows with disjoint bands may be drawn concurrently.
class RowPainter {
public:
    using Target = GlyphCache::Target;

    RowPainter(const TimelineRaster &raster, const Target &target, const TrackRow &row, const TimeRange &range,
               const RasterDetail &detail);
    void paint();
    /// Whether the row consists only of narrow spans, without blocks.
    bool showsSharesAlone();
    /// Moves the row of a picture left by `columns` and draws the columns that come into view. Before and after, the
    /// row must consist of narrow spans only.
    void paintMoved(int columns);

private:
    /// Where two spans overlap in time, each is drawn in one half of the row.
    enum class Lane : std::uint8_t { Whole, Upper, Lower };
    /// A span wide enough to be drawn individually.
    struct Block {
        int left;
        int right;
        double end; ///< unclipped right end of the span
        SpanLook look;
        std::size_t span;
        Lane lane = Lane::Whole;
    };
    /// Consecutive pixel columns touched by narrow spans.
    struct Run {
        int from;
        int to;
    };
    void sortOut();
    bool isAllShares() const;
    void paintBlocks();
    void joinPairs();
    TrackBand bandOf(Lane lane) const;
    void fillLine(const Block &block, bool tall, std::vector<QRgb> &pixels);
    void paintHatches();
    void paintNarrow(const Run &run);
    bool stackColumn(ShareWalk &walk, double end, double units, QRgb *column) const;
    void paintLabels();

    QRgb *line(int y) const { return m_target.pixels + y * m_target.pitch; }
    int bottom() const { return m_band.top + m_band.height; }
    double x(double time) const { return timeToX(time, m_range, m_target.width); }

    const TimelineRaster &m_raster;
    const Target m_target;
    const TimelineTrack &m_track;
    const TrackBand m_band;
    const TimeRange m_range;
    const RasterDetail m_detail;
    std::vector<Block> m_blocks;
    std::vector<Run> m_runs;
    std::vector<QRgb> m_line; ///< scan line of a block's upper half
    std::vector<QRgb> m_lowerLine;
    std::vector<QRgb> m_columns; ///< buffer in which columns are composed one after the other
};

} // namespace meshwright

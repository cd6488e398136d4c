// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "timeline/timeline_raster.h"

#include <cstdint>
#include <vector>

namespace meshwright {

/// Draws one track into its band of a picture; rows that do not touch are drawn at the same time.
class RowPainter {
public:
    using Target = GlyphCache::Target;

    RowPainter(const TimelineRaster &raster, const Target &target, const TrackRow &row, const TimeRange &range,
               const RasterDetail &detail);
    void paint();
    /// Whether the row consists of nothing but column shares.
    bool showsSharesAlone();
    /// For a row that does now and did in the picture, which is `columns` further left: moves it and draws what comes
    /// in.
    void paintMoved(int columns);

private:
    /// Of two spans that run at once, each is drawn over the time of both in its half of the row.
    enum class Lane : std::uint8_t { Whole, Upper, Lower };
    /// A span wide enough to be seen.
    struct Block {
        int left;
        int right;
        double end; ///< where the span truly ends
        SpanLook look;
        std::size_t span;
        Lane lane = Lane::Whole;
    };
    /// Pixel columns that narrow spans touch.
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
    std::vector<QRgb> m_line; ///< of the upper half
    std::vector<QRgb> m_lowerLine;
    std::vector<QRgb> m_columns; ///< that are being put together, one behind the other
};

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/timeline_row_painter.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace meshwright {
namespace {

constexpr double WideFrom = 3; ///< minimum width of a block in device pixels
constexpr qreal NumberFrom = 12;
constexpr qreal LetterFrom = 22;
constexpr qreal LabelMargin = 2;
constexpr qreal EdgeFrom = 5; ///< minimum width in logical pixels of a span with a gap to its neighbor
constexpr qreal RoundFrom = 9; ///< row height in logical pixels from which the gap shows the background
constexpr qreal MarkHeight = 2;
constexpr int PixelUnit = 256; ///< sum of the weights of the colors in a pixel
constexpr int ColumnsAtOnce = 16; ///< columns painted together, which fill one cache line of each scan line
constexpr int ColumnSpare = 16; ///< spare pixels after a column, because fills write blocks of this size

/// Converts a weighted sum of colors to a color. Each channel has 16 bits, and the weights add up to PixelUnit.
QRgb together(std::uint64_t mix) {
    return 0xff000000U | QRgb(mix >> 24 & 0xff0000U) | QRgb(mix >> 16 & 0xff00U) | QRgb(mix >> 8 & 0xffU);
}

constexpr int Square = 4;

/// Transposes a square block: reads Square columns that are stored one after the other and writes Square lines.
void turnSquare(const QRgb *columns, std::ptrdiff_t ofColumn, QRgb *lines, std::ptrdiff_t ofLine) {
#ifdef __SSE2__
    const auto column = [&](int i) {
        return _mm_loadu_si128(reinterpret_cast<const __m128i *>(columns + i * ofColumn));
    };
    const auto write = [&](int i, __m128i pixels) {
        _mm_storeu_si128(reinterpret_cast<__m128i *>(lines + i * ofLine), pixels);
    };
    const __m128i upperLeft = _mm_unpacklo_epi32(column(0), column(1));
    const __m128i upperRight = _mm_unpacklo_epi32(column(2), column(3));
    const __m128i lowerLeft = _mm_unpackhi_epi32(column(0), column(1));
    const __m128i lowerRight = _mm_unpackhi_epi32(column(2), column(3));
    write(0, _mm_unpacklo_epi64(upperLeft, upperRight));
    write(1, _mm_unpackhi_epi64(upperLeft, upperRight));
    write(2, _mm_unpacklo_epi64(lowerLeft, lowerRight));
    write(3, _mm_unpackhi_epi64(lowerLeft, lowerRight));
#else
    for (int y = 0; y < Square; ++y)
        for (int x = 0; x < Square; ++x)
            lines[y * ofLine + x] = columns[x * ofColumn + y];
#endif
}

} // namespace

RowPainter::RowPainter(const TimelineRaster &raster, const Target &target, const TrackRow &row, const TimeRange &range,
                       const RasterDetail &detail)
    : m_raster(raster)
    , m_target(target)
    , m_track(*row.track)
    , m_band{row.band.top, std::min(row.band.height, target.height - row.band.top)}
    , m_range(range)
    , m_detail(detail) { }

void RowPainter::paint() {
    if (m_band.height <= 0 || m_band.top < 0)
        return;
    sortOut();
    if (!isAllShares()) {
        paintBlocks();
        paintHatches();
    }
    // Narrow spans are painted last, over the edges of adjacent blocks.
    for (const Run &run : m_runs)
        paintNarrow(run);
    if (m_detail.glyphs != nullptr)
        paintLabels();
}

bool RowPainter::showsSharesAlone() {
    if (m_band.height <= 0 || m_band.top < 0)
        return false;
    sortOut();
    return isAllShares();
}

void RowPainter::paintMoved(int columns) {
    const int kept = m_target.width - std::abs(columns);
    for (int y = m_band.top; y < bottom(); ++y)
        std::memmove(line(y) + std::max(0, -columns), line(y) + std::max(0, columns),
                     sizeof(QRgb) * static_cast<std::size_t>(kept));
    paintNarrow(columns > 0 ? Run{kept, m_target.width} : Run{0, -columns});
}

/// Whether narrow spans cover the whole row and hide everything below them.
bool RowPainter::isAllShares() const {
    return m_runs.size() == 1 && m_blocks.empty() && m_runs.front().from == 0 && m_runs.front().to == m_target.width;
}

void RowPainter::sortOut() {
    const std::vector<double> &begins = m_track.begins();
    const std::size_t all = m_track.count();
    const double wide = WideFrom * m_range.length() / m_target.width;
    m_blocks.clear();
    m_runs.clear();
    const auto isSecond = [this](std::size_t span) { return span > 0 && m_track.look(span - 1).joined; };
    std::size_t first = m_track.spanAt(m_range.begin);
    if (first < all && isSecond(first))
        --first;
    const auto isPartOfPair = [&](std::size_t span) { return isSecond(span) && m_track.time(span).length() >= wide; };
    for (std::size_t span = first; span < all && (begins[span] < m_range.end || isPartOfPair(span));) {
        const std::size_t next = m_track.nextLongSpan(span, wide);
        if (next > span) {
            const double from = std::floor(std::max(0.0, x(begins[span])));
            const double to = std::ceil(std::min<double>(m_target.width, x(begins[next])));
            m_runs.push_back({static_cast<int>(from), static_cast<int>(to)});
            span = next;
            continue;
        }
        if (m_track.look(span).style != NothingStyle) {
            const double end = x(begins[span + 1]);
            const double left = std::ceil(std::max(0.0, x(begins[span]) - 0.5));
            const double right = std::ceil(std::min<double>(end, m_target.width) - 0.5);
            m_blocks.push_back({static_cast<int>(left), static_cast<int>(right), end, m_track.look(span), span});
        }
        ++span;
    }
    joinPairs();
}

/// Widens the two halves of a concurrent pair to their common time. The track stores them one after the other, so that
/// each keeps its fraction of a pixel column when zoomed out.
void RowPainter::joinPairs() {
    for (std::size_t i = 0; i + 1 < m_blocks.size(); ++i) {
        Block &first = m_blocks[i];
        Block &second = m_blocks[i + 1];
        if (!first.look.joined || second.span != first.span + 1)
            continue;
        first.lane = Lane::Upper;
        second.lane = Lane::Lower;
        second.left = first.left;
        first.right = second.right;
        first.end = second.end;
    }
}

TrackBand RowPainter::bandOf(Lane lane) const {
    const auto half = m_band.height / 2;
    switch (lane) {
    case Lane::Upper:
        return {m_band.top, half};
    case Lane::Lower:
        return {m_band.top + half, m_band.height - half};
    case Lane::Whole:
        break;
    }
    return m_band;
}

/// Composes several columns in a buffer and then writes them line by line, because writing along a scan line is much
/// faster than writing down a column.
void RowPainter::paintNarrow(const Run &run) {
    const double width = m_range.length() / m_target.width;
    const int markHeight = static_cast<int>(std::round(MarkHeight * m_raster.m_ratio));
    const int markTop = bottom() - std::min(markHeight, m_band.height);
    const int pitch = m_band.height + ColumnSpare;
    m_columns.resize(static_cast<std::size_t>(pitch) * ColumnsAtOnce);
    std::array<bool, ColumnsAtOnce> marked{};
    const double units = m_band.height * PixelUnit / width;
    ShareWalk walk(m_track, m_range.begin + run.from * width);
    for (int first = run.from; first < run.to; first += ColumnsAtOnce) {
        const int count = std::min(ColumnsAtOnce, run.to - first);
        for (int column = 0; column < count; ++column) {
            const double end = m_range.begin + (first + column + 1) * width;
            marked[static_cast<std::size_t>(column)] =
                stackColumn(walk, end, units, m_columns.data() + std::ptrdiff_t(column) * pitch);
        }
        const QRgb *const columns = m_columns.data();
        int y = 0;
        for (; count == ColumnsAtOnce && y + Square <= m_band.height; y += Square)
            for (int column = 0; column < ColumnsAtOnce; column += Square)
                turnSquare(columns + std::ptrdiff_t(column) * pitch + y, pitch, line(m_band.top + y) + first + column,
                           m_target.pitch);
        for (; y < m_band.height; ++y)
            for (int column = 0; column < count; ++column)
                line(m_band.top + y)[first + column] = columns[std::ptrdiff_t(column) * pitch + y];
        for (int marks = markTop; m_detail.marks && marks < bottom(); ++marks)
            for (int column = 0; column < count; ++column)
                if (marked[static_cast<std::size_t>(column)])
                    line(marks)[first + column] = m_raster.m_colours.mark;
    }
}

/// Fills one column of the band; may write up to ColumnSpare pixels beyond it.
/// @param units  pixels per second times PixelUnit
/// @returns whether anything in the column is marked
bool RowPainter::stackColumn(ShareWalk &walk, double end, double units, QRgb *column) const {
    const int all = m_band.height * PixelUnit;
    double sum = 0.5; // starts at 0.5, because truncation below then rounds
    int edge = 0;
    std::uint64_t mix = 0; // weighted colors of the pixel that contains the edge
    const auto fillTo = [&](const TimelineRaster::Paint &paint, int to) {
        const int from = edge / PixelUnit;
        const int last = to / PixelUnit;
        if (last > from) {
            mix += paint.spread * static_cast<std::uint64_t>(PixelUnit - edge % PixelUnit);
            column[from] = together(mix);
            for (int y = from + 1; y < last; y += ColumnSpare) // the next style overwrites any excess
                std::fill_n(column + y, ColumnSpare, paint.colour);
            mix = paint.spread * static_cast<std::uint64_t>(to % PixelUnit);
        } else {
            mix += paint.spread * static_cast<std::uint64_t>(to - edge);
        }
        edge = to;
    };
    const double marked = walk.takeUntil(end, [&](std::size_t style, double seconds) {
        if (style == NothingStyle)
            return; // time without spans is filled last
        sum += seconds * units;
        fillTo(m_raster.m_paints[style], std::min(static_cast<int>(sum), all));
    });
    fillTo(m_raster.m_paints.front(), all);
    return marked > 0;
}

void RowPainter::fillLine(const Block &block, bool tall, std::vector<QRgb> &into) {
    const TimelineColours::Style &style = m_raster.m_colours.styles[block.look.style];
    const std::size_t shade = std::min<std::size_t>(block.look.shade, TimelineColours::Shades - 1);
    QRgb *const pixels = into.data();
    std::fill(pixels + block.left, pixels + block.right, style.fill[shade]);
    const int gap = std::max(1, static_cast<int>(m_raster.m_ratio));
    // Separate the span from the next one only if the span really ends here, not at the edge of the picture.
    const bool apart = !block.look.joined || block.lane != Lane::Whole;
    if (apart && block.right - block.left >= EdgeFrom * m_raster.m_ratio
        && block.end <= static_cast<double>(into.size()) + 0.5)
        std::fill(pixels + block.right - gap, pixels + block.right,
                  tall ? m_raster.m_colours.background : style.edge[shade]);
}

void RowPainter::paintBlocks() {
    const bool tall = m_band.height >= RoundFrom * m_raster.m_ratio;
    m_line.assign(static_cast<std::size_t>(m_target.width), m_raster.m_colours.background);
    m_lowerLine = m_line;
    for (const Block &block : m_blocks) {
        if (m_raster.m_colours.styles[block.look.style].hatched || block.right <= block.left)
            continue;
        if (block.lane != Lane::Lower)
            fillLine(block, tall, m_line);
        if (block.lane != Lane::Upper)
            fillLine(block, tall, m_lowerLine);
    }
    const int middle = bandOf(Lane::Lower).top;
    for (int y = m_band.top; y < bottom(); ++y) {
        const std::vector<QRgb> &drawn = y < middle ? m_line : m_lowerLine;
        std::copy(drawn.begin(), drawn.end(), line(y));
    }
    if (!m_detail.marks)
        return;
    const int height = std::min(m_band.height, static_cast<int>(std::round(MarkHeight * m_raster.m_ratio)));
    for (const Block &block : m_blocks)
        if (block.look.marked)
            for (int y = bottom() - height; y < bottom(); ++y)
                std::fill(line(y) + block.left, line(y) + std::max(block.left, block.right), m_raster.m_colours.mark);
}

void RowPainter::paintHatches() {
    for (int y = m_band.top; y < bottom(); ++y) {
        QRgb *const pixels = line(y);
        for (const Block &block : m_blocks) {
            const TimelineColours::Style &style = m_raster.m_colours.styles[block.look.style];
            if (style.hatched)
                style.hatch.write(pixels, block.left, block.right, y);
        }
    }
}

void RowPainter::paintLabels() {
    const GlyphCache &glyphs = *m_detail.glyphs;
    if (m_band.height < glyphs.height())
        return;
    std::array<char, 16> text{};
    for (const Block &block : m_blocks) {
        const TrackBand band = bandOf(block.lane);
        if (band.height < glyphs.height())
            continue;
        const int top = band.top + (band.height - glyphs.height()) / 2;
        const int room = block.right - block.left;
        if (room < NumberFrom * m_raster.m_ratio || m_raster.m_colours.styles[block.look.style].hatched)
            continue;
        const QString &letter = m_raster.m_model.styles[block.look.style].letter;
        const int cycle = m_raster.m_model.numbersInCycle;
        const int written = cycle > 0 && block.look.number >= 0 ? block.look.number % cycle : block.look.number;
        const bool lettered = room >= LetterFrom * m_raster.m_ratio && !letter.isEmpty();
        int length = writeLabel(text.data(), lettered ? letter.at(0).toLatin1() : '\0', written);
        int width = glyphs.width(text.data(), length);
        if (lettered && width > room - 2 * LabelMargin * m_raster.m_ratio) {
            length = writeLabel(text.data(), '\0', written);
            width = glyphs.width(text.data(), length);
        }
        if (length == 0 || width > room - 2 * LabelMargin * m_raster.m_ratio)
            continue;
        glyphs.draw(m_target, block.left + (room - width) / 2, top, text.data(), length,
                    m_raster.m_colours.styles[block.look.style].label);
    }
}

} // namespace meshwright

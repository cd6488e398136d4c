// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "timeline/timeline_coordinates.h"

#include <QString>

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace meshwright {

/// Styles are indices into the model's styles; 0 is time without a span.
inline constexpr int MaxTimelineStyles = 16;
inline constexpr std::uint8_t NothingStyle = 0;

/// Seconds of each style, and the number of seconds that are marked.
struct StyleSeconds {
    std::array<double, MaxTimelineStyles> of{};
    double marked = 0;
};

/// Attributes of a span other than its time.
struct SpanLook {
    std::int32_t number = -1; ///< label shared by all spans that belong together; -1 for none
    std::int32_t source = -1; ///< index of the object that the span shows, defined by the creator of the model
    std::uint8_t style = NothingStyle; ///< index of the style, below MaxTimelineStyles
    std::uint8_t shade = 0; ///< number of steps away from the style's color, toward white or black
    bool marked = false; ///< underlined if marks are shown
    /// Whether the span is joined with the next one: both run concurrently over their combined time. Their own times
    /// give only their order and each span's fraction of that time.
    bool joined = false;
};

struct TimelineSpan {
    TimeRange time;
    SpanLook look;
};

/// One row of a timeline. Spans cover the row's time without gaps; time for which no span was given has NothingStyle.
/// The cost of summing the seconds of each style within a range does not depend on the number of spans in it.
class TimelineTrack {
public:
    /// @param name   shown left of the row
    /// @param spans  sorted by time; a span that begins before the previous one ends is shortened to begin at that end
    /// @param depth  0 for a full row, 1 for a row that belongs to the row above
    TimelineTrack(QString name, const std::vector<TimelineSpan> &spans, int depth = 0);

    const QString &name() const { return m_name; }
    int depth() const { return m_depth; }
    std::size_t count() const { return m_looks.size(); }
    TimeRange time(std::size_t span) const { return {m_begins[span], m_begins[span + 1]}; }
    const SpanLook &look(std::size_t span) const { return m_looks[span]; }
    /// Start times in ascending order, followed by the end of the last span.
    const std::vector<double> &begins() const { return m_begins; }
    TimeRange extent() const;

    /// The span that contains `time`; count() after the end and 0 before the start.
    std::size_t spanAt(double time) const;
    /// Like spanAt(), but searches from a span that must not lie after the result.
    std::size_t spanFrom(std::size_t from, double time) const;

    /// The span and its concurrent span, in order; only the span itself if it has none.
    std::vector<std::size_t> pairOf(std::size_t span) const;

    StyleSeconds secondsIn(const TimeRange &range) const;
    /// The first span, starting from `from`, that lasts at least `seconds`; count() if there is none.
    std::size_t nextLongSpan(std::size_t from, double seconds) const;

private:
    friend class ShareWalk;
    /// Each style has two slots: one for its marked and one for its unmarked spans.
    static constexpr std::size_t Slots = std::size_t(2) * MaxTimelineStyles;
    static constexpr std::uint8_t MarkedSlot = MaxTimelineStyles;
    using SlotSeconds = std::array<double, Slots>;
    /// The prefix sums, and the longest span of each block of Stride spans, are stored once per block.
    static constexpr std::size_t Stride = 32;
    void append(const TimeRange &time, const SpanLook &look);
    void sumUp();

    QString m_name;
    int m_depth;
    std::vector<double> m_begins;
    std::vector<SpanLook> m_looks;
    std::vector<std::uint8_t>
        m_slots; ///< slot of each span; separate from m_looks because it is read for every visible span
    std::vector<SlotSeconds> m_sums;
    std::vector<double> m_longest;
};

/// Walks a track from left to right and sums the seconds of each style between stops. The cost per stop is bounded,
/// regardless of the number of spans in between.
class ShareWalk {
public:
    /// @param track  must outlive this walk
    ShareWalk(const TimelineTrack &track, double begin);

    /// Adds the seconds between the last stop and `end` to `into`; `end` must not lie before the last stop.
    void addUntil(double end, StyleSeconds &into);

    /// Like addUntil(), but calls `take(style, seconds)` for each style that occurs, in the order of the styles.
    /// @returns the number of seconds that are marked
    template <typename Take>
    double takeUntil(double end, const Take &take);

private:
    void walkTo(double end);
    void jumpTo(double end);

    const TimelineTrack &m_track;
    double m_time;
    std::size_t m_span;
    TimelineTrack::SlotSeconds m_held{};
    std::uint32_t m_touched = 0; ///< bit mask of the nonzero slots
};

template <typename Take>
double ShareWalk::takeUntil(double end, const Take &take) {
    static_assert(TimelineTrack::Slots <= 32);
    walkTo(end);
    double allMarked = 0;
    // Merge the marked and the unmarked time of a style.
    std::uint32_t left = (m_touched | m_touched >> TimelineTrack::MarkedSlot) & ((1U << MaxTimelineStyles) - 1);
    for (; left != 0; left &= left - 1) {
        const auto style = static_cast<std::size_t>(std::countr_zero(left));
        double &marked = m_held[style + TimelineTrack::MarkedSlot];
        allMarked += marked;
        take(style, m_held[style] + marked);
        m_held[style] = marked = 0;
    }
    m_touched = 0;
    return allMarked;
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "timeline/timeline_coordinates.h"

#include <QString>

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace meshwright {

/// Styles are numbered by their model; 0 is the time in which there is nothing.
inline constexpr int MostTimelineStyles = 16;
inline constexpr std::uint8_t NothingStyle = 0;

/// Seconds of each style, and how many of them are marked.
struct StyleSeconds {
    std::array<double, MostTimelineStyles> of{};
    double marked = 0;
};

/// What a stretch of a track is, apart from when.
struct SpanLook {
    std::int32_t number = -1; ///< written on it, and shared by all spans that belong together; -1: none
    std::int32_t source = -1; ///< what it shows, in the terms of who made it
    std::uint8_t style = NothingStyle; ///< below MostTimelineStyles
    std::uint8_t shade = 0; ///< lighter by so many steps
    bool marked = false; ///< underlined where marks are wanted
    /// With the span behind it: both run at once, each over the time of the two. Their stretches only say in which
    /// order they are kept and what share of the time each has.
    bool joined = false;
};

struct TimelineSpan {
    TimeRange time;
    SpanLook look;
};

/// One row of a timeline. Its time is cut into spans without gaps: what nothing was given for has the style 0. Knows
/// how much of any stretch each style takes, in a time that does not depend on the number of spans within.
class TimelineTrack {
public:
    /// @param name   at the left of the row
    /// @param spans  sorted by time; where one begins before the last has ended, the rest of it counts
    /// @param depth  0 for a row of its own, 1 for one that belongs to the row above
    TimelineTrack(QString name, const std::vector<TimelineSpan> &spans, int depth = 0);

    const QString &name() const { return m_name; }
    int depth() const { return m_depth; }
    std::size_t count() const { return m_looks.size(); }
    TimeRange time(std::size_t span) const { return {m_begins[span], m_begins[span + 1]}; }
    const SpanLook &look(std::size_t span) const { return m_looks[span]; }
    /// Ascending; one more than spans, the last being the end of the last span.
    const std::vector<double> &begins() const { return m_begins; }
    TimeRange extent() const;

    /// The span that `time` lies in, or count() after the end; 0 before the begin.
    std::size_t spanAt(double time) const;
    /// As spanAt(), looked for from a span that is not after it.
    std::size_t spanFrom(std::size_t from, double time) const;

    /// A span and the one that runs at once with it, in their order; the span alone where none does.
    std::vector<std::size_t> pairOf(std::size_t span) const;

    /// Seconds of each style within a range.
    StyleSeconds secondsIn(const TimeRange &range) const;
    /// The first span from `from` on that is at least so long, or count().
    std::size_t nextLongSpan(std::size_t from, double seconds) const;

private:
    friend class ShareWalk;
    /// A style and whether it is marked, in one index.
    static constexpr std::size_t Slots = std::size_t(2) * MostTimelineStyles;
    static constexpr std::uint8_t MarkedSlot = MostTimelineStyles;
    using SlotSeconds = std::array<double, Slots>;
    /// Sums of all spans before each so many-th one, and the longest of those up to the next.
    static constexpr std::size_t Stride = 32;
    void append(const TimeRange &time, const SpanLook &look);
    void sumUp();

    QString m_name;
    int m_depth;
    std::vector<double> m_begins;
    std::vector<SpanLook> m_looks;
    std::vector<std::uint8_t> m_slots; ///< of each span, apart from its look: read for every span in sight
    std::vector<SlotSeconds> m_sums;
    std::vector<double> m_longest;
};

/// Goes through a track from left to right and says what each stretch consists of. A stretch costs no more than a few
/// steps however many spans lie in it.
class ShareWalk {
public:
    /// @param track  outlives this
    ShareWalk(const TimelineTrack &track, double begin);

    /// Adds to `into` what there is between the last place and this one, which is not before it.
    void addUntil(double end, StyleSeconds &into);

    /// The same for those styles alone that there is something of: `take(style, seconds)`, in the order of the styles.
    /// @returns how many of the seconds are marked
    template <typename Take>
    double takeUntil(double end, const Take &take);

private:
    void walkTo(double end);
    void jumpTo(double end);

    const TimelineTrack &m_track;
    double m_time;
    std::size_t m_span;
    TimelineTrack::SlotSeconds m_held{};
    std::uint32_t m_touched = 0; ///< a bit for each slot that holds something
};

template <typename Take>
double ShareWalk::takeUntil(double end, const Take &take) {
    static_assert(TimelineTrack::Slots <= 32);
    walkTo(end);
    double allMarked = 0;
    // Marked or not, a style is one style.
    std::uint32_t left = (m_touched | m_touched >> TimelineTrack::MarkedSlot) & ((1U << MostTimelineStyles) - 1);
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

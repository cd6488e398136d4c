// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/timeline_track.h"

#include <algorithm>
#include <utility>

namespace meshwright {
namespace {

/// Below this number, spans are summed one by one, which is faster than differences of prefix sums.
constexpr std::size_t FewSpans = 48;

} // namespace

TimelineTrack::TimelineTrack(QString name, const std::vector<TimelineSpan> &spans, int depth)
    : m_name(std::move(name))
    , m_depth(depth) {
    m_begins.reserve(spans.size() + 1);
    m_looks.reserve(spans.size());
    for (const TimelineSpan &span : spans)
        append(span.time, span.look);
    sumUp();
}

void TimelineTrack::append(const TimeRange &time, const SpanLook &look) {
    if (m_begins.empty())
        m_begins.push_back(time.begin);
    const double last = m_begins.back();
    if (!(time.end > last))
        return;
    if (time.begin > last) {
        m_looks.emplace_back();
        m_begins.push_back(time.begin);
    }
    m_looks.push_back(look);
    m_begins.push_back(time.end);
}

void TimelineTrack::sumUp() {
    SlotSeconds sum{};
    m_slots.reserve(count());
    m_sums.reserve(count() / Stride + 1);
    m_longest.reserve(count() / Stride + 1);
    for (std::size_t span = 0; span < count(); ++span) {
        if (span % Stride == 0) {
            m_sums.push_back(sum);
            m_longest.push_back(0);
        }
        const double seconds = m_begins[span + 1] - m_begins[span];
        const SpanLook &look = m_looks[span];
        m_slots.push_back(static_cast<std::uint8_t>(look.style + (look.marked ? MarkedSlot : 0)));
        sum[m_slots.back()] += seconds;
        m_longest.back() = std::max(m_longest.back(), seconds);
    }
}

TimeRange TimelineTrack::extent() const {
    return m_begins.empty() ? TimeRange{} : TimeRange{m_begins.front(), m_begins.back()};
}

std::size_t TimelineTrack::spanAt(double time) const {
    return spanFrom(0, time);
}

std::vector<std::size_t> TimelineTrack::pairOf(std::size_t span) const {
    if (m_looks[span].joined && span + 1 < count())
        return {span, span + 1};
    if (span > 0 && m_looks[span - 1].joined)
        return {span - 1, span};
    return {span};
}

std::size_t TimelineTrack::spanFrom(std::size_t from, double time) const {
    const std::size_t all = count();
    if (from >= all || m_begins[from + 1] > time)
        return std::min(from, all);
    // Exponential search, then binary search: fast for nearby spans.
    std::size_t low = from;
    std::size_t step = 1;
    while (low + step < all && m_begins[low + step + 1] <= time) {
        low += step;
        step *= 2;
    }
    const auto first = m_begins.begin() + static_cast<std::ptrdiff_t>(low + 1);
    const auto last = m_begins.begin() + static_cast<std::ptrdiff_t>(std::min(low + step + 1, all) + 1);
    return static_cast<std::size_t>(std::upper_bound(first, last, time) - m_begins.begin()) - 1;
}

std::size_t TimelineTrack::nextLongSpan(std::size_t from, double seconds) const {
    std::size_t span = from;
    while (span < count()) {
        if (span % Stride == 0 && m_longest[span / Stride] < seconds)
            span += Stride;
        else if (m_begins[span + 1] - m_begins[span] < seconds)
            ++span;
        else
            return span;
    }
    return count();
}

StyleSeconds TimelineTrack::secondsIn(const TimeRange &range) const {
    StyleSeconds seconds;
    ShareWalk(*this, range.begin).addUntil(range.end, seconds);
    return seconds;
}

ShareWalk::ShareWalk(const TimelineTrack &track, double begin)
    : m_track(track)
    , m_time(track.count() > 0 ? std::max(begin, track.m_begins.front()) : begin)
    , m_span(track.spanAt(m_time)) { }

void ShareWalk::addUntil(double end, StyleSeconds &into) {
    into.marked += takeUntil(end, [&](std::size_t style, double seconds) { into.of[style] += seconds; });
}

void ShareWalk::walkTo(double end) {
    const double *const begins = m_track.m_begins.data();
    const std::uint8_t *const slotOf = m_track.m_slots.data();
    const std::size_t all = m_track.count();
    const std::size_t few = std::min(all, m_span + FewSpans);
    // Local copies stay in registers: this is the innermost loop of every frame.
    std::size_t span = m_span;
    double time = m_time;
    std::uint32_t touched = m_touched;
    for (; span < few && begins[span + 1] <= end; ++span) {
        const std::uint8_t slot = slotOf[span];
        m_held[slot] += begins[span + 1] - time;
        touched |= 1U << slot;
        time = begins[span + 1];
    }
    m_span = span;
    m_time = time;
    m_touched = touched;
    if (span == few && few < all && begins[span + 1] <= end)
        jumpTo(end);
    if (m_span < all && m_time < end) {
        m_held[slotOf[m_span]] += end - m_time;
        m_touched |= 1U << slotOf[m_span];
        m_time = end;
    }
}

void ShareWalk::jumpTo(double end) {
    constexpr std::size_t Stride = TimelineTrack::Stride;
    const std::vector<double> &begins = m_track.m_begins;
    const auto step = [&] {
        m_held[m_track.m_slots[m_span]] += begins[m_span + 1] - m_time;
        m_touched |= 1U << m_track.m_slots[m_span];
        m_time = begins[m_span + 1];
        ++m_span;
    };
    const std::size_t last = m_track.spanFrom(m_span, end);
    while (m_span < last && m_span % Stride != 0)
        step();
    const std::size_t from = m_span / Stride;
    const std::size_t to = std::min(last / Stride, m_track.m_sums.size() - 1);
    if (to > from) {
        for (std::size_t slot = 0; slot < TimelineTrack::Slots; ++slot) {
            const double between = m_track.m_sums[to][slot] - m_track.m_sums[from][slot];
            m_held[slot] += between;
            m_touched |= between > 0 ? 1U << slot : 0;
        }
        m_span = to * Stride;
        m_time = begins[m_span];
    }
    while (m_span < last)
        step();
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/measured_bandwidth.h"

#include "formulas/network.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace meshwright {

namespace {

double between(double below, double below_bandwidth, double above, double above_bandwidth, double at) {
    return above > below ? formula::between_measured_bandwidth(below, below_bandwidth, above, above_bandwidth,
                                                               std::clamp(at, below, above))
                         : below_bandwidth;
}

} // namespace

MeasuredBandwidth::MeasuredBandwidth(std::vector<BusBandwidth> lines)
    : m_lines(std::move(lines)) {
    std::sort(m_lines.begin(), m_lines.end(), [](const BusBandwidth &a, const BusBandwidth &b) {
        return std::tie(a.collective, a.ranks, a.bytes) < std::tie(b.collective, b.ranks, b.bytes);
    });
}

MeasuredBandwidth::BySize MeasuredBandwidth::by_size(Lines first, Lines last, double bytes) const {
    const auto above = std::find_if(first, last - 1, [bytes](const BusBandwidth &line) { return line.bytes >= bytes; });
    const auto below = above == first || above->bytes < bytes ? above : above - 1;
    const double bandwidth =
        between(below->bytes, below->bytes_per_second, above->bytes, above->bytes_per_second, bytes);
    return {.below = &*below, .above = &*above, .bytes_per_second = bandwidth * std::min(1.0, bytes / below->bytes)};
}

MeasuredBandwidth::Reading MeasuredBandwidth::at(Collective collective, double ranks, double bytes) const {
    const auto of = [&](Collective kind) {
        return std::equal_range(
            m_lines.begin(), m_lines.end(), BusBandwidth{.collective = kind},
            [](const BusBandwidth &a, const BusBandwidth &b) { return a.collective < b.collective; });
    };
    auto [first, last] = of(collective);
    if (first == last)
        std::tie(first, last) =
            of(collective == Collective::all_reduce ? Collective::all_gather : Collective::all_reduce);
    const auto end_of_ranks = [last = last](Lines at) {
        return std::find_if(at, last, [at](const BusBandwidth &line) { return line.ranks != at->ranks; });
    };
    Lines fewer = first;
    Lines more = first;
    while (static_cast<double>(more->ranks) < ranks && end_of_ranks(more) != last) {
        fewer = more;
        more = end_of_ranks(more);
    }
    if (static_cast<double>(more->ranks) <= ranks)
        fewer = more;
    Reading reading{.fewer = by_size(fewer, end_of_ranks(fewer), bytes),
                    .more = by_size(more, end_of_ranks(more), bytes)};
    reading.bytes_per_second = between(static_cast<double>(fewer->ranks), reading.fewer.bytes_per_second,
                                       static_cast<double>(more->ranks), reading.more.bytes_per_second, ranks);
    reading.beneath = bytes < std::max(fewer->bytes, more->bytes);
    return reading;
}

double MeasuredBandwidth::sustained(double inside, double nominal) const {
    double most = 0;
    for (const BusBandwidth &line : m_lines)
        most = std::max(most, line.bytes_per_second / inside);
    return std::min(most, nominal);
}

} // namespace meshwright

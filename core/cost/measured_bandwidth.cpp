// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/measured_bandwidth.h"

#include "formulas/network.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

namespace meshwright {

namespace {

/// Interpolates between two measurements; outside them, the nearest one applies.
template <Number N>
N between(const N &below, const N &below_bandwidth, const N &above, const N &above_bandwidth, const N &at) {
    if (value_of(above) <= value_of(below))
        return below_bandwidth;
    const N &inside = at < below ? below : above < at ? above : at;
    return formula::between_measured_bandwidth(below, below_bandwidth, above, above_bandwidth, inside);
}

} // namespace

MeasuredBandwidth::MeasuredBandwidth(std::vector<BusBandwidth> lines, std::size_t tier, std::string name)
    : m_lines(std::move(lines))
    , m_tier(tier)
    , m_name(std::move(name)) {
    std::sort(m_lines.begin(), m_lines.end(), [](const BusBandwidth &a, const BusBandwidth &b) {
        return std::tie(a.collective, a.ranks, a.bytes) < std::tie(b.collective, b.ranks, b.bytes);
    });
}

template <Number N>
N MeasuredBandwidth::measured_number(double value, std::string_view name, Quantity quantity) const {
    if constexpr (std::same_as<N, double>)
        return value;
    else
        return read<N>(value,
                       {Origin::hardware, name, "measured", quantity,
                        fmt::format("/cluster/tiers/{}/bus_bandwidth", m_tier),
                        fmt::format("{}: measured bus bandwidths", m_name)});
}

template <Number N>
N MeasuredBandwidth::by_size(Lines first, Lines last, const N &bytes) const {
    const auto above =
        std::find_if(first, last - 1, [&](const BusBandwidth &line) { return line.bytes >= value_of(bytes); });
    const auto below = above == first || above->bytes < value_of(bytes) ? above : above - 1;
    constexpr Quantity rate = Quantity::bytes_per_second;
    const N below_bytes = measured_number<N>(below->bytes, "below", Quantity::bytes);
    const N bandwidth = between(below_bytes, measured_number<N>(below->bytes_per_second, "below_bandwidth", rate),
                                measured_number<N>(above->bytes, "above", Quantity::bytes),
                                measured_number<N>(above->bytes_per_second, "above_bandwidth", rate), bytes);
    // Smaller messages take as long as the smallest one measured.
    return label(bytes < below_bytes ? bandwidth * (bytes / below_bytes) : bandwidth,
                 {"bandwidth", "bus bandwidth measured with this number of ranks", rate});
}

template <Number N>
MeasuredBandwidth::Reading<N> MeasuredBandwidth::at(Collective collective, const N &ranks, const N &bytes) const {
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
    while (static_cast<double>(more->ranks) < value_of(ranks) && end_of_ranks(more) != last) {
        fewer = more;
        more = end_of_ranks(more);
    }
    if (static_cast<double>(more->ranks) <= value_of(ranks))
        fewer = more;
    const auto measured_ranks = [&](Lines lines, std::string_view name) {
        return measured_number<N>(static_cast<double>(lines->ranks), name, Quantity::count);
    };
    return {.bytes_per_second = between(measured_ranks(fewer, "below"), by_size(fewer, end_of_ranks(fewer), bytes),
                                        measured_ranks(more, "above"), by_size(more, end_of_ranks(more), bytes), ranks),
            .beneath = value_of(bytes) < std::max(fewer->bytes, more->bytes)};
}
template MeasuredBandwidth::Reading<double> MeasuredBandwidth::at(Collective, const double &, const double &) const;
template MeasuredBandwidth::Reading<Traced> MeasuredBandwidth::at(Collective, const Traced &, const Traced &) const;

double MeasuredBandwidth::sustained(double inside, double nominal) const {
    double most = 0;
    for (const BusBandwidth &line : m_lines)
        most = std::max(most, line.bytes_per_second / inside);
    return std::min(most, nominal);
}

} // namespace meshwright

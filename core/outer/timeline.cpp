// SPDX-License-Identifier: GPL-3.0-or-later
#include "outer/timeline.h"

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {

/// Adds to each interval of the curve the fraction of the interval that [start, end) covers.
void spread(std::vector<double> &curve, double origin, double interval, double start, double end) {
    if (!(end > start) || end == never)
        return;
    const double last = static_cast<double>(curve.size());
    const double from = std::clamp((start - origin) / interval, 0.0, last);
    const double to = std::clamp((end - origin) / interval, 0.0, last);
    for (double stretch = std::floor(from); stretch < to; ++stretch)
        curve[static_cast<std::size_t>(stretch)] += std::min(to, stretch + 1) - std::max(from, stretch);
}

} // namespace

std::vector<double> staleness_by_fragment(const OuterTimeline &timeline, std::int64_t fragments) {
    std::vector<double> steps(static_cast<std::size_t>(fragments), 0);
    std::vector<double> used(steps.size(), 0);
    for (const Journey &journey : timeline.journeys) {
        if (journey.applied == never)
            continue;
        steps[static_cast<std::size_t>(journey.fragment)] += journey.applied_steps_late;
        used[static_cast<std::size_t>(journey.fragment)] += 1;
    }
    for (std::size_t fragment = 0; fragment < steps.size(); ++fragment)
        steps[fragment] /= std::max(1.0, used[fragment]);
    return steps;
}

std::vector<double> round_starts(const OuterTimeline &timeline) {
    std::vector<double> starts(static_cast<std::size_t>(timeline.rounds), never);
    for (const Journey &journey : timeline.journeys)
        if (journey.fragment == 0) {
            double &start = starts[static_cast<std::size_t>(journey.round - timeline.first_round)];
            start = std::min(start, journey.released);
        }
    return starts;
}

TimelineCurves curves_of(const OuterTimeline &timeline, std::size_t stretches) {
    double start = never, end = 0;
    for (const SiteSpan &span : timeline.spans) {
        start = std::min(start, span.start);
        end = std::max(end, span.end);
    }
    const std::vector<double> none(std::max<std::size_t>(1, stretches), 0);
    TimelineCurves curves{.computing = none, .uplinks = none, .downlinks = none, .queued = none};
    if (!(end > start))
        return curves;
    curves.start = start;
    curves.interval = (end - start) / static_cast<double>(none.size());
    const auto add = [&](std::vector<double> &curve, double from, double to) {
        spread(curve, start, curves.interval, from, to);
    };
    for (const SiteSpan &span : timeline.spans)
        if (span.activity == SiteActivity::compute)
            add(curves.computing, span.start, span.end);
    for (const Journey &journey : timeline.journeys) {
        add(curves.uplinks, journey.sent_start, journey.sent_end);
        add(curves.downlinks, journey.returned_start, journey.returned_end);
        add(curves.queued, journey.released, journey.sent_start);
    }
    const double sites = std::max(1.0, static_cast<double>(timeline.sites));
    for (std::vector<double> *curve : {&curves.computing, &curves.uplinks, &curves.downlinks})
        for (double &value : *curve)
            value /= sites;
    return curves;
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/cluster.h"

#include <QString>

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <vector>

namespace meshwright {

/// Formats a rate trace, such as "0 s: 100%, 1 h: 40%": the fraction of the link's nominal rate from each time on. More
/// than 24 points are shown as "N points over T".
QString traceText(const std::vector<RatePoint> &trace);
/// Parses traceText() into the document's `rate_trace`. Empty if an item is not a time and a fraction.
std::optional<nlohmann::ordered_json> traceFrom(const QString &text);

/// Formats groups of sites, such as "8 x 50 Mb/s 50 Mb/s 100 ms jitter 20 ms, 4 x …": number of sites, uplink, downlink
/// and round-trip time, then whatever differs from the common link.
QString groupsText(const Wan &wan);
/// Parses groupsText() into the document's `groups`. Empty if an item is not a count, two rates and a round-trip time.
/// @param present  current groups; a group marked "traced" keeps the rate trace of the current group with the same
/// index
std::optional<nlohmann::ordered_json> groupsFrom(const QString &text, const std::vector<WanGroup> &present);

} // namespace meshwright

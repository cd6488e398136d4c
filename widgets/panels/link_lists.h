// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/cluster.h"

#include <QString>

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <vector>

namespace meshwright {

/// "0 s 100 %, 1 h 40 %": from each time on, a link has this share of its rate. Of many points only how many there are,
/// and over what time.
QString traceText(const std::vector<RatePoint> &trace);
/// The document's `rate_trace`; nothing where a part is no time with a share.
std::optional<nlohmann::ordered_json> traceFrom(const QString &text);

/// "8 x 50 Mb/s 50 Mb/s 100 ms jitter 20 ms, 4 x …": so many sites with another uplink, downlink and round trip, and
/// with what else differs from all other links.
QString groupsText(const Wan &wan);
/// The document's `groups`; nothing where a part is no count with two rates and a round trip.
/// @param present  a group that is said to be "traced" keeps the trace of the one in its place
std::optional<nlohmann::ordered_json> groupsFrom(const QString &text, const std::vector<WanGroup> &present);

} // namespace meshwright

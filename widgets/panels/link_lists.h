// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/cluster.h"

#include <QString>

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <vector>

namespace meshwright {

/// "0 s 100 %, 1 h 40 %": from each time on, a link has this share of its rate.
QString traceText(const std::vector<RatePoint> &trace);
/// The document's `rate_trace`; nothing where a part is no time with a share.
std::optional<nlohmann::ordered_json> traceFrom(const QString &text);

/// "8 x 50 Mb/s 50 Mb/s 100 ms, 4 x …": so many sites with another uplink, downlink and round trip.
QString groupsText(const std::vector<WanGroup> &groups);
/// The document's `groups`; nothing where a part is no count with two rates and a round trip.
std::optional<nlohmann::ordered_json> groupsFrom(const QString &text);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/result.h"
#include "sites/sites_run.h"

#include <optional>

namespace meshwright {

/// The request to simulate a result's sites. Returns nothing without an outer loop.
std::optional<SitesQuestion> sitesQuestionOf(const Result &result);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/result.h"
#include "sites/sites_run.h"

#include <optional>

namespace meshwright {

/// What is simulated of a result's sites; nothing without an outer loop.
std::optional<SitesQuestion> sitesQuestionOf(const Result &result);

} // namespace meshwright

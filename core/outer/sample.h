// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"

namespace meshwright {

/// A plan with at most `sites` of its sites, evenly sampled. Aggregators and quorums are scaled in proportion. Sites
/// behave as in the full plan, apart from random variation.
/// @param sites at least 1
/// @pre the topology is a star, where a site's traffic does not depend on the number of sites; the cluster has a wan
Plan sample_of_sites(const Plan &plan, std::int64_t sites);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"

namespace meshwright {

/// A plan with `sites` of its sites, evenly sampled, and with aggregators and quorums scaled in proportion. Sites
/// behave as in the full plan, apart from random variation. If the plan has no more than `sites` sites, it is returned
/// unchanged.
/// @param sites at least 1
/// @pre the topology is a star, where a site's traffic does not depend on the number of sites; the cluster has a wan
Plan sample_of_sites(const Plan &plan, std::int64_t sites);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"

namespace meshwright {

/// A plan with so many of its sites, spread evenly over them, and with aggregators and quorums in proportion: what a
/// site does there is what it does in the plan, but for the luck of the draw. The plan itself where it has no more.
/// @param sites  at least 1
/// @pre the topology is a star, in which a site's traffic does not depend on how many there are; the cluster has a wan
Plan sample_of_sites(const Plan &plan, std::int64_t sites);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"

namespace meshwright {

/// One pipeline over all sites instead of replicas that are averaged: a stage a site, for a model that fits none.
struct WanPipeline {
    double utilisation = 0; ///< share of the time that sites compute, at most: what activations take on a link counts
    double needed_bits_per_second = 0; ///< for 90 % of the time; infinite where no rate is enough
    double sent_bytes = 0; ///< activations of a step, each way, in 16 bits
    double seconds = 0; ///< that they take on a link
    double parameters = 0; ///< weights of a site
};

/// @param active_parameters  that a token goes through
/// @param all_parameters     that sites hold together
/// @param flops_per_second   of a site, at the speed of the plan's own step
/// @pre the cluster has a wan
/// Source: SWARM, arXiv 2301.11913: computation grows faster with a model than what passes between its stages.
WanPipeline wan_pipeline(const Plan &plan, double active_parameters, double all_parameters, double flops_per_second);

} // namespace meshwright

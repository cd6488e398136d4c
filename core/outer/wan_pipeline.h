// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"

namespace meshwright {

/// A pipeline across all sites instead of averaged replicas, with one stage per site, for a model that no single site
/// can hold.
struct WanPipeline {
    double utilisation = 0; ///< upper bound on compute utilization, given by the transfer time of activations
    double needed_bits_per_second = 0; ///< link rate that reaches 90% compute utilization; infinite if no rate does
    double sent_bytes = 0; ///< bytes of 16-bit activations per step and direction
    double seconds = 0; ///< transfer time of these activations on a link
    double parameters = 0;
};

/// @param active_parameters parameters that a token uses
/// @param all_parameters total parameters of the model
/// @param flops_per_second FLOP/s of a site at the plan's step time
/// @pre the cluster has a wan
/// Source: SWARM, arXiv 2301.11913: computation grows faster with the model than the traffic between its stages.
WanPipeline wan_pipeline(const Plan &plan, double active_parameters, double all_parameters, double flops_per_second);

} // namespace meshwright

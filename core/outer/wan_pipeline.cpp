// SPDX-License-Identifier: GPL-3.0-or-later
#include "outer/wan_pipeline.h"

#include "formulas/outer_loop.h"

#include <algorithm>

namespace meshwright {

WanPipeline wan_pipeline(const Plan &plan, double active_parameters, double all_parameters, double flops_per_second) {
    constexpr double bits = 16, flops_per_parameter = 6, wanted = 0.9;
    const Wan &wan = *plan.cluster.wan;
    const auto stages = static_cast<double>(plan.cluster.sites);
    const double tokens =
        stages * static_cast<double>(plan.batch.global_sequences) * static_cast<double>(plan.batch.sequence_length);
    const auto hidden = static_cast<double>(plan.model.hidden);
    const double slower = std::min(wan.uplink_bits_per_second, wan.downlink_bits_per_second);
    return {.utilisation = formula::wan_pipeline_utilisation(active_parameters, tokens, stages, flops_per_second,
                                                             hidden, bits, slower, flops_per_parameter),
            .needed_bits_per_second = formula::wan_pipeline_bits(active_parameters, stages, flops_per_second, hidden,
                                                                 bits, wanted, flops_per_parameter),
            .sent_bytes = tokens * hidden * bits / 8,
            .seconds = formula::wan_pipeline_seconds(tokens, hidden, bits, slower),
            .parameters = all_parameters / stages};
}

} // namespace meshwright

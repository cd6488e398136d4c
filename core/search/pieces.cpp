// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/pieces.h"

namespace meshwright {

double min_step_seconds(const ShapeFamily &family, const ConfigurationSpace &space, const FieldValues &values,
                        const ShapeSearch::Variant &variant, Plan &plan) {
    constexpr double all_hidden = 1;
    if (family.kernel_shapes > 1) {
        plan.stack.expert_overlap = all_hidden;
        place_last(plan.parallelism.placement, {Dimension::expert});
    }
    const double least = ShapeSearch(space, values, variant, family.kernel_shape, plan).min_step_seconds();
    plan.stack.expert_overlap = variant.plan->stack.expert_overlap;
    plan.parallelism.placement = variant.plan->parallelism.placement;
    return least;
}

} // namespace meshwright

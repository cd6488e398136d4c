// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/pieces.h"

namespace meshwright {

double least_step_seconds(const StemFamily &family, const LayoutSpace &space, const FieldValues &values,
                          const StemSearch::Variant &variant, Plan &plan) {
    constexpr double all_hidden = 1;
    if (family.stems > 1) {
        plan.stack.expert_overlap = all_hidden;
        place_last(plan.parallelism.placement, {Dimension::expert});
    }
    const double least = StemSearch(space, values, variant, family.stem, plan).least_step_seconds();
    plan.stack.expert_overlap = variant.plan->stack.expert_overlap;
    plan.parallelism.placement = variant.plan->parallelism.placement;
    return least;
}

} // namespace meshwright

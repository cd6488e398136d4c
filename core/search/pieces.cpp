// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/pieces.h"

namespace meshwright {

namespace {

bool are_of_one_family(Stem a, const Stem &b) {
    a.expert = b.expert;
    return a == b;
}

} // namespace

std::vector<Piece> pieces_of(const LayoutSpace &space) {
    std::vector<Piece> pieces;
    for (std::size_t i = 0; i < space.units().size(); ++i) {
        const StemUnit &unit = space.units()[i];
        if (pieces.empty() || pieces.back().stem != unit.stem)
            pieces.push_back(
                {.stem = unit.stem, .first_unit = i, .last_unit = i, .layouts = 0, .bound = {}, .is_done = false});
        pieces.back().last_unit = i + 1;
        pieces.back().layouts += unit.layouts;
    }
    return pieces;
}

std::vector<Family> families_of(const LayoutSpace &space, const std::vector<Piece> &pieces) {
    std::vector<Family> families;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const Stem &stem = space.stems()[pieces[i].stem];
        if (families.empty() || !are_of_one_family(stem, families.back().least))
            families.push_back({.first_piece = i, .last_piece = i, .least = stem, .bound = {}});
        Family &family = families.back();
        family.last_piece = i + 1;
        if (stem.expert > family.least.expert)
            family.least = stem;
    }
    return families;
}

double least_step_seconds(const Family &family, const LayoutSpace &space, const FieldValues &values,
                          const StemSearch::Variant &variant, Plan &plan) {
    constexpr double all_hidden = 1;
    const double overlap = plan.stack.expert_overlap;
    const std::vector<Dimension> placement = plan.parallelism.placement;
    if (family.pieces() > 1) {
        plan.stack.expert_overlap = all_hidden;
        place_last(plan.parallelism.placement, {Dimension::expert});
    }
    const double least = StemSearch(space, values, variant, family.least, plan).least_step_seconds();
    plan.stack.expert_overlap = overlap;
    plan.parallelism.placement = placement;
    return least;
}

} // namespace meshwright

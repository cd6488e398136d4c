// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"

#include <cstdint>
#include <string>
#include <vector>

namespace meshwright {

/// One dimension of the rank order. Dimensions are listed innermost first: consecutive accelerators differ in the first
/// one.
struct RankDigit {
    std::string name; ///< "tensor", "context", "expert", "pipeline", "data"
    std::int64_t size = 1;
    std::int64_t slot_stride = 1; ///< distance between consecutive members, in accelerators
    std::int64_t rank_stride = 1; ///< distance between consecutive members, in the software's ranks
    std::string tier; ///< name of the innermost tier that contains the whole group
};

/// Maps the accelerators of a site, in the order of its nodes, to the software's ranks, so that each dimension lies on
/// the tier where the plan places it. The dimension "expert" is the part of data parallelism that expert parallelism
/// spans beyond tensor x context, as in groups_of().
/// @param planned  the plan, whose placement decides the tiers
/// @param target  the plan as the software runs it, whose placement is the software's rank order
std::vector<RankDigit> rank_digits(const Plan &planned, const Plan &target);

/// Whether ranks and accelerators are numbered in the same order.
bool is_in_order(const std::vector<RankDigit> &digits);

} // namespace meshwright

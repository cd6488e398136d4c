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
    std::int64_t slot_stride = 1; ///< number of accelerators from one member to the next
    std::int64_t rank_stride = 1; ///< number of ranks of the software from one member to the next
    std::string tier; ///< name of the innermost tier that contains the whole group
};

/// Maps the accelerators of a site, in the order of its nodes, to the software's ranks, so that each dimension is on
/// the tier where the plan places it. Data-parallel ranks that expert parallelism spans beyond tensor x context form
/// the dimension "expert", as in groups_of().
/// @param planned  the plan, for its placement
/// @param target  the plan as the software runs it, whose placement is the software's rank order
std::vector<RankDigit> rank_digits(const Plan &planned, const Plan &target);

/// Whether ranks have the same order as the accelerators.
bool is_in_order(const std::vector<RankDigit> &digits);

} // namespace meshwright

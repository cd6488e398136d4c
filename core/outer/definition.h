// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"
#include "quantities/sentence.h"

#include <string>
#include <vector>

namespace meshwright {

/// One criterion of the definition of a chip cluster, applied to a plan.
struct DefinitionPart {
    Sentence part; ///< name of the criterion, such as "co-located"
    Sentence says;
    bool joins = false; ///< whether the accelerators count as one cluster by this criterion
    bool above = false; ///< whether the accelerators that count as one cluster exceed the threshold
};

/// Total link rate in bit/s above which accelerators count as one cluster (arXiv 2511.10783, article II).
inline constexpr double joining_bits_per_second = 25e9;
/// Total rate of all sites' links per direction. @pre the plan has links between sites
double bits_per_second_between_sites(const Plan &plan);

/// arXiv 2511.10783, article II: accelerators are one cluster if they are co-located, if links between nodes carry more
/// than 25 Gbit/s in total, or if they are networked to perform workloads together. The threshold is in
/// H100-equivalents. For information only; no search optimizes for it.
std::vector<DefinitionPart> definition_parts(const Plan &plan, double site_equivalents, double total_equivalents,
                                             double threshold);

} // namespace meshwright

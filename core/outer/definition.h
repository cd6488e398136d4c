// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"
#include "quantities/sentence.h"

#include <string>
#include <vector>

namespace meshwright {

/// What one part of a definition of a compute cluster says of a plan.
struct DefinitionPart {
    Sentence part; ///< "one site"
    Sentence says;
    bool joins = false; ///< whether by this part the accelerators count as one cluster
    bool above = false; ///< whether what it joins is above the threshold
};

/// From which on links join what they connect into one cluster, bit/s (arXiv 2511.10783, article II).
inline constexpr double joining_bits_per_second = 25e9;
/// What all sites' links carry one way. @pre the plan has links between sites
double bits_per_second_between_sites(const Plan &plan);

/// arXiv 2511.10783, article II: accelerators are one cluster where they stand together, where links between nodes
/// carry more than 25 Gbit/s in all, or where they are networked to perform workloads together; it is covered above a
/// threshold of H100-equivalents. It informs; nothing optimises by it.
std::vector<DefinitionPart> definition_parts(const Plan &plan, double site_equivalents, double total_equivalents,
                                             double threshold);

} // namespace meshwright

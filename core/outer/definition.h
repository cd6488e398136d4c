// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"

#include <string>
#include <vector>

namespace meshwright {

/// What one part of a definition of a compute cluster says of a plan.
struct DefinitionPart {
    std::string part; ///< "one site"
    std::string says; ///< a sentence with its numbers
    bool joins = false; ///< whether by this part the accelerators count as one cluster
    bool above = false; ///< whether what it joins is above the threshold
};

/// arXiv 2511.10783, article II: accelerators are one cluster where they stand together, where links between nodes
/// carry more than 25 Gbit/s in all, or where they are networked to perform workloads together; it is covered above a
/// threshold of H100-equivalents. It informs; nothing optimises by it.
std::vector<DefinitionPart> definition_parts(const Plan &plan, double site_equivalents, double total_equivalents,
                                             double threshold);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "sites/sites_question.h"

namespace meshwright {

std::optional<SitesQuestion> sitesQuestionOf(const Result &result) {
    if (!result.outer)
        return std::nullopt;
    return SitesQuestion{.plan = result.plan,
                         .parameters = result.parameters.total + result.parameters.mtp,
                         .stepSeconds = inner_step_seconds(result),
                         .rounds = result.outer->rounds,
                         .flops = result.flops.per_token * result.run.tokens};
}

} // namespace meshwright

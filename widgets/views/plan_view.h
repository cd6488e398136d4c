// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/result.h"

#include <nlohmann/json_fwd.hpp>

#include <memory>
#include <vector>

namespace meshwright {

/// How the last valid result stands to the plan as it is written now.
enum class Freshness {
    Fresh, ///< the result is this plan's
    Computing, ///< the plan was edited a moment ago; too short a time to be worth a mark
    Late, ///< still computing after Theme::StaleAfter: tinted
    Invalid ///< the plan cannot be evaluated; the result is that of the last plan that could
};

inline bool isStale(Freshness freshness) {
    return freshness == Freshness::Late || freshness == Freshness::Invalid;
}

/// What every panel and card shows: the plan as written, what is wrong with it, and the last valid result.
struct PlanView {
    std::shared_ptr<const nlohmann::ordered_json> document; ///< as the user wrote it, never null
    Plan plan; ///< the document as far as it reads, with defaults
    std::vector<Diagnostic> diagnostics; ///< of this document, fixes included once they are known
    bool diagnosticsComplete = false; ///< false while fixes are still being evaluated
    bool valid = true; ///< the document can be evaluated
    std::shared_ptr<const Result> result; ///< null until a first plan was valid
    std::shared_ptr<const Result> asOpened; ///< the first result since the plan was opened
    Freshness freshness = Freshness::Computing;
    double milliseconds = 0; ///< that the last evaluation took
};

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/result.h"

#include <nlohmann/json_fwd.hpp>

#include <memory>
#include <vector>

namespace meshwright {

/// Whether the last valid result belongs to the current plan.
enum class Freshness {
    Fresh, ///< the result belongs to this plan
    Computing, ///< being evaluated after an edit, but not yet for long enough to be marked
    Late, ///< being evaluated for longer than Theme::StaleAfter: results are tinted
    Invalid ///< the plan cannot be evaluated; the result belongs to the last valid plan
};

inline bool isStale(Freshness freshness) {
    return freshness == Freshness::Late || freshness == Freshness::Invalid;
}

/// The state that all panels and cards show: the current plan, its diagnostics, and the last valid result.
struct PlanView {
    std::shared_ptr<const nlohmann::ordered_json> document; ///< document as the user wrote it, never null
    Plan plan; ///< the readable part of the document, with defaults filled in
    std::vector<Diagnostic> diagnostics; ///< problems of this document; their fixes follow once they are evaluated
    bool diagnosticsComplete = false; ///< false while fixes are still being evaluated
    bool valid = true; ///< the document can be evaluated
    std::shared_ptr<const Result> result; ///< null until a plan was valid
    std::shared_ptr<const Result> asOpened; ///< the first result since the plan was opened
    Freshness freshness = Freshness::Computing;
    double milliseconds = 0; ///< duration of the last evaluation
};

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/result.h"

#include <nlohmann/json_fwd.hpp>

#include <memory>
#include <vector>

namespace meshwright {

enum class Freshness {
    Fresh,
    Computing, ///< being evaluated after an edit, for less than Theme::StaleAfter
    Late, ///< being evaluated for longer than Theme::StaleAfter, so results are tinted
    Invalid ///< the plan cannot be evaluated; the result is that of the last valid plan
};

inline bool isStale(Freshness freshness) {
    return freshness == Freshness::Late || freshness == Freshness::Invalid;
}

/// State that all panels and cards show: the current plan, its diagnostics, and the last valid result.
struct PlanView {
    std::shared_ptr<const nlohmann::ordered_json> document; ///< document as the user wrote it; never null
    Plan plan; ///< what could be read of the document, with defaults
    std::vector<Diagnostic> diagnostics; ///< problems in this document; fixes are added once they are evaluated
    bool diagnosticsComplete = false; ///< false while fixes are still being evaluated
    bool valid = true;
    std::shared_ptr<const Result> result; ///< last valid result; null before the first valid plan
    std::shared_ptr<const Result> asOpened; ///< first result after the plan was opened
    Freshness freshness = Freshness::Computing;
    double milliseconds = 0;
};

} // namespace meshwright

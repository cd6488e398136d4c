// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/constraints.h"
#include "search/search_answer.h"

#include <algorithm>

namespace meshwright {

const LayoutRow *SearchAnswer::presentRow() const {
    const auto own = std::find_if(rows.begin(), rows.end(), [](const LayoutRow &row) { return row.present; });
    return own == rows.end() ? nullptr : &*own;
}

Standing SearchAnswer::presentStanding() const {
    const LayoutRow *own = presentRow();
    const Constraints constraints = constraints_of(question.plan);
    if (own == nullptr || !present->verdict.fits)
        return Standing::too_large;
    if (own->entry.headroom_bytes < headroom_bytes)
        return Standing::headroom;
    if (!own->entry.runnable && !constraints.any_software)
        return Standing::software;
    for (std::size_t i = 0; i < configuration_field_count; ++i) {
        const auto field = static_cast<ConfigurationField>(i);
        const std::int64_t value = value_of(question.plan, field);
        if (!constraints.admits(field, value, value))
            return Standing::constraints;
    }
    return own->rank > 0 ? Standing::ranked : Standing::beyond;
}

bool SearchAnswer::presentHolds() const {
    const Standing standing = presentStanding();
    return standing != Standing::too_large && standing != Standing::headroom && standing != Standing::software;
}

const LayoutRow *SearchAnswer::recommendedRow() const {
    return found.recommended && *found.recommended < rows.size() ? &rows[*found.recommended] : nullptr;
}

bool SearchAnswer::gains(const LayoutRow &row) const {
    constexpr double worthChanging = 0.005;
    const LayoutRow *own = presentRow();
    return own == nullptr || !present->verdict.fits
        || figureOf(row.entry, question.objective) < (1 - worthChanging) * figureOf(own->entry, question.objective);
}

const LayoutRow *SearchAnswer::offeredRow() const {
    const bool holds = presentHolds();
    const LayoutRow *wanted = recommendedRow();
    if (wanted != nullptr && wanted->present)
        wanted = holds ? wanted : nullptr;
    if (wanted != nullptr && (wanted->present || gains(*wanted)))
        return wanted;
    const auto first = std::find_if(rows.begin(), rows.end(),
                                    [&](const LayoutRow &row) { return row.rank > 0 && (holds || !row.present); });
    if (first == rows.end())
        return nullptr;
    return holds || wanted == nullptr || gains(*first) ? &*first : wanted;
}

int SearchAnswer::tiedCount() const {
    return static_cast<int>(
        std::count_if(rows.begin(), rows.end(), [](const LayoutRow &row) { return row.rank > 0 && row.entry.tied; }));
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/valid_values.h"
#include "search/configuration_table.h"
#include "search/configuration_table_model.h"
#include "theme/theme.h"

#include <algorithm>

namespace meshwright {

namespace {

constexpr int cellPadding = 8;
constexpr int maxTextWidth = 132; ///< maximum width of a text column in pixels, unless there is space for more
constexpr int pinWidth = 36;

} // namespace

bool ConfigurationTable::isUsed(ColumnUse use) const {
    const SearchAnswer &answer = *m_selection->answer();
    const Objective objective = answer.question.objective;
    switch (use) {
    case ColumnUse::gains: // a plan that does not fit is no baseline for gains
        return answer.present->verdict.fits;
    case ColumnUse::experts:
        return routed_experts(answer.question.plan.model) > 0;
    case ColumnUse::differing:
        return std::any_of(answer.rows.begin(), answer.rows.end(), [&](const LayoutRow &row) {
            return row.entry.plan.parallelism.sequence_parallel != answer.question.plan.parallelism.sequence_parallel;
        });
    case ColumnUse::filtering:
        return false;
    case ColumnUse::software:
        return constraints_of(answer.question.plan).any_software
            || std::any_of(answer.rows.begin(), answer.rows.end(),
                           [](const LayoutRow &row) { return !row.entry.runnable; });
    case ColumnUse::cost:
        return objective == Objective::cost || objective == Objective::tokens_per_dollar;
    case ColumnUse::energy:
        return objective == Objective::energy;
    case ColumnUse::accelerators:
        return objective == Objective::accelerators;
    case ColumnUse::always:
        break;
    }
    return true;
}

void ConfigurationTable::arrangeColumns() {
    const SearchAnswer *answer = m_selection->answer();
    if (answer == nullptr)
        return;
    const QFontMetrics metrics(Theme::of(this).font(TypeRole::Body, TextWeight::SemiBold));
    // Measures at most 64 rows, evenly spaced, to determine the widths.
    const std::vector<LayoutRow> &rows = m_selection->rows();
    const std::size_t stride = rows.size() / 64 + 1;
    std::vector<int> wanted;
    std::vector<int> widths;
    for (std::size_t i = 0; i < layoutColumns().size(); ++i) {
        const int section = static_cast<int>(i);
        const auto asked = m_asked.find(section);
        setColumnHidden(section, asked != m_asked.end() ? !asked->second : !isUsed(layoutColumns()[i].use));
        const int title = m_header->sectionSizeFromContents(section).width();
        int width = title;
        for (std::size_t at = 0; at < rows.size(); at += stride)
            width = std::max(width,
                             metrics.horizontalAdvance(m_selection->figures().text(rows[at], static_cast<ColumnId>(i)))
                                 + 2 * cellPadding);
        wanted.push_back(static_cast<ColumnId>(i) == ColumnId::pin ? pinWidth : width);
        widths.push_back(std::min(wanted.back(), std::max(title, maxTextWidth)));
    }
    makeRoom(widths);
    int room = viewport()->width();
    for (std::size_t i = 0; i < widths.size(); ++i)
        room -= isColumnHidden(static_cast<int>(i)) ? 0 : widths[i];
    // Remaining width goes to truncated columns first, then evenly to all columns.
    const int shown = static_cast<int>(layoutColumns().size()) - m_header->hiddenSectionCount();
    for (std::size_t i = 0; i < widths.size(); ++i) {
        const int more =
            isColumnHidden(static_cast<int>(i)) ? 0 : std::clamp(wanted[i] - widths[i], 0, std::max(0, room));
        widths[i] += more;
        room -= more;
    }
    for (std::size_t i = 0; i < widths.size(); ++i)
        m_header->resizeSection(static_cast<int>(i), widths[i] + std::max(0, room) / std::max(1, shown));
}

void ConfigurationTable::makeRoom(const std::vector<int> &widths) {
    int missing = -viewport()->width();
    for (std::size_t i = 0; i < widths.size(); ++i)
        missing += isColumnHidden(static_cast<int>(i)) ? 0 : widths[i];
    const std::vector<LayoutRow> &rows = m_selection->rows();
    for (std::size_t i = widths.size(); i-- > 0 && missing > 0;) {
        const int section = static_cast<int>(i);
        const std::optional<ConfigurationField> field = layoutColumns()[i].field;
        if (isColumnHidden(section) || !field || rows.empty() || m_asked.contains(section))
            continue;
        const std::int64_t first = value_of(rows.front().entry.plan, *field);
        if (!std::all_of(rows.begin(), rows.end(),
                         [&](const LayoutRow &row) { return value_of(row.entry.plan, *field) == first; }))
            continue;
        setColumnHidden(section, true);
        missing -= widths[i];
    }
}

} // namespace meshwright

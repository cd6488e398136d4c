// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "search/search_answer.h"

#include <QString>

#include <optional>
#include <vector>

namespace meshwright {

/// What a column's figure is of: decides when it is shown.
enum class ColumnUse { always, experts, differing, filtering, cost, energy, accelerators };

/// One column of the table of layouts.
struct LayoutColumn {
    QString key; ///< what a filter calls it: "tensor"
    QString title;
    QString explanation;
    std::optional<LayoutField> field; ///< that it shows, and a lock on it holds
    QString figure; ///< path in the result of the plan's own row; empty: an input
    ColumnUse use = ColumnUse::always;
    bool isText = false; ///< sorted and aligned as words
};

/// Their places.
enum class ColumnId {
    rank,
    step,
    gain,
    peak,
    headroom,
    tensor,
    context,
    pipeline,
    chunks,
    expert,
    data,
    micro,
    sequence,
    zero,
    recompute,
    schedule,
    mfu,
    cost,
    energy,
    accelerators
};
const std::vector<LayoutColumn> &layoutColumns();

/// Of one answer's rows: what is compared and shown.
class LayoutFigures {
public:
    LayoutFigures() = default;
    explicit LayoutFigures(const SearchAnswer &answer);

    /// For sorting and filtering; in the unit that is shown.
    double value(const LayoutRow &row, ColumnId column) const;
    QString text(const LayoutRow &row, ColumnId column) const;
    /// Against the plan, by the objective; negative is better.
    double gain(const SearchEntry &entry) const;
    /// Path of the figure that the objective compares.
    QString compared() const;

private:
    Objective m_objective = Objective::time;
    bool m_stepsCompare = true;
    double m_present = 0;
};

} // namespace meshwright

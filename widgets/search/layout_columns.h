// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "search/search_answer.h"

#include <QString>

#include <optional>
#include <vector>

namespace meshwright {

/// What a column's figure is of: decides when it is shown.
enum class ColumnUse { always, gains, experts, differing, filtering, software, cost, energy, accelerators };

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
    pin,
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
    software,
    mfu,
    cost,
    energy,
    accelerators
};
const std::vector<LayoutColumn> &layoutColumns();

/// Where a row stands: "Rank 3", or why it has none.
QString placeText(const SearchAnswer &answer, const LayoutRow &row);

/// What the figures of one answer's rows are, and how they compare with the plan's.
class LayoutFigures {
public:
    LayoutFigures() = default;
    explicit LayoutFigures(const SearchAnswer &answer);

    /// For sorting and filtering; in the unit that is shown.
    double value(const LayoutRow &row, ColumnId column) const;
    QString text(const LayoutRow &row, ColumnId column) const;
    /// By how much it is better than the plan by the objective, as a fraction of the plan's figure; negative is worse.
    double gain(const SearchEntry &entry) const;
    /// The same of the step alone.
    double stepGain(const SearchEntry &entry) const;
    /// Whether the run gains another fraction than its steps do: sites, failures or another batch come between.
    bool runDiffers(const SearchEntry &entry) const;
    /// Path of the figure that the objective compares.
    QString compared() const { return figurePathOf(m_objective); }
    /// Whether a text is one of the names that a column's values can have, as plans or the window spell them.
    static bool isName(ColumnId column, const QString &text);
    /// The names of a row's own value.
    QStringList names(const LayoutRow &row, ColumnId column) const;

private:
    Objective m_objective = Objective::time;
    double m_present = 0;
    double m_presentStep = 0;
};

} // namespace meshwright

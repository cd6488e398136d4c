// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "search/search_answer.h"

#include <QString>

#include <optional>
#include <vector>

namespace meshwright {

/// Condition for showing a column by default: always, or only if the plan, objective or constraints make it useful.
enum class ColumnUse { always, gains, experts, differing, filtering, software, cost, energy, accelerators };

struct ConfigurationColumn {
    QString key; ///< name in filters, such as "tensor"
    QString title;
    QString explanation;
    std::optional<ConfigurationField> field; ///< setting in the column, whose value the padlock fixes
    QString figure; ///< path of the figure in a result; empty for a setting
    ColumnUse use = ColumnUse::always;
    bool isText = false;
};

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
const std::vector<ConfigurationColumn> &layoutColumns();

/// A row's rank, such as "Rank 3", or why it has none.
QString placeText(const SearchAnswer &answer, const LayoutRow &row);

class ConfigurationFigures {
public:
    ConfigurationFigures() = default;
    explicit ConfigurationFigures(const SearchAnswer &answer);

    /// Value for sorting and filtering, in the column's unit.
    double value(const LayoutRow &row, ColumnId column) const;
    QString text(const LayoutRow &row, ColumnId column) const;
    /// Gain in the objective, as a fraction of the plan's value. Negative if worse than the plan.
    double gain(const SearchEntry &entry) const;
    double stepGain(const SearchEntry &entry) const;
    /// Whether the gains in run time and step time differ, because of sites, failures or another batch size.
    bool runDiffers(const SearchEntry &entry) const;
    QString compared() const { return figurePathOf(m_objective); }
    /// Whether a text is the complete name of one of a column's values, as spelled in plans or in the window.
    static bool isName(ColumnId column, const QString &text);
    QStringList names(const LayoutRow &row, ColumnId column) const;

private:
    Objective m_objective = Objective::time;
    double m_present = 0;
    double m_presentStep = 0;
};

} // namespace meshwright

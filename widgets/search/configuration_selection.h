// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_ref.h"
#include "search/configuration_columns.h"

#include <QMap>
#include <QObject>
#include <QString>

#include <functional>
#include <utility>
#include <vector>

namespace meshwright {

struct ColumnRange {
    double low = 0;
    double high = 0;
    bool operator==(const ColumnRange &) const = default;
};

/// State that the table and the charts share: the answer, which rows pass the filter and the brushes, which are pinned,
/// and which one is selected or hovered. Rows are indexed as in the answer, followed by pinned configurations that the
/// answer does not list.
class ConfigurationSelection : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    /// Keeps the filter and the brushes. Keeps the selected configuration if the new answer lists it.
    void setAnswer(SearchAnswerPointer answer);
    const SearchAnswer *answer() const { return m_answer.get(); }
    const std::vector<LayoutRow> &rows() const;
    /// Row that the answer recommends to apply; -1 for none.
    int offered() const;
    const ConfigurationFigures &figures() const { return m_figures; }

    using PatchOf = std::function<QString(const SearchEntry &)>;
    void setPatchOf(PatchOf patchOf) { m_patchOf = std::move(patchOf); }
    /// Reference to the figure in a cell of the table; empty if the cell has no figure. In the plan's own row the
    /// figure belongs to the plan, in other rows to the plan with the configuration applied. In the gain column, it is
    /// the gain over the plan.
    FigureRef pathOf(const LayoutRow &row, ColumnId column) const;
    FigureRef pathOf(const LayoutRow &row, const QString &figure) const;
    /// Reference to a row's gain over the plan in a figure, as a fraction; empty for the plan's own row.
    FigureRef gainPathOf(const LayoutRow &row, const QString &figure) const;
    /// The merge patch that applies a row; empty for the plan's own row.
    QString patchOf(const LayoutRow &row) const { return row.present || !m_patchOf ? QString() : m_patchOf(row.entry); }

    /// Filters by terms such as "tensor=4 step<6 interleaved": comparisons by column, and words that a row's texts must
    /// contain. @returns the terms that are ignored because they are not understood
    QString setFilter(const QString &text);
    void setBrush(ColumnId column, const std::optional<ColumnRange> &range);
    std::optional<ColumnRange> brush(ColumnId column) const;
    bool hasBrushes() const { return !m_brushes.isEmpty(); }
    void clearBrushes();

    bool isLeft(int row) const { return row >= 0 && row < int(m_left.size()) && m_left[static_cast<std::size_t>(row)]; }
    int leftCount() const { return m_leftCount; }
    int chosen() const { return m_chosen; }
    /// Sets whether the plan has warnings. A plan with warnings is not called the best.
    void setPresentWarned(bool warned) { m_presentWarned = warned; }
    bool isPresentWarned() const { return m_presentWarned; }
    int pointed() const { return m_pointed; }

    /// Pins or unpins a configuration. A pinned configuration stays visible regardless of filter, brushes and new
    /// searches. A fifth pin replaces the oldest.
    void togglePin(int row);

public Q_SLOTS:
    void choose(int row);
    void point(int row);

Q_SIGNALS:
    void answerChanged();
    void leftChanged(); ///< emitted if the set of rows that pass filter and brushes has changed
    void chosenChanged(int row);
    void pointedChanged(int row);
    void applyWanted(int row);

private:
    struct Condition {
        std::optional<ColumnId> column; ///< unset if any text column may contain `word`
        QString comparison;
        double number = 0;
        QString word;
    };
    static std::optional<Condition> conditionOf(const QString &token);
    bool passes(const LayoutRow &row, const Condition &condition) const;
    void sift();
    void gather();

    static constexpr std::size_t maxPins = 4;

    SearchAnswerPointer m_answer;
    std::vector<LayoutRow> m_pins; ///< oldest first
    std::vector<LayoutRow>
        m_rows; ///< rows of the answer, followed by pinned rows; filled only while something is pinned
    ConfigurationFigures m_figures;
    PatchOf m_patchOf;
    std::vector<Condition> m_conditions;
    QMap<int, ColumnRange> m_brushes;
    std::vector<bool> m_left;
    int m_leftCount = 0;
    bool m_presentWarned = false;
    int m_chosen = -1;
    int m_pointed = -1;
};

} // namespace meshwright

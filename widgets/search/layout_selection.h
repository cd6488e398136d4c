// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_ref.h"
#include "search/layout_columns.h"

#include <QMap>
#include <QObject>
#include <QString>

#include <functional>
#include <utility>
#include <vector>

namespace meshwright {

/// A range of a column's values.
struct ColumnRange {
    double low = 0;
    double high = 0;
    bool operator==(const ColumnRange &) const = default;
};

/// What table and charts share: the answer, which of its rows are left by filter and brushes, which are pinned, and
/// which is chosen or pointed at. Rows go by their place in the answer; pinned layouts that it does not list follow.
class LayoutSelection : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    /// Filter and brushes stay; the choice stays with its layout where that is still there.
    void setAnswer(SearchAnswerPointer answer);
    const SearchAnswer *answer() const { return m_answer.get(); }
    const std::vector<LayoutRow> &rows() const;
    /// The row that the answer offers to apply; -1 for none.
    int offered() const;
    const LayoutFigures &figures() const { return m_figures; }

    /// Gives the merge patch that makes the plan a layout's.
    using PatchOf = std::function<QString(const SearchEntry &)>;
    void setPatchOf(PatchOf patchOf) { m_patchOf = std::move(patchOf); }
    /// Path of a figure of a row's evaluation, as a cell of the table shows it: of the plan's own, or of the plan that
    /// the layout makes; for the gain, of how far that is from the plan's. Empty where it has none.
    FigureRef pathOf(const LayoutRow &row, ColumnId column) const;
    FigureRef pathOf(const LayoutRow &row, const QString &figure) const;
    /// Path of how far a row's figure is from the plan's, as a fraction of it; empty for the plan's own row.
    FigureRef gainPathOf(const LayoutRow &row, const QString &figure) const;
    /// The merge patch of a row; empty for the present plan.
    QString patchOf(const LayoutRow &row) const { return row.present || !m_patchOf ? QString() : m_patchOf(row.entry); }

    /// "tensor=4 step<6 interleaved": comparisons of columns, and words that a row's texts hold. Returns what of it is
    /// not understood; that part is left out.
    QString setFilter(const QString &text);
    void setBrush(ColumnId column, const std::optional<ColumnRange> &range);
    std::optional<ColumnRange> brush(ColumnId column) const;
    bool hasBrushes() const { return !m_brushes.isEmpty(); }
    void clearBrushes();

    bool isLeft(int row) const { return row >= 0 && row < int(m_left.size()) && m_left[static_cast<std::size_t>(row)]; }
    int leftCount() const { return m_leftCount; }
    int chosen() const { return m_chosen; }
    /// Whether the plan has warnings: then nobody is told that it is the best there is.
    void setPresentWarned(bool warned) { m_presentWarned = warned; }
    bool isPresentWarned() const { return m_presentWarned; }
    int pointed() const { return m_pointed; }

    /// Pins a layout, or releases it: it stays in sight whatever is filtered, brushed or searched next. Of more than
    /// four the first pinned goes.
    void togglePin(int row);

public Q_SLOTS:
    /// -1 for none.
    void choose(int row);
    void point(int row);

Q_SIGNALS:
    void answerChanged();
    void leftChanged(); ///< other rows are left
    void chosenChanged(int row);
    void pointedChanged(int row);
    void applyWanted(int row);

private:
    struct Condition {
        std::optional<ColumnId> column; ///< unset: any text holds `word`
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
    std::vector<LayoutRow> m_pins; ///< first pinned first
    std::vector<LayoutRow> m_rows; ///< of the answer and of the pins; empty without pins
    LayoutFigures m_figures;
    PatchOf m_patchOf;
    std::vector<Condition> m_conditions;
    QMap<int, ColumnRange> m_brushes; ///< by column
    std::vector<bool> m_left;
    int m_leftCount = 0;
    bool m_presentWarned = false;
    int m_chosen = -1;
    int m_pointed = -1;
};

} // namespace meshwright

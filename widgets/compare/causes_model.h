// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "compare/comparison_run.h"
#include "figures/figure_ref.h"
#include "theme/roles.h"

#include <QAbstractTableModel>

#include <vector>

namespace meshwright {

/// The difference of one figure between plan A and another plan as the rows of a waterfall: the figure of A, the effect
/// of each group of fields, the figure of the other plan.
class CausesModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Cause, Bar, InOrder, Alone, Interaction, ColumnCount };
    enum Role {
        FromRole = Qt::UserRole + 60, ///< double: where the row's bar begins; 0 for a total
        ToRole, ///< double: where the row's bar ends
        TotalRole, ///< bool: whether the row is a whole figure and not an effect
        ToneRole ///< int, a Tone: whether an effect is an improvement
    };
    /// The ends of the scale that all bars share.
    struct Range {
        double low = 0;
        double high = 1;
    };

    using QAbstractTableModel::QAbstractTableModel;

    /// @param figure  result path of the figure  @param plan  compared with plan A
    void setComparison(const ComparisonPointer &run, const QString &figure, int plan);
    Range range() const { return m_range; }
    /// Whether the two plans differ in this figure.
    bool hasCauses() const { return m_rows.size() > 2; }

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row {
        const ComparedCause *cause = nullptr; ///< null for a total
        std::size_t index = 0; ///< index of the cause in the comparison
        int plan = 0; ///< for a total: index of its plan
        double from = 0;
        double to = 0;
    };
    void gather(const ComparedFigure &figure);
    void setRange();
    QString text(const Row &row, int column) const;
    FigureRef figureOf(const Row &row, int column) const;
    QString explanation(const Row &row) const;

    ComparisonPointer m_run;
    const ComparedFigure *m_figure = nullptr;
    int m_plan = 1;
    std::vector<Row> m_rows;
    Range m_range;
};

} // namespace meshwright

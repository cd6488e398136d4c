// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "compare/comparison_run.h"
#include "figures/figure_ref.h"
#include "theme/roles.h"

#include <QAbstractTableModel>

#include <vector>

namespace meshwright {

/// Waterfall rows that explain how one figure differs between plan A and another plan: the figure of A, the effect of
/// each group of fields, the other plan's figure.
class CausesModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Cause, Bar, InOrder, Alone, Interaction, ColumnCount };
    enum Role {
        FromRole = Qt::UserRole + 60, ///< double: start of the row's bar; 0 for a total
        ToRole, ///< double: end of the row's bar
        TotalRole, ///< bool: the row is a total, not an effect
        ToneRole ///< int, a Tone: improvement or deterioration
    };
    struct Range {
        double low = 0;
        double high = 1;
    };

    using QAbstractTableModel::QAbstractTableModel;

    /// @param figure  result path of the figure
    /// @param plan  plan to compare with plan A
    void setComparison(const ComparisonPointer &run, const QString &figure, int plan);
    Range range() const { return m_range; }
    bool hasCauses() const { return m_rows.size() > 2; }

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row {
        const ComparedCause *cause = nullptr; ///< null if the row is a total
        std::size_t index = 0;
        int plan = 0; ///< index of the plan, if the row is a total
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

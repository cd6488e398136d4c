// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "compare/comparison_run.h"
#include "figures/figure_ref.h"
#include "theme/roles.h"

#include <QAbstractTableModel>
#include <QStringList>

namespace meshwright {

/// Reference to a figure of a compared plan. Plan 0 is the current plan; the view names the others by their letters.
FigureRef comparedFigure(const QString &path, int plan);

/// Names of the plans for column headings and rows: "A · This plan", "B · FSDP".
QStringList comparedNames(const PlanComparison &comparison);

/// A change as text with its sign: "+1.2 s", "−3.4 GB".
QString signedText(double change, Quantity quantity);

/// Formats a relative change as a percentage, or as a multiple if the figure more than triples: "−12.4%", "× 4.4".
/// Empty below 0.05%.
QString relativeChangeText(double change);

/// Whether a difference of a figure is an improvement, a deterioration, or neither.
Tone toneOf(const ComparedFigure &figure, double change);

/// Figures of all plans side by side: one row per figure, and one column per plan after the column of names.
class ComparedFiguresModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Role {
        ChangeRole = Qt::UserRole + 60, ///< QString: the change from plan A, such as "−12.4%"; may be empty
        ToneRole, ///< int, a Tone: whether the change is an improvement
        ShareRole ///< double: the value as a fraction of the largest in the row; may be unset
    };

    using QAbstractTableModel::QAbstractTableModel;

    void setComparison(const ComparisonPointer &run);
    void setDifferencesOnly(bool only);
    bool differencesOnly() const { return m_only; }
    const ComparedFigure &figureOfRow(int row) const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void sift();
    bool differs(const ComparedFigure &figure) const;
    QString changeText(const ComparedFigure &figure, int plan) const;

    ComparisonPointer m_run;
    QStringList m_names;
    std::vector<std::size_t> m_shown;
    bool m_only = false;
};

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_ref.h"
#include "search/configuration_selection.h"

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

namespace meshwright {

class ConfigurationTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Role {
        SortRole = Qt::UserRole,
        ShareRole, ///< length of the bar in a cell, 0 to 1; invalid for no bar
        PresentRole, ///< whether the row is the plan itself
        BestRole,
        PinRole,
        TiedRole, ///< whether the row ties with the best
        RecommendedRole,
        PointedRole, ///< whether the pointer is over the row, in the table or in a chart
        ToneRole, ///< the Tone of the text; invalid for plain text
        FigureRole ///< FigureRef into the result of the plan or of the row's configuration
    };

    explicit ConfigurationTableModel(ConfigurationSelection *selection, QObject *parent = nullptr);

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    QVariant share(const LayoutRow &row, ColumnId column) const;
    QVariant toolTip(const LayoutRow &row, ColumnId column) const;
    QVariant tone(const LayoutRow &row, ColumnId column) const;

    ConfigurationSelection *m_selection;
    double m_longestStep = 0;
    bool m_runsDiffer = false;
};

/// The rows that match the filter and the brushes, sorted by a column.
class ConfigurationSortModel : public QSortFilterProxyModel {
    Q_OBJECT

public:
    explicit ConfigurationSortModel(ConfigurationSelection *selection, QObject *parent = nullptr);

protected:
    bool filterAcceptsRow(int row, const QModelIndex &parent) const override;

private:
    ConfigurationSelection *m_selection;
};

} // namespace meshwright

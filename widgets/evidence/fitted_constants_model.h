// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "calibration/machine_fit.h"

#include <QAbstractTableModel>

#include <memory>

namespace meshwright {

/// Constants that affect the measured runs, with the default, the fitted value, and how well the runs determine it.
class FittedConstantsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Name, Registry, Fitted, Place, Information, ColumnCount };
    /// Position of the default and of the fitted value in the range, 0 to 1.
    static constexpr int BeforeRole = Qt::UserRole + 1;
    static constexpr int AfterRole = Qt::UserRole + 2;

    using QAbstractTableModel::QAbstractTableModel;

    void setFit(std::shared_ptr<const MachineFit> fit);

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString textOf(const FittedConstant &fitted, int column) const;

    std::shared_ptr<const MachineFit> m_fit;
};

} // namespace meshwright

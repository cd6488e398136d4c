// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "explain/influence_card.h"
#include "figures/figure_ref.h"
#include "formulas/derivation.h"
#include "views/plan_edit.h"
#include "views/plan_view.h"

#include <QAbstractTableModel>

#include <optional>
#include <vector>

namespace meshwright {

/// All assumptions with their values in the current plan. Changing a value edits the plan.
class AssumptionsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Name, Value, Range, Origin, StepBar, Step, Memory, ColumnCount };
    static constexpr int ShareRole = Qt::UserRole + 1; ///< effect on the step time relative to the largest, 0 to 1
    static constexpr int WordsRole = Qt::UserRole + 2; ///< text of the row that a filter searches
    static constexpr int OverriddenRole = Qt::UserRole + 3;
    static constexpr int ChoicesRole = Qt::UserRole + 4; ///< QStringList; empty for a number

    using QAbstractTableModel::QAbstractTableModel;

    void showPlan(const PlanView &view);
    const Plan &plan() const { return m_view.plan; }
    void setInfluences(const std::vector<Influence> &step, const std::vector<Influence> &memory);
    std::optional<Derivation> derivationOf(const QString &figure) const;
    bool isOverridden(int row) const;
    void reset(int row);
    void resetAll();
    int overridden() const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    bool setData(const QModelIndex &index, const QVariant &value, int role) override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

Q_SIGNALS:
    void edited(const meshwright::PlanEdit &edit);
    void refused(const QString &why);

private:
    QString textOf(int row, int column) const;
    FigureRef figureOf(int row, int column) const;

    PlanView m_view;
    std::vector<std::optional<ShownInfluence>> m_step; ///< by row; empty if the assumption has no influence
    std::vector<std::optional<ShownInfluence>> m_memory;
    double m_widest = 0;
};

} // namespace meshwright

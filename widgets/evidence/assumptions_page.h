// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidence/evidence_runner.h"
#include "views/plan_edit.h"
#include "views/plan_view.h"

#include <QWidget>

#include <functional>

class QLineEdit;
class QPushButton;
class QSortFilterProxyModel;
class QTableView;

namespace meshwright {

class AssumptionsModel;
class Card;
class InfluenceCard;
class TextLabel;

/// Lists the model's constants, which a plan can override, with value, range, provenance and source. Also lists the
/// constants and plan fields with the largest effect on step time and peak memory.
class AssumptionsPage : public QWidget {
    Q_OBJECT

public:
    explicit AssumptionsPage(QWidget *parent = nullptr);

    void showPlan(const PlanView &view);
    void showAnswer(const EvidenceAnswer &answer);
    /// @param hasField  returns whether the panels have a field for a JSON pointer
    void setFieldQuestion(const std::function<bool(const QString &)> &hasField);
    /// Returns false if the JSON pointer does not name a constant.
    bool showConstant(const QString &pointer);

    AssumptionsModel *model() const { return m_model; }
    QTableView *table() const { return m_table; }

Q_SIGNALS:
    void edited(const meshwright::PlanEdit &edit);
    void refused(const QString &why);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    Card *newTable();
    QWidget *newSide();
    void showCurrent();
    int currentRow() const;

    AssumptionsModel *m_model;
    QSortFilterProxyModel *m_proxy;
    QTableView *m_table;
    QLineEdit *m_filter;
    QPushButton *m_reset;
    QPushButton *m_resetAll;
    TextLabel *m_meaning;
    TextLabel *m_source;
    Card *m_card = nullptr;
    InfluenceCard *m_step;
    InfluenceCard *m_memory;
    TextLabel *m_nothing; ///< message instead of the influences if there is no valid plan
};

} // namespace meshwright

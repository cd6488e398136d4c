// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "compare/compared_plan.h"
#include "controls/card.h"
#include "theme/roles.h"

#include <QVector>
#include <QWidget>

class QHBoxLayout;
class QToolButton;

namespace meshwright {

class Pill;
class TextLabel;

/// One compared plan as a small card: letter and name, origin, and whether it fits. Plans other than the current one
/// have buttons that open and remove them.
class PlanHead : public Card {
    Q_OBJECT

public:
    explicit PlanHead(int plan, QWidget *parent = nullptr);

    void showPlan(const ComparedPlan &plan);
    void setVerdict(const QString &text, Tone tone);
    QToolButton *openButton() const { return m_open; }
    QToolButton *removeButton() const { return m_remove; }

Q_SIGNALS:
    void openWanted(int plan);
    void removeWanted(int plan);

private:
    QToolButton *newButton(const QString &icon, const QString &tip);

    int m_plan;
    TextLabel *m_name;
    TextLabel *m_origin;
    Pill *m_verdict;
    QToolButton *m_open = nullptr;
    QToolButton *m_remove = nullptr;
};

/// The compared plans in a row, the current one first.
class PlanHeads : public QWidget {
    Q_OBJECT

public:
    explicit PlanHeads(QWidget *parent = nullptr);

    void showPlans(const QVector<ComparedPlan> &plans);
    PlanHead *head(int plan) const { return m_heads.value(plan); }

Q_SIGNALS:
    void openWanted(int plan);
    void removeWanted(int plan);

private:
    QHBoxLayout *m_row;
    QVector<PlanHead *> m_heads;
};

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "search/goal_seek.h"

#include <QWidget>

class QPushButton;

namespace meshwright {

class FigureSentence;
class TextLabel;

/// One proposal for a goal: its changes, their effect on the other key figures, and a button that applies it.
class GoalRow : public QWidget {
    Q_OBJECT

public:
    explicit GoalRow(QWidget *parent = nullptr);
    /// @param number  position in the list from 1, or 0 for the change that comes closest to the goal without reaching
    /// it
    void showProposal(const GoalAnswer &answer, const Proposal &proposal, int number);
    QPushButton *applyButton() const { return m_apply; }
    QString title() const;
    QString costs() const;

Q_SIGNALS:
    void applied();

private:
    TextLabel *m_title;
    FigureSentence *m_costs;
    TextLabel *m_notes;
    QPushButton *m_apply;
};

} // namespace meshwright

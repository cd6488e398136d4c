// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controls/card.h"
#include "input/diagnostic.h"

#include <vector>

namespace meshwright {

struct PlanView;
class Pill;
class ProblemRow;
class Rule;
class TextLabel;

/// Everything that is to be said of the plan, the worst first, each with the fixes that one click applies.
class ProblemsCard : public Card {
    Q_OBJECT

public:
    explicit ProblemsCard(QWidget *parent = nullptr);
    void showPlan(const PlanView &view);

Q_SIGNALS:
    void fixChosen(const meshwright::Fix &fix);
    void figureWanted(const QString &path);
    void fieldWanted(const QString &pointer);

private:
    void setRows(const std::vector<Diagnostic> &diagnostics);
    void setCounts(const std::vector<Diagnostic> &diagnostics);
    void addRow();

    std::vector<Diagnostic> m_shown;
    Pill *m_errors;
    Pill *m_warnings;
    Pill *m_hints;
    TextLabel *m_none;
    std::vector<ProblemRow *> m_rows;
    std::vector<Rule *> m_rules; ///< the one above each row; the first is hidden
};

} // namespace meshwright

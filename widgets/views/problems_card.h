// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controls/card.h"
#include "input/diagnostic.h"

#include <QString>

#include <functional>
#include <optional>
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

    /// What a field is called where it is edited, by its JSON pointer: errors of the plan begin with it.
    using FieldName = std::function<QString(const QString &pointer)>;
    /// What a fix changes, as it is read before it is applied.
    using Changes = std::function<QString(const Fix &fix)>;
    void setWords(FieldName fieldName, Changes changes);

Q_SIGNALS:
    void fixChosen(const meshwright::Fix &fix);
    /// A fix is pointed at or has the focus; nothing once it is left.
    void fixConsidered(const std::optional<meshwright::Fix> &fix);

private:
    void setRows(const std::vector<Diagnostic> &diagnostics);
    void setCounts(const std::vector<Diagnostic> &diagnostics);
    QString fieldOf(const Diagnostic &diagnostic) const;
    void addRow();

    FieldName m_fieldName;
    Changes m_changes;
    std::vector<Diagnostic> m_shown;
    bool m_valid = true; ///< the plan of what is shown
    Pill *m_errors;
    Pill *m_warnings;
    Pill *m_hints;
    TextLabel *m_none;
    std::vector<ProblemRow *> m_rows;
    std::vector<Rule *> m_rules; ///< the one above each row; the first is hidden
};

} // namespace meshwright

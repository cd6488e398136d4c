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

/// All diagnostics of the plan, most severe first, each with fixes that one click applies.
class ProblemsCard : public Card {
    Q_OBJECT

public:
    explicit ProblemsCard(QWidget *parent = nullptr);
    void showPlan(const PlanView &view);

    using FieldName = std::function<QString(const QString &pointer)>;
    /// Returns a description of the changes that a fix makes to the current plan.
    using Changes = std::function<QString(const Fix &fix)>;
    void setWords(FieldName fieldName, Changes changes);

Q_SIGNALS:
    void fixChosen(const meshwright::Fix &fix);
    /// The fix under the pointer or with the focus has changed; empty for none.
    void fixConsidered(const std::optional<meshwright::Fix> &fix);

private:
    void setRows(const std::vector<Diagnostic> &diagnostics);
    void setCounts(const std::vector<Diagnostic> &diagnostics);
    QString fieldOf(const Diagnostic &diagnostic) const;
    void addRow();

    FieldName m_fieldName;
    Changes m_changes;
    std::vector<Diagnostic> m_shown;
    bool m_valid = true;
    Pill *m_errors;
    Pill *m_warnings;
    Pill *m_hints;
    TextLabel *m_none;
    std::vector<ProblemRow *> m_rows;
    std::vector<Rule *> m_rules; ///< separator above each row; the first is hidden
};

} // namespace meshwright

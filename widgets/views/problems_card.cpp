// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/problems_card.h"

#include "controls/pill.h"
#include "controls/small_marks.h"
#include "controls/text_label.h"
#include "figures/figure_event.h"
#include "views/plan_view.h"
#include "views/problem_row.h"

#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace meshwright {

ProblemsCard::ProblemsCard(QWidget *parent)
    : Card(tr("Problems and hints"), {}, parent)
    , m_errors(new Pill({}, Tone::Bad, this))
    , m_warnings(new Pill({}, Tone::Warn, this))
    , m_hints(new Pill({}, Tone::Neutral, this))
    , m_none(new TextLabel(tr("No problems or hints."), TypeRole::Body, ColourRole::Text2, TextWeight::Regular, this)) {
    setObjectName(QStringLiteral("problemsCard"));
    for (Pill *counted : {m_errors, m_warnings, m_hints})
        showsNoFigures(counted, NotFigures::name); // the numbers are counts of the rows below
    addTrailing(m_errors);
    addTrailing(m_warnings);
    addTrailing(m_hints);
    contentLayout()->addWidget(m_none);
    setCounts({});
}

void ProblemsCard::showPlan(const PlanView &view) {
    setSubtitle(!view.valid                    ? tr("errors that prevent evaluation")
                    : view.diagnosticsComplete ? tr("every fix has been evaluated")
                                               : tr("fixes are being evaluated"));
    std::vector<Diagnostic> sorted = view.diagnostics;
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const Diagnostic &a, const Diagnostic &b) { return a.severity < b.severity; });
    if (sorted == m_shown && view.valid == m_valid)
        return;
    m_shown = std::move(sorted);
    m_valid = view.valid;
    setRows(m_shown);
    setCounts(m_shown);
}

void ProblemsCard::setWords(FieldName fieldName, Changes changes) {
    m_fieldName = std::move(fieldName);
    m_changes = std::move(changes);
}

void ProblemsCard::setRows(const std::vector<Diagnostic> &diagnostics) {
    while (m_rows.size() < diagnostics.size())
        addRow();
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const bool used = i < diagnostics.size();
        if (used)
            m_rows[i]->setDiagnostic(diagnostics[i], fieldOf(diagnostics[i]), m_changes);
        m_rows[i]->setVisible(used);
        m_rules[i]->setVisible(used && i > 0);
    }
    m_none->setVisible(diagnostics.empty());
}

/// Name of the field that has the error; empty for warnings and hints, whose messages name their figures.
QString ProblemsCard::fieldOf(const Diagnostic &diagnostic) const {
    if (m_valid || !m_fieldName || diagnostic.severity != Severity::error || diagnostic.fields.empty())
        return {};
    return m_fieldName(QString::fromStdString(diagnostic.fields.front()));
}

void ProblemsCard::addRow() {
    auto *rule = new Rule(this);
    auto *row = new ProblemRow(this);
    row->setObjectName(QStringLiteral("problem%1").arg(m_rows.size()));
    connect(row, &ProblemRow::fixChosen, this, [this](const Fix &fix) {
        const Fix chosen = fix; // a copy, because applying the fix assigns another fix to the button
        // Applying a fix changes the rows. Enter must not trigger another fix that takes this button's place.
        setFocus(Qt::OtherFocusReason);
        Q_EMIT fixChosen(chosen);
    });
    connect(row, &ProblemRow::fixConsidered, this, &ProblemsCard::fixConsidered);
    contentLayout()->addWidget(rule);
    contentLayout()->addWidget(row);
    m_rules.push_back(rule);
    m_rows.push_back(row);
}

void ProblemsCard::setCounts(const std::vector<Diagnostic> &diagnostics) {
    const auto count = [&](Severity severity) {
        return static_cast<int>(std::count_if(diagnostics.begin(), diagnostics.end(),
                                              [&](const Diagnostic &d) { return d.severity == severity; }));
    };
    const auto show = [](Pill *pill, int number, const QString &text) {
        pill->setVisible(number > 0);
        pill->setText(text);
    };
    const int errors = count(Severity::error);
    const int warnings = count(Severity::warning);
    const int hints = count(Severity::hint);
    show(m_errors, errors, errors == 1 ? tr("1 error") : tr("%1 errors").arg(errors));
    show(m_warnings, warnings, warnings == 1 ? tr("1 warning") : tr("%1 warnings").arg(warnings));
    show(m_hints, hints, hints == 1 ? tr("1 hint") : tr("%1 hints").arg(hints));
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan_document.h"
#include "plan_evaluator.h"
#include "views/plan_view.h"

#include <QObject>
#include <QTimer>

namespace meshwright {

/// The document, its evaluation, and what follows for every view. Joins the two threads: an edit is shown at once, its
/// result when it comes, and what is older than the plan carries a mark.
class PlanSession : public QObject {
    Q_OBJECT

public:
    explicit PlanSession(const Library &library, QObject *parent = nullptr);

    PlanDocument *document() { return &m_document; }
    PlanEvaluator *evaluator() { return &m_evaluator; }
    const PlanView &view() const { return m_view; }
    const Library &library() const { return m_library; }

Q_SIGNALS:
    /// The plan as written has changed: panels show it.
    void planChanged();
    /// A result, a diagnostic or the freshness has changed: cards show it.
    void resultChanged();

private:
    void readDocument();
    void receive(const Evaluation &evaluation);
    void markLate();

    const Library &m_library;
    PlanDocument m_document;
    PlanEvaluator m_evaluator;
    PlanView m_view;
    QTimer m_late;
    std::uint64_t m_revision = 0; ///< of the document as it is now
    std::uint64_t m_resultOf = 0; ///< the revision that the result is of
    std::uint64_t m_first = 0; ///< of this document as it was opened; older results are another plan's
    bool m_replaced = false;
};

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan_document.h"
#include "plan_evaluator.h"
#include "views/plan_view.h"

#include <QObject>
#include <QTimer>

namespace meshwright {

/// The document, its evaluation and the state of the views. An edit is shown immediately. Until its result arrives, the
/// previous result is marked as stale.
class PlanSession : public QObject {
    Q_OBJECT

public:
    explicit PlanSession(const Library &library, QObject *parent = nullptr);

    PlanDocument *document() { return &m_document; }
    PlanEvaluator *evaluator() { return &m_evaluator; }
    const PlanView &view() const { return m_view; }
    const Library &library() const { return m_library; }

Q_SIGNALS:
    void planChanged();
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
    std::uint64_t m_revision = 0;
    std::uint64_t m_resultOf = 0; ///< revision of the result
    std::uint64_t m_first = 0; ///< first revision of this plan; older results belong to another plan
    bool m_replaced = false;
};

} // namespace meshwright

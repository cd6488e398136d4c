// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan_session.h"

#include "plan/plan_json.h"
#include "theme/theme.h"

#include <nlohmann/json.hpp>

#include <utility>

namespace meshwright {

PlanSession::PlanSession(const Library &library, QObject *parent)
    : QObject(parent)
    , m_library(library)
    , m_document(library)
    , m_evaluator(library) {
    m_view.document = m_document.json();
    m_late.setSingleShot(true);
    m_late.setInterval(Theme::StaleAfter);
    connect(&m_late, &QTimer::timeout, this, &PlanSession::markLate);
    connect(&m_document, &PlanDocument::replaced, this, [this] { m_replaced = true; });
    connect(&m_document, &PlanDocument::changed, this, &PlanSession::readDocument);
    connect(&m_evaluator, &PlanEvaluator::evaluated, this, &PlanSession::receive);
}

void PlanSession::readDocument() {
    PlanReading reading = read_plan(*m_document.json(), m_library);
    m_view.document = m_document.json();
    m_view.valid = reading.valid();
    m_view.plan = std::move(reading.plan);
    m_view.diagnosticsComplete = false;
    if (!m_view.valid) {
        m_view.diagnostics = std::move(reading.diagnostics);
        m_view.freshness = Freshness::Invalid;
    } else if (m_view.freshness != Freshness::Late) {
        m_view.freshness = Freshness::Computing;
    }
    m_revision = m_evaluator.submit(m_document.json());
    if (std::exchange(m_replaced, false)) {
        m_first = m_revision;
        m_view.asOpened.reset();
        // Do not show another plan's numbers for a plan that cannot be evaluated.
        if (!m_view.valid)
            m_view.result.reset();
    }
    if (!m_late.isActive())
        m_late.start();
    Q_EMIT planChanged();
    if (!m_view.valid)
        Q_EMIT resultChanged();
}

void PlanSession::receive(const Evaluation &evaluation) {
    if (evaluation.revision < m_first)
        return;
    const bool newest = evaluation.revision == m_revision;
    if (evaluation.outcome.result) {
        m_view.result = evaluation.outcome.result;
        m_resultOf = evaluation.revision;
        if (!m_view.asOpened)
            m_view.asOpened = m_view.result;
        m_view.milliseconds = evaluation.milliseconds;
    }
    if (!newest) {
        // During a drag, show intermediate results. They do not clear the mark of a stale view.
        if (m_view.valid)
            Q_EMIT resultChanged();
        return;
    }
    m_late.stop();
    m_view.freshness = evaluation.outcome.result ? Freshness::Fresh : Freshness::Invalid;
    m_view.valid = evaluation.outcome.result != nullptr;
    // Some errors are found only by the evaluation; remove the numbers of another plan in that case too.
    if (!m_view.valid && m_resultOf < m_first)
        m_view.result.reset();
    if (evaluation.complete || !m_view.valid) {
        m_view.diagnostics = evaluation.outcome.diagnostics;
        m_view.diagnosticsComplete = evaluation.complete;
    }
    Q_EMIT resultChanged();
}

void PlanSession::markLate() {
    if (m_view.freshness != Freshness::Computing)
        return;
    m_view.freshness = Freshness::Late;
    Q_EMIT resultChanged();
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan_evaluator.h"

#include "advise/complete_result.h"
#include "evaluate/evidence_of_result.h"
#include "input/stop_scope.h"
#include "plan/plan_json.h"

#include <nlohmann/json.hpp>

#include <QTimer>

#include <chrono>
#include <utility>

namespace meshwright {

namespace {

double millisecondsSince(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

/// The result has intervals only if the measured runs are already loaded. Otherwise, the complete evaluation adds the
/// intervals.
Result quickResult(const Plan &plan) {
    Result result = meshwright::evaluate(plan, Depth::numbers);
    if (const auto known = KnownRuns::at_hand(plan.own_assumptions()))
        add_evidence(result, *known);
    return result;
}

/// Evaluates only the numbers, which takes less than a frame.
Outcome numbersOf(const nlohmann::ordered_json &document, const Library &library) {
    PlanReading reading = read_plan(document, library);
    Outcome outcome;
    if (reading.valid())
        outcome.result = std::make_shared<const Result>(quickResult(reading.plan));
    outcome.plan = std::move(reading.plan);
    outcome.diagnostics = std::move(reading.diagnostics);
    return outcome;
}

} // namespace

PlanEvaluator::PlanEvaluator(const Library &library, QObject *parent)
    : QObject(parent)
    , m_library(library)
    , m_documents([this](std::uint64_t revision, const DocumentPointer &document,
                         const std::stop_token &stop) { evaluate(revision, *document, stop); },
                  [this](std::uint64_t, const DocumentPointer &) { giveUp(m_numbers); }) { }

void PlanEvaluator::evaluate(std::uint64_t revision, const nlohmann::ordered_json &document,
                             const std::stop_token &stop) {
    const auto begin = std::chrono::steady_clock::now();
    m_numbers = {.revision = revision, .outcome = {}, .complete = false, .milliseconds = 0};
    try {
        m_numbers.outcome = numbersOf(document, m_library);
    } catch (const InputError &error) {
        m_numbers.outcome.diagnostics = error.diagnostics();
    }
    m_numbers.milliseconds = millisecondsSince(begin);
    publish(m_numbers);
    if (stop.stop_requested())
        return;
    try {
        const StopScope scope(stop);
        Outcome outcome = evaluate_document(document, m_library, stop);
        if (!stop.stop_requested())
            publish({.revision = revision,
                     .outcome = std::move(outcome),
                     .complete = true,
                     .milliseconds = m_numbers.milliseconds});
    } catch (const Stopped &) {
        return; // a newer edit is waiting
    }
}

void PlanEvaluator::giveUp(Evaluation answer) {
    // Keep calculated numbers; if there are none, report that the plan could not be evaluated.
    if (!answer.outcome.result && answer.outcome.diagnostics.empty())
        answer.outcome.diagnostics = {{.severity = Severity::error,
                                       .code = "not-evaluated",
                                       .message = "the plan could not be evaluated",
                                       .expected = "expected a smaller plan",
                                       .fields = {""},
                                       .fixes = {}}};
    answer.complete = true;
    publish(std::move(answer));
}

void PlanEvaluator::publish(Evaluation evaluation) {
    const bool complete = evaluation.complete;
    const auto deliver = [this, evaluation = std::move(evaluation)] {
        if (evaluation.revision < m_published)
            return;
        m_published = evaluation.revision;
        Q_EMIT evaluated(evaluation);
    };
    // Painting comes after queued calls and before timers. With a timer, the numbers are on the screen before the fixes
    // are laid out.
    if (complete)
        QMetaObject::invokeMethod(
            this, [this, deliver] { QTimer::singleShot(0, this, deliver); }, Qt::QueuedConnection);
    else
        QMetaObject::invokeMethod(this, deliver, Qt::QueuedConnection);
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan_evaluator.h"

#include "evaluate/evidence_of_result.h"
#include "models/work_guard.h"
#include "plan/plan_json.h"

#include <nlohmann/json.hpp>

#include <chrono>
#include <utility>

namespace meshwright {

namespace {

double millisecondsSince(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

/// With intervals where the measured runs are at hand; else they come with the whole answer.
Result quickResult(const Plan &plan) {
    Result result = meshwright::evaluate(plan, Depth::numbers);
    if (const auto known = KnownRuns::at_hand(plan.own_assumptions()))
        add_evidence(result, *known);
    return result;
}

/// The numbers alone, which take a fraction of a frame.
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
    , m_thread([this](const std::stop_token &ending) { work(ending); }) { }

PlanEvaluator::~PlanEvaluator() {
    const std::lock_guard lock(m_mutex);
    m_running.request_stop();
    m_thread.request_stop();
}

std::uint64_t PlanEvaluator::submit(DocumentPointer document) {
    const std::lock_guard lock(m_mutex);
    m_waiting = Job{++m_revision, std::move(document)};
    m_running.request_stop();
    m_wake.notify_one();
    return m_revision;
}

std::uint64_t PlanEvaluator::started() const {
    const std::lock_guard lock(m_mutex);
    return m_started;
}

void PlanEvaluator::work(const std::stop_token &ending) {
    while (!ending.stop_requested()) {
        Job job;
        std::stop_token stop;
        {
            std::unique_lock lock(m_mutex);
            if (!m_wake.wait(lock, ending, [this] { return m_waiting.has_value(); }))
                return;
            job = std::move(*std::exchange(m_waiting, std::nullopt));
            m_running = std::stop_source();
            stop = m_running.get_token();
            ++m_started;
        }
        guarded([&] { evaluate(job, stop); });
    }
}

void PlanEvaluator::evaluate(const Job &job, const std::stop_token &stop) {
    const auto begin = std::chrono::steady_clock::now();
    Evaluation quick{.revision = job.revision, .outcome = {}, .complete = false, .milliseconds = 0};
    try {
        quick.outcome = numbersOf(*job.document, m_library);
    } catch (const InputError &error) {
        quick.outcome.diagnostics = error.diagnostics();
    }
    quick.milliseconds = millisecondsSince(begin);
    publish(quick);
    if (stop.stop_requested())
        return;
    Outcome outcome = evaluate_document(*job.document, m_library, stop);
    if (stop.stop_requested())
        return;
    publish({.revision = job.revision,
             .outcome = std::move(outcome),
             .complete = true,
             .milliseconds = quick.milliseconds});
}

void PlanEvaluator::publish(Evaluation evaluation) {
    QMetaObject::invokeMethod(
        this,
        [this, evaluation = std::move(evaluation)] {
            if (evaluation.revision < m_published)
                return;
            m_published = evaluation.revision;
            Q_EMIT evaluated(evaluation);
        },
        Qt::QueuedConnection);
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "search_controller.h"

#include "panels/batch_panel.h"
#include "panels/parallelism_panel.h"
#include "plan/plan_page.h"
#include "plan_session.h"
#include "search/found_strip.h"
#include "search/search_view.h"

namespace meshwright {

namespace {
constexpr int restMilliseconds = 300;
}

SearchController::SearchController(PlanSession &session, SearchView *view, QObject *parent)
    : QObject(parent)
    , m_session(session)
    , m_view(view)
    , m_runner(session.library()) {
    connect(&session, &PlanSession::planChanged, this, &SearchController::ask);
    connect(view, &SearchView::cameIntoSight, this, &SearchController::ask);
    connect(view, &SearchView::objectiveChosen, this, &SearchController::ask);
    connect(view, &SearchView::cancelWanted, &m_runner, &SearchRunner::cancel);
    connect(view, &SearchView::edited, session.document(), &PlanDocument::apply);
    connect(&m_runner, &SearchRunner::stateChanged, view, &SearchView::showState);
    connect(&m_runner, &SearchRunner::answered, this, [this](const SearchAnswerPointer &answer) {
        m_answer = answer;
        m_view->showAnswer(answer);
        showLandscapes();
        Q_EMIT answered(answer);
    });
    m_rest.setSingleShot(true);
    m_rest.setInterval(restMilliseconds);
    connect(&m_rest, &QTimer::timeout, this, &SearchController::askForThePlan);
}

bool SearchController::isSettled() const {
    return !m_runner.isBusy() && !m_rest.isActive();
}

void SearchController::setSliders(ParallelismPanel *sliders, BatchPanel *batch) {
    m_sliders = sliders;
    m_batch = batch;
}

void SearchController::setStrip(FoundStrip *strip) {
    m_strip = strip;
    connect(strip, &FoundStrip::applyWanted, m_view, &SearchView::apply);
}

bool SearchController::isShownWithPlan() const {
    return (m_sliders != nullptr && m_sliders->isVisible())
        || (m_strip != nullptr && m_strip->parentWidget()->isVisible());
}

void SearchController::ask() {
    const PlanView &view = m_session.view();
    m_rest.stop();
    // Search only for visible views; hidden ones search when they are shown.
    if (view.valid && m_view->isVisible())
        m_runner.ask({.plan = view.plan, .objective = m_view->objective()});
    else
        m_runner.cancel();
    if (view.valid && !m_view->isVisible())
        m_rest.start();
    showLandscapes();
}

void SearchController::askForThePlan() {
    const PlanView &view = m_session.view();
    if (view.valid && isShownWithPlan() && !m_view->isVisible())
        m_runner.ask({.plan = view.plan, .objective = Objective::time, .curvesOnly = true});
}

/// Shows the curve of best step times above each slider. The curves stay valid for other configurations of the same
/// run; those of another run are removed.
void SearchController::showLandscapes() {
    if (m_sliders == nullptr)
        return;
    if (m_answer && m_answer->stage == SearchStage::complete && m_answer->question.objective == Objective::time)
        m_complete = m_answer;
    const Plan &plan = m_session.view().plan;
    const bool holds = m_complete && isOfSameRun(m_complete->question.plan, plan)
        && m_complete->question.plan.constraints_json == plan.constraints_json;
    const Landscapes landscapes = holds ? m_complete->landscapes : Landscapes();
    m_sliders->showLandscapes(landscapes);
    m_batch->showLandscape(landscapes[static_cast<std::size_t>(ConfigurationField::micro_sequences)]);
}

} // namespace meshwright

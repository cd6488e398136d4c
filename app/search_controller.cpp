// SPDX-License-Identifier: GPL-3.0-or-later
#include "search_controller.h"

#include "plan_session.h"
#include "search/search_view.h"

namespace meshwright {

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
        Q_EMIT answered(answer);
    });
}

bool SearchController::isSettled() const {
    return !m_runner.isBusy();
}

void SearchController::ask() {
    const PlanView &view = m_session.view();
    // What nobody sees is not searched for; it is when it comes into sight.
    if (view.valid && m_view->isVisible())
        m_runner.ask({.plan = view.plan, .objective = m_view->objective()});
    else
        m_runner.cancel();
}

} // namespace meshwright

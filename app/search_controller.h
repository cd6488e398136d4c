// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "search/search_runner.h"

#include <QObject>
#include <QTimer>

namespace meshwright {

class BatchPanel;
class FoundStrip;
class ParallelismPanel;
class PlanSession;
class SearchView;

/// Searches for configurations of the current plan while the results are visible. Restarts when the plan or the
/// objective changes, and passes the answers to the views. No search runs for a plan that cannot be evaluated.
class SearchController : public QObject {
    Q_OBJECT

public:
    SearchController(PlanSession &session, SearchView *view, QObject *parent = nullptr);

    void setSliders(ParallelismPanel *sliders, BatchPanel *batch);

    void setStrip(FoundStrip *strip);

    SearchRunner *runner() { return &m_runner; }
    /// Null before the first answer.
    const SearchAnswerPointer &answer() const { return m_answer; }
    bool isSettled() const;

Q_SIGNALS:
    void answered(const meshwright::SearchAnswerPointer &answer);

private:
    void ask();
    void askForThePlan();
    bool isShownWithPlan() const;
    void showLandscapes();

    PlanSession &m_session;
    SearchView *m_view;
    ParallelismPanel *m_sliders = nullptr;
    BatchPanel *m_batch = nullptr;
    FoundStrip *m_strip = nullptr;
    QTimer m_rest; ///< delays the search until the user stops editing
    SearchRunner m_runner;
    SearchAnswerPointer m_answer;
    SearchAnswerPointer m_complete; ///< the last answer with landscapes (the best result for each slider value)
};

} // namespace meshwright

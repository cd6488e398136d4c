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

/// Keeps the search on the plan while what it finds can be seen: asks anew whenever the plan or the objective changes,
/// and hands what is found to the views. A plan that cannot be evaluated asks nothing.
class SearchController : public QObject {
    Q_OBJECT

public:
    SearchController(PlanSession &session, SearchView *view, QObject *parent = nullptr);

    /// Sliders that are drawn with what could be had at each of their values.
    void setSliders(ParallelismPanel *sliders, BatchPanel *batch);

    /// A line that says what was found, wherever it is.
    void setStrip(FoundStrip *strip);

    SearchRunner *runner() { return &m_runner; }
    /// The last answer; null before the first.
    const SearchAnswerPointer &answer() const { return m_answer; }
    /// Everything that there is to find for the present plan has been found, or the search was stopped.
    bool isSettled() const;

Q_SIGNALS:
    void answered(const meshwright::SearchAnswerPointer &answer);

private:
    void ask();
    void askForThePlan();
    bool isSeenBesideThePlan() const;
    void showLandscapes();

    PlanSession &m_session;
    SearchView *m_view;
    ParallelismPanel *m_sliders = nullptr;
    BatchPanel *m_batch = nullptr;
    FoundStrip *m_strip = nullptr;
    QTimer m_rest; ///< what stands beside the plan waits until the hand rests
    SearchRunner m_runner;
    SearchAnswerPointer m_answer;
    SearchAnswerPointer m_complete; ///< the last that has landscapes
};

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "fit_finder.h"

#include "evaluate/evaluate.h"

#include <QtConcurrentRun>

namespace meshwright {

FitFinder::FitFinder(QObject *parent)
    : QObject(parent) {
    connect(&m_watcher, &QFutureWatcherBase::finished, this, &FitFinder::finish);
}

FitFinder::~FitFinder() {
    m_stop.request_stop();
    m_watcher.waitForFinished();
}

void FitFinder::find(const Plan &plan) {
    m_stop.request_stop();
    m_stop = std::stop_source();
    setSearching(true);
    m_watcher.setFuture(QtConcurrent::run([plan, stop = m_stop.get_token()] { return smallest_fit(plan, stop); }));
}

void FitFinder::cancel() {
    if (!m_searching)
        return;
    m_stop.request_stop();
    setSearching(false);
}

void FitFinder::finish() {
    if (!m_searching)
        return; // cancelled: the plan is another one by now
    setSearching(false);
    if (const Answer answer = m_watcher.result())
        Q_EMIT found(*answer);
    else
        Q_EMIT foundNothing();
}

void FitFinder::setSearching(bool searching) {
    if (m_searching == searching)
        return;
    m_searching = searching;
    Q_EMIT searchingChanged(searching);
}

} // namespace meshwright

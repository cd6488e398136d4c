// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/influence_runner.h"

#include <utility>

namespace meshwright {

InfluenceRunner::InfluenceRunner(QObject *parent)
    : QObject(parent)
    , m_thread([this](const std::stop_token &ending) { work(ending); }) { }

InfluenceRunner::~InfluenceRunner() {
    m_stop.request_stop();
    m_thread.request_stop();
    m_wake.notify_all();
}

void InfluenceRunner::ask(std::shared_ptr<const Result> result, std::string figure) {
    m_stop.request_stop();
    m_stop = std::stop_source();
    const std::lock_guard lock(m_mutex);
    m_waiting = Question{++m_asked, std::move(result), std::move(figure), m_stop.get_token()};
    m_wake.notify_one();
}

void InfluenceRunner::forget() {
    m_stop.request_stop();
    m_answered = ++m_asked;
    const std::lock_guard lock(m_mutex);
    m_waiting.reset();
}

void InfluenceRunner::work(const std::stop_token &ending) {
    while (!ending.stop_requested()) {
        Question question;
        {
            std::unique_lock lock(m_mutex);
            if (!m_wake.wait(lock, ending, [this] { return m_waiting.has_value(); }))
                return;
            question = std::move(*std::exchange(m_waiting, std::nullopt));
        }
        std::vector<Influence> influences = sensitivity(*question.result, question.figure, question.stop);
        if (question.stop.stop_requested())
            continue;
        QMetaObject::invokeMethod(
            this,
            [this, number = question.number, influences = std::move(influences)] {
                if (number != m_asked)
                    return;
                m_answered = number;
                Q_EMIT answered(influences);
            },
            Qt::QueuedConnection);
    }
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "gantt/schedule_runner.h"

#include <algorithm>
#include <utility>

namespace meshwright {

ScheduleRunner::ScheduleRunner(QObject *parent)
    : QObject(parent)
    , m_thread([this](const std::stop_token &ending) { work(ending); }) { }

ScheduleRunner::~ScheduleRunner() {
    m_thread.request_stop();
    m_wake.notify_all();
}

void ScheduleRunner::ask(const ScheduleQuestion &question) {
    const std::lock_guard lock(m_mutex);
    m_waiting = Job{++m_asked, question};
    m_wake.notify_one();
}

bool ScheduleRunner::isLatest(std::uint64_t number) const {
    const std::lock_guard lock(m_mutex);
    return number == m_asked;
}

void ScheduleRunner::work(const std::stop_token &ending) {
    while (!ending.stop_requested()) {
        Job job;
        {
            std::unique_lock lock(m_mutex);
            if (!m_wake.wait(lock, ending, [this] { return m_waiting.has_value(); }))
                return;
            job = std::move(*std::exchange(m_waiting, std::nullopt));
        }
        std::vector<DrawnSchedule> schedules = answer(job);
        if (ending.stop_requested() || !isLatest(job.number))
            continue;
        m_last = schedules;
        m_lastUnfolded = job.question.unfolded;
        QMetaObject::invokeMethod(
            this,
            [this, number = job.number, schedules = std::move(schedules)] {
                if (!isLatest(number))
                    return;
                m_answered = number;
                Q_EMIT answered(schedules);
            },
            Qt::QueuedConnection);
    }
}

std::vector<DrawnSchedule> ScheduleRunner::answer(const Job &job) {
    const ScheduleQuestion &question = job.question;
    std::vector<Schedule> schedules{question.plan.parallelism.schedule};
    schedules.insert(schedules.end(), question.compared.begin(), question.compared.end());
    std::vector<DrawnSchedule> answers;
    for (const Schedule schedule : schedules) {
        const ScheduleVariant variant = variantOf(question.plan, schedule);
        DrawnSchedule drawn;
        // What was executed a moment ago needs only to be drawn, where even that has changed.
        const auto known = std::find_if(m_last.begin(), m_last.end(), [&variant](const DrawnSchedule &last) {
            return last.run->plan == variant.plan && last.run->patch == variant.patch;
        });
        drawn.run = known != m_last.end() ? known->run : std::make_shared<const ScheduleRun>(runSchedule(variant));
        if (drawn.run->pipeline != nullptr)
            drawn.timeline = known != m_last.end() && m_lastUnfolded == question.unfolded
                ? known->timeline
                : timelineOf(*drawn.run->pipeline, question.unfolded);
        drawn.memory = known != m_last.end() ? known->memory : memoryCurvesOf(*drawn.run);
        answers.push_back(std::move(drawn));
        if (!isLatest(job.number))
            break;
    }
    return answers;
}

} // namespace meshwright

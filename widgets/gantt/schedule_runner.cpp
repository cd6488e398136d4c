// SPDX-License-Identifier: GPL-3.0-or-later
#include "gantt/schedule_runner.h"

#include <algorithm>
#include <memory>

namespace meshwright {

ScheduleRunner::ScheduleRunner(QObject *parent)
    : QObject(parent)
    , m_worker(
          this,
          [this](const ScheduleQuestion &question, const std::stop_token &stop) { return answer(question, stop); },
          [this](const std::vector<DrawnSchedule> &schedules) { Q_EMIT answered(schedules); }) { }

std::vector<DrawnSchedule> ScheduleRunner::answer(const ScheduleQuestion &question, const std::stop_token &stop) {
    std::vector<Schedule> schedules{question.plan.parallelism.schedule};
    schedules.insert(schedules.end(), question.compared.begin(), question.compared.end());
    std::vector<DrawnSchedule> answers;
    for (const Schedule schedule : schedules) {
        const ScheduleVariant variant = variantOf(question.plan, schedule);
        DrawnSchedule drawn;
        // Reuses the simulation of the previous answer, and redraws it only if the unfolded ranks have changed.
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
        if (stop.stop_requested())
            return answers;
    }
    m_last = answers;
    m_lastUnfolded = question.unfolded;
    return answers;
}

} // namespace meshwright

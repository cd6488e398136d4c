// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gantt/memory_curves_model.h"
#include "gantt/pipeline_timeline.h"
#include "gantt/schedule_run.h"
#include "models/latest_worker.h"

#include <QObject>

#include <vector>

namespace meshwright {

struct DrawnSchedule {
    std::shared_ptr<const ScheduleRun> run;
    PipelineTimeline timeline; ///< its model is null if the schedule cannot run
    MemoryCurvesPointer memory; ///< never null
};

struct ScheduleQuestion {
    Plan plan;
    std::vector<Schedule> compared;
    UnfoldedRanks unfolded;
};

/// Simulates schedules on its own thread. A new request replaces the waiting one, and answers to older requests are
/// dropped.
class ScheduleRunner : public QObject {
    Q_OBJECT

public:
    explicit ScheduleRunner(QObject *parent = nullptr);

    void ask(const ScheduleQuestion &question) { m_worker.ask(question); }
    bool isBusy() const { return m_worker.isBusy(); }

Q_SIGNALS:
    /// Emitted in the thread of this object.
    void answered(const std::vector<meshwright::DrawnSchedule> &schedules);

private:
    using Worker = LatestWorker<ScheduleQuestion, std::vector<DrawnSchedule>>;
    std::vector<DrawnSchedule> answer(const ScheduleQuestion &question, const std::stop_token &stop);

    std::vector<DrawnSchedule> m_last; ///< used only by the worker thread, like m_lastUnfolded
    UnfoldedRanks m_lastUnfolded;
    Worker m_worker; ///< last member, so that its thread ends before the members above are destroyed
};

} // namespace meshwright

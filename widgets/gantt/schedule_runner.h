// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gantt/memory_curves_model.h"
#include "gantt/pipeline_timeline.h"
#include "gantt/schedule_run.h"
#include "models/latest_worker.h"

#include <QObject>

#include <vector>

namespace meshwright {

/// A schedule with everything that is drawn of it.
struct DrawnSchedule {
    std::shared_ptr<const ScheduleRun> run;
    PipelineTimeline timeline; ///< without a model where it does not run
    MemoryCurvesPointer memory; ///< never null
};

/// What is to be drawn: the plan's own schedule first, then those that it is compared with.
struct ScheduleQuestion {
    Plan plan;
    std::vector<Schedule> compared;
    UnfoldedRanks unfolded;
};

/// Executes schedules on a thread of its own. The latest question wins: one that waits is replaced by a newer one, and
/// an answer that is no longer wanted is dropped.
class ScheduleRunner : public QObject {
    Q_OBJECT

public:
    explicit ScheduleRunner(QObject *parent = nullptr);

    void ask(const ScheduleQuestion &question) { m_worker.ask(question); }
    bool isBusy() const { return m_worker.isBusy(); }

Q_SIGNALS:
    /// In the thread that this object lives in.
    void answered(const std::vector<meshwright::DrawnSchedule> &schedules);

private:
    using Worker = LatestWorker<ScheduleQuestion, std::vector<DrawnSchedule>>;
    std::vector<DrawnSchedule> answer(const ScheduleQuestion &question, const std::stop_token &stop);

    std::vector<DrawnSchedule> m_last; ///< only the working thread reads and writes it, as the next
    UnfoldedRanks m_lastUnfolded;
    Worker m_worker; ///< last: its thread must end before anything above goes
};

} // namespace meshwright

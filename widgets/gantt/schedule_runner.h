// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gantt/memory_curves_model.h"
#include "gantt/pipeline_timeline.h"
#include "gantt/schedule_run.h"

#include <QObject>

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
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
    ~ScheduleRunner() override;

    void ask(const ScheduleQuestion &question);
    bool isBusy() const { return m_answered != m_asked; }

Q_SIGNALS:
    /// In the thread that this object lives in.
    void answered(const std::vector<meshwright::DrawnSchedule> &schedules);

private:
    struct Job {
        std::uint64_t number = 0;
        ScheduleQuestion question;
    };
    void work(const std::stop_token &ending);
    std::vector<DrawnSchedule> answer(const Job &job);
    bool isLatest(std::uint64_t number) const;

    mutable std::mutex m_mutex;
    std::condition_variable_any m_wake;
    std::optional<Job> m_waiting;
    std::uint64_t m_asked = 0;
    std::uint64_t m_answered = 0; ///< only the receiving thread reads and writes it
    std::vector<DrawnSchedule> m_last; ///< only the working thread reads and writes it
    UnfoldedRanks m_lastUnfolded;
    std::jthread m_thread; ///< last: it must end before anything above goes
};

} // namespace meshwright

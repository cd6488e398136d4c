// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gantt/pipeline_timeline.h"
#include "memory/memory_trace.h"

#include <QString>

#include <memory>
#include <optional>

namespace meshwright {

class Library;

struct MeasuredTrace {
    MemoryTracePointer trace;
    QString name;
    QString description;
    QString source;
    int step = 0; ///< number of the measured step
    double seconds = 0; ///< duration of the measured step
};

struct MemoryQuestion {
    Plan plan;
    std::optional<int> rank; ///< rank to simulate; if unset, the rank with peak memory
};

struct MemoryRun {
    Plan plan;
    QString problem; ///< sentence that says why there is no trace; empty if there is a trace
    std::shared_ptr<const ScheduleRun> schedule;
    int rank = 0;
    int peakRank = 0;
    MemoryTracePointer trace; ///< memory over the step; null if `problem` is set
    PipelineTimeline timeline;
    std::optional<MeasuredTrace> measured; ///< measured profile of a run with the same configuration
    double stepSeconds() const { return trace->whole().end; }
};

/// Never throws. @param before  earlier answer, reused if the plan is the same; may be null
MemoryRun runMemory(const MemoryQuestion &question, const Library &library, const MemoryRun *before);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gantt/pipeline_timeline.h"
#include "memory/memory_trace.h"

#include <QString>

#include <memory>
#include <optional>

namespace meshwright {

class Library;

/// A measured profile, ready to be drawn.
struct MeasuredTrace {
    MemoryTracePointer trace;
    QString name;
    QString description;
    QString source;
    int step = 0; ///< which one of those measured
    double seconds = 0; ///< that it took
};

/// Whose memory is to be shown.
struct MemoryQuestion {
    Plan plan;
    std::optional<int> rank; ///< nothing: the fullest one
};

/// One rank's memory over a step, or why it cannot be shown.
struct MemoryRun {
    Plan plan;
    QString problem; ///< one sentence; empty where there is something to show
    std::shared_ptr<const ScheduleRun> schedule; ///< the plan's pipeline, executed
    int rank = 0;
    int fullestRank = 0;
    MemoryTracePointer trace; ///< null where there is a problem
    PipelineTimeline timeline; ///< what the rank does meanwhile
    std::optional<MeasuredTrace> measured; ///< of a run like this one
    double stepSeconds() const { return trace->whole().end; }
};

/// Throws nothing. @param before  an earlier answer: its pipeline is taken where the plan is the same; may be null
MemoryRun runMemory(const MemoryQuestion &question, const Library &library, const MemoryRun *before);

} // namespace meshwright

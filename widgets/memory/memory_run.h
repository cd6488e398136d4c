// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gantt/pipeline_timeline.h"
#include "memory/memory_trace.h"

#include <QString>

#include <memory>
#include <optional>

namespace meshwright {

class Library;

/// A measured memory profile.
struct MeasuredTrace {
    MemoryTracePointer trace;
    QString name;
    QString description;
    QString source;
    int step = 0; ///< index of the measured step
    double seconds = 0; ///< duration of the measured step
};

/// A request for the memory of one rank.
struct MemoryQuestion {
    Plan plan;
    std::optional<int> rank; ///< rank to simulate; unset: the one with peak memory
};

/// The memory of one rank over a step, or the reason why it cannot be simulated.
struct MemoryRun {
    Plan plan;
    QString problem; ///< reason why there is no trace, in one sentence; empty if `trace` is set
    std::shared_ptr<const ScheduleRun> schedule; ///< the simulated pipeline of the plan
    int rank = 0;
    int peakRank = 0; ///< rank with peak memory
    MemoryTracePointer trace; ///< null if there is a problem
    PipelineTimeline timeline; ///< operations of the rank
    std::optional<MeasuredTrace> measured; ///< profile measured on a run with the same configuration
    double stepSeconds() const { return trace->whole().end; }
};

/// Never throws. @param before  an earlier answer whose pipeline is reused if the plan is the same; may be null
MemoryRun runMemory(const MemoryQuestion &question, const Library &library, const MemoryRun *before);

} // namespace meshwright

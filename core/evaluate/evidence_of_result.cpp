// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/evidence_of_result.h"

#include "formulas/plan_figures.h"

namespace meshwright {

void add_evidence(Result &result) {
    add_evidence(result, *KnownRuns::standard(result.plan.own_assumptions()));
}

void add_evidence(Result &result, const KnownRuns &known) {
    constexpr std::size_t listed = 10;
    const IntervalFactors step = known.step_interval(result.plan);
    result.step.low_seconds = formula::interval_end(result.step.seconds, step.low);
    result.step.high_seconds = formula::interval_end(result.step.seconds, step.high);
    Memory &memory = result.memory;
    const IntervalFactors tensors = known.memory_interval(result.plan, MeasuredMemory::allocated);
    memory.low_bytes = memory.peak_bytes * tensors.low;
    memory.high_bytes = memory.peak_bytes * tensors.high;
    const IntervalFactors pool = known.memory_interval(result.plan, MeasuredMemory::device);
    memory.reserved_low_bytes = memory.reserved_bytes * pool.low;
    memory.reserved_high_bytes = memory.reserved_bytes * pool.high;
    result.evidence = known.nearest(result.plan, listed);
}

} // namespace meshwright

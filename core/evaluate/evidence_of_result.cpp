// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/evidence_of_result.h"

#include "evaluate/published_comparisons.h"
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
    result.published = published_comparisons(result);
}

std::optional<double> fit_probability(const Result &result) {
    const Memory &memory = result.memory;
    if (!(memory.low_bytes > 0 && memory.low_bytes < memory.peak_bytes && memory.high_bytes > memory.peak_bytes))
        return std::nullopt;
    const double end = memory.capacity_bytes < memory.peak_bytes ? memory.low_bytes : memory.high_bytes;
    return formula::fit_probability(memory.capacity_bytes, memory.peak_bytes, end);
}

} // namespace meshwright

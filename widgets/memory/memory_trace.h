// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "step/step_memory.h"
#include "theme/roles.h"
#include "timeline/timeline_coordinates.h"

#include <QString>

#include <memory>
#include <vector>

namespace meshwright {

/// Memory over a step, for drawing at any scale. It finds the highest point of an interval in a few lookups, however
/// many points the interval contains.
class MemoryTrace {
public:
    explicit MemoryTrace(StepMemory memory);

    const StepMemory &memory() const { return m_memory; }
    const MemoryPoint &point(std::size_t index) const { return m_memory.points[index]; }
    const MemoryPoint &peak() const { return m_memory.points[m_memory.peak]; }
    TimeRange whole() const { return {m_memory.points.front().seconds, m_memory.points.back().seconds}; }
    /// Index of the last point at or before `time`; 0 for earlier times.
    std::size_t at(double time) const;
    /// Index of the highest point within [begin, end), including the point in effect at `begin`.
    std::size_t highestWithin(double begin, double end) const;
    /// Time of the next point; `end` for the last point.
    double until(std::size_t index, double end) const;

private:
    static constexpr std::size_t Stride = 64;

    StepMemory m_memory;
    std::vector<double> m_totals;
    std::vector<std::size_t> m_highest; ///< index of the highest point of each block of Stride points
};

using MemoryTracePointer = std::shared_ptr<const MemoryTrace>;

/// Name and color of a kind of memory, the same in every view.
QString stepMemoryKindText(StepMemoryKind kind);
Kind stepMemoryColour(StepMemoryKind kind);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "step/step_memory.h"
#include "theme/roles.h"
#include "timeline/timeline_coordinates.h"

#include <QString>

#include <memory>
#include <vector>

namespace meshwright {

/// Memory over a step, ready to be drawn at any scale: the highest point of any stretch is found in a few steps however
/// many points lie in it.
class MemoryTrace {
public:
    explicit MemoryTrace(StepMemory memory);

    const StepMemory &memory() const { return m_memory; }
    const MemoryPoint &point(std::size_t index) const { return m_memory.points[index]; }
    const MemoryPoint &peak() const { return m_memory.points[m_memory.peak]; }
    TimeRange whole() const { return {m_memory.points.front().seconds, m_memory.points.back().seconds}; }
    /// The point that holds at a time; the first one before the begin.
    std::size_t at(double time) const;
    /// The highest point within [begin, end), the one that holds at `begin` among them.
    std::size_t highestWithin(double begin, double end) const;
    /// Until when a point holds; the last one holds until `end`.
    double until(std::size_t index, double end) const;

private:
    static constexpr std::size_t Stride = 64;

    StepMemory m_memory;
    std::vector<double> m_totals;
    std::vector<std::size_t> m_highest; ///< of each so many points
};

using MemoryTracePointer = std::shared_ptr<const MemoryTrace>;

/// How a kind of memory is called and coloured, in every view.
QString stepMemoryKindText(StepMemoryKind kind);
Kind stepMemoryColour(StepMemoryKind kind);

} // namespace meshwright

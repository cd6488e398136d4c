// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/memory_trace.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <utility>

namespace meshwright {

MemoryTrace::MemoryTrace(StepMemory memory)
    : m_memory(std::move(memory)) {
    m_totals.reserve(m_memory.points.size());
    for (const MemoryPoint &point : m_memory.points) {
        const std::size_t index = m_totals.size();
        m_totals.push_back(point.total());
        if (index % Stride == 0)
            m_highest.push_back(index);
        else if (m_totals[index] > m_totals[m_highest.back()])
            m_highest.back() = index;
    }
}

std::size_t MemoryTrace::at(double time) const {
    const auto &points = m_memory.points;
    const auto after = std::upper_bound(points.begin(), points.end(), time,
                                        [](double value, const MemoryPoint &point) { return value < point.seconds; });
    return after == points.begin() ? 0 : static_cast<std::size_t>(after - points.begin()) - 1;
}

std::size_t MemoryTrace::highestWithin(double begin, double end) const {
    const auto &points = m_memory.points;
    std::size_t best = at(begin);
    const auto behind = std::lower_bound(points.begin() + static_cast<std::ptrdiff_t>(best), points.end(), end,
                                         [](const MemoryPoint &point, double value) { return point.seconds < value; });
    const auto last = static_cast<std::size_t>(behind - points.begin());
    const auto look = [&](std::size_t index) {
        if (m_totals[index] > m_totals[best])
            best = index;
    };
    for (std::size_t i = best + 1; i < last;) {
        if (i % Stride == 0 && i + Stride <= last) {
            look(m_highest[i / Stride]);
            i += Stride;
        } else {
            look(i++);
        }
    }
    return best;
}

double MemoryTrace::until(std::size_t index, double end) const {
    return index + 1 < m_memory.points.size() ? m_memory.points[index + 1].seconds : end;
}

QString stepMemoryKindText(StepMemoryKind kind) {
    constexpr std::array names{QT_TRANSLATE_NOOP("StepMemory", "CUDA context and NCCL buffers"),
                               QT_TRANSLATE_NOOP("StepMemory", "weights"),
                               QT_TRANSLATE_NOOP("StepMemory", "optimizer states"),
                               QT_TRANSLATE_NOOP("StepMemory", "gradients"),
                               QT_TRANSLATE_NOOP("StepMemory", "activations"),
                               QT_TRANSLATE_NOOP("StepMemory", "logits"),
                               QT_TRANSLATE_NOOP("StepMemory", "buffers")};
    static_assert(names.size() == step_memory_kind_count);
    return QCoreApplication::translate("StepMemory", names.at(static_cast<std::size_t>(kind)));
}

Kind stepMemoryColour(StepMemoryKind kind) {
    constexpr std::array colours{Kind::Grey,   Kind::Blue, Kind::Purple, Kind::Cyan,
                                 Kind::Yellow, Kind::Red,  Kind::Green};
    static_assert(colours.size() == step_memory_kind_count);
    return colours.at(static_cast<std::size_t>(kind));
}

} // namespace meshwright

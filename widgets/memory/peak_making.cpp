// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/peak_making.h"

#include <cmath>

namespace meshwright {

namespace {

constexpr Quantity bytes = Quantity::bytes;

Derivation tensorsOf(const StepMemory &memory, std::size_t index) {
    const HeldTensors &held = memory.peak_tensors[index];
    return by_procedure(
        {"tensors_" + std::to_string(index), held.name, bytes}, held.bytes, "hold",
        "what the operations have put into memory by then and not yet freed",
        {by_procedure({"operation", memory.operation(memory.peak), Quantity::count}, static_cast<double>(memory.peak),
                      "execute", "place of the operation in the executed step, at which the peak stands", {})});
}

Derivation kindOf(const StepMemory &memory, std::size_t kind) {
    const MemoryPoint &peak = memory.points[memory.peak];
    const Labelled what{"kind_" + std::to_string(kind),
                        stepMemoryKindText(static_cast<StepMemoryKind>(kind)).toLower().toStdString(), bytes};
    std::vector<Derivation> tensors;
    double sum = 0;
    for (std::size_t i = 0; i < memory.peak_tensors.size(); ++i)
        if (memory.peak_tensors[i].kind == static_cast<StepMemoryKind>(kind)) {
            tensors.push_back(tensorsOf(memory, i));
            sum += tensors.back().value;
        }
    const bool isWhole = !tensors.empty() && std::abs(sum - peak.bytes[kind]) <= 1e-6 * peak.bytes[kind];
    return isWhole
        ? sum_of(what, "tensors that stand in memory at the peak", std::move(tensors))
        : by_procedure(what, peak.bytes[kind], "hold", "what stands in memory at the peak", std::move(tensors));
}

Derivation totalOf(const StepMemory &memory) {
    std::vector<Derivation> kinds;
    for (std::size_t i = 0; i < step_memory_kind_count; ++i)
        if (memory.points[memory.peak].bytes[i] > 0)
            kinds.push_back(kindOf(memory, i));
    return sum_of({"peak_bytes", "memory at the peak of the executed step", bytes}, "all kinds at that moment",
                  std::move(kinds));
}

} // namespace

std::optional<Derivation> peakMaking(const QString &figure, const MemoryRun &run) {
    const StepMemory &memory = run.trace->memory();
    if (figure == QLatin1String("peak_bytes"))
        return totalOf(memory);
    if (figure == QLatin1String("peak_room"))
        return derived({"peak_room", "room between the peak and the capacity", bytes},
                       std::abs(memory.capacity_bytes - run.trace->peak().total()), "abs(capacity - peak_bytes)",
                       "what the accelerator really offers",
                       {hardware_fact({"capacity", "memory of the accelerator", bytes}, memory.capacity_bytes,
                                      run.plan.cluster.accelerator.name, "/cluster/accelerator"),
                        totalOf(memory)});
    if (figure == QLatin1String("peak_seconds"))
        return by_procedure({"peak_seconds", "time at which the peak stands", Quantity::seconds},
                            run.trace->peak().seconds, "execute",
                            "the executed step, from its first operation on: " + memory.operation(memory.peak), {});
    for (std::size_t i = 0; i < step_memory_kind_count; ++i)
        if (figure == QStringLiteral("kind_%1").arg(i))
            return kindOf(memory, i);
    for (std::size_t i = 0; i < memory.peak_tensors.size(); ++i)
        if (figure == QStringLiteral("tensors_%1").arg(i))
            return tensorsOf(memory, i);
    return std::nullopt;
}

} // namespace meshwright

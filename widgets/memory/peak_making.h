// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/derivation.h"
#include "memory/memory_run.h"

#include <QString>

#include <optional>

namespace meshwright {

/// How the memory at the peak of an executed step comes about: "peak_bytes", "peak_room", "peak_seconds", "kind_2" as
/// StepMemoryKind, "tensors_0" as in StepMemory::peak_tensors.
std::optional<Derivation> peakMaking(const QString &figure, const MemoryRun &run);

} // namespace meshwright

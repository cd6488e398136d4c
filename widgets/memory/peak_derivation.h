// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/derivation.h"
#include "memory/memory_run.h"

#include <QString>

#include <optional>

namespace meshwright {

struct Result;

/// How the memory at the peak of an executed step comes about: "peak_bytes", "peak_room", "peak_seconds", "kind_2" as
/// StepMemoryKind, "tensors_0" as in StepMemory::peak_tensors.
/// @param result  of the same plan, to whose figures it refers by their paths; may be null
std::optional<Derivation> peakDerivation(const QString &figure, const MemoryRun &run, const Result *result);

} // namespace meshwright

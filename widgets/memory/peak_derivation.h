// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/derivation.h"
#include "memory/memory_run.h"

#include <QString>

#include <optional>

namespace meshwright {

struct Result;

/// Derivation of a figure at the peak of a simulated step: "peak_bytes", "peak_room", "peak_seconds", "kind_2" (index
/// of a StepMemoryKind) or "tensors_0" (index into StepMemory::peak_tensors).
/// @param result  result of the same plan, whose figures are referred to by path; may be null
std::optional<Derivation> peakDerivation(const QString &figure, const MemoryRun &run, const Result *result);

} // namespace meshwright

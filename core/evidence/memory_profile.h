// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "step/step_memory.h"

#include <optional>
#include <string>
#include <vector>

namespace meshwright {

class Library;

/// Memory over one step as it was measured. What the measurement could not name counts as buffers.
struct MemoryProfile {
    std::string id;
    std::string name;
    std::string description; ///< what each kind counts
    std::string source;
    std::int64_t step = 0; ///< which one of those measured, from 1
    double seconds = 0; ///< that it took
    StepMemory memory; ///< points from its begin on; no capacity, no tensors
};

/// The measured profile of a run like this plan: the same model, batch, formats, software and layout, on whatever
/// accelerator. Nothing where none was published.
/// @throws InputError where a profile of the library does not read
std::optional<MemoryProfile> measured_memory_profile(const Plan &plan, const Library &library);

} // namespace meshwright

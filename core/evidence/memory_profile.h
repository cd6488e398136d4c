// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "step/step_memory.h"

#include <optional>
#include <string>
#include <vector>

namespace meshwright {

class Library;

/// Measured memory over one step. Unattributed memory counts as buffers.
struct MemoryProfile {
    std::string id;
    std::string name;
    std::string description; ///< what each memory category includes
    std::string source;
    std::int64_t step = 0; ///< number of the measured step, from 1
    double seconds = 0;
    StepMemory memory; ///< memory over the time since the start of the step; capacity and tensors are unset
};

/// The measured memory profile of a run with the plan's model, batch, formats, software and configuration, on any
/// accelerator. Returns nothing if none was published.
/// @throws InputError if a profile of the library cannot be read
std::optional<MemoryProfile> measured_memory_profile(const Plan &plan, const Library &library);

} // namespace meshwright

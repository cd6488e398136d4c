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
    std::string description; ///< what each kind of memory includes
    std::string source;
    std::int64_t step = 0; ///< index of the measured step, from 1
    double seconds = 0; ///< measured step time
    StepMemory memory; ///< memory at each time from the start of the step; capacity and tensors are unset
};

/// The measured profile of a run like this plan: with the same model, batch, formats, software and configuration, on
/// any accelerator. Returns nothing if none was published.
/// @throws InputError if a profile of the library cannot be read
std::optional<MemoryProfile> measured_memory_profile(const Plan &plan, const Library &library);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidence/measured_run.h"

#include <string>
#include <vector>

namespace meshwright {

/// What `calibrate --machine` is asked for.
struct MachineOptions {
    bool wanted = false;
    std::string plan; ///< whose cluster the preset is of; empty: that of the largest run
    std::string kind = "cluster"; ///< of the preset
    std::string id = "my-machine";
    std::string name = "My machine";
    std::string out; ///< file that the preset is written to; empty: none
};

/// Fits the constants that machines differ in to runs of one machine, and prints what they are, the errors before and
/// after, and what the runs do not say. @throws Failure
void calibrateMachine(const std::vector<MeasuredRun> &rows, const MachineOptions &options, bool json);

} // namespace meshwright

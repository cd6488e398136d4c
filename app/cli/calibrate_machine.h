// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidence/measured_run.h"

#include <string>
#include <vector>

namespace meshwright {

struct MachineOptions {
    bool wanted = false;
    std::string plan; ///< plan whose cluster the preset is based on; if empty, the cluster of the largest run
    std::string kind = "cluster"; ///< "cluster" or "accelerator"
    std::string id = "my-machine";
    std::string name = "My machine";
    std::string out; ///< file to write the preset to; empty if it is not written
};

/// Fits the machine-dependent constants to runs on one machine. Prints the constants, the errors before and after, and
/// notes on constants that the runs do not determine. @throws Failure
void calibrateMachine(const std::vector<MeasuredRun> &rows, const MachineOptions &options, bool json);

} // namespace meshwright

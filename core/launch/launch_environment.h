// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/export_text.h"
#include "launch/target_plan.h"

#include <string>
#include <vector>

namespace meshwright {

struct LaunchVariable {
    std::string name;
    std::string value; ///< if empty, the variable must not be set
    std::string field; ///< JSON pointer of the plan field that requires it
    std::string why; ///< reason, in one sentence
};

/// Variables that Megatron's and PyTorch's code need for this plan.
std::vector<LaunchVariable> program_environment(const TargetPlan &target, bool is_megatron);
/// NCCL's variables for the plan's network.
std::vector<LaunchVariable> network_environment(const TargetPlan &target, const Result &result);

/// Writes "export NAME=VALUE" for each variable, with its reason as a comment. A value that is already set in the
/// environment is not changed.
void add_variables(ExportText &text, const std::vector<LaunchVariable> &variables);

} // namespace meshwright

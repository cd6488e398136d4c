// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/export_text.h"
#include "launch/target_plan.h"

#include <string>
#include <vector>

namespace meshwright {

/// An environment variable of a run.
struct LaunchVariable {
    std::string name;
    std::string value; ///< empty: the variable must not be set
    std::string field; ///< JSON pointer of the plan field that asks for it
    std::string why; ///< reason for the variable, in one sentence
};

/// What Megatron's and PyTorch's code ask for.
/// @param result  of the plan, as it was evaluated
std::vector<LaunchVariable> program_environment(const TargetPlan &target, const Result &result, bool is_megatron);
/// What NCCL needs to know of the network, where a plan says anything of it.
std::vector<LaunchVariable> network_environment(const TargetPlan &target, const Result &result);

/// "export NAME=VALUE" with its reason as a comment; a value that the user has set stays.
void add_variables(ExportText &text, const std::vector<LaunchVariable> &variables);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/importers.h"
#include "launch/launch_plan.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace meshwright {

/// Name of the run: the file name without folder and extension.
std::string run_name(const LaunchFile &file);

/// Takes the accelerator requested from the batch system ("--gres=gpu:a100:8"), or else the one mentioned in the file's
/// name ("train_llama3_8b_h100_fp8.sh") or in the comments of its first lines, and lists it as assumed, with the place
/// of the mention. Does nothing if an accelerator is stated, or if a text mentions several.
void take_named_accelerator(LaunchPlan &launch, const LaunchFile &file);

/// Takes the model named by an option's value ("meta-llama/Llama-3.2-1B" of a tokenizer or a checkpoint) if the file
/// states no shape, and lists it as assumed.
void take_named_model(LaunchPlan &launch, const Library &library);

/// Takes the number of accelerators mentioned in a comment ("a preset for 128 H100 GPUs") and lists it as assumed,
/// unless a number is stated or the degrees of the plan do not divide it.
void take_commented_accelerators(LaunchPlan &launch, const LaunchFile &file);

} // namespace meshwright

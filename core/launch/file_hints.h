// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/importers.h"
#include "launch/launch_plan.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace meshwright {

/// The run's name: the file name without folder and extension.
std::string run_name(const LaunchFile &file);

/// Takes the accelerator that the batch system is asked for ("--gres=gpu:a100:8"), else one that the file's name
/// ("train_llama3_8b_h100_fp8.sh") or the comments of its first lines mention, and lists it as assumed, with its place.
/// Does nothing if an accelerator is stated, or if a text mentions several.
void take_named_accelerator(LaunchPlan &launch, const LaunchFile &file);

/// Takes the model that an option's value names ("meta-llama/Llama-3.2-1B" of a tokenizer or a checkpoint) if the file
/// states no shape, and lists it as assumed.
void take_named_model(LaunchPlan &launch, const Library &library);

/// Takes the number of accelerators that a comment mentions ("a preset for 128 H100 GPUs"), unless one is stated or the
/// degrees of the plan do not divide it, and lists it as assumed.
void take_commented_accelerators(LaunchPlan &launch, const LaunchFile &file);

} // namespace meshwright

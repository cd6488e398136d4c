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

/// Takes the accelerator that a batch job requests ("--gres=gpu:a100:8"), or one mentioned in the file name
/// ("train_llama3_8b_h100_fp8.sh") or in the comments of the first lines, and lists it as assumed, with the place
/// where it was found. Does nothing if an accelerator is stated, or if a text mentions several.
void take_named_accelerator(LaunchPlan &launch, const LaunchFile &file);

/// If the file states no model shape, takes the model named by an option's value (a tokenizer or checkpoint
/// "meta-llama/Llama-3.2-1B") and lists it as assumed.
void take_named_model(LaunchPlan &launch, const Library &library);

/// Takes the number of accelerators that a comment mentions ("a preset for 128 H100 GPUs"), and lists it as assumed.
/// Does nothing if the file states the number, or if the plan's degrees do not divide the number in the comment.
void take_commented_accelerators(LaunchPlan &launch, const LaunchFile &file);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
// Overrides of NeMo's launcher: "python3 main.py training=gpt3/20b training.trainer.num_nodes=8".
#pragma once

#include "launch/importers.h"
#include "launch/launch_plan.h"

#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

/// Whether a text overrides a stage of NeMo's launcher.
bool has_nemo_overrides(std::string_view text);

/// The stage whose fields the options override: "training", "peft"; empty if they are not overrides of NeMo's launcher.
std::string nemo_stage(const std::vector<LaunchOption> &options);

/// Options named as in the stage's own file: "training.model.fp8" is "model.fp8". If one of `others` is YAML, options
/// from the file come first, so that the overrides take effect.
/// @param stage  not empty
std::vector<LaunchOption> nemo_options(const std::vector<LaunchOption> &overrides, const std::string &stage,
                                       const std::vector<LaunchFile> &others);

/// Takes the model that the stage's file is named after, "training=llama/llama3_70b", if the library has it. Returns
/// that name if the file itself was not given, otherwise an empty string.
std::string take_nemo_file(LaunchPlan &launch, const std::string &stage, bool is_given, const Library &library);

/// Renames the options of an import to their spelling in the overrides. @param overrides  options as stated
void restore_nemo_names(Imported &imported, const std::vector<LaunchOption> &overrides, const std::string &stage);

/// Whether options override a recipe of NeMo 2: "trainer.strategy.tensor_model_parallel_size".
bool override_nemo_2(const std::vector<LaunchOption> &options);

/// Megatron-Bridge's name for a field of NeMo 2, which has most of the same fields in other sections; empty if it has
/// none.
std::string bridge_name_of_nemo_2(std::string_view name);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/importers.h"

#include <vector>

namespace meshwright {

int accelerate_likeness(const LaunchFile &file);
/// Imports a file of `accelerate config`, alone or with the DeepSpeed JSON that it names.
Imported import_accelerate(const std::vector<LaunchFile> &files, const Library &library);

int trainer_likeness(const LaunchFile &file);
/// Imports arguments of Hugging Face's Trainer in YAML, JSON or a launch script, alone or with the Accelerate file and
/// DeepSpeed JSON of the run.
Imported import_trainer(const std::vector<LaunchFile> &files, const Library &library);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/importers.h"

#include <vector>

namespace meshwright {

int megatron_likeness(const LaunchFile &file);
/// Imports Megatron-LM and Megatron-DeepSpeed configurations: a shell script, a list of options, or YAML with
/// MODEL_ARGS.
Imported import_megatron(const std::vector<LaunchFile> &given, const Library &library);

int megatron_bridge_likeness(const LaunchFile &file);
/// Imports Megatron-Bridge overrides (YAML or section.field=value words) and NeMo 1 launcher files.
Imported import_megatron_bridge(const std::vector<LaunchFile> &files, const Library &library);

} // namespace meshwright

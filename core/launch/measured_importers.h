// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/importers.h"

#include <vector>

namespace meshwright {

int nccl_tests_likeness(const LaunchFile &file);
/// Imports the output of nccl-tests as a network tier with measured bus bandwidths.
Imported import_nccl_tests(const std::vector<LaunchFile> &files, const Library &library);

int nvidia_smi_likeness(const LaunchFile &file);
/// Imports one or several outputs of `nvidia-smi topo -m`, `nvidia-smi -q -x`, `ibstat` and `lstopo` of one machine as
/// a node.
Imported import_nvidia_smi(const std::vector<LaunchFile> &files, const Library &library);

int training_log_likeness(const LaunchFile &file);
/// Imports a training log of Megatron-LM, Megatron-DeepSpeed, torchtitan or nanotron as a measured run.
Imported import_training_log(const std::vector<LaunchFile> &files, const Library &library);

int trace_likeness(const LaunchFile &file);
/// Imports a profile of the PyTorch profiler or a PyTorch memory snapshot as a measured run.
Imported import_trace(const std::vector<LaunchFile> &files, const Library &library);

} // namespace meshwright

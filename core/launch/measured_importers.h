// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/importers.h"

#include <vector>

namespace meshwright {

int nccl_tests_likeness(const LaunchFile &file);
/// Output of nccl-tests: a network tier with measured bus bandwidths.
Imported import_nccl_tests(const std::vector<LaunchFile> &files, const Library &library);

int nvidia_smi_likeness(const LaunchFile &file);
/// `nvidia-smi topo -m`, `nvidia-smi -q -x`, `ibstat` and `lstopo`, one or several of one machine: a node.
Imported import_nvidia_smi(const std::vector<LaunchFile> &files, const Library &library);

int training_log_likeness(const LaunchFile &file);
/// A training log of Megatron-LM, Megatron-DeepSpeed, torchtitan or nanotron: a measured run.
Imported import_training_log(const std::vector<LaunchFile> &files, const Library &library);

int trace_likeness(const LaunchFile &file);
/// A profile of the PyTorch profiler or a PyTorch memory snapshot: a measured run.
Imported import_trace(const std::vector<LaunchFile> &files, const Library &library);

} // namespace meshwright

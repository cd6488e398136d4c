// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/cluster.h"
#include "evidence/measured_run.h"
#include "evidence/run_rules.h"

#include <optional>
#include <string>
#include <vector>

namespace meshwright {

/// Network bandwidth per accelerator in bytes per second, from a description such as "8x400Gb", "1600 Gbps/node", "400
/// Gb/s per GPU" or "4x OmniPath 100Gb". Returns nothing if it has no such figure.
std::optional<double> network_share(const std::string &words, double accelerators_per_node);

/// Builds a cluster with exactly the measured run's number of accelerators. Returns nothing if the accelerator is
/// unknown.
std::optional<Cluster> described_cluster(const MeasuredRun &run, const RunRules &rules, const RunAssumptions &taken,
                                         const Library &library, std::vector<std::string> &assumed);

} // namespace meshwright

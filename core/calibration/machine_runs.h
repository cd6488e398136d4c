// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidence/measured_run.h"
#include "evidence/run_rules.h"
#include "plan/plan.h"

#include <optional>
#include <string>
#include <vector>

namespace meshwright {

struct MachineRun {
    std::string name;
    Plan plan;
    double batch_share = 1; ///< see RunPlan::batch_share
    std::optional<double> step_seconds; ///< unset if not measured
    std::optional<double> peak_bytes;
    MeasuredMemory memory_kind = MeasuredMemory::unknown;
};

struct SkippedRun {
    std::string name;
    std::string reason;
};

struct MachineRuns {
    std::vector<MachineRun> runs;
    std::vector<SkippedRun> skipped;
};

inline constexpr std::size_t max_machine_runs = 2000;

/// Reads the rows of a table as runs of one machine. Rows without a plan or a measured figure, and stalled runs, are
/// skipped with reasons.
MachineRuns machine_runs(const std::vector<MeasuredRun> &rows, const RunRules &rules, const Library &library);

/// @throws InputError if there is no run, more than `max_machine_runs`, runs on two kinds of accelerator, or a figure
/// that is impossible on the machine: a step faster than the peak allows, or memory above the capacity. The error's
/// pointer is the run's name.
void check_machine_runs(const MachineRuns &runs);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidence/measured_run.h"
#include "evidence/run_rules.h"
#include "plan/plan.h"

#include <optional>
#include <string>
#include <vector>

namespace meshwright {

/// What was measured of one plan on one's own machine.
struct MachineRun {
    std::string name;
    Plan plan;
    double batch_share = 1; ///< RunPlan::batch_share
    std::optional<double> step_seconds; ///< unset: not measured
    std::optional<double> peak_bytes;
    MeasuredMemory memory_kind = MeasuredMemory::unknown;
};

/// A row that says nothing about the machine.
struct SkippedRun {
    std::string name;
    std::string reason;
};

struct MachineRuns {
    std::vector<MachineRun> runs;
    std::vector<SkippedRun> skipped;
};

inline constexpr std::size_t max_machine_runs = 2000;

/// Rows of a table as runs of one machine. Rows without a plan, without a measured figure, or that hardly moved are
/// left out, with reasons.
MachineRuns machine_runs(const std::vector<MeasuredRun> &rows, const RunRules &rules, const Library &library);

/// @throws InputError without a run, over `max_machine_runs`, with runs of two kinds of accelerator, and with a figure
///         that no such machine can have: a step beyond the peak, memory beyond the capacity. The pointer is the run's
///         name.
void check_machine_runs(const MachineRuns &runs);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/result.h"
#include "gantt/schedule_run.h"
#include "report/page_flow.h"
#include "report/report_sections.h"

#include <memory>
#include <vector>

namespace meshwright {

/// Sections about a plan's simulated pipeline, and the derivations of their figures.
struct PipelineReport {
    std::vector<ReportSection> sections;
    std::vector<ReportDerivation> derivations;
};

/// The plan's simulated pipeline with a row of operations per rank, and the memory over a step of the rank with the
/// highest peak. One sentence if the schedule is too long to simulate.
/// @param run  simulation of the plan's own schedule
PipelineReport pipelineReport(const Result &result, const std::shared_ptr<const ScheduleRun> &run);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/result.h"
#include "gantt/schedule_run.h"
#include "report/page_flow.h"
#include "report/report_sections.h"

#include <memory>
#include <vector>

namespace meshwright {

/// What a plan's executed pipeline shows, and how its figures come about.
struct PipelineReport {
    std::vector<ReportSection> sections;
    std::vector<ReportDerivation> derivations;
};

/// The plan's pipeline as it runs, every rank a row of operations, and the fullest rank's memory through a step. Of a
/// schedule that is too long to be executed, one sentence.
/// @param run  of the plan
PipelineReport pipelineReport(const Result &result, const std::shared_ptr<const ScheduleRun> &run);

} // namespace meshwright

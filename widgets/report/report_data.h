// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "compare/comparison_run.h"
#include "evaluate/result.h"
#include "evaluate/run_curves.h"
#include "formulas/derivation.h"
#include "gantt/schedule_run.h"
#include "launch/exporters.h"
#include "memory/memory_run.h"
#include "report/report_options.h"
#include "search/search_answer.h"
#include "sites/sites_run.h"
#include "sites/sweeps.h"

#include <QDate>
#include <QString>

#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace meshwright {

struct ReportInput {
    std::shared_ptr<const Result> result; ///< not null
    SearchAnswerPointer search = {}; ///< result of a search for the plan; null if there was no search
    std::vector<NamedPlan> compared = {}; ///< plans to compare with; at most maxOtherPlans
    QString file = {}; ///< the plan's file or preset, as shown; may be empty
    QDate date = {};
    QString version = {};
};

/// The simulated pipeline with the memory of the rank that has the highest peak.
struct ReportPipeline {
    std::shared_ptr<const ScheduleRun> run;
    QString problem; ///< reason why the pipeline is not simulated, in one sentence; if set, the members below are empty
    PipelineTimeline timeline;
    MemoryRun held;
};

struct ReportLaunch {
    QString target; ///< "Megatron-LM shell script"
    LaunchExport files;
};

/// Everything that a report shows. It does not change once gathered, and parts of a report refer to it.
struct ReportData {
    ReportInput input;
    ReportChapters gathered;
    ReportPipeline pipeline;
    SitesRunPointer sites; ///< null without an outer loop
    SweepsPointer sweeps; ///< null without an outer loop
    ComparisonPointer comparison; ///< null without other plans
    std::vector<RunCurve> curves;
    std::optional<ReportLaunch> launch;
    Derivation derivations; ///< result of explain() for the plan with its simulated pipeline

    const Result &result() const { return *input.result; }
    const Plan &plan() const { return input.result->plan; }
    QString title() const;
};
using ReportDataPointer = std::shared_ptr<const ReportData>;

/// Runs the simulations and derivations for the requested sections. @throws Stopped
ReportDataPointer gatherReport(const ReportInput &input, const ReportChapters &chapters,
                               const std::stop_token &stop = {});

/// Searches for the plan's best configurations, up to a time limit.
SearchAnswerPointer searchForReport(const Result &result, const std::stop_token &stop = {});

} // namespace meshwright

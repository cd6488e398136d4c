// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/result.h"
#include "figures/figure_ref.h"
#include "formulas/derivation.h"
#include "report/page_flow.h"
#include "step/plan_pipeline.h"

namespace meshwright {

/// How a figure comes about.
struct ReportDerivation {
    FigureRef figure;
    Derivation derivation;
};

/// The parts of a report, in the order in which they stand. Each reads the result while it is painted: the result must
/// outlive the section.
ReportSection summarySection(const Result &result);
ReportSection planSection(const Result &result);
ReportSection memorySection(const Result &result);
ReportSection stepSection(const Result &result);
ReportSection runSection(const Result &result);
ReportSection problemsSection(const Result &result);
ReportSection assumptionsSection(const Result &result);
ReportSection definitionsSection(const Result &result);
/// The formula of every figure with this plan's numbers, where the links of the other sections lead.
/// @param executed  the plan's pipeline; null where it is not executed
/// @param more  derivations that the plan's explanation does not have
ReportSection formulasSection(const Result &result, const PlanPipeline *executed,
                              const std::vector<ReportDerivation> &more);

} // namespace meshwright

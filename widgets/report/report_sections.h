// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/result.h"
#include "figures/figure_ref.h"
#include "formulas/derivation.h"
#include "report/page_flow.h"
#include "step/plan_pipeline.h"

namespace meshwright {

/// A figure with its derivation.
struct ReportDerivation {
    FigureRef figure;
    Derivation derivation;
};

/// The sections of a report in order. A section reads the result while it is painted, so the result must outlive it.
ReportSection summarySection(const Result &result);
ReportSection planSection(const Result &result);
ReportSection memorySection(const Result &result);
ReportSection stepSection(const Result &result);
ReportSection runSection(const Result &result);
ReportSection problemsSection(const Result &result);
ReportSection assumptionsSection(const Result &result);
/// Definitions of the terms that the report uses.
ReportSection glossarySection(const Result &result);
/// The formula of every figure with this plan's numbers; the target of the links in the other sections.
/// @param executed  the simulated pipeline; null if it was not simulated
/// @param more  derivations that the plan's explanation does not contain
ReportSection formulasSection(const Result &result, const PlanPipeline *executed,
                              const std::vector<ReportDerivation> &more);

} // namespace meshwright

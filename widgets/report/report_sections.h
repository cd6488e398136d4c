// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/result.h"
#include "report/page_flow.h"

namespace meshwright {

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
/// The formula of every figure with this plan's numbers, so that the report can be checked.
ReportSection formulasSection(const Result &result);

} // namespace meshwright

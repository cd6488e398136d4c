// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "canvases/stacked_bars_view.h"
#include "report/report_data.h"
#include "report/report_parts.h"

#include <cstddef>
#include <vector>

namespace meshwright {

/// Limits of the first page, which must fit for every plan.
struct SummaryLimits {
    std::size_t problems = 100; ///< number of problems shown; the others are only counted
    std::size_t published = 8;
};

// The sections of a report in order. A section without parts has nothing to show for the plan and is left out.

ReportSection summarySection(const ReportDataPointer &data, const SummaryLimits &limits);
ReportSection problemsSection(const ReportDataPointer &data);
ReportSection memorySection(const ReportDataPointer &data);
ReportSection pipelineSection(const ReportDataPointer &data);
ReportSection sitesSection(const ReportDataPointer &data);
ReportSection searchSection(const ReportDataPointer &data);
ReportSection comparisonSection(const ReportDataPointer &data);
ReportSection runSection(const ReportDataPointer &data);
ReportSection assumptionsSection(const ReportDataPointer &data);
ReportSection evidenceSection(const ReportDataPointer &data);
ReportSection launchSection(const ReportDataPointer &data);
ReportSection glossarySection(const ReportDataPointer &data);
/// The derivations of all figures that are links in the shown parts.
/// @param shown  parts of the first page
ReportSection derivationsSection(const ReportDataPointer &data, const std::vector<ReportPart> &shown);

ProblemPart problemPart(const Diagnostic &diagnostic, std::size_t maxFixes);
/// Counts of problems by severity: "1 error, 2 warnings".
QString problemCounts(const std::vector<Diagnostic> &diagnostics);
/// A banner with the best configuration found, or with the statement that none is better; empty without a search.
std::optional<BannerPart> foundBanner(const ReportData &data);
/// Pictures with bars: the memory of all stages; the memory by kind on the stage with the highest peak; the step time
/// by term. The legends of the last two state the values.
std::vector<PicturePart> stagePictures(const Result &result);
PicturePart peakPicture(const Result &result);
PicturePart stepPicture(const Result &result);

void paintBars(Paper &paper, const QRectF &area, const StackedBarsView &view);
std::vector<LegendValue> kindLegend(const StackedBarsView &view);
/// The values of bars: a row per bar, a column per segment that occurs.
/// @param heading  heading of the first column, which has the bars' names
TablePart segmentTable(const QString &heading, const QStringList &names, const StackedBarsView &view,
                       Quantity quantity);

ReportFact factOf(const char *figure, const QString &name, const QString &value);
FactGroup runGroup(const Result &result);
FactGroup speedGroup(const Result &result);
FactGroup idleGroup(const Result &result);
FactGroup outerGroup(const OuterEstimate &outer);
FactGroup thresholdGroup(const Result &result);
FactsPart planFacts(const Result &result);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chart_axis.h"
#include "figures/figure_text.h"
#include "panels/run_curves_view.h"
#include "report/paper_chart.h"
#include "report/report_sections.h"

#include <algorithm>
#include <cmath>

namespace meshwright {
namespace {

const RunCurve *curveOf(const ReportData &data, const char *id) {
    const auto found =
        std::find_if(data.curves.begin(), data.curves.end(), [id](const RunCurve &curve) { return curve.id == id; });
    return found == data.curves.end() ? nullptr : &*found;
}

FactGroup reliabilityFacts(const Result &result) {
    const RunEstimate &run = result.run;
    const Quantity failures = run.expected_failures < 10 ? Quantity::number : Quantity::count;
    return {QStringLiteral("Failures and checkpoints"),
            {factOf("run.goodput", QStringLiteral("goodput"), shareText(run.goodput)),
             factOf("run.expected_failures", QStringLiteral("expected failures"),
                    figureText(run.expected_failures, failures)),
             factOf("run.checkpoint_bytes", QStringLiteral("checkpoint size"),
                    figureText(run.checkpoint_bytes, Quantity::bytes)),
             factOf("run.checkpoint_interval_seconds", QStringLiteral("checkpoint interval"),
                    figureText(run.checkpoint_interval_seconds, Quantity::seconds)),
             {QStringLiteral("recovery from a failure"),
              figureText(result.plan.faults.recovery_seconds, Quantity::seconds)}}};
}

/// The facts of the run, except those in the section on failures.
std::vector<FactGroup> splitRunFacts(const Result &result) {
    const FactGroup all = runGroup(result);
    FactGroup work{QStringLiteral("Run"), {}};
    FactGroup cost{QStringLiteral("Cost and energy"), {}};
    for (const ReportFact &fact : all.facts) {
        const QString path = figureOf(fact.value.figures.front().target).name();
        const bool isCost = path.contains(QLatin1String("dollars")) || path.contains(QLatin1String("joules"))
            || path.contains(QLatin1String("accelerator_hours"));
        const bool isFailure = path.contains(QLatin1String("checkpoint")) || path.contains(QLatin1String("failures"))
            || path.contains(QLatin1String("goodput"));
        if (isCost)
            cost.facts.push_back(fact);
        else if (!isFailure)
            work.facts.push_back(fact);
    }
    return {work, cost};
}

/// Joins marks that are so close that their names would overlap: "this plan, Daly".
void joinMarks(ChartView &view) {
    constexpr double near = 0.12; // maximum distance of joined marks, as a fraction of the axis
    QVector<ChartMark> joined;
    for (auto mark = view.marks.crbegin(); mark != view.marks.crend(); ++mark) { // the plan's own mark is the last one
        const double place = view.x.shareOf(mark->at.x());
        const auto same = std::find_if(joined.begin(), joined.end(), [&](const ChartMark &other) {
            return std::abs(view.x.shareOf(other.at.x()) - place) < near;
        });
        if (same != joined.end())
            same->text += QStringLiteral(", ") + mark->text;
        else
            joined.append(*mark);
    }
    for (ChartMark &mark : joined)
        mark.place = LabelPlace::RightBelow; // the curves rise to the right of a mark, so there is room below them
    view.marks = joined;
}

void addCurves(ReportSection &section, const ReportData &data) {
    std::vector<TitledChart> charts;
    QStringList notes;
    TablePart values{{{QStringLiteral("curve"), 2, Qt::AlignLeft},
                      {QStringLiteral("time between checkpoints")},
                      {QStringLiteral("value")}},
                     {}};
    for (const char *id : {"checkpoint-waste", "failure-cost"}) {
        const RunCurve *const curve = curveOf(data, id);
        if (curve == nullptr)
            continue;
        ChartView view = chartOf(*curve);
        view.titles = AxisTitles::Shown;
        joinMarks(view);
        if (view.y.scale == AxisScale::Logarithmic)
            view.y.low *= 0.7; // room for the name of a mark at the minimum
        charts.push_back({QString::fromStdString(curve->title), view});
        notes << QString::fromStdString(curve->note.text);
        for (const CurveMark &mark : curve->marks)
            values.rows.push_back(
                {QString::fromStdString(curve->title) + QStringLiteral(": ") + QString::fromStdString(mark.title),
                 view.x.textOf(mark.x), view.y.textOf(mark.y)});
        for (const std::vector<SentenceText> &row : tableOf(view, 5).rows)
            values.rows.push_back({QString::fromStdString(curve->title), row.at(0), row.at(1)});
    }
    if (charts.empty())
        return;
    section.parts.emplace_back(PicturePart{
        .title = QStringLiteral("Cost of checkpoints and failures vs. checkpoint interval"),
        .caption =
            SentenceText(QStringLiteral("Frequent checkpoints block training more often; rare ones lose more work per "
                                        "failure. Marks show this plan and the optima of Young and Daly. ")
                         + notes.join(QLatin1Char(' '))),
        .minHeight = 215,
        .maxHeight = 260,
        .paint = [charts](Paper &paper, const QRectF &area) { paintCharts(paper, area, charts, 2); },
        .legend = {},
        .values = values});
}

} // namespace

ReportSection runSection(const ReportDataPointer &data) {
    const Result &result = data->result();
    ReportSection section{
        ReportChapter::run, titleOf(ReportChapter::run), QStringLiteral("expected values over the whole run"), {}};
    const std::vector<FactGroup> run = splitRunFacts(result);
    section.parts.emplace_back(FactsPart{{{run[0]}, {run[1]}, {reliabilityFacts(result)}}});
    addCurves(section, *data);
    return section;
}

} // namespace meshwright

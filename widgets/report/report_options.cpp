// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/report_options.h"

#include <algorithm>

namespace meshwright {

const std::array<ReportChapterEntry, reportChapterCount> &reportChapters() {
    static constexpr std::array<ReportChapterEntry, reportChapterCount> chapters{{
        {ReportChapter::summary, "summary", "Summary",
         "One page: verdict, key figures, best configuration found, plan, memory, step, run, published figures, risks"},
        {ReportChapter::problems, "problems", "Problems and hints",
         "Every error, warning and hint with its evaluated fixes"},
        {ReportChapter::memory, "memory", "Memory", "Peak memory by stage, and memory over a step on the peak rank"},
        {ReportChapter::pipeline, "pipeline", "Step and pipeline",
         "Timeline of every pipeline rank, throughput, and idle time by cause"},
        {ReportChapter::sites, "diloco", "Multi-site training",
         "Timeline of inner steps and transfers, and compute utilization by link rate, inner steps, fragments and "
         "overlap"},
        {ReportChapter::search, "search", "Configurations found",
         "Pareto front of step time and memory headroom, and the best configurations of the search"},
        {ReportChapter::comparison, "compare", "Compared plans",
         "Figures of all plans side by side, the fields that differ, and the effect of each change"},
        {ReportChapter::run, "run", "Run, failures and checkpoints",
         "Tokens, cost and energy of the run, and the time lost to checkpoints and failures"},
        {ReportChapter::assumptions, "assumptions", "Assumptions",
         "Constants that the plan overrides, and the constants with the most influence"},
        {ReportChapter::evidence, "evidence", "Evidence and intervals",
         "The nearest measured runs with their prediction errors, and the resulting 80% intervals"},
        {ReportChapter::launch, "launch", "Launch file", "Launch files that start this run with the plan's software"},
        {ReportChapter::glossary, "glossary", "Glossary", "Definitions of the terms used"},
        {ReportChapter::derivations, "derivations", "How page one is calculated",
         "Formula, numbers, inputs and source of each figure of the first page; at most five pages"},
    }};
    return chapters;
}

QString titleOf(ReportChapter chapter) {
    return QString::fromLatin1(reportChapters().at(static_cast<std::size_t>(chapter)).title);
}

QString nameOf(ReportChapter chapter) {
    return QString::fromLatin1(reportChapters().at(static_cast<std::size_t>(chapter)).name);
}

ReportChapters ReportChapters::all() {
    ReportChapters chapters;
    chapters.m_has.set();
    return chapters;
}

ReportChapters ReportChapters::named(const QString &names, QStringList &unknown) {
    ReportChapters chapters;
    for (const QString &part : names.split(QLatin1Char(','))) {
        const QString name = part.trimmed();
        const auto &table = reportChapters();
        const auto *const found = std::find_if(table.begin(), table.end(), [&](const ReportChapterEntry &entry) {
            return name == QLatin1String(entry.name);
        });
        if (found != table.end())
            chapters.set(found->chapter);
        else
            unknown << name;
    }
    return chapters;
}

QString ReportChapters::names() const {
    QStringList names;
    for (const ReportChapterEntry &entry : reportChapters())
        if (has(entry.chapter))
            names << QString::fromLatin1(entry.name);
    return names.join(QLatin1Char(','));
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/report_sections.h"

#include <algorithm>

namespace meshwright {
namespace {

QString counted(const std::vector<Diagnostic> &diagnostics, Severity severity, const QString &one,
                const QString &many) {
    const auto count = std::count_if(diagnostics.begin(), diagnostics.end(), [severity](const Diagnostic &diagnostic) {
        return diagnostic.severity == severity;
    });
    return count == 0 ? QString() : QString::number(count) + QLatin1Char(' ') + (count == 1 ? one : many);
}

} // namespace

ProblemPart problemPart(const Diagnostic &diagnostic, std::size_t maxFixes) {
    ProblemPart problem{diagnostic.severity, capitalised(shownText(diagnostic.message)), {}, {}};
    if (!diagnostic.expected.empty())
        problem.expected = capitalised(shownText(diagnostic.expected));
    for (std::size_t i = 0; i < std::min(maxFixes, diagnostic.fixes.size()); ++i) {
        const Fix &fix = diagnostic.fixes[i];
        problem.fixes.push_back({capitalised(QString::fromStdString(fix.title)).text, QString::fromStdString(fix.gain),
                                 fix.figure.empty() ? FigureRef()
                                                    : FigureRef::gainOf(QString::fromStdString(fix.figure),
                                                                        QString::fromStdString(fix.patch))});
    }
    return problem;
}

QString problemCounts(const std::vector<Diagnostic> &diagnostics) {
    QStringList counts{counted(diagnostics, Severity::error, QStringLiteral("error"), QStringLiteral("errors")),
                       counted(diagnostics, Severity::warning, QStringLiteral("warning"), QStringLiteral("warnings")),
                       counted(diagnostics, Severity::hint, QStringLiteral("hint"), QStringLiteral("hints"))};
    counts.removeAll(QString());
    return counts.join(QStringLiteral(", "));
}

ReportSection problemsSection(const ReportDataPointer &data) {
    constexpr std::size_t allFixes = 100;
    const std::vector<Diagnostic> &diagnostics = data->result().diagnostics;
    ReportSection section{ReportChapter::problems, titleOf(ReportChapter::problems), problemCounts(diagnostics), {}};
    for (const Diagnostic &diagnostic : diagnostics)
        section.parts.emplace_back(problemPart(diagnostic, allFixes));
    return section;
}

} // namespace meshwright

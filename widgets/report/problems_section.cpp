// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/figure_ref.h"
#include "report/report_sections.h"
#include "theme/icon.h"

namespace meshwright {
namespace {

constexpr qreal TextIndent = 24;

/// Capitalizes a message. The core writes messages in lower case, since they also occur within a line.
QString sentence(const std::string &utf8) {
    QString text = QString::fromStdString(utf8);
    if (!text.isEmpty())
        text[0] = text[0].toUpper();
    return text;
}

struct SetFix {
    QString title;
    QString gain;
    FigureRef figure; ///< figure of the gain; may be empty
};

struct SetProblem {
    Severity severity;
    std::vector<SentenceText> message;
    std::vector<SentenceText> expected;
    std::vector<SetFix> fixes;

    qreal height() const {
        return qreal(message.size()) * Theme::lineHeight(TypeRole::Body)
            + qreal(expected.size() + fixes.size()) * Theme::lineHeight(TypeRole::Caption) + 9;
    }
};

SetProblem setProblem(const Diagnostic &diagnostic) {
    constexpr qreal width = paper::ContentWidth - TextIndent;
    SetProblem problem{
        diagnostic.severity, saidLines(capitalised(shownText(diagnostic.message)), width, TypeRole::Body), {}, {}};
    if (!diagnostic.expected.empty())
        problem.expected = saidLines(capitalised(shownText(diagnostic.expected)), width, TypeRole::Caption);
    for (const Fix &fix : diagnostic.fixes)
        problem.fixes.push_back(
            {paperElided(sentence(fix.title), width * 0.6, TypeRole::Caption), QString::fromStdString(fix.gain),
             fix.figure.empty()
                 ? FigureRef()
                 : FigureRef::gainOf(QString::fromStdString(fix.figure), QString::fromStdString(fix.patch))});
    return problem;
}

void paintProblem(Paper &paper, const SetProblem &problem, qreal x, qreal y) {
    const Theme &theme = paper.theme();
    const bool isHint = problem.severity == Severity::hint;
    const Tone tone = isHint ? Tone::Accent : problem.severity == Severity::warning ? Tone::Warn : Tone::Bad;
    const QString icon = isHint                 ? QStringLiteral("hint")
        : problem.severity == Severity::warning ? QStringLiteral("warn")
                                                : QStringLiteral("err");
    icons::paint(paper.painter(), QRectF(x, y, 16, 16), icon, theme.ink(tone));
    x += TextIndent;
    y += paper.say(x, y, problem.message, TypeRole::Body);
    y += paper.say(x, y, problem.expected, TypeRole::Caption, ColourRole::Text2);
    for (const SetFix &fix : problem.fixes) {
        const QString lead = QStringLiteral("Try  ");
        paper.text(x, y, lead, TypeRole::Caption, ColourRole::Text3);
        const qreal after = x + paperWidth(lead, TypeRole::Caption);
        paper.text(after, y, fix.title, TypeRole::Caption, ColourRole::Text, TextWeight::SemiBold);
        paper.states(QRectF(after, y, paperWidth(fix.title, TypeRole::Caption, TextWeight::SemiBold),
                            Theme::lineHeight(TypeRole::Caption)));
        const qreal gain = after + paperWidth(fix.title, TypeRole::Caption, TextWeight::SemiBold) + 8;
        paper.text(gain, y, fix.gain, TypeRole::Caption, ColourRole::Good, TextWeight::SemiBold);
        paper.link(QRectF(gain, y, paperWidth(fix.gain, TypeRole::Caption, TextWeight::SemiBold),
                          Theme::lineHeight(TypeRole::Caption)),
                   fix.figure);
        y += Theme::lineHeight(TypeRole::Caption);
    }
}

QString counted(const std::vector<Diagnostic> &diagnostics, Severity severity, const QString &one,
                const QString &many) {
    qsizetype count = 0;
    for (const Diagnostic &diagnostic : diagnostics)
        count += diagnostic.severity == severity;
    return count == 0 ? QString() : QString::number(count) + QLatin1Char(' ') + (count == 1 ? one : many);
}

} // namespace

ReportSection problemsSection(const Result &result) {
    QStringList counts{
        counted(result.diagnostics, Severity::error, QStringLiteral("error"), QStringLiteral("errors")),
        counted(result.diagnostics, Severity::warning, QStringLiteral("warning"), QStringLiteral("warnings")),
        counted(result.diagnostics, Severity::hint, QStringLiteral("hint"), QStringLiteral("hints"))};
    counts.removeAll(QString());
    ReportSection section{QStringLiteral("Problems and hints"), counts.join(QStringLiteral(", ")), {}};
    for (const Diagnostic &diagnostic : result.diagnostics) {
        const SetProblem problem = setProblem(diagnostic);
        section.blocks.push_back(
            {.height = problem.height(),
             .paint = [problem](Paper &paper, qreal x, qreal y) { paintProblem(paper, problem, x, y); },
             .staysWithNext = false});
    }
    if (section.blocks.empty())
        section.blocks.push_back({.height = qreal(Theme::lineHeight(TypeRole::Body)),
                                  .paint =
                                      [](Paper &paper, qreal x, qreal y) {
                                          paper.text(x, y, QStringLiteral("No problems were found in this plan."),
                                                     TypeRole::Body, ColourRole::Text2);
                                      },
                                  .staysWithNext = false});
    return section;
}

} // namespace meshwright

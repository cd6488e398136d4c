// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/paper_blocks.h"
#include "theme/icon.h"

namespace meshwright {
namespace {

constexpr qreal TextIndent = 22;

void paintFix(Paper &paper, const ProblemFix &fix, const QString &title, qreal x, qreal y) {
    const QString lead = QStringLiteral("Try  ");
    paper.text(x, y, lead, TypeRole::Caption, ColourRole::Text3);
    const qreal after = x + paperWidth(lead, TypeRole::Caption);
    const qreal width = paperWidth(title, TypeRole::Caption, TextWeight::SemiBold);
    const qreal line = Theme::lineHeight(TypeRole::Caption);
    paper.text(after, y, title, TypeRole::Caption, ColourRole::Text, TextWeight::SemiBold);
    paper.states(QRectF(after, y, width, line));
    const qreal gain = after + width + 8;
    paper.text(gain, y, fix.gain, TypeRole::Caption, ColourRole::Good, TextWeight::SemiBold);
    paper.link(QRectF(gain, y, paperWidth(fix.gain, TypeRole::Caption, TextWeight::SemiBold), line), fix.figure);
}

} // namespace

PaperBlocks blocksOf(const ProblemPart &part, qreal width) {
    const qreal room = width - TextIndent;
    const qreal line = Theme::lineHeight(TypeRole::Caption);
    const std::vector<SentenceText> message = saidLines(part.message, room, TypeRole::Body);
    const std::vector<SentenceText> expected =
        part.expected.empty() ? std::vector<SentenceText>() : saidLines(part.expected, room, TypeRole::Caption);
    QStringList titles;
    for (const ProblemFix &fix : part.fixes)
        titles << paperElided(fix.title, room * 0.7, TypeRole::Caption, TextWeight::SemiBold);
    const qreal height = static_cast<qreal>(message.size()) * Theme::lineHeight(TypeRole::Body)
        + static_cast<qreal>(expected.size() + part.fixes.size()) * line + 6;
    return {{.height = height, .paint = [=](Paper &paper, const QRectF &area) {
                 const Theme &theme = paper.theme();
                 const bool isHint = part.severity == Severity::hint;
                 const Tone tone = isHint ? Tone::Accent : part.severity == Severity::warning ? Tone::Warn : Tone::Bad;
                 const QString icon = isHint              ? QStringLiteral("hint")
                     : part.severity == Severity::warning ? QStringLiteral("warn")
                                                          : QStringLiteral("err");
                 icons::paint(paper.painter(), QRectF(area.left(), area.top(), 15, 15), icon, theme.ink(tone));
                 const qreal x = area.left() + TextIndent;
                 qreal y = area.top();
                 y += paper.say(x, y, message, TypeRole::Body);
                 y += paper.say(x, y, expected, TypeRole::Caption, ColourRole::Text2);
                 for (std::size_t i = 0; i < part.fixes.size(); ++i) {
                     paintFix(paper, part.fixes[i], titles.at(static_cast<qsizetype>(i)), x, y);
                     y += line;
                 }
             }}};
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/explain.h"
#include "explain/derivation_words.h"
#include "explain/figure_list.h"
#include "report/report_sections.h"

namespace meshwright {

namespace {

constexpr qreal indent = 12;
constexpr qreal valueRoom = 110;
constexpr qsizetype longest = 420; ///< of a formula's numbers; a sum over hundreds of parts says no more in full

QString shortened(const QString &text) {
    return text.size() <= longest ? text : text.left(longest) + QChar(0x2026);
}

/// Value, formula, the same with the numbers, source.
ReportBlock figureBlock(const Derivation &node) {
    const qreal width = paper::ContentWidth - indent;
    const QString title = paperElided(titleOf(node), paper::ContentWidth - valueRoom, TypeRole::Caption);
    const QString value = valueTextOf(node);
    const QStringList formula =
        paperLines(QStringLiteral("= ") + shortened(formulaLineOf(node)), width, TypeRole::Caption);
    const QStringList numbers =
        paperLines(QStringLiteral("= ") + shortened(numbersLineOf(node)), width, TypeRole::Caption);
    const QStringList source = paperLines(QString::fromStdString(node.source), width, TypeRole::Caption);
    const qreal line = Theme::lineHeight(TypeRole::Caption);
    return {.height = line * qreal(1 + formula.size() + numbers.size() + source.size()) + 6,
            .paint =
                [=](Paper &paper, qreal x, qreal y) {
                    paper.text(x, y, title, TypeRole::Caption, ColourRole::Text, TextWeight::SemiBold);
                    paper.text(x + paper::ContentWidth, y, value, TypeRole::Caption, ColourRole::Text,
                               TextWeight::SemiBold, Qt::AlignRight);
                    y += line;
                    y += paper.lines(x + indent, y, formula, TypeRole::Caption);
                    y += paper.lines(x + indent, y, numbers, TypeRole::Caption, ColourRole::Text2);
                    paper.lines(x + indent, y, source, TypeRole::Caption, ColourRole::Text3);
                },
            .staysWithNext = false};
}

/// Stages have the same formulas: those of the fullest one stand for all.
bool isOfOtherStage(const QString &name, int peakStage) {
    constexpr QLatin1String stages("memory_stages_");
    return name.startsWith(stages) && name.mid(stages.size()).section(QLatin1Char('_'), 0, 0).toInt() != peakStage;
}

} // namespace

ReportSection formulasSection(const Result &result) {
    ReportSection section{QStringLiteral("How the figures come about"),
                          result.memory.stages.size() > 1
                              ? QStringLiteral("memory: that of stage %1, the fullest").arg(result.memory.peak_stage)
                              : QString(),
                          {},
                          SectionStart::OwnPage};
    const Derivation tree = explain(result);
    for (const ComboItem &figure : figuresOf(tree)) {
        const Derivation *node = find_figure(tree, figure.id.toStdString());
        if (node != nullptr && !node->formula.empty() && !isOfOtherStage(figure.id, result.memory.peak_stage))
            section.blocks.push_back(figureBlock(*node));
    }
    return section;
}

} // namespace meshwright

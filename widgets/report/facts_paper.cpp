// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/paper_blocks.h"

#include <algorithm>

namespace meshwright {
namespace {

constexpr qreal ColumnGap = 24;
constexpr qreal NameGap = 10;
constexpr qreal RowGap = 0.5;
constexpr qreal TitleHeight = 19;
constexpr qreal GroupGap = 10;
constexpr std::size_t MostLines = 2;

/// A typeset fact. The value is next to its name if it fits, otherwise below it on at most two lines.
struct SetFact {
    ReportFact fact;
    std::vector<SentenceText> lines;
    bool isUnder = false;

    qreal height() const {
        const qreal pitch = Theme::lineHeight(TypeRole::Caption);
        return (isUnder ? pitch * qreal(lines.size() + 1) : pitch * std::max<qreal>(1, qreal(lines.size()))) + RowGap;
    }
};

SetFact setFact(const ReportFact &fact, qreal width) {
    const qreal nameWidth = paperWidth(fact.name, TypeRole::Caption);
    const qreal room = width - nameWidth - NameGap;
    if (paperWidth(fact.value.text, TypeRole::Caption) <= room)
        return {fact, {fact.value}, false};
    std::vector<SentenceText> lines = saidLines(fact.value, width - NameGap, TypeRole::Caption);
    if (lines.size() > MostLines) { // only a name chosen by the user can be this long
        lines.resize(MostLines);
        lines.back().text.append(QChar(0x2026));
    }
    return {fact, lines, true};
}

struct SetGroup {
    QString title;
    std::vector<SetFact> facts;

    qreal height() const {
        qreal height = TitleHeight;
        for (const SetFact &fact : facts)
            height += fact.height();
        return height;
    }
};

using SetColumn = std::vector<SetGroup>;

qreal heightOf(const SetColumn &column) {
    qreal height = -GroupGap;
    for (const SetGroup &group : column)
        height += group.height() + GroupGap;
    return height;
}

SetColumn setColumn(const std::vector<FactGroup> &groups, qreal width) {
    SetColumn column;
    for (const FactGroup &group : groups) {
        column.push_back({group.title, {}});
        for (const ReportFact &fact : group.facts)
            column.back().facts.push_back(setFact(fact, width));
    }
    return column;
}

void paintGroup(Paper &paper, const SetGroup &group, qreal x, qreal y, qreal width) {
    paper.text(x, y, group.title, TypeRole::Body, ColourRole::Text, TextWeight::SemiBold);
    qreal at = y + TitleHeight;
    const qreal pitch = Theme::lineHeight(TypeRole::Caption);
    for (const SetFact &set : group.facts) {
        paper.text(x, at, set.fact.name, TypeRole::Caption, ColourRole::Text3);
        qreal line = at + (set.isUnder ? pitch : 0);
        for (const SentenceText &said : set.lines) {
            paper.text(x + width, line, said.text, TypeRole::Caption, ColourRole::Text, TextWeight::Regular,
                       Qt::AlignRight);
            paper.link(x + width, line, said, TypeRole::Caption, TextWeight::Regular, Qt::AlignRight);
            line += pitch;
        }
        // A value without linked figures is a plan field.
        paper.states(set.fact.value.figures.empty()
                         ? QRectF(x, at, width, set.height())
                         : QRectF(x, at, paperWidth(set.fact.name, TypeRole::Caption), pitch));
        at += set.height();
    }
}

} // namespace

PaperBlocks blocksOf(const FactsPart &part, qreal width) {
    const auto count = static_cast<qreal>(part.columns.size());
    const qreal each = (width - ColumnGap * (count - 1)) / count;
    std::vector<SetColumn> set;
    qreal height = 0;
    for (const std::vector<FactGroup> &groups : part.columns) {
        set.push_back(setColumn(groups, each));
        height = std::max(height, heightOf(set.back()));
    }
    return {
        {.height = height + PartGap, .stretch = PartStretch, .paint = [set, each](Paper &paper, const QRectF &area) {
             qreal x = area.left();
             for (const SetColumn &column : set) {
                 qreal y = area.top();
                 for (const SetGroup &group : column) {
                     paintGroup(paper, group, x, y, each);
                     y += group.height() + GroupGap;
                 }
                 x += each + ColumnGap;
             }
         }}};
}

} // namespace meshwright

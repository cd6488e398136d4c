// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/fact_columns.h"

#include <algorithm>

namespace meshwright {
namespace {

constexpr qreal ColumnGap = 24;
constexpr qreal NameGap = 10;
constexpr qreal RowGap = 0.5;
constexpr qreal TitleHeight = 19;
constexpr qreal GroupGap = 10;

/// A typeset fact: the value is next to its name if it fits, otherwise below it.
struct SetFact {
    PaperFact fact;
    std::vector<SentenceText> lines;
    bool isUnder = false;

    qreal height() const {
        const qreal pitch = Theme::lineHeight(TypeRole::Caption);
        return (isUnder ? pitch * qreal(lines.size() + 1) : pitch * std::max<qreal>(1, qreal(lines.size()))) + RowGap;
    }
};

SetFact setFact(const PaperFact &fact, qreal width) {
    const qreal nameWidth = paperWidth(fact.name, TypeRole::Caption);
    const qreal room = width - nameWidth - NameGap;
    if (paperWidth(fact.value.text, TypeRole::Caption) <= room)
        return {fact, {fact.value}, false};
    return {fact, saidLines(fact.value, width - NameGap, TypeRole::Caption), true};
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
        for (const PaperFact &fact : group.facts)
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
            paper.text(x + width, line, said.text, TypeRole::Caption, set.fact.colour, TextWeight::Regular,
                       Qt::AlignRight);
            paper.link(x + width, line, said, TypeRole::Caption, TextWeight::Regular, Qt::AlignRight);
            line += pitch;
        }
        // A value without figures is a field of the plan.
        paper.states(set.fact.value.figures.empty()
                         ? QRectF(x, at, width, set.height())
                         : QRectF(x, at, paperWidth(set.fact.name, TypeRole::Caption), pitch));
        at += set.height();
    }
}

} // namespace

ReportBlock factColumns(const std::vector<std::vector<FactGroup>> &columns) {
    const qreal width = (paper::ContentWidth - ColumnGap * qreal(columns.size() - 1)) / qreal(columns.size());
    std::vector<SetColumn> set;
    qreal height = 0;
    for (const std::vector<FactGroup> &groups : columns) {
        set.push_back(setColumn(groups, width));
        height = std::max(height, heightOf(set.back()));
    }
    return {.height = height,
            .paint =
                [set, width](Paper &paper, qreal x, qreal y) {
                    for (const SetColumn &column : set) {
                        qreal at = y;
                        for (const SetGroup &group : column) {
                            paintGroup(paper, group, x, at, width);
                            at += group.height() + GroupGap;
                        }
                        x += width + ColumnGap;
                    }
                },
            .staysWithNext = false};
}

} // namespace meshwright

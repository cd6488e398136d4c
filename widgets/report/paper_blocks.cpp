// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/paper_blocks.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace meshwright {
namespace {

qreal lineOf(TypeRole role) {
    return Theme::lineHeight(role);
}

PaperBlocks contentsBlocks(const PaperContentsPointer &contents, qreal width) {
    constexpr int columns = 3;
    constexpr qreal gap = 24;
    const auto count = static_cast<int>(contents->entries.size());
    if (count == 0)
        return {};
    const int rows = (count + columns - 1) / columns;
    const qreal pitch = lineOf(TypeRole::Caption) + 1;
    const auto paint = [contents, rows, pitch, width](Paper &paper, const QRectF &area) {
        const qreal each = (width - gap * (columns - 1)) / columns;
        for (int i = 0; i < static_cast<int>(contents->entries.size()); ++i) {
            const PaperContents::Entry &entry = contents->entries[static_cast<std::size_t>(i)];
            const int column = i / rows;
            const qreal x = area.left() + column * (each + gap);
            const qreal y = area.top() + i % rows * pitch;
            const QString page = QString::number(entry.page);
            const qreal room = each - paperWidth(page, TypeRole::Caption) - 8;
            paper.text(x, y, paperElided(entry.title, room, TypeRole::Caption), TypeRole::Caption, ColourRole::Accent);
            paper.text(x + each, y, page, TypeRole::Caption, ColourRole::Text2, TextWeight::Regular, Qt::AlignRight);
            paper.link(QRectF(x, y, each, pitch), entry.chapter);
        }
    };
    return {{.height = rows * pitch, .paint = paint, .states = true}};
}

PaperBlocks columnBlocks(const ColumnsPart &part, const PaperContentsPointer &contents, qreal width) {
    constexpr qreal gap = 24;
    struct Placed {
        PaperBlocks blocks;
        qreal left = 0;
        qreal width = 0;
    };
    double shares = 0;
    for (const ColumnsPart::Column &column : part.columns)
        shares += column.share;
    const qreal room = width - gap * static_cast<qreal>(part.columns.size() - 1);
    std::vector<Placed> columns;
    qreal left = 0;
    qreal height = 0;
    for (const ColumnsPart::Column &column : part.columns) {
        Placed placed{.blocks = {}, .left = left, .width = room * column.share / shares};
        qreal sum = 0;
        for (const ReportPart &each : column.parts)
            for (ReportBlock &block : blocksOf(each, contents, placed.width)) {
                sum += block.height;
                placed.blocks.push_back(std::move(block));
            }
        height = std::max(height, sum);
        left += placed.width + gap;
        columns.push_back(std::move(placed));
    }
    return {{.height = height + PartGap, .stretch = PartStretch, .paint = [columns](Paper &paper, const QRectF &area) {
                 for (const Placed &column : columns) {
                     qreal y = area.top();
                     for (const ReportBlock &block : column.blocks) {
                         const QRectF place(area.left() + column.left, y, column.width, block.height);
                         block.paint(paper, place);
                         if (block.states)
                             paper.states(place);
                         y += block.height;
                     }
                 }
             }}};
}

} // namespace

PaperBlocks blocksOf(const ReportPart &part, const PaperContentsPointer &contents, qreal width) {
    if (const auto *const columns = std::get_if<ColumnsPart>(&part.what()))
        return columnBlocks(*columns, contents, width);
    if (std::holds_alternative<ContentsPart>(part.what()))
        return contentsBlocks(contents, width);
    return std::visit(
        [&]<typename Part>(const Part &what) -> PaperBlocks {
            if constexpr (std::is_same_v<Part, ColumnsPart> || std::is_same_v<Part, ContentsPart>)
                return {};
            else
                return blocksOf(what, width);
        },
        part.what());
}

PaperBlocks blocksOf(const HeadingPart &part, qreal width) {
    constexpr qreal above = 8;
    constexpr qreal below = 4;
    const qreal after = paperWidth(part.title, TypeRole::Body, TextWeight::SemiBold) + 8;
    SentenceText note = part.note;
    note.text = paperElided(note.text, width - after, TypeRole::Caption);
    return {{.height = above + lineOf(TypeRole::Body) + below,
             .paint =
                 [=](Paper &paper, const QRectF &area) {
                     const qreal y = area.bottom() - below - lineOf(TypeRole::Body);
                     paper.text(area.left(), y, part.title, TypeRole::Body, ColourRole::Text, TextWeight::SemiBold);
                     paper.text(area.left() + after, y + 1, note.text, TypeRole::Caption, ColourRole::Text3);
                     paper.link(area.left() + after, y + 1, note, TypeRole::Caption);
                 },
             .staysWithNext = true,
             .takesRest = part.atBottom}};
}

PaperBlocks blocksOf(const TextPart &part, qreal width) {
    const std::vector<SentenceText> lines = saidLines(part.text, width, TypeRole::Body);
    return {{.height = lineOf(TypeRole::Body) * static_cast<qreal>(lines.size()) + 6,
             .paint =
                 [lines, colour = part.colour](Paper &paper, const QRectF &area) {
                     paper.say(area.left(), area.top(), lines, TypeRole::Body, colour);
                 },
             .staysWithNext = true}};
}

PaperBlocks blocksOf(const CodePart &part, qreal width) {
    constexpr qreal pitch = 11.5;
    constexpr qreal indent = 10;
    const QFont font = codeFont();
    const QFontMetricsF metrics(font);
    const auto longest = static_cast<qsizetype>((width - indent) / metrics.horizontalAdvance(QLatin1Char('m'))) - 2;
    PaperBlocks blocks = blocksOf(HeadingPart{part.name}, width);
    const auto line = [&](const QString &text, bool continues) {
        blocks.push_back({.height = pitch, .paint = [=](Paper &paper, const QRectF &area) {
                              paper.painter().fillRect(QRectF(area.left(), area.top(), 2, area.height()),
                                                       paper.theme().colour(ColourRole::Line));
                              paper.code(area.left() + indent, area.top(), text,
                                         continues ? ColourRole::Text2 : ColourRole::Text);
                          }});
    };
    for (const QString &text : part.lines) {
        qsizetype from = 0;
        do {
            line((from > 0 ? QStringLiteral("\u21b3 ") : QString()) + text.mid(from, longest), from > 0);
            from += longest;
        } while (from < text.size());
    }
    return blocks;
}

PaperBlocks blocksOf(const GlossaryPart &part, qreal width) {
    constexpr qreal indent = 150;
    const QStringList terms = paperLines(part.term, indent - 16, TypeRole::Caption, TextWeight::SemiBold);
    const QStringList lines = paperLines(part.meaning, width - indent, TypeRole::Caption);
    return {{.height = static_cast<qreal>(std::max(lines.size(), terms.size())) * lineOf(TypeRole::Caption) + 5,
             .paint =
                 [=](Paper &paper, const QRectF &area) {
                     paper.lines(area.left(), area.top(), terms, TypeRole::Caption, ColourRole::Text,
                                 TextWeight::SemiBold);
                     paper.lines(area.left() + indent, area.top(), lines, TypeRole::Caption, ColourRole::Text2);
                 },
             .states = true}};
}

PaperBlocks blocksOf(const DerivationPart &part, qreal width) {
    constexpr qreal indent = 12;
    constexpr qreal valueRoom = 190;
    const qreal room = width - indent;
    const auto set = [room](const QString &text) {
        return text.isEmpty() ? QStringList() : paperLines(text, room, TypeRole::Caption);
    };
    const QString title = paperElided(part.title, width - valueRoom, TypeRole::Caption, TextWeight::SemiBold);
    const QString both = part.formula + QLatin1Char(' ') + part.numbers;
    const bool onOneLine = !part.formula.isEmpty() && paperWidth(both, TypeRole::Caption) <= room;
    const QStringList paragraph = set(part.paragraph);
    const QStringList formula = set(onOneLine ? both : part.formula);
    const QStringList numbers = onOneLine || part.numbers.isEmpty() ? QStringList() : set(part.numbers);
    SentenceText origin = part.inputs;
    if (!part.source.isEmpty())
        origin += (origin.empty() ? QString() : QStringLiteral(". ")) + part.source;
    const std::vector<SentenceText> inputs =
        origin.empty() ? std::vector<SentenceText>() : saidLines(origin, room, TypeRole::Caption);
    const qreal line = lineOf(TypeRole::Caption);
    const auto count = 1 + paragraph.size() + formula.size() + numbers.size() + static_cast<qsizetype>(inputs.size());
    return {{.height = line * static_cast<qreal>(count) + 4.5, .paint = [=](Paper &paper, const QRectF &area) {
                 qreal y = area.top();
                 for (const FigureRef &target : part.targets)
                     paper.target(y, target);
                 paper.text(area.left(), y, title, TypeRole::Caption, ColourRole::Text, TextWeight::SemiBold);
                 paper.text(area.right(), y, part.value, TypeRole::Caption, ColourRole::Text, TextWeight::SemiBold,
                            Qt::AlignRight);
                 y += line;
                 y += paper.lines(area.left() + indent, y, paragraph, TypeRole::Caption);
                 y += paper.lines(area.left() + indent, y, formula, TypeRole::Caption);
                 y += paper.lines(area.left() + indent, y, numbers, TypeRole::Caption, ColourRole::Text2);
                 paper.say(area.left() + indent, y, inputs, TypeRole::Caption, ColourRole::Text3);
             }}};
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/paper_blocks.h"

#include <QRegularExpression>

#include <algorithm>

namespace meshwright {
namespace {

constexpr qreal CellGap = 8;
constexpr qreal RowPadding = 4;

struct CellColumn {
    qreal left = 0;
    qreal width = 0;
    bool isNumber = true;
};

/// Widths that a column needs. At its minimum width, a column of numbers fits its widest number. Text wraps, so a
/// column of text only has to fit its widest word.
struct Need {
    qreal min = 0;
    qreal whole = 0; ///< width of the widest cell on one line
};

Need needOf(const TablePart &table, std::size_t column) {
    // Lines break at spaces, and in paths after a slash.
    static const QRegularExpression breaks(QStringLiteral(" |(?<=/)"));
    Need need;
    const bool isNumber = table.columns[column].alignment.testFlag(Qt::AlignRight);
    const auto take = [&](const QString &text, TextWeight weight, bool mayBreak) {
        need.whole = std::max(need.whole, paperWidth(text, TypeRole::Caption, weight));
        for (const QString &word : mayBreak ? text.split(breaks) : QStringList{text})
            need.min = std::max(need.min, paperWidth(word, TypeRole::Caption, weight));
    };
    for (std::size_t row = 0; row < table.rows.size(); ++row)
        if (column < table.rows[row].size())
            take(table.rows[row][column].text,
                 static_cast<int>(row) == table.strong ? TextWeight::SemiBold : TextWeight::Regular, !isNumber);
    const qreal cells = need.whole;
    take(table.columns[column].title, TextWeight::Regular, true);
    if (isNumber)
        need.whole = std::max(cells, need.min); // headings are allowed to wrap
    constexpr qreal roundingUp = 1;
    return {need.min + roundingUp, need.whole + roundingUp};
}

/// Columns of numbers are as wide as their widest number; columns of text share the rest. Any remaining width is placed
/// between the columns.
std::vector<CellColumn> columnsOf(const TablePart &table, qreal width) {
    std::vector<Need> needs;
    qreal least = 0;
    qreal leastTexts = 0; ///< part of `least` that text columns need for unbroken words
    qreal whole = 0;
    double shares = 0;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        needs.push_back(needOf(table, i));
        const bool isText = !table.columns[i].alignment.testFlag(Qt::AlignRight);
        least += isText ? std::min(needs[i].min, width / 2) : needs[i].whole;
        leastTexts += isText ? std::min(needs[i].min, width / 2) : 0;
        whole += needs[i].whole;
        shares += isText ? table.columns[i].share : 0;
    }
    const auto count = static_cast<qreal>(table.columns.size());
    const qreal room = width - CellGap * (count - 1);
    const qreal between = CellGap + (whole < room ? (room - whole) / std::max(1.0, count - 1) : 0);
    // Paths and other long words are broken if the columns of numbers leave too little room.
    const qreal squeezed = least > room ? std::max(0.1, 1 - (least - room) / std::max(leastTexts, 1.0)) : 1;
    std::vector<CellColumn> columns;
    qreal left = 0;
    for (std::size_t i = 0; i < needs.size(); ++i) {
        const bool isText = !table.columns[i].alignment.testFlag(Qt::AlignRight);
        qreal each = needs[i].whole;
        if (isText && whole > room)
            each = squeezed * std::min(needs[i].min, width / 2)
                + std::max(0.0, room - least) * table.columns[i].share / std::max(shares, 1e-9);
        columns.push_back({left, each, !isText});
        left += each + between;
    }
    return columns;
}

std::vector<SentenceText> setCell(const SentenceText &cell, qreal width, TextWeight weight) {
    return cell.empty() ? std::vector<SentenceText>() : saidLines(cell, width, TypeRole::Caption, weight);
}

enum class RowLook { Heading, Plain, Strong };

ReportBlock rowBlock(const std::vector<SentenceText> &cells, const std::vector<CellColumn> &columns, RowLook look) {
    const TextWeight weight = look == RowLook::Strong ? TextWeight::SemiBold : TextWeight::Regular;
    const ColourRole ink = look == RowLook::Heading ? ColourRole::Text3 : ColourRole::Text;
    std::vector<std::vector<SentenceText>> set;
    std::size_t lines = 1;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        set.push_back(i < cells.size() ? setCell(cells[i], columns[i].width, weight) : std::vector<SentenceText>());
        lines = std::max(lines, set.back().size());
    }
    const qreal pitch = Theme::lineHeight(TypeRole::Caption);
    return {.height = static_cast<qreal>(lines) * pitch + RowPadding,
            .paint =
                [=](Paper &paper, const QRectF &area) {
                    for (std::size_t i = 0; i < columns.size(); ++i) {
                        const qreal x = area.left() + columns[i].left + (columns[i].isNumber ? columns[i].width : 0);
                        const Qt::Alignment side = columns[i].isNumber ? Qt::AlignRight : Qt::AlignLeft;
                        // One-line headings are aligned with the last line of longer headings.
                        qreal y = area.top()
                            + (look == RowLook::Heading ? static_cast<qreal>(lines - set[i].size()) * pitch : 0);
                        for (const SentenceText &line : set[i]) {
                            paper.text(x, y, line.text, TypeRole::Caption, ink, weight, side);
                            paper.link(x, y, line, TypeRole::Caption, weight, side);
                            y += pitch;
                        }
                    }
                    paper.rule(area.left(), area.bottom() - RowPadding / 2, area.width(),
                               look == RowLook::Heading ? ColourRole::Line : ColourRole::Grid);
                },
            .staysWithNext = look == RowLook::Heading};
}

} // namespace

PaperBlocks blocksOf(const TablePart &part, qreal width) {
    const std::vector<CellColumn> columns = columnsOf(part, width);
    std::vector<SentenceText> titles;
    for (const TableColumn &column : part.columns)
        titles.emplace_back(column.title);
    PaperBlocks blocks{rowBlock(titles, columns, RowLook::Heading)};
    for (std::size_t i = 0; i < part.rows.size(); ++i) {
        const RowLook look = static_cast<int>(i) == part.strong ? RowLook::Strong : RowLook::Plain;
        blocks.push_back(rowBlock(part.rows[i], columns, look));
        blocks.back().headedBy = static_cast<int>(i) + 1;
    }
    return blocks;
}

} // namespace meshwright

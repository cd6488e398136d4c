// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/lesson_blocks.h"

#include "report/paper.h"
#include "report/paper_blocks.h"
#include "report/report_parts.h"

#include <QFontMetricsF>
#include <QRegularExpression>

#include <algorithm>
#include <iterator>
#include <utility>

namespace meshwright {

namespace {

constexpr qreal answerLine = 26; ///< distance between lines to write on
constexpr qreal belowItem = 3;
constexpr qreal belowPart = 6;
constexpr int programPixels = 11; ///< font size; small, so that long lines of programs fit

QStringList cellsOf(const QString &row) {
    QStringList cells = row.trimmed().split(QLatin1Char('|'));
    if (!cells.isEmpty() && cells.constFirst().isEmpty())
        cells.removeFirst();
    if (!cells.isEmpty() && cells.constLast().isEmpty())
        cells.removeLast();
    for (QString &cell : cells)
        cell = withoutMarks(cell.trimmed());
    return cells;
}

ReportBlock gapOf(qreal height) {
    return {.height = height, .paint = [](Paper &, const QRectF &) {}, .staysWithNext = true};
}

} // namespace

QString withoutMarks(const QString &markdown) {
    static const QRegularExpression link(QStringLiteral(R"(\[([^\]]*)\]\([^)]*\))"));
    static const QRegularExpression strong(QStringLiteral(R"(\*\*([^*]+)\*\*)"));
    static const QRegularExpression emphasis(QStringLiteral(R"((?<![\w*])\*([^*\n]+)\*(?![\w*]))"));
    QString words = markdown;
    words.replace(link, QStringLiteral("\\1"))
        .replace(strong, QStringLiteral("\\1"))
        .replace(emphasis, QStringLiteral("\\1"));
    return words.remove(QLatin1Char('`'));
}

void LessonBlocks::add(std::vector<ReportBlock> blocks) {
    std::move(blocks.begin(), blocks.end(), std::back_inserter(m_blocks));
}

void LessonBlocks::title(const QString &title, const QString &summary, const QString &aside) {
    const QStringList name = paperLines(title, paper::ContentWidth * 0.8, TypeRole::Title, TextWeight::SemiBold);
    const QStringList lines = paperLines(summary, paper::ContentWidth, TypeRole::Body);
    const qreal nameHeight = Theme::lineHeight(TypeRole::Title) * static_cast<qreal>(name.size());
    ReportBlock block;
    block.height = nameHeight + Theme::lineHeight(TypeRole::Body) * static_cast<qreal>(lines.size()) + belowPart;
    block.staysWithNext = true;
    block.states = true;
    block.paint = [=](Paper &paper, const QRectF &area) {
        paper.lines(area.left(), area.top(), name, TypeRole::Title, ColourRole::Text, TextWeight::SemiBold);
        paper.text(area.right(), area.top() + 4, aside, TypeRole::Caption, ColourRole::Text3, TextWeight::Regular,
                   Qt::AlignRight);
        paper.lines(area.left(), area.top() + nameHeight, lines, TypeRole::Body, ColourRole::Text2);
    };
    m_blocks.push_back(std::move(block));
}

void LessonBlocks::heading(const QString &title) {
    add(blocksOf(HeadingPart{title}, paper::ContentWidth));
}

void LessonBlocks::line(const QString &words, ColourRole colour) {
    add(blocksOf(TextPart{words, colour}, paper::ContentWidth));
    // A page break may follow. Otherwise, all texts of a lesson would have to fit on one page.
    m_blocks.back().staysWithNext = false;
}

void LessonBlocks::item(const QString &marker, const QString &words, ColourRole colour) {
    constexpr qreal indent = 24;
    const QStringList lines = paperLines(words, paper::ContentWidth - indent, TypeRole::Body);
    ReportBlock block;
    block.height = Theme::lineHeight(TypeRole::Body) * static_cast<qreal>(lines.size()) + belowItem;
    block.states = true;
    block.paint = [=](Paper &paper, const QRectF &area) {
        paper.text(area.left(), area.top(), marker, TypeRole::Body, ColourRole::Text2);
        paper.lines(area.left() + indent, area.top(), lines, TypeRole::Body, colour);
    };
    m_blocks.push_back(std::move(block));
}

void LessonBlocks::gap() {
    m_blocks.push_back(gapOf(belowPart - belowItem));
}

void LessonBlocks::code(const QStringList &lines) {
    constexpr qreal pitch = 15;
    constexpr qreal indent = 12;
    QFont font = codeFont();
    font.setPixelSize(programPixels);
    const auto longest =
        static_cast<qsizetype>((paper::ContentWidth - indent) / QFontMetricsF(font).horizontalAdvance(QLatin1Char('m')))
        - 2;
    m_blocks.push_back(gapOf(2));
    for (const QString &text : lines)
        for (qsizetype from = 0; from == 0 || from < text.size(); from += longest) {
            const QString part = (from > 0 ? QStringLiteral("  ") : QString()) + text.mid(from, longest);
            m_blocks.push_back(
                {.height = pitch,
                 .paint =
                     [=](Paper &paper, const QRectF &area) {
                         QPainter &painter = paper.painter();
                         painter.fillRect(QRectF(area.left(), area.top(), 2, area.height()),
                                          paper.theme().colour(ColourRole::LineStrong));
                         painter.setFont(font);
                         painter.setPen(paper.theme().colour(ColourRole::Text));
                         painter.drawText(QPointF(area.left() + indent, area.top() + QFontMetricsF(font).ascent() + 1),
                                          part);
                     },
                 .staysWithNext = true,
                 .states = true});
        }
    m_blocks.push_back(gapOf(belowPart));
    m_blocks.back().staysWithNext = false;
}

void LessonBlocks::table(const QStringList &lines) {
    static const QRegularExpression ruler(QStringLiteral(R"(^[\s|:-]+$)"));
    TablePart part;
    for (const QString &title : cellsOf(lines.constFirst()))
        part.columns.push_back({.title = title, .alignment = Qt::AlignLeft});
    for (const QString &row : lines.mid(1)) {
        if (ruler.match(row).hasMatch())
            continue;
        std::vector<SentenceText> cells;
        for (const QString &cell : cellsOf(row))
            cells.emplace_back(cell);
        part.rows.push_back(std::move(cells));
    }
    const std::size_t since = m_blocks.size();
    add(blocksOf(part, paper::ContentWidth));
    for (std::size_t i = since; i < m_blocks.size(); ++i) {
        m_blocks[i].states = true;
        m_blocks[i].staysWithNext = true;
    }
    m_blocks.push_back(gapOf(belowPart));
    m_blocks.back().staysWithNext = false;
}

void LessonBlocks::markdown(const std::string &text) {
    static const QRegularExpression listed(QStringLiteral(R"(^(\*|-|\d+\.)\s+(.*)$)"));
    QString marker, paragraph;
    QStringList rows, program;
    bool isProgram = false, isList = false;
    const auto flush = [&] {
        if (!paragraph.trimmed().isEmpty() && marker.isEmpty())
            line(withoutMarks(paragraph.simplified()));
        else if (!paragraph.trimmed().isEmpty())
            item(marker, withoutMarks(paragraph.simplified()));
        if (!rows.isEmpty())
            table(rows);
        marker.clear();
        paragraph.clear();
        rows.clear();
    };
    const auto endList = [&] {
        if (isList)
            gap();
        isList = false;
    };
    for (const QString &each : QString::fromStdString(text).split(QLatin1Char('\n'))) {
        if (each.startsWith(QLatin1String("```"))) {
            flush();
            if (isProgram)
                code(std::exchange(program, {}));
            isProgram = !isProgram;
        } else if (isProgram) {
            program.append(each);
        } else if (each.startsWith(QLatin1Char('|'))) {
            rows.append(each);
        } else if (const QRegularExpressionMatch match = listed.match(each); match.hasMatch()) {
            flush();
            marker = match.captured(1).size() == 1 ? QStringLiteral("•") : match.captured(1);
            paragraph = match.captured(2) + QLatin1Char(' ');
            isList = true;
        } else if (each.trimmed().isEmpty()) {
            flush();
            endList();
        } else {
            paragraph += each + QLatin1Char(' ');
        }
    }
    flush();
    endList();
}

void LessonBlocks::room(int lines) {
    ReportBlock block;
    block.height = answerLine * lines;
    block.states = true;
    block.paint = [lines](Paper &paper, const QRectF &area) {
        for (int i = 1; i <= lines; ++i)
            paper.rule(area.left(), area.top() + answerLine * i - belowPart, area.width(), ColourRole::LineStrong);
    };
    m_blocks.push_back(std::move(block));
}

bool LessonBlocks::keepTogether(std::size_t since, qreal room) {
    qreal height = 0;
    for (std::size_t i = since; i < m_blocks.size(); ++i)
        height += m_blocks[i].height;
    if (height > room)
        return false;
    for (std::size_t i = since; i + 1 < m_blocks.size(); ++i)
        m_blocks[i].staysWithNext = true;
    return true;
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/lesson_handout.h"

#include "catalog/library.h"
#include "formulas/derivation.h"
#include "lessons/judgement.h"
#include "lessons/question.h"
#include "report/page_flow.h"
#include "report/paper.h"
#include "report/paper_blocks.h"
#include "report/report_parts.h"

#include <QBuffer>
#include <QPainter>
#include <QPdfWriter>
#include <QRegularExpression>

#include <algorithm>

namespace meshwright {

namespace {

constexpr qreal dotsPerInch = 96;
constexpr qreal answerLine = 26; ///< distance of the lines to write on

QString text(std::string_view utf8) {
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

/// Markdown without its marks: paper has no links, and emphasis is left to the words.
QString plain(const QString &markdown) {
    static const QRegularExpression link(QStringLiteral(R"(\[([^\]]*)\]\([^)]*\))"));
    static const QRegularExpression strong(QStringLiteral(R"(\*\*([^*]+)\*\*)"));
    static const QRegularExpression emphasis(QStringLiteral(R"((?<![\w*])\*([^*\n]+)\*(?![\w*]))"));
    QString words = markdown;
    words.replace(link, QStringLiteral("\\1"))
        .replace(strong, QStringLiteral("\\1"))
        .replace(emphasis, QStringLiteral("\\1"));
    return words.remove(QLatin1Char('`'));
}

/// Blocks of one question or text, from top to bottom.
class HandOutBlocks {
public:
    explicit HandOutBlocks(HandOut which)
        : m_which(which) { }

    void title(const Lesson &lesson) {
        QStringList asides;
        if (lesson.minutes > 0)
            asides.append(QStringLiteral("%1 minutes").arg(lesson.minutes));
        add(blocksOf(TitlePart{text(lesson.title),
                               m_which == HandOut::key ? QStringLiteral("Key: answers and how they are calculated")
                                                       : text(lesson.summary),
                               asides},
                     paper::ContentWidth));
    }
    void heading(const QString &title) { add(blocksOf(HeadingPart{title}, paper::ContentWidth)); }
    /// Paragraphs of Markdown; fenced blocks and lists keep their lines.
    void paragraphs(const std::string &markdown) {
        const QStringList lines = text(markdown).split(QLatin1Char('\n'));
        QString paragraph;
        const auto flush = [&] {
            if (!paragraph.trimmed().isEmpty())
                line(plain(paragraph.simplified()));
            paragraph.clear();
        };
        for (const QString &line : lines) {
            const bool isItem = line.startsWith(QLatin1String("- ")) || line.startsWith(QLatin1String("* "))
                || line.startsWith(QLatin1String("```")) || line.startsWith(QLatin1Char('|'));
            if (line.trimmed().isEmpty() || isItem)
                flush();
            if (!line.startsWith(QLatin1String("```")))
                paragraph += line + QLatin1Char(' ');
        }
        flush();
    }
    void line(const QString &words, ColourRole colour = ColourRole::Text) {
        add(blocksOf(TextPart{words, colour}, paper::ContentWidth));
        m_blocks.back().staysWithNext = false; // texts of a lesson follow one another without end
    }
    void code(const QStringList &lines) { add(blocksOf(CodePart{QString(), lines}, paper::ContentWidth)); }
    /// Lines to write an answer on.
    void room(int lines) {
        ReportBlock block;
        block.height = answerLine * lines;
        block.states = true;
        block.paint = [lines](Paper &paper, const QRectF &area) {
            for (int i = 1; i <= lines; ++i)
                paper.rule(area.left(), area.top() + answerLine * i - 6, area.width(), ColourRole::LineStrong);
        };
        m_blocks.push_back(std::move(block));
    }
    std::vector<ReportBlock> take() { return std::move(m_blocks); }

private:
    void add(PaperBlocks blocks) { std::move(blocks.begin(), blocks.end(), std::back_inserter(m_blocks)); }

    HandOut m_which;
    std::vector<ReportBlock> m_blocks;
};

/// What is to choose from, read or set.
void addGiven(const Question &question, HandOutBlocks &blocks) {
    const LessonStep &step = *question.step;
    if (!step.program.empty()) {
        QStringList lines;
        for (std::size_t i = 0; i < step.program.size(); ++i)
            lines.append(QStringLiteral("%1  %2").arg(i + 1).arg(text(step.program[i])));
        blocks.code(lines);
    }
    for (const AskedOption &option : question.options) {
        const StepOption &own = step.options[option.index];
        const QString place =
            own.line > 0 ? QStringLiteral("line %1: %2 (").arg(own.line).arg(text(own.code)) : QString();
        blocks.line(QStringLiteral("%1   %2%3%4")
                        .arg(text(option.key), place, plain(text(option.text)),
                             place.isEmpty() ? QString() : QStringLiteral(")")));
    }
    for (const DesignGoal &goal : step.goals)
        blocks.line(QStringLiteral("Goal: ") + plain(text(goal.text)));
    for (const FreeField &field : step.fields) {
        QStringList values;
        for (const nlohmann::ordered_json &value : field.values)
            values.append(text(value.is_string() ? value.get<std::string>() : value.dump()));
        blocks.line(QStringLiteral("%1: %2").arg(text(field.field), values.join(QStringLiteral(", "))));
    }
    if (step.kind == StepKind::code) {
        QStringList parameters;
        for (const std::string &parameter : step.parameters)
            parameters.append(text(parameter));
        blocks.code(
            {QStringLiteral("function %1(%2)").arg(text(step.function), parameters.join(QStringLiteral(", ")))});
    }
}

void addAnswer(const Question &question, LessonEngine &engine, HandOutBlocks &blocks) {
    const QString answer = text(expected_text(question, engine));
    if (question.step->kind == StepKind::code)
        blocks.code(answer.split(QLatin1Char('\n')));
    else
        blocks.line(QStringLiteral("Answer: ") + plain(answer));
    const Derivation derivation = derivation_of(question, engine);
    if (!derivation.formula.empty()) {
        blocks.line(text(derivation.formula), ColourRole::Text2);
        blocks.line(QStringLiteral("= ") + text(derivation.substituted()), ColourRole::Text2);
    }
    if (!derivation.formula.empty() && !derivation.source.empty())
        blocks.line(text(derivation.source), ColourRole::Text3);
    for (const Slip &slip : question.step->slips)
        blocks.line(QStringLiteral("%1: %2").arg(text(slip.name), plain(text(filled_in(slip.hint, question)))),
                    ColourRole::Text3);
}

int roomFor(StepKind kind) {
    switch (kind) {
    case StepKind::number:
        return 3;
    case StepKind::code:
        return 7;
    case StepKind::design:
        return 2;
    case StepKind::discussion:
        return 4;
    default:
        return 1;
    }
}

std::vector<ReportBlock> blocksOfLesson(const Lesson &lesson, HandOut which, const Library &library,
                                        std::uint64_t seed) {
    LessonEngine engine(lesson, library);
    HandOutBlocks blocks(which);
    blocks.title(lesson);
    int number = 0;
    for (const LessonStep &step : lesson.steps) {
        const bool asks = is_question(step.kind);
        number += asks ? 1 : 0;
        if (which == HandOut::key && !asks)
            continue;
        blocks.heading(asks ? QStringLiteral("Question %1: %2").arg(number).arg(text(step.title)) : text(step.title));
        if (!asks) {
            blocks.paragraphs(filled_in(step.text, ask(step, seed, engine)));
            if (step.kind == StepKind::discussion)
                blocks.room(roomFor(step.kind));
            continue;
        }
        const Question question = ask(step, seed, engine);
        if (which == HandOut::questions)
            blocks.paragraphs(filled_in(step.text, question));
        blocks.paragraphs(question.text);
        addGiven(question, blocks);
        if (which == HandOut::questions)
            blocks.room(roomFor(step.kind));
        else
            addAnswer(question, engine, blocks);
    }
    return blocks.take();
}

} // namespace

QByteArray handOutPdf(const Lesson &lesson, HandOut which, const Library &library, std::uint64_t seed, PaperSize size,
                      const QString &version) {
    const PaperFormat format = PaperFormat::of(size);
    std::vector<PaperSection> sections(1);
    sections.front().blocks = blocksOfLesson(lesson, which, library, seed);
    const std::vector<ReportPage> pages = flowed(sections, format);
    const QString title = text(lesson.title);
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setPageLayout(QPageLayout(QPageSize(size == PaperSize::Letter ? QPageSize::Letter : QPageSize::A4),
                                     QPageLayout::Portrait, QMarginsF(), QPageLayout::Point));
    constexpr int resolution = 1200; // so that positions are not rounded to points
    writer.setResolution(resolution);
    writer.setTitle(title);
    writer.setCreator(QStringLiteral("Meshwright ") + version);
    QPainter painter(&writer);
    painter.setRenderHint(QPainter::Antialiasing);
    for (std::size_t page = 0; page < pages.size(); ++page) {
        if (page > 0)
            writer.newPage();
        painter.save();
        painter.scale(resolution / dotsPerInch, resolution / dotsPerInch);
        Paper sheet(painter);
        paintPage(sheet, pages[page], format);
        const qreal left = format.margin(), y = format.height - 44;
        sheet.rule(left, y - 6, paper::ContentWidth);
        sheet.text(left, y, QStringLiteral("%1, numbers of seed %2").arg(title).arg(seed), TypeRole::Caption,
                   ColourRole::Text3);
        sheet.text(left + paper::ContentWidth, y,
                   QStringLiteral("Meshwright %1, page %2 of %3").arg(version).arg(page + 1).arg(pages.size()),
                   TypeRole::Caption, ColourRole::Text3, TextWeight::Regular, Qt::AlignRight);
        painter.restore();
    }
    painter.end();
    return buffer.data();
}

} // namespace meshwright

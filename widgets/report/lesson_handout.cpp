// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/lesson_handout.h"

#include "catalog/library.h"
#include "explain/derivation_text.h"
#include "lessons/bug_hunt.h"
#include "lessons/judgement.h"
#include "lessons/number_answer.h"
#include "lessons/question.h"
#include "report/lesson_blocks.h"
#include "report/paper.h"

#include <QBuffer>
#include <QPainter>
#include <QPdfWriter>

#include <nlohmann/json.hpp>

#include <optional>

namespace meshwright {

namespace {

constexpr qreal dotsPerInch = 96;

QString text(std::string_view utf8) {
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

QString textOfValue(const nlohmann::ordered_json &value) {
    return text(value.is_string() ? value.get<std::string>() : value.dump());
}

/// Adds the parts of a question other than its text: a program, options, goals, fields to set, a function to write.
void addGiven(const Question &question, LessonBlocks &blocks) {
    const LessonStep &step = *question.step;
    if (!step.program.empty()) {
        QStringList lines;
        for (std::size_t i = 0; i < step.program.size(); ++i)
            lines.append(QStringLiteral("%1  %2").arg(i + 1).arg(text(step.program[i])));
        blocks.code(lines);
    }
    for (const AskedOption &option : question.options) {
        const StepOption &own = step.options[option.index];
        const QString words = withoutMarks(text(option.text));
        blocks.item(text(option.key),
                    own.line > 0 ? QStringLiteral("line %1: %2 (%3)").arg(own.line).arg(text(own.code), words) : words);
    }
    for (const DesignGoal &goal : step.goals)
        blocks.item(QStringLiteral("•"), QStringLiteral("Goal: ") + withoutMarks(text(goal.text)));
    for (const FreeField &field : step.fields) {
        QStringList values;
        for (const nlohmann::ordered_json &value : field.values)
            values.append(textOfValue(value));
        blocks.item(QStringLiteral("•"),
                    QStringLiteral("Choose %1 from %2").arg(text(field.field), values.join(QStringLiteral(", "))));
    }
    if (!question.options.empty() || !step.goals.empty())
        blocks.gap();
    if (step.kind == StepKind::code) {
        QStringList parameters;
        for (const std::string &parameter : step.parameters)
            parameters.append(text(parameter));
        blocks.code(
            {QStringLiteral("function %1(%2)").arg(text(step.function), parameters.join(QStringLiteral(", ")))});
    }
}

/// Adds how the answer is calculated: a formula with its numbers, or the engine's values.
void addDerivation(const Question &question, LessonEngine &engine, LessonBlocks &blocks) {
    const Derivation derivation = derivation_of(question, engine);
    if (derivation.formula.empty()) {
        QStringList values;
        for (const Derivation &input : derivation.inputs) // each input is named after an answer option
            values.append(QStringLiteral("%1: %2").arg(
                question.step->kind == StepKind::design ? titleOf(input)
                                                        : text(input.name).replace(QLatin1Char('_'), QLatin1Char(' ')),
                valueTextOf(input)));
        if (!values.isEmpty())
            blocks.line(values.join(QStringLiteral("; ")), ColourRole::Text2);
        return;
    }
    blocks.line(formulaLineOf(derivation), ColourRole::Text2);
    blocks.line(QStringLiteral("= ") + numbersLineOf(derivation), ColourRole::Text2);
    if (!derivation.calculator.empty())
        blocks.line(text(derivation.source), ColourRole::Text3);
}

void addMistakes(const Question &question, LessonEngine &engine, LessonBlocks &blocks) {
    const LessonStep &step = *question.step;
    QStringList mistakes;
    if (step.kind == StepKind::number)
        for (const TriedSlip &slip : tried_slips(question, engine)) {
            Question other = question;
            other.numbers["answer"] = slip.value;
            if (slip.named)
                mistakes.append(QStringLiteral("%1 (%2): %3")
                                    .arg(text(expected_text(other, engine)), text(slip.name), text(slip.hint)));
        }
    const std::size_t right = step.kind == StepKind::choice ? right_option(step, question.numbers)
        : step.kind == StepKind::bug                        ? right_fix(step, question.numbers)
                                                            : step.options.size();
    for (const AskedOption &option : question.options)
        if (const std::string &why = step.options[option.index].why; !why.empty() && option.index != right)
            mistakes.append(QStringLiteral("%1: %2").arg(text(option.key), text(filled_in(why, question))));
    if (mistakes.isEmpty())
        return;
    blocks.line(QStringLiteral("Wrong answers:"), ColourRole::Text3);
    for (const QString &mistake : mistakes)
        blocks.item(QStringLiteral("•"), withoutMarks(mistake), ColourRole::Text3);
}

void addAnswer(const Question &question, LessonEngine &engine, LessonBlocks &blocks) {
    const QString answer = text(expected_text(question, engine));
    if (question.step->kind == StepKind::code)
        blocks.code(answer.split(QLatin1Char('\n')));
    else
        blocks.line(QStringLiteral("Answer: ")
                    + (question.step->kind == StepKind::bug ? answer : withoutMarks(answer)));
    addDerivation(question, engine, blocks);
    addMistakes(question, engine, blocks);
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

std::vector<ReportBlock> blocksOfLesson(const Lesson &lesson, HandOut which, const Library &library, std::uint64_t seed,
                                        const PaperFormat &format) {
    const bool isKey = which == HandOut::key;
    LessonEngine engine(lesson, library);
    LessonBlocks blocks;
    blocks.title(text(lesson.title),
                 isKey ? QStringLiteral("Key: answers and how they are calculated") : text(lesson.summary),
                 lesson.minutes > 0 ? QStringLiteral("%1 minutes").arg(lesson.minutes) : QString());
    int number = 0;
    for (const LessonStep &step : lesson.steps) {
        const bool asks = is_question(step.kind);
        number += asks ? 1 : 0;
        if (isKey && !asks)
            continue;
        blocks.heading(asks ? QStringLiteral("Question %1: %2").arg(number).arg(text(step.title)) : text(step.title));
        const std::size_t begin = blocks.size() - 1;
        std::size_t since = begin;
        const Question question = ask(step, seed, engine);
        if (!isKey) {
            blocks.markdown(filled_in(step.text, question));
            if (step.figure && !step.figure->caption.empty())
                blocks.line(QStringLiteral("Figure in the program: ") + withoutMarks(text(step.figure->caption)),
                            ColourRole::Text3);
            since = blocks.size();
        }
        if (asks) {
            blocks.markdown(question.text);
            addGiven(question, blocks);
        }
        if (isKey)
            addAnswer(question, engine, blocks);
        else if (asks || step.kind == StepKind::discussion)
            blocks.room(roomFor(step.kind));
        // A text of half a page or more may break across pages; the question that follows may not.
        const bool isShort = blocks.keepTogether(begin, format.contentHeight() / 2);
        if (asks && !isShort)
            blocks.keepTogether(since, format.contentHeight());
    }
    if (isKey && number == 0)
        blocks.line(QStringLiteral("This lesson is for discussion: none of its questions has a single right answer."),
                    ColourRole::Text2);
    return blocks.take();
}

} // namespace

QByteArray handOutPdf(const Lesson &lesson, HandOut which, const Library &library, std::uint64_t seed, PaperSize size,
                      const QString &version) {
    const PaperFormat format = PaperFormat::of(size);
    std::vector<PaperSection> sections(1);
    sections.front().blocks = blocksOfLesson(lesson, which, library, seed, format);
    const std::vector<ReportPage> pages = flowed(sections, format);
    const QString title = text(lesson.title);
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setPageLayout(QPageLayout(QPageSize(size == PaperSize::Letter ? QPageSize::Letter : QPageSize::A4),
                                     QPageLayout::Portrait, QMarginsF(), QPageLayout::Point));
    constexpr int resolution = 1200; // high enough that positions are not rounded to whole points
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
        sheet.text(left, y, QStringLiteral("%1, random seed %2").arg(title).arg(seed), TypeRole::Caption,
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

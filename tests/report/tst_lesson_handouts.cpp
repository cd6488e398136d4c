// SPDX-License-Identifier: GPL-3.0-or-later
// Reads back the handout and the answer key of every lesson, as written by `meshwright report lesson:ID --pdf F --key
// F`.
#include "catalog/library.h"
#include "explain/derivation_text.h"
#include "lessons/bug_hunt.h"
#include "lessons/judgement.h"
#include "lessons/lessons.h"
#include "lessons/number_answer.h"
#include "listed_test.h"
#include "report/lesson_blocks.h"
#include "report/lesson_handout.h"
#include "report_pages.h"

#include <QRegularExpression>
#include <QTest>
#include <QXmlStreamReader>

#include <algorithm>
#include <map>
#include <tuple>

using namespace meshwright;
using namespace meshwright::testing;

namespace {

constexpr std::uint64_t seed = 5;

QString unspaced(QString text) {
    static const QRegularExpression spaces(QStringLiteral("\\s+"));
    return text.remove(spaces);
}

QString plain(const std::string &markdown) {
    return unspaced(withoutMarks(QString::fromStdString(markdown)));
}

QByteArray pdfOf(const Lesson &lesson, HandOut which, PaperSize size = PaperSize::A4) {
    static std::map<std::tuple<std::string, HandOut, PaperSize>, QByteArray> known;
    QByteArray &pdf = known[{lesson.id, which, size}];
    if (pdf.isEmpty())
        pdf = handOutPdf(lesson, which, Library::standard(), seed, size, QStringLiteral("1.2.3"));
    return pdf;
}

/// Returns the first word of a PDF outside the page margins or in its footer; empty if there is none.
QString wordOutside(const QByteArray &pdf) {
    constexpr qreal margin = 35, rounding = 0.5; // in points
    QXmlStreamReader reader(said(QStringLiteral("pdftotext"), pdf, {QStringLiteral("-bbox")}));
    qreal width = 0, height = 0;
    while (!reader.atEnd()) {
        reader.readNext();
        if (!reader.isStartElement())
            continue;
        const auto number = [&](const char *name) { return reader.attributes().value(QLatin1String(name)).toDouble(); };
        if (reader.name() == QLatin1String("page")) {
            width = number("width");
            height = number("height");
        } else if (reader.name() == QLatin1String("word")) {
            const QRectF area(QPointF(number("xMin"), number("yMin")), QPointF(number("xMax"), number("yMax")));
            const QString word = reader.readElementText();
            const bool isFooter = area.top() > height - 36;
            const qreal bottom = isFooter ? height - 12 : height - 42;
            if (area.left() < margin - rounding || area.right() > width - margin + rounding || area.top() < 20
                || area.bottom() > bottom)
                return QStringLiteral("%1 at %2, %3").arg(word).arg(area.right()).arg(area.bottom());
        }
    }
    return {};
}

class LessonHandoutsTest : public QObject {
    Q_OBJECT

    static void lessons() {
        QTest::addColumn<QString>("id");
        for (const std::shared_ptr<const Lesson> &lesson : Lessons::standard().all())
            QTest::newRow(lesson->id.c_str()) << QString::fromStdString(lesson->id);
    }

    /// Texts that only the answer key may contain.
    static QStringList secretsOf(const Question &question, LessonEngine &engine) {
        const LessonStep &step = *question.step;
        QStringList secrets;
        if (step.kind == StepKind::number)
            // Slips that give different answers with these numbers.
            for (const TriedSlip &slip : tried_slips(question, engine))
                if (slip.named)
                    secrets.append(plain(slip.hint));
        const std::size_t right = step.kind == StepKind::choice ? right_option(step, question.numbers)
            : step.kind == StepKind::bug                        ? right_fix(step, question.numbers)
                                                                : step.options.size();
        for (std::size_t i = 0; i < step.options.size(); ++i)
            if (i != right && !step.options[i].why.empty())
                secrets.append(plain(filled_in(step.options[i].why, question)));
        const Derivation derivation = derivation_of(question, engine);
        if (!derivation.formula.empty())
            secrets.append(unspaced(numbersLineOf(derivation)));
        return secrets;
    }

private Q_SLOTS:
    void everyQuestionIsHandedOutAndEveryAnswerIsInTheKey_data() { lessons(); }

    void everyQuestionIsHandedOutAndEveryAnswerIsInTheKey() {
        QFETCH(QString, id);
        const std::shared_ptr<const Lesson> lesson = Lessons::standard().find(id.toStdString());
        LessonEngine engine(*lesson, Library::standard());
        const QString paper = unspaced(textOf(pdfOf(*lesson, HandOut::questions)));
        const QString key = unspaced(textOf(pdfOf(*lesson, HandOut::key)));
        QVERIFY(paper.contains(plain(lesson->summary)));
        QVERIFY(!paper.contains(QStringLiteral("Answer:")));
        // No table is printed as its Markdown source.
        QVERIFY(!paper.contains(QLatin1Char('|')) && !key.contains(QStringLiteral("|-")));
        int number = 0;
        for (const LessonStep &step : lesson->steps) {
            QVERIFY2(paper.contains(plain(step.title)), step.id.c_str());
            if (!is_question(step.kind))
                continue;
            const Question question = ask(step, seed, engine);
            const QString heading = QStringLiteral("Question%1:%2").arg(++number).arg(plain(step.title));
            for (const QString &text : {paper, key}) {
                QVERIFY2(text.contains(heading), step.id.c_str());
                QVERIFY2(text.contains(plain(question.text)), step.id.c_str());
                for (const AskedOption &option : question.options)
                    QVERIFY2(text.contains(plain(option.text)), option.text.c_str());
                for (const DesignGoal &goal : step.goals)
                    QVERIFY2(text.contains(plain(goal.text)), goal.text.c_str());
                for (const FreeField &field : step.fields)
                    QVERIFY2(text.contains(QString::fromStdString(field.field)), field.field.c_str());
                for (const std::string &line : step.program)
                    QVERIFY2(text.contains(unspaced(QString::fromStdString(line))), line.c_str());
            }
            const std::string expected = expected_text(question, engine);
            // Asterisks in a program are not Markdown.
            const bool isProgram = step.kind == StepKind::code || step.kind == StepKind::bug;
            const QString answer = isProgram ? unspaced(QString::fromStdString(expected)) : plain(expected);
            QVERIFY2(key.contains(step.kind == StepKind::code ? answer : QStringLiteral("Answer:") + answer),
                     qPrintable(answer));
            QVERIFY2(step.kind != StepKind::code || !paper.contains(answer), qPrintable(answer));
            for (const QString &secret : secretsOf(question, engine))
                QVERIFY2(key.contains(secret) && !paper.contains(secret), qPrintable(secret));
        }
    }

    void nothingIsCutOffAndNoPageIsEmpty_data() { lessons(); }

    void nothingIsCutOffAndNoPageIsEmpty() {
        QFETCH(QString, id);
        const std::shared_ptr<const Lesson> lesson = Lessons::standard().find(id.toStdString());
        for (const HandOut which : {HandOut::questions, HandOut::key})
            for (const PaperSize size : {PaperSize::A4, PaperSize::Letter}) {
                const QByteArray pdf = pdfOf(*lesson, which, size);
                QCOMPARE(wordOutside(pdf), QString());
                const QStringList pages = pageTextsOf(pdf);
                QCOMPARE(pages.size(), pagesOf(pdf));
                for (const QString &page : pages) {
                    QVERIFY2(!page.contains(QChar(0x2026)), qPrintable(page)); // no text is elided
                    QVERIFY2(page.trimmed().count(QLatin1Char('\n')) > 4, qPrintable(page));
                }
            }
    }

    /// A program, a table or the options of a question are not split across pages.
    void aQuestionIsOnOnePage_data() { lessons(); }

    void aQuestionIsOnOnePage() {
        QFETCH(QString, id);
        const std::shared_ptr<const Lesson> lesson = Lessons::standard().find(id.toStdString());
        LessonEngine engine(*lesson, Library::standard());
        QStringList pages = pageTextsOf(pdfOf(*lesson, HandOut::questions));
        for (QString &page : pages)
            page = unspaced(page);
        for (const LessonStep &step : lesson->steps) {
            if (!is_question(step.kind))
                continue;
            const Question question = ask(step, seed, engine);
            const auto asks = [&](const QString &page) {
                return page.contains(plain(question.text))
                    && std::all_of(question.options.begin(), question.options.end(),
                                   [&](const AskedOption &option) { return page.contains(plain(option.text)); });
            };
            QVERIFY2(std::any_of(pages.begin(), pages.end(), asks), step.id.c_str());
        }
    }
};

} // namespace

LISTED_TEST(LessonHandoutsTest)
#include "tst_lesson_handouts.moc"

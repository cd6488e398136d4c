// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvases/memory_bars.h"
#include "controls/choice_box.h"
#include "evaluate/evaluate.h"
#include "evaluate/verdict.h"
#include "lessons/design_goals.h"
#include "lessons/lesson_figure.h"
#include "lessons/lesson_page.h"
#include "lessons/lesson_text.h"
#include "lessons/lessons_view.h"
#include "lessons/question_panel.h"
#include "listed_test.h"
#include "own_lesson.h"
#include "plan/plan_json.h"

#include <QLabel>
#include <QPushButton>
#include <QRadioButton>
#include <QTemporaryDir>
#include <QTest>

using namespace meshwright;
using namespace meshwright::testing;

namespace {

class LessonFiguresTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    static QString shownText(LessonsView *view) {
        return view->page()->findChild<LessonText *>(QString(), Qt::FindDirectChildrenOnly)->markdown();
    }

private Q_SLOTS:
    void aCardHasTheEnginesNumbers() {
        WindowFixture fixture;
        LessonsView *view = openStep(fixture, m_folder, "card");
        QVERIFY(view != nullptr);
        const Lesson &lesson = *view->lessons().back();
        LessonEngine engine(lesson, Library::standard());
        const LessonStep &card = *lesson.find("card");
        const std::string expected = filled_in(card.text, ask(card, 1, engine));
        QCOMPARE(shownText(view), QString::fromStdString(expected));
        QVERIFY(!shownText(view).contains(QLatin1Char('{')));
        QVERIFY(shownText(view).contains(QLatin1Char('%')));
    }

    void goalsFollowTheFields() {
        WindowFixture fixture;
        LessonsView *view = openStep(fixture, m_folder, "design");
        QVERIFY(view != nullptr);
        QuestionPanel *panel = view->page()->question();
        DesignGoals *goals = panel->goals();
        QVERIFY(goals->isVisibleTo(view));
        QCOMPARE(goals->metGoals(), 1);
        QVERIFY(goals->accessibleDescription().contains(QLatin1String("It fits: not met, no")));
        auto *choice = panel->findChild<ChoiceBox *>();
        QVERIFY(choice != nullptr);
        choice->setCurrentText(QStringLiteral("1"));
        QTRY_COMPARE_WITH_TIMEOUT(goals->metGoals(), 2, patience);
        QVERIFY(goals->accessibleDescription().contains(QLatin1String("It fits: met, yes")));
        QVERIFY(!panel->judgement().has_value());
        // A choice that makes the plan invalid shows an error.
        choice->setCurrentText(QStringLiteral("3"));
        auto *problem = goals->findChild<QLabel *>(QStringLiteral("designProblem"));
        QTRY_VERIFY_WITH_TIMEOUT(problem->isVisibleTo(goals), patience);
        QCOMPARE(goals->metGoals(), 0);
        choice->setCurrentText(QStringLiteral("8"));
        QTRY_VERIFY_WITH_TIMEOUT(!problem->isVisibleTo(goals), patience);
    }

    void aHintMarksItsPart() {
        WindowFixture fixture;
        LessonsView *view = openStep(fixture, m_folder, "memory");
        QVERIFY(view != nullptr);
        QVERIFY(!shownText(view).contains(QLatin1Char('{')));
        auto *bars = view->page()->figure()->findChild<MemoryBars *>();
        const auto hint = [&] { return view->findChild<QPushButton *>(QStringLiteral("lessonHint")); };
        QVERIFY(!bars->highlighted().isValid());
        hint()->click();
        QVERIFY(!bars->highlighted().isValid());
        QTRY_COMPARE(hint()->text(), QStringLiteral("Show hint 2"));
        hint()->click();
        QCOMPARE(bars->highlighted().segment, static_cast<int>(MemoryKind::Activations));
        view->openStep(view->lesson(), view->step()); // reopen the step
        QTRY_VERIFY_WITH_TIMEOUT(!bars->highlighted().isValid(), patience);
    }

    void aFigureBeginsWithThePlan() {
        WindowFixture fixture;
        LessonsView *view = openStep(fixture, m_folder, "memory");
        QVERIFY(view != nullptr);
        const LessonFigureCard *const figure = view->page()->figure();
        const nlohmann::ordered_json &plan = view->lessons().back()->plan;
        const QList<ChoiceBox *> fields = figure->findChildren<ChoiceBox *>();
        QCOMPARE(fields.size(), 2);
        QCOMPARE(fields[0]->currentText(), QString::number(plan["batch"]["micro_sequences"].get<int>()));
        QCOMPARE(fields[0]->currentIndex(), 1);
        QVERIFY(figure->document() == plan);
    }

    void aFigureSaysThatThePlanDoesNotFit_data() {
        QTest::addColumn<QByteArray>("kind");
        QTest::addColumn<QByteArray>("mark"); // part that the step's hint marks
        QTest::newRow("memory") << QByteArray("kind: memory") << QByteArray("marks: activations");
        QTest::newRow("step") << QByteArray("kind: step") << QByteArray("marks: compute");
    }

    void aFigureSaysThatThePlanDoesNotFit() {
        QFETCH(QByteArray, kind);
        QFETCH(QByteArray, mark);
        WindowFixture fixture;
        const QByteArray step = smallLesson().replace("kind: memory", kind).replace("marks: activations", mark);
        LessonsView *view = openStep(fixture, m_folder, "memory", step);
        QVERIFY(view != nullptr);
        const LessonFigureCard *const figure = view->page()->figure();
        const auto *overflow = figure->findChild<QLabel *>(QStringLiteral("lessonOverflow"));
        QVERIFY(overflow != nullptr && !overflow->isVisibleTo(figure));
        const QList<ChoiceBox *> fields = figure->findChildren<ChoiceBox *>();
        fields[0]->setCurrentText(QStringLiteral("2"));
        QTRY_VERIFY_WITH_TIMEOUT(overflow->isVisibleTo(figure), patience);
        const Result result = evaluate(plan_from_json(figure->document(), Library::standard()), Depth::numbers);
        QCOMPARE(overflow->text(), QString::fromStdString(fit_of(result).text) + u'.');
        QVERIFY(overflow->text().startsWith(QLatin1String("Does not fit")));
        fields[1]->setCurrentText(QStringLiteral("full"));
        QTRY_VERIFY_WITH_TIMEOUT(!overflow->isVisibleTo(figure), patience);
    }

    /// Nothing is cut off in a small window, and lines stay readable in a large one.
    void textsFitTheirWindow() {
        WindowFixture fixture;
        const QByteArray words =
            "text: \"Two ranks, which send one half of the gradient to each other and then the sum of the "
            "other half back, over one link each and at the full bandwidth of it\"";
        LessonsView *view = openStep(fixture, m_folder, "longer", smallLesson().replace("text: two ranks", words));
        QVERIFY(view != nullptr);
        for (const QSize &size : {QSize(1280, 720), QSize(1600, 1000), QSize(2560, 1440)}) {
            fixture.window().resize(size);
            QTest::qWait(50);
            const QuestionPanel *const panel = view->page()->question();
            const auto *const text = panel->findChild<LessonText *>();
            QVERIFY(text->width() <= 760);
            QVERIFY2(panel->width() <= 1088, qPrintable(QString::number(panel->width())));
            QVERIFY2(panel->geometry().right() < view->page()->parentWidget()->width(),
                     qPrintable(QString::number(panel->geometry().right())));
            for (const QRadioButton *const option : panel->findChildren<QRadioButton *>())
                QVERIFY(option->mapTo(panel, option->rect().topRight()).x() < panel->width());
        }
    }
};

} // namespace

LISTED_TEST(LessonFiguresTest)
#include "tst_lesson_figures.moc"

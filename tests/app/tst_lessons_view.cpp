// SPDX-License-Identifier: GPL-3.0-or-later
#include "lessons/lesson_figure.h"
#include "lessons/lesson_outline.h"
#include "lessons/lesson_page.h"
#include "lessons/lessons_view.h"
#include "lessons/presenter_window.h"
#include "lessons/question_panel.h"
#include "listed_test.h"
#include "main_window.h"
#include "own_lesson.h"
#include "settings.h"
#include "theme/theme.h"
#include "window_fixture.h"

#include <QFile>
#include <QLineEdit>
#include <QListWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeWidget>

using namespace meshwright;
using namespace meshwright::testing;

namespace {

class LessonsViewTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyStepOfEveryLessonIsShown() {
        WindowFixture fixture;
        auto *view = fixture.window().goTo<LessonsView>();
        QVERIFY(view->lessons().size() >= 15);
        for (int lesson = 0; lesson < static_cast<int>(view->lessons().size()); ++lesson) {
            const Lesson &opened = *view->lessons()[static_cast<std::size_t>(lesson)];
            for (int step = 0; step < static_cast<int>(opened.steps.size()); ++step) {
                view->openStep(lesson, step);
                const LessonStep &shown = opened.steps[static_cast<std::size_t>(step)];
                const QByteArray name = (opened.id + " " + shown.id).c_str();
                QVERIFY2(is_question(shown.kind) == view->page()->question()->isVisibleTo(view), name);
                QVERIFY2(!is_question(shown.kind) || view->page()->question()->question().has_value(), name);
                QVERIFY2(shown.figure.has_value() == view->page()->figure()->isVisibleTo(view), name);
            }
        }
    }

    void aRightAnswerIsRemembered() {
        WindowFixture fixture;
        const QTemporaryDir folder;
        LessonsView *view = openLesson(fixture, folder);
        QVERIFY(view != nullptr);
        view->openStep(view->lesson(), 1);
        QuestionPanel *panel = view->page()->question();
        const double right = panel->question()->numbers.find("answer")->second / 1e9;
        panel->setAnswer(QString::number(right / 2, 'g', 12));
        panel->check();
        QVERIFY(!panel->judgement()->correct);
        QCOMPARE(QString::fromStdString(panel->judgement()->slip), QStringLiteral("one phase"));
        QVERIFY(!view->progress().isDone(QStringLiteral("own"), QStringLiteral("bytes")));
        panel->setAnswer(QString::number(right, 'g', 12));
        panel->check();
        QVERIFY(panel->judgement()->correct);
        QVERIFY(view->progress().isDone(QStringLiteral("own"), QStringLiteral("bytes")));
        LessonProgress kept;
        QVERIFY(kept.read(view->progress().toJson()));
        QVERIFY(kept.isDone(QStringLiteral("own"), QStringLiteral("bytes")));
        QVERIFY(!kept.read("{}"));
    }

    void theKeyboardIsEnough() {
        WindowFixture fixture;
        const QTemporaryDir folder;
        LessonsView *view = openLesson(fixture, folder);
        QVERIFY(view != nullptr);
        QTest::keyClick(view, Qt::Key_Right, Qt::AltModifier);
        QCOMPARE(view->step(), 1);
        QVERIFY(view->progress().isDone(QStringLiteral("own"), QStringLiteral("what")));
        auto *field = view->findChild<QLineEdit *>(QStringLiteral("lessonAnswer"));
        QTest::keyClicks(field, QStringLiteral("1"));
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY(view->page()->question()->judgement().has_value());
        while (view->lessons().back()->steps[static_cast<std::size_t>(view->step())].kind != StepKind::order)
            QTest::keyClick(view, Qt::Key_Right, Qt::AltModifier);
        const int ordered = view->step();
        auto *list = view->findChild<QListWidget *>(QStringLiteral("lessonOrder"));
        const QString first = list->item(0)->text();
        list->setCurrentRow(0);
        QTest::keyClick(list, Qt::Key_Down, Qt::AltModifier);
        QCOMPARE(list->item(1)->text(), first);
        QTest::keyClick(view, Qt::Key_Left, Qt::AltModifier);
        QCOMPARE(view->step(), ordered - 1);
    }

    void aSavedFileIsReadAgain() {
        WindowFixture fixture;
        const QTemporaryDir folder;
        LessonsView *view = openLesson(fixture, folder);
        QVERIFY(view != nullptr);
        view->openStep(view->lesson(), 1);
        QFile file(folder.filePath(QStringLiteral("own.md")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(smallLesson().replace("A ring", "Another title"));
        file.close();
        QTRY_COMPARE(QString::fromStdString(view->lessons().back()->title), QStringLiteral("Another title"));
        QCOMPARE(view->step(), 1);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(smallLesson().replace("formula: ring-all-reduce", "formula: none"));
        file.close();
        QTest::qWait(400);
        QCOMPARE(QString::fromStdString(view->lessons().back()->title), QStringLiteral("Another title"));
    }

    void theRingsOfTheOutlineFollowTheTheme() {
        WindowFixture fixture;
        const auto *view = fixture.window().goTo<LessonsView>();
        const auto ring = [view] { return view->outline()->tree()->topLevelItem(0)->icon(0).pixmap(16, 16).toImage(); };
        const ThemeMode before = Theme::mode();
        Theme::apply(*qApp, ThemeMode::Light);
        const QImage light = ring();
        Theme::apply(*qApp, ThemeMode::Dark);
        const QImage dark = ring();
        Theme::apply(*qApp, before);
        QVERIFY(!light.isNull() && light.size() == dark.size());
        QVERIFY(light != dark);
    }

    void aPresentationGoesThroughTheLesson() {
        WindowFixture fixture;
        const QTemporaryDir folder;
        LessonsView *view = openLesson(fixture, folder);
        QVERIFY(view != nullptr);
        view->openStep(view->lesson(), 0);
        view->present();
        PresenterWindow *presenter = view->presenter();
        QVERIFY(presenter->isVisible());
        QVERIFY(presenter->notesWindow()->isVisible());
        QTest::keyClick(presenter, Qt::Key_PageDown);
        QCOMPARE(view->step(), 1);
        QTest::keyClick(presenter->notesWindow(), Qt::Key_Left);
        QCOMPARE(view->step(), 0);
        QTest::keyClick(presenter, Qt::Key_Escape);
        QVERIFY(!presenter->isVisible());
    }
};

} // namespace

LISTED_TEST(LessonsViewTest)
#include "tst_lessons_view.moc"

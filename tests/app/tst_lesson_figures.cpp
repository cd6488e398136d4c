// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvases/memory_bars.h"
#include "controls/choice_box.h"
#include "lessons/design_goals.h"
#include "lessons/lesson_figure.h"
#include "lessons/lesson_page.h"
#include "lessons/lesson_text.h"
#include "lessons/lessons_view.h"
#include "lessons/question_panel.h"
#include "listed_test.h"
#include "window_fixture.h"

#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QRadioButton>
#include <QTemporaryDir>
#include <QTest>

using namespace meshwright;
using namespace meshwright::testing;

namespace {

constexpr const char *ownLesson = R"(---
title: A lesson of our own
plan: pretrain-8b
---

## A card {#card}

```discussion
values:
  mfu: {figure: step.mfu}
  peak: {figure: memory.peak_bytes}
```

The plan reaches {mfu} and peaks at {peak}.

## Design {#design}

```design
question: Make it fit.
start: {batch.micro_sequences: 8, recompute.mode: none}
fields:
  batch.micro_sequences: [1, 8, 3]
goals:
  - {text: It fits, figure: verdict.fits, is: true}
  - {text: Never, figure: step.mfu, at_least: 0.99}
```

## Memory {#memory}

The peak with {ranks} ranks.

```figure
kind: memory
```

```number
question: "What do {ranks} ranks send?"
formula: ring-all-reduce
result: bytes_per_rank
draw: {ranks: [4, 8], bytes: {values: [1], unit: GB}}
hints:
  - Count the phases.
  - {text: Look at the activations., marks: activations}
```

## Words {#words}

```choice
question: Which of two answers, neither of which is short enough to stand in one line of a small window, takes longer?
draw: {bytes: {values: [1, 2], unit: GB}}
values:
  few: {formula: ring-all-reduce, result: seconds, with: {ranks: 2, bandwidth: 50 GB/s}}
  many: {formula: ring-all-reduce, result: seconds, with: {ranks: 64, bandwidth: 50 GB/s}}
right: largest
options:
  - {text: "Two ranks, which send one half of the gradient to each other and then the sum of the other half back, over one link each and at the full bandwidth of it", value: few}
  - {text: 64 ranks, value: many}
```
)";

class LessonFiguresTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    /// Opens a step of the test's own lesson.
    LessonsView *opened(WindowFixture &fixture, int step) {
        const QString path = m_folder.filePath(QStringLiteral("own.md"));
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(ownLesson) < 0)
            return nullptr;
        file.close();
        auto *view = fixture.window().goTo<LessonsView>();
        if (!view->openFile(path).isEmpty())
            return nullptr;
        view->openStep(view->lesson(), step);
        return QTest::qWaitFor([view] { return view->isSettled(); }, patience) ? view : nullptr;
    }

    static QString shownText(LessonsView *view) {
        return view->page()->findChild<LessonText *>(QString(), Qt::FindDirectChildrenOnly)->markdown();
    }

private Q_SLOTS:
    void aCardHasTheEnginesNumbers() {
        WindowFixture fixture;
        LessonsView *view = opened(fixture, 0);
        QVERIFY(view != nullptr);
        const Lesson &lesson = *view->lessons().back();
        LessonEngine engine(lesson, Library::standard());
        const std::string expected = filled_in(lesson.steps[0].text, ask(lesson.steps[0], 1, engine));
        QCOMPARE(shownText(view), QString::fromStdString(expected));
        QVERIFY(!shownText(view).contains(QLatin1Char('{')));
        QVERIFY(shownText(view).contains(QLatin1Char('%')));
    }

    void goalsFollowTheFields() {
        WindowFixture fixture;
        LessonsView *view = opened(fixture, 1);
        QVERIFY(view != nullptr);
        QuestionPanel *panel = view->page()->question();
        DesignGoals *goals = panel->goals();
        QVERIFY(goals->isVisibleTo(view));
        QCOMPARE(goals->metGoals(), 0);
        QVERIFY(goals->accessibleDescription().contains(QLatin1String("It fits: not met, no")));
        auto *choice = panel->findChild<ChoiceBox *>();
        QVERIFY(choice != nullptr);
        choice->setCurrentText(QStringLiteral("1"));
        QTRY_COMPARE_WITH_TIMEOUT(goals->metGoals(), 1, patience);
        QVERIFY(goals->accessibleDescription().contains(QLatin1String("It fits: met, yes")));
        QVERIFY(goals->accessibleDescription().contains(QLatin1String("Never: not met")));
        QVERIFY(!panel->judgement().has_value());
        // A value that gives no valid plan says so.
        choice->setCurrentText(QStringLiteral("3"));
        auto *problem = goals->findChild<QLabel *>(QStringLiteral("designProblem"));
        QTRY_VERIFY_WITH_TIMEOUT(problem->isVisibleTo(goals), patience);
        QCOMPARE(goals->metGoals(), 0);
        choice->setCurrentText(QStringLiteral("8"));
        QTRY_VERIFY_WITH_TIMEOUT(!problem->isVisibleTo(goals), patience);
    }

    void aHintMarksItsPart() {
        WindowFixture fixture;
        LessonsView *view = opened(fixture, 2);
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
        view->openStep(view->lesson(), 2); // anew
        QTRY_VERIFY_WITH_TIMEOUT(!bars->highlighted().isValid(), patience);
    }

    /// Nothing is cut off in a small window, and lines stay readable in a large one.
    void textsFitTheirWindow() {
        WindowFixture fixture;
        LessonsView *view = opened(fixture, 3);
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

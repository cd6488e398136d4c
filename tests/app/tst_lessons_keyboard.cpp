// SPDX-License-Identifier: GPL-3.0-or-later
// Walks through every lesson by keyboard alone: Ctrl+0, the outline, every figure and every question. The model cards
// are also walked with their terms and as a presentation.
#include "catalog/library.h"
#include "exercise/exercise_process.h"
#include "glossary/glossary.h"
#include "glossary/term_popup.h"
#include "lessons/field_name.h"
#include "lessons/judgement.h"
#include "lessons/lesson_figure.h"
#include "lessons/lesson_outline.h"
#include "lessons/lesson_page.h"
#include "lessons/lesson_progress.h"
#include "lessons/lesson_text.h"
#include "lessons/lessons.h"
#include "lessons/lessons_view.h"
#include "lessons/presenter_window.h"
#include "lessons/question_panel.h"
#include "listed_test.h"
#include "main_window.h"
#include "window_fixture.h"

#include <QComboBox>
#include <QListWidget>
#include <QPushButton>
#include <QRadioButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTest>
#include <QTreeWidget>

#include <algorithm>
#include <functional>
#include <memory>

using namespace meshwright;
using namespace meshwright::testing;

namespace {

constexpr QSize smallWindow{1280, 720};
constexpr int wholeRound = 150; ///< more presses of Tab than a window has focusable widgets

/// Presses a key in the focused widget.
void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    QWidget *const focus = QApplication::focusWidget();
    QTest::keyClick(focus != nullptr ? focus : QApplication::activeWindow(), key, modifiers);
    QCoreApplication::processEvents(); // a user sees the effect of a key before pressing the next
}

/// Presses Tab until the focus is on a wanted widget.
/// @returns number of presses; -1 if a full cycle does not reach one
int tabTo(const std::function<bool(const QWidget *)> &isWanted) {
    for (int presses = 0; presses < wholeRound; ++presses) {
        if (QApplication::focusWidget() != nullptr && isWanted(QApplication::focusWidget()))
            return presses;
        press(Qt::Key_Tab);
    }
    return -1;
}

int tabTo(const QWidget *wanted) {
    return tabTo([wanted](const QWidget *focus) { return focus == wanted; });
}

int tabToName(const char *name) {
    return tabTo([name](const QWidget *focus) { return focus->objectName() == QLatin1String(name); });
}

/// Chooses an option in the focused group of radio buttons.
void choose(const QString &key) {
    press(Qt::Key_Space);
    for (int i = 0; i < 20; ++i) {
        const auto *const button = qobject_cast<const QRadioButton *>(QApplication::focusWidget());
        if (button == nullptr || (button->isChecked() && button->property("key").toString() == key))
            return;
        press(Qt::Key_Down);
    }
}

class LessonsKeyboardTest : public QObject {
    Q_OBJECT

    /// Opens the lessons with their shortcut.
    static LessonsView *lessonsOf(WindowFixture &fixture) {
        fixture.window().activateWindow();
        if (!QTest::qWaitForWindowActive(&fixture.window()))
            qFatal("the window does not get the keyboard");
        fixture.showView(QStringLiteral("Lessons"));
        auto *const view = fixture.window().findChild<LessonsView *>();
        if (!view->isVisible())
            qFatal("the lessons do not open");
        // Exercises need the program file next to the running program, and a test has none there.
        view->setRunner([](const ProgramCall &call) {
            const QString program = QCoreApplication::applicationDirPath() + QStringLiteral("/../../app/meshwright");
            return run_in_process_of(program.toStdString(), call);
        });
        return view;
    }

    /// Enters the answer that the engine expects, beginning at the first control of the question.
    static void answer(const LessonStep &step, const QString &expected) {
        const QStringList words = expected.split(QLatin1Char(' '), Qt::SkipEmptyParts);
        switch (step.kind) {
        case StepKind::number:
            QTest::keyClicks(QApplication::focusWidget(), expected);
            break;
        case StepKind::choice:
            choose(expected);
            break;
        case StepKind::bug:
            choose(words.value(0));
            press(Qt::Key_Tab);
            choose(words.value(1));
            break;
        case StepKind::order: {
            const auto *const list = qobject_cast<QListWidget *>(QApplication::focusWidget());
            QVERIFY(list != nullptr);
            for (int to = 0; to < words.size(); ++to) {
                press(Qt::Key_Home);
                while (list->currentItem()->data(Qt::UserRole).toString() != words[to])
                    press(Qt::Key_Down);
                while (list->currentRow() > to)
                    press(Qt::Key_Up, Qt::AltModifier);
            }
            break;
        }
        case StepKind::code:
            press(Qt::Key_A, Qt::ControlModifier);
            press(Qt::Key_Delete);
            for (const QString &line : expected.split(QLatin1Char('\n'))) {
                QTest::keyClicks(QApplication::focusWidget(), line);
                press(Qt::Key_Return);
            }
            break;
        case StepKind::design:
            for (const QString &word : words) {
                auto *const field = qobject_cast<QComboBox *>(QApplication::focusWidget());
                QVERIFY2(field != nullptr, qPrintable(word));
                QCOMPARE(field->accessibleName(), fieldName(word.section(QLatin1Char('='), 0, 0).toStdString()));
                press(Qt::Key_Home);
                while (field->currentText() != word.section(QLatin1Char('='), 1)
                       && field->currentIndex() + 1 < field->count())
                    press(Qt::Key_Down);
                if (word != words.constLast())
                    press(Qt::Key_Tab);
            }
            break;
        case StepKind::text:
        case StepKind::discussion:
            break;
        }
        press(Qt::Key_Return, step.kind == StepKind::code ? Qt::ControlModifier : Qt::NoModifier);
    }

    /// Sets each field of a figure to its next value.
    static void turnFields(const LessonFigureCard *figure) {
        const QList<QComboBox *> fields = figure->findChildren<QComboBox *>();
        for (const QComboBox *const field : fields) {
            QVERIFY2(tabTo(field) >= 0, qPrintable(field->accessibleName()));
            const int before = field->currentIndex();
            press(before + 1 < field->count() ? Qt::Key_Down : Qt::Key_Up);
            QVERIFY(field->currentIndex() != before);
        }
    }

    /// Opens a lesson with the keys of the outline, and moves the focus into its page.
    static void openByKeys(LessonsView *view, int place) {
        QVERIFY(tabTo(view->outline()->tree()) >= 0);
        if (place == 0)
            press(Qt::Key_Home);
        while (view->lesson() < place) {
            press(Qt::Key_Left); // moves from a step to its lesson
            press(Qt::Key_Left); // collapses the lesson
            press(Qt::Key_Down);
        }
        QCOMPARE(view->lesson(), place);
        press(Qt::Key_Return);
    }

    std::unique_ptr<WindowFixture> m_walked; ///< one window for all lessons, walked one after another

    /// Opens the first term in the page's text, and closes its card.
    /// @returns whether both succeeded
    static bool opensATerm(WindowFixture &fixture, const LessonsView *view) {
        const auto isAtTerm = [view](const QWidget *focus) {
            const auto *const text = qobject_cast<const LessonText *>(focus);
            return text != nullptr && view->page()->isAncestorOf(text) && text->textCursor().hasSelection();
        };
        if (tabTo(isAtTerm) < 0)
            return false;
        press(Qt::Key_Return);
        auto *const popup = fixture.window().findChild<TermPopup *>();
        if (popup == nullptr || !popup->isVisible())
            return false;
        QTest::keyClick(popup, Qt::Key_Escape);
        return !popup->isVisible();
    }

    /// Whether a figure is drawn from a plan without errors.
    static bool isDrawn(const LessonFigureCard *figure) {
        return figure->problem().isEmpty() && figure->height() > 100;
    }

private Q_SLOTS:
    void init() {
        if (qstrcmp(QTest::currentTestFunction(), "aLessonIsWalkedByKeys") != 0)
            m_walked.reset();
    }

    void cleanup() {
        if (QTest::currentTestFailed())
            m_walked.reset();
    }

    void aLessonIsWalkedByKeys_data() {
        QTest::addColumn<int>("place");
        int place = 0;
        for (const std::shared_ptr<const Lesson> &lesson : Lessons::standard().all())
            QTest::newRow(lesson->id.c_str()) << place++;
    }

    void aLessonIsWalkedByKeys() {
        QFETCH(int, place);
        if (m_walked == nullptr)
            m_walked = std::make_unique<WindowFixture>(WindowFixture::startPage, smallWindow);
        LessonsView *const view = lessonsOf(*m_walked);
        openByKeys(view, place);
        if (QTest::currentTestFailed())
            return;
        const Lesson &lesson = *Lessons::standard().all()[static_cast<std::size_t>(place)];
        LessonEngine engine(lesson, Library::standard());
        auto *const scroll = view->page()->parentWidget()->parentWidget();
        const QScrollBar *const bar = qobject_cast<QScrollArea *>(scroll)->verticalScrollBar();
        for (int i = 0; i < static_cast<int>(lesson.steps.size()); ++i) {
            const LessonStep &step = lesson.steps[static_cast<std::size_t>(i)];
            const QByteArray name = step.id.c_str();
            QCOMPARE(view->step(), i);
            LessonFigureCard *const figure = view->page()->figure();
            QuestionPanel *const panel = view->page()->question();
            if (!is_question(step.kind)) {
                QVERIFY2(QApplication::focusWidget() != nullptr, name);
                for (int page = 0; page < 50 && bar->value() < bar->maximum(); ++page)
                    press(Qt::Key_PageDown);
                QVERIFY2(bar->value() == bar->maximum(), name);
            } else {
                QVERIFY2(panel->isAncestorOf(QApplication::focusWidget()), name);
                const nlohmann::ordered_json expected = expected_answer(*panel->question(), engine);
                answer(step,
                       expected.is_number() ? QString::number(expected.get<double>(), 'g', 12)
                                            : QString::fromStdString(expected.get<std::string>()));
                QVERIFY2(panel->judgement().has_value() && panel->judgement()->correct,
                         qPrintable(QString::fromStdString(step.id) + QStringLiteral(": ") + panel->answer()));
                QCoreApplication::processEvents();
                QVERIFY2(!panel->verdict()->visibleRegion().isEmpty(), name);
            }
            if (step.figure) {
                turnFields(figure);
                if (QTest::currentTestFailed())
                    return;
                QTRY_VERIFY2_WITH_TIMEOUT(figure->isSettled(), name, patience);
                QVERIFY2(isDrawn(figure), name);
            }
            press(Qt::Key_Right, Qt::AltModifier);
            QVERIFY2(view->progress().isDone(QString::fromStdString(lesson.id), QString::fromStdString(step.id)), name);
        }
        QCOMPARE(view->progress().doneOf(lesson), static_cast<int>(lesson.steps.size()));
    }

    void theCardsOfADiscussionAreWalkedByKeys() {
        WindowFixture fixture(WindowFixture::startPage, smallWindow);
        LessonsView *const view = lessonsOf(fixture);
        const auto places = static_cast<int>(view->lessons().size());
        for (int place = 0; place < places; ++place) {
            const Lesson &lesson = *view->lessons()[static_cast<std::size_t>(place)];
            if (lesson.steps.front().kind != StepKind::discussion)
                continue;
            view->openStep(place, 0);
            QVERIFY(tabTo(view->outline()->tree()) >= 0);
            press(Qt::Key_Return);
            int terms = 0;
            for (int i = 0; i < static_cast<int>(lesson.steps.size()); ++i) {
                const LessonStep &step = lesson.steps[static_cast<std::size_t>(i)];
                const QByteArray name = step.id.c_str();
                QCOMPARE(view->step(), i);
                if (!Glossary::standard().in_text(step.text).empty()) {
                    ++terms;
                    QVERIFY2(opensATerm(fixture, view), name);
                }
                const LessonFigureCard *const figure = view->page()->figure();
                const auto isInFigure = [figure](const QWidget *focus) { return figure->isAncestorOf(focus); };
                QVERIFY2(!step.figure || tabTo(isInFigure) >= 0, name);
                press(Qt::Key_Right, Qt::AltModifier);
            }
            QVERIFY2(terms > 0, lesson.id.c_str());
        }
    }

    void aPresentationOfCardsIsLedByKeys() {
        WindowFixture fixture(WindowFixture::startPage, smallWindow);
        LessonsView *const view = lessonsOf(fixture);
        view->openStep(static_cast<int>(view->lessons().size()) - 1, 0);
        const auto last = static_cast<int>(view->lessons().back()->steps.size()) - 1;
        press(Qt::Key_F5);
        PresenterWindow *const presenter = view->presenter();
        QVERIFY(presenter != nullptr && presenter->isVisible());
        for (int step = 1; step <= last; ++step) {
            QTest::keyClick(presenter, Qt::Key_Right);
            QCOMPARE(view->step(), step);
        }
        for (int step = last - 1; step >= 0; --step) {
            QTest::keyClick(presenter, Qt::Key_Left);
            QCOMPARE(view->step(), step);
        }
        QTest::keyClick(presenter, Qt::Key_Escape);
        QVERIFY(!presenter->isVisible());
        QVERIFY(view->progress().doneOf(*view->lessons().back()) > 0);
    }

    void shiftTabReachesTheFieldsOfAFigureAsTabDoes() {
        WindowFixture fixture(WindowFixture::startPage, smallWindow);
        LessonsView *const view = lessonsOf(fixture);
        int tried = 0;
        for (int place = 0; place < static_cast<int>(view->lessons().size()); ++place) {
            const std::vector<LessonStep> &steps = view->lessons()[static_cast<std::size_t>(place)]->steps;
            const auto turned = std::find_if(steps.begin(), steps.end(), [](const LessonStep &step) {
                return step.figure && !step.figure->turn.empty();
            });
            if (turned == steps.end())
                continue;
            ++tried;
            view->openStep(place, static_cast<int>(turned - steps.begin()));
            const QComboBox *const field = view->page()->figure()->findChild<QComboBox *>();
            QVERIFY2(tabTo(field) >= 0, turned->id.c_str());
            press(Qt::Key_Tab);
            QVERIFY2(QApplication::focusWidget() != field, turned->id.c_str());
            int presses = 0;
            while (QApplication::focusWidget() != field && presses++ < wholeRound)
                press(Qt::Key_Backtab, Qt::ShiftModifier);
            QVERIFY2(presses < wholeRound, turned->id.c_str());
        }
        QVERIFY(tried > 5);
    }

    void theFocusGoesFromTheAnswerToItsButtonsAndHints() {
        WindowFixture fixture(WindowFixture::startPage, smallWindow);
        LessonsView *const view = lessonsOf(fixture);
        while (view->lessons()[0]->steps[static_cast<std::size_t>(view->step())].kind != StepKind::number)
            press(Qt::Key_Right, Qt::AltModifier);
        const QuestionPanel *const panel = view->page()->question();
        QCOMPARE(QApplication::focusWidget()->objectName(), QStringLiteral("lessonAnswer"));
        QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("1"));
        press(Qt::Key_Tab);
        QCOMPARE(QApplication::focusWidget()->objectName(), QStringLiteral("lessonCheck"));
        press(Qt::Key_Space);
        QVERIFY(panel->judgement().has_value());
        const std::string first = panel->question()->text;
        QCOMPARE(tabToName("lessonAgain"), 1);
        for (int i = 0; i < 10 && panel->question()->text == first; ++i) {
            press(Qt::Key_Space);
            QVERIFY(tabToName("lessonAgain") <= 2); // Tab reaches the answer first, then Check if it is enabled
        }
        QVERIFY(panel->question()->text != first);
        QVERIFY(tabToName("lessonHint") >= 0);
        const auto hints = view->lessons()[0]->steps[static_cast<std::size_t>(view->step())].hints.size();
        for (std::size_t shown = 0; shown < hints; ++shown) {
            QCOMPARE(QApplication::focusWidget()->objectName(), QStringLiteral("lessonHint"));
            press(Qt::Key_Space);
        }
        QVERIFY(view->findChild<QPushButton *>(QStringLiteral("lessonHint"), Qt::FindChildrenRecursively) == nullptr
                || QApplication::focusWidget()->objectName() != QStringLiteral("lessonHint"));
    }

    void theOutlineGoesUpAndDown() {
        WindowFixture fixture(WindowFixture::startPage, smallWindow);
        LessonsView *const view = lessonsOf(fixture);
        QVERIFY(tabTo(view->outline()->tree()) >= 0);
        const auto steps = static_cast<int>(view->lessons()[0]->steps.size());
        press(Qt::Key_Home);
        for (int i = 0; i <= steps; ++i)
            press(Qt::Key_Down);
        QCOMPARE(view->lesson(), 1);
        press(Qt::Key_Down);
        QCOMPARE(view->step(), 0);
        press(Qt::Key_Down);
        QCOMPARE(view->step(), 1);
        for (int i = 0; i < 3; ++i)
            press(Qt::Key_Up);
        QCOMPARE(view->lesson(), 0);
    }

    void theLastStepIsDoneByItsButton() {
        WindowFixture fixture(WindowFixture::startPage, smallWindow);
        LessonsView *const view = lessonsOf(fixture);
        QVERIFY(tabTo(view->outline()->tree()) >= 0);
        press(Qt::Key_End);
        const Lesson &last = *view->lessons().back();
        QCOMPARE(view->lesson() + 1, static_cast<int>(view->lessons().size()));
        press(Qt::Key_Right);
        press(Qt::Key_End);
        QCOMPARE(view->step() + 1, static_cast<int>(last.steps.size()));
        QVERIFY(!is_question(last.steps.back().kind));
        QVERIFY(tabToName("lessonNext") >= 0);
        press(Qt::Key_Space);
        QVERIFY(view->progress().isDone(QString::fromStdString(last.id), QString::fromStdString(last.steps.back().id)));
    }

    void hintsStayWithinReachInANarrowWindow() {
        WindowFixture fixture(WindowFixture::startPage, {1000, 720});
        LessonsView *const view = lessonsOf(fixture);
        while (view->lessons()[0]->steps[static_cast<std::size_t>(view->step())].hints.empty())
            press(Qt::Key_Right, Qt::AltModifier);
        QVERIFY(tabToName("lessonHint") >= 0);
        press(Qt::Key_Space);
        QCOMPARE(QApplication::focusWidget()->objectName(), QStringLiteral("lessonHint"));
        fixture.window().resize(1600, 900);
        QVERIFY(tabToName("lessonHint") >= 0);
    }
};

} // namespace

LISTED_TEST(LessonsKeyboardTest)
#include "tst_lessons_keyboard.moc"

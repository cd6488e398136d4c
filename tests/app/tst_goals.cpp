// SPDX-License-Identifier: GPL-3.0-or-later
// The user types a goal for a key figure. The card lists the changes that reach it with their cost, and applies one as
// a single undo step.
#include "listed_test.h"
#include "window_fixture.h"

#include "controls/key_figure.h"
#include "controls/small_marks.h"
#include "controls/toggle_switch.h"
#include "figures/figure_sentence.h"
#include "plan/goal_card.h"
#include "plan/goal_row.h"
#include "plan/plan_page.h"
#include "theme/control_states.h"

#include <QApplication>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>

using namespace meshwright;

namespace {

const QString llama = QStringLiteral("preset:llama3-70b");

GoalCard *cardOf(WindowFixture &fixture) {
    return fixture.window().findChild<GoalCard *>();
}

QList<GoalRow *> rowsOf(WindowFixture &fixture) {
    QList<GoalRow *> shown;
    const QList<GoalRow *> all = cardOf(fixture)->findChildren<GoalRow *>();
    for (GoalRow *row : all)
        if (!row->isHidden())
            shown << row;
    return shown;
}

/// Opens the card by a click on the figure's label, types the goal and presses Enter.
void seekBy(WindowFixture &fixture, const char *figure, const QString &value) {
    auto *goal = fixture.find<KeyFigure>(figure)->findChild<LinkButton *>();
    QVERIFY(goal != nullptr);
    QTest::mouseClick(goal, Qt::LeftButton);
    auto *field = fixture.find<QLineEdit>("goalValue");
    QVERIFY(field->isVisible());
    QTest::keyClicks(field, value);
    QTest::keyClick(field, Qt::Key_Return);
    QVERIFY(QTest::qWaitFor([&] { return !cardOf(fixture)->isSearching(); }, patience));
}

} // namespace

class GoalsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void a_goal_for_the_run_is_reached_in_one_step() {
        WindowFixture fixture(llama);
        seekBy(fixture, "runFigure", QStringLiteral("30"));
        const QList<GoalRow *> rows = rowsOf(fixture);
        QVERIFY(!rows.isEmpty());
        QVERIFY(rows.first()->title().startsWith(QStringLiteral("1.")));
        QVERIFY2(rows.first()->costs().startsWith(QStringLiteral("Run 48.7 days")), qPrintable(rows.first()->costs()));
        QCOMPARE(fixture.edits(), 0);
        QTest::mouseClick(rows.first()->applyButton(), Qt::LeftButton);
        QCOMPARE(fixture.edits(), 1);
        QVERIFY(fixture.settle());
        QVERIFY(fixture.session().view().result->run.days <= 30);
        QTRY_VERIFY_WITH_TIMEOUT(cardOf(fixture)->status().startsWith(QStringLiteral("Already reached")), patience);
        fixture.document().undoStack()->undo();
        QVERIFY(fixture.settle());
        QVERIFY(fixture.session().view().result->run.days > 48);
    }

    void every_key_figure_takes_a_goal_data() {
        QTest::addColumn<QByteArray>("figure");
        QTest::addColumn<QString>("value");
        QTest::newRow("memory") << QByteArray("memoryFigure") << QStringLiteral("99.99999 %");
        QTest::newRow("step") << QByteArray("stepFigure") << QStringLiteral("2 s");
        QTest::newRow("cost") << QByteArray("costFigure") << QStringLiteral("$10M");
    }
    void every_key_figure_takes_a_goal() {
        QFETCH(QByteArray, figure);
        QFETCH(QString, value);
        WindowFixture fixture(llama);
        seekBy(fixture, figure.constData(), value);
        QVERIFY2(cardOf(fixture)->answer() != nullptr, qPrintable(cardOf(fixture)->status()));
        QVERIFY2(cardOf(fixture)->answer()->reached || !rowsOf(fixture).isEmpty(),
                 qPrintable(cardOf(fixture)->status()));
    }

    void opening_moves_nothing_and_escape_gives_the_focus_back() {
        WindowFixture fixture(llama);
        auto *run = fixture.find<KeyFigure>("runFigure");
        const QWidget *memory = fixture.find<QWidget>("memoryCard");
        const QRect before = memory->geometry();
        run->setFocus(Qt::TabFocusReason);
        QTest::keyClick(run, Qt::Key_G);
        QVERIFY(cardOf(fixture)->isVisible());
        QVERIFY(fixture.find<QLineEdit>("goalValue")->hasFocus());
        QCOMPARE(memory->geometry(), before);
        QTest::keyClick(fixture.find<QLineEdit>("goalValue"), Qt::Key_Escape);
        QVERIFY(!cardOf(fixture)->isVisible());
        QVERIFY(run->hasFocus());
        QCOMPARE(memory->geometry(), before);
    }

    void what_is_no_goal_is_refused_with_the_reason() {
        WindowFixture fixture(llama);
        seekBy(fixture, "runFigure", QStringLiteral("soon"));
        QCOMPARE(fieldState(fixture.find<QLineEdit>("goalValue")), FieldState::Rejected);
        QVERIFY2(cardOf(fixture)->status().contains(QStringLiteral("days")), qPrintable(cardOf(fixture)->status()));
        QVERIFY(cardOf(fixture)->answer() == nullptr);
    }

    void what_cannot_be_reached_says_what_limits() {
        WindowFixture fixture(llama);
        fixture.find<ToggleSwitch>("keepHardware")->setChecked(true);
        seekBy(fixture, "runFigure", QStringLiteral("1 day"));
        QVERIFY2(cardOf(fixture)->status().startsWith(QStringLiteral("No change that was tried reaches the goal")),
                 qPrintable(cardOf(fixture)->status()));
        QCOMPARE(rowsOf(fixture).size(), 1);
        QVERIFY(rowsOf(fixture).first()->title().startsWith(QStringLiteral("Nearest")));
    }

    void another_plan_drops_what_was_found() {
        WindowFixture fixture(llama);
        seekBy(fixture, "runFigure", QStringLiteral("30"));
        QVERIFY(!rowsOf(fixture).isEmpty());
        fixture.document().apply({.field = {},
                                  .subject = QStringLiteral("Tokens"),
                                  .from = {},
                                  .to = {},
                                  .patch = R"({"run": {"tokens": 1e12}})",
                                  .pace = EditPace::Settled});
        QVERIFY(fixture.settle());
        QVERIFY(rowsOf(fixture).isEmpty());
        QVERIFY(cardOf(fixture)->status().contains(QStringLiteral("has changed")));
    }

    void what_a_proposal_says_opens() {
        WindowFixture fixture(llama);
        seekBy(fixture, "runFigure", QStringLiteral("30"));
        const QList<GoalRow *> rows = rowsOf(fixture);
        QVERIFY(!rows.isEmpty());
        const QList<FigureRef> figures = rows.first()->findChild<FigureSentence *>()->figures();
        QVERIFY(figures.size() >= 4);
        for (const FigureRef &figure : figures.mid(0, 4))
            QVERIFY2(bool(fixture.explained(figure)), qPrintable(figure.name()));
    }

    void headroom_keeps_its_word() {
        const auto said = [](const QString &plan) {
            WindowFixture fixture(plan, {1280, 720});
            return fixture.find<KeyFigure>("memoryFigure")->accessibleName();
        };
        const QString lacks = said({});
        QVERIFY2(lacks.endsWith(QStringLiteral("GB short")), qPrintable(lacks));
        const QString full = said(QStringLiteral("preset:deepseek-v3"));
        QVERIFY2(full.endsWith(QStringLiteral("MB free")), qPrintable(full));
    }
};

LISTED_TEST(GoalsTest)
#include "tst_goals.moc"

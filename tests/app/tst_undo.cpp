// SPDX-License-Identifier: GPL-3.0-or-later
#include "json_text.h"
#include "listed_test.h"
#include "window_fixture.h"

#include "controls/integer_box.h"
#include "controls/quantity_box.h"
#include "controls/stepped_slider.h"
#include "controls/text_field.h"

#include <QApplication>
#include <QDockWidget>
#include <QScrollArea>
#include <QScrollBar>
#include <QWheelEvent>
#include <QWindow>

using namespace meshwright;
using nlohmann::ordered_json;

namespace {

constexpr auto undoKeys = Qt::ControlModifier;
constexpr auto redoKeys = Qt::ControlModifier | Qt::ShiftModifier;

void undo(QWidget *field) {
    QTest::keyClick(field, Qt::Key_Z, undoKeys);
}

void redo(QWidget *field) {
    QTest::keyClick(field, Qt::Key_Z, redoKeys);
}

template <typename Field>
Field *focused(WindowFixture &fixture, const char *name) {
    auto *field = fixture.find<Field>(name);
    fixture.reveal(field);
    field->setFocus();
    field->selectAll();
    return field;
}

/// Sends a wheel event as the window system does, so that a widget that ignores it passes it to its parent.
void turnWheel(QWidget &window, const QPoint &at, int notches) {
    QWheelEvent wheel(at, window.mapToGlobal(QPointF(at)), {}, QPoint(0, notches * 120), Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QSpontaneKeyEvent::setSpontaneous(&wheel);
    QCoreApplication::instance()->notify(window.windowHandle(), &wheel);
}

void type(QWidget *field, const char *text) {
    QTest::keyClicks(field, QString::fromUtf8(text));
}

} // namespace

class UndoTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void undo_after_a_commit_undoes_the_plan_and_the_field_shows_it() {
        WindowFixture fixture;
        auto *box = focused<IntegerBox>(fixture, "parallelism/tensor");
        const auto tensor = [&] { return textOf(fixture.json()["parallelism"]["tensor"]); };
        for (const char *value : {"4", "2"}) {
            box->selectAll();
            type(box, value);
            QTest::keyClick(box, Qt::Key_Return);
        }
        QCOMPARE(fixture.edits(), 2);
        undo(box);
        QCOMPARE(tensor(), textOf(4));
        QCOMPARE(box->text(), QStringLiteral("4"));
        undo(box);
        QCOMPARE(tensor(), textOf(8));
        QCOMPARE(box->text(), QStringLiteral("8"));
        redo(box);
        QCOMPARE(tensor(), textOf(4));
        QCOMPARE(box->text(), QStringLiteral("4"));
        QTest::keyClick(box, Qt::Key_Tab);
        QCOMPARE(tensor(), textOf(4));
        QCOMPARE(fixture.edits(), 2);
    }

    void undo_before_the_commit_undoes_the_typing() {
        WindowFixture fixture;
        auto *box = focused<IntegerBox>(fixture, "parallelism/tensor");
        type(box, "4");
        QTest::keyClick(box, Qt::Key_Return);
        box->selectAll();
        type(box, "16");
        undo(box);
        QCOMPARE(box->text(), QStringLiteral("4"));
        QVERIFY2(!box->hasPendingText(), "nothing is typed any more");
        QCOMPARE(textOf(fixture.json()["parallelism"]["tensor"]), textOf(4));
        redo(box);
        QCOMPARE(box->text(), QStringLiteral("16"));
        undo(box);
        undo(box);
        QCOMPARE(textOf(fixture.json()["parallelism"]["tensor"]), textOf(8));
        QCOMPARE(box->text(), QStringLiteral("8"));
    }

    void a_rejected_text_never_comes_back() {
        WindowFixture fixture;
        auto *box = focused<IntegerBox>(fixture, "batch/global_sequences");
        const QString before = box->text();
        type(box, "abc");
        QTest::keyClick(box, Qt::Key_Return);
        QVERIFY(!box->rejection().isEmpty());
        box->selectAll();
        type(box, "64");
        QTest::keyClick(box, Qt::Key_Return);
        QVERIFY(box->rejection().isEmpty());
        for (int times = 0; times < 3; ++times) {
            undo(box);
            QCOMPARE(box->text(), before);
        }
        QCOMPARE(fixture.document().undoStack()->index(), 0);
        redo(box);
        QCOMPARE(box->text(), QStringLiteral("64"));
    }

    void undo_takes_a_rejected_text_away_and_leaves_the_plan() {
        WindowFixture fixture;
        auto *box = focused<IntegerBox>(fixture, "batch/global_sequences");
        const QString before = box->text();
        type(box, "64");
        QTest::keyClick(box, Qt::Key_Return);
        box->selectAll();
        type(box, "abc");
        QTest::keyClick(box, Qt::Key_Return);
        undo(box);
        QCOMPARE(box->text(), QStringLiteral("64"));
        QVERIFY(box->rejection().isEmpty());
        QCOMPARE(fixture.document().undoStack()->index(), 1);
        undo(box);
        QCOMPARE(box->text(), before);
    }

    void the_undo_button_undoes_what_was_typed_last_even_before_enter() {
        WindowFixture fixture;
        auto *box = focused<IntegerBox>(fixture, "parallelism/tensor");
        type(box, "4");
        QTest::keyClick(box, Qt::Key_Return);
        box->selectAll();
        type(box, "2");
        for (QAction *action : fixture.window().findChildren<QAction *>())
            if (action->shortcut() == QKeySequence(QKeySequence::Undo))
                action->trigger();
        QCOMPARE(textOf(fixture.json()["parallelism"]["tensor"]), textOf(4));
        QCOMPARE(box->text(), QStringLiteral("4"));
        QTest::keyClick(box, Qt::Key_Tab);
        QCOMPARE(textOf(fixture.json()["parallelism"]["tensor"]), textOf(4));
        redo(box);
        QCOMPARE(textOf(fixture.json()["parallelism"]["tensor"]), textOf(2));
    }

    void lines_of_text_behave_like_numbers() {
        WindowFixture fixture;
        auto *name = focused<TextField>(fixture, "cluster/tiers/0/name");
        const auto tier = [&] { return QString::fromStdString(fixture.json()["cluster"]["tiers"][0]["name"]); };
        const QString before = tier();
        type(name, "fabric");
        QTest::keyClick(name, Qt::Key_Return);
        QCOMPARE(tier(), QStringLiteral("fabric"));
        undo(name);
        QCOMPARE(tier(), before);
        QCOMPARE(name->text(), before);
        QTest::keyClick(name, Qt::Key_Tab);
        QCOMPARE(tier(), before);
        QCOMPARE(fixture.edits(), 1);
        auto *trace = focused<TextField>(fixture, "cluster/wan/rate_trace");
        type(trace, "nonsense");
        QTest::keyClick(trace, Qt::Key_Return);
        QVERIFY(!trace->rejection().isEmpty());
        QTest::keyClick(trace, Qt::Key_Escape);
        QVERIFY(trace->rejection().isEmpty());
        QCOMPARE(trace->text(), QString());
    }

    void saving_takes_what_is_being_typed() {
        WindowFixture fixture;
        auto *box = focused<IntegerBox>(fixture, "parallelism/tensor");
        type(box, "4");
        fixture.prompts.path = fixture.file(QStringLiteral("typed.plan"));
        QTest::keyClick(box, Qt::Key_S, Qt::ControlModifier);
        QCOMPARE(textOf(fixture.json()["parallelism"]["tensor"]), textOf(4));
        QVERIFY(!fixture.document().isModified());
        QVERIFY(QFile::exists(fixture.prompts.path));
    }

    void arrow_keys_in_quick_succession_are_one_step() {
        WindowFixture fixture;
        auto *box = focused<IntegerBox>(fixture, "batch/global_sequences");
        const QString before = box->text();
        for (int times = 0; times < 20; ++times)
            QTest::keyClick(box, Qt::Key_Up);
        QCOMPARE(fixture.edits(), 1);
        auto *slider = fixture.find<SteppedSlider>("tensorSlider");
        slider->setFocus();
        QTest::keyClick(slider, Qt::Key_Left);
        QTest::keyClick(slider, Qt::Key_Left);
        QVERIFY2(fixture.edits() == 2, "another field is another step");
        QTest::qWait(EditCommand::StepMilliseconds + 100);
        QTest::keyClick(slider, Qt::Key_Left);
        QVERIFY2(fixture.edits() == 3, "after a pause it is another gesture");
        undo(slider);
        QCOMPARE(slider->stop(), 2);
        undo(slider);
        QCOMPARE(slider->stop(), 8);
        undo(slider);
        QCOMPARE(box->text(), before);
    }

    void numbers_typed_one_after_the_other_are_steps_of_their_own() {
        WindowFixture fixture;
        auto *box = focused<IntegerBox>(fixture, "batch/global_sequences");
        for (const char *value : {"64", "128"}) {
            box->selectAll();
            type(box, value);
            QTest::keyClick(box, Qt::Key_Return);
        }
        QCOMPARE(fixture.edits(), 2);
    }

    void the_wheel_scrolls_the_panels_and_edits_nothing() {
        WindowFixture fixture({}, {1280, 720});
        auto *panels = fixture.find<QDockWidget>("panels");
        auto *area = panels->findChild<QScrollArea *>();
        QScrollBar *bar = area->verticalScrollBar();
        const QStringList names{QStringLiteral("parallelism/tensor"), QStringLiteral("tensorSlider"),
                                QStringLiteral("parallelism/schedule"), QStringLiteral("modelSizeSlider")};
        for (const QString &name : names)
            fixture.reveal(panels->findChild<QWidget *>(name));
        QTRY_VERIFY(bar->maximum() > 100);
        for (const QString &name : names) {
            auto *control = panels->findChild<QWidget *>(name);
            control->setFocus();
            area->ensureWidgetVisible(control, 0, 120);
            QCoreApplication::processEvents();
            const int before = bar->value();
            const QPoint at = control->mapTo(&fixture.window(), QPoint(5, 5));
            turnWheel(fixture.window(), at, before > 0 ? 1 : -1);
            QVERIFY2(bar->value() != before, qPrintable(name));
        }
        QCOMPARE(fixture.edits(), 0);
    }
};

LISTED_TEST(UndoTest)
#include "tst_undo.moc"

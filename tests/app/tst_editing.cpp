// SPDX-License-Identifier: GPL-3.0-or-later
#include "json_text.h"
#include "listed_test.h"
#include "window_fixture.h"

#include "canvases/memory_bars.h"
#include "controls/integer_box.h"
#include "controls/key_figure.h"
#include "controls/searchable_combo.h"
#include "controls/stepped_slider.h"
#include "plan/goal_card.h"
#include "plan/plan_page.h"
#include "preset_menu.h"
#include "views/fix_button.h"
#include "views/problem_row.h"
#include "views/result_card.h"

#include <QAbstractButton>
#include <QApplication>
#include <QComboBox>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QSlider>
#include <QTreeView>

using namespace meshwright;
using nlohmann::ordered_json;

namespace {

void press(QWidget *target, const QPoint &place) {
    QTest::mousePress(target, Qt::LeftButton, {}, place);
}

QPoint stopOf(const SteppedSlider *slider, int index) {
    return {qRound(slider->positionOf(index)), 10};
}

double percentile(std::vector<double> values, double share) {
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(static_cast<double>(values.size() - 1) * share)];
}

/// Runs the event loop until the condition holds and all pending paint events are processed.
template <typename Condition>
void waitUntil(WindowFixture &fixture, Condition condition) {
    QEventLoop loop;
    QObject::connect(&fixture.session(), &PlanSession::resultChanged, &loop, [&] {
        if (condition())
            loop.quit();
    });
    if (!condition())
        loop.exec();
    QCoreApplication::processEvents();
}

} // namespace

class EditingTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void the_window_opens_on_the_first_plan_already_evaluated() {
        WindowFixture fixture;
        QCOMPARE(fixture.document().name(), QStringLiteral("10^25 FLOP over 72 sites"));
        QCOMPARE(fixture.session().view().freshness, Freshness::Fresh);
        QVERIFY(fixture.session().view().result != nullptr);
        QVERIFY(!fixture.document().isModified());
        for (const char *name : {"memoryFigure", "stepFigure", "runFigure", "costFigure"})
            QVERIFY(fixture.find<KeyFigure>(name)->isVisible());
    }

    void a_drag_of_a_slider_is_one_undo_step() {
        WindowFixture fixture;
        auto *slider = fixture.find<SteppedSlider>("tensorSlider");
        fixture.reveal(slider);
        press(slider, stopOf(slider, 3));
        for (const int stop : {2, 1, 2})
            QTest::mouseMove(slider, stopOf(slider, stop));
        QTest::mouseRelease(slider, Qt::LeftButton, {}, stopOf(slider, 2));
        QCOMPARE(fixture.edits(), 1);
        QCOMPARE(textOf(fixture.json()["parallelism"]["tensor"]), textOf(4));
        QTest::keyClick(&fixture.window(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(textOf(fixture.json()["parallelism"]["tensor"]), textOf(8));
        QCOMPARE(slider->stop(), 8);
        QTest::keyClick(&fixture.window(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(textOf(fixture.json()["parallelism"]["tensor"]), textOf(4));
    }

    void a_drag_back_to_where_it_began_is_no_step() {
        WindowFixture fixture;
        auto *slider = fixture.find<SteppedSlider>("tensorSlider");
        fixture.reveal(slider);
        press(slider, stopOf(slider, 3));
        const QSignalSpy changes(&fixture.document(), &PlanDocument::changed);
        for (const int stop : {2, 1, 3})
            QTest::mouseMove(slider, stopOf(slider, stop));
        QTest::mouseRelease(slider, Qt::LeftButton, {}, stopOf(slider, 3));
        QCOMPARE(fixture.edits(), 0);
        QCOMPARE(changes.count(), 3); // one change per stop of the slider
        QVERIFY(!fixture.document().isModified());
    }

    void typing_takes_effect_on_enter_and_changes_that_field_alone() {
        WindowFixture fixture;
        auto *box = fixture.find<IntegerBox>("batch/global_sequences");
        fixture.reveal(box);
        box->setFocus();
        box->selectAll();
        ordered_json expected = fixture.json();
        QTest::keyClicks(box, QStringLiteral("1024"));
        QCOMPARE(textOf(fixture.json()), textOf(expected));
        QCOMPARE(fixture.edits(), 0);
        QTest::keyClick(box, Qt::Key_Return);
        expected["batch"]["global_sequences"] = 1024;
        QCOMPARE(textOf(fixture.json()), textOf(expected));
        QCOMPARE(fixture.edits(), 1);
    }

    void an_edit_that_changes_which_fields_a_model_has_shows_the_new_fields() {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("QAbstractItemView")));
        WindowFixture fixture(QStringLiteral("preset:llama3-70b"));
        fixture.find<QAbstractButton>("modelFieldsDisclosure")->click();
        auto *tree = fixture.find<QTreeView>("modelFields");
        fixture.reveal(tree);
        const auto rows = [&](const QString &label) {
            return tree->model()->match(tree->model()->index(0, 0), Qt::DisplayRole, label, -1,
                                        Qt::MatchExactly | Qt::MatchRecursive);
        };
        QCOMPARE(rows(QStringLiteral("Transform")).size(), 1);
        tree->setCurrentIndex(rows(QStringLiteral("Transform")).constFirst().siblingAtColumn(1));
        auto *kinds = tree->findChild<QComboBox *>();
        QVERIFY(kinds != nullptr);
        kinds->setCurrentText(QStringLiteral("experts"));
        const auto before = tree->model()->rowCount(rows(QStringLiteral("Transform")).constFirst().parent());
        QTest::keyClick(kinds, Qt::Key_Return);
        QTRY_VERIFY(tree->model()->rowCount(rows(QStringLiteral("Transform")).constFirst().parent()) > before);
        QCOMPARE(fixture.edits(), 1);
        QTest::keyClick(&fixture.window(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(tree->model()->rowCount(rows(QStringLiteral("Transform")).constFirst().parent()), before);
    }

    void layers_are_balanced_over_stages_by_one_click() {
        WindowFixture fixture(QStringLiteral("preset:llama3-70b"));
        auto *text = fixture.find<QLineEdit>("layoutText");
        fixture.reveal(text);
        const auto layout = [&] { return fixture.json()["parallelism"].value("layout", ordered_json()); };
        fixture.find<QPushButton>("balanceLayout")->click();
        QTRY_VERIFY(layout().is_string());
        QCOMPARE(fixture.edits(), 1);
        QCOMPARE(text->text(), QString::fromStdString(layout().get<std::string>()));
        QVERIFY(text->text().startsWith(QLatin1Char('E')));
        QVERIFY(text->text().endsWith(QLatin1Char('L')));
        QVERIFY(fixture.session().view().valid);
        text->setFocus();
        text->clear();
        QTest::keyClick(text, Qt::Key_Return);
        QVERIFY(layout().is_null());
        QCOMPARE(fixture.edits(), 2);
    }

    void typing_takes_effect_on_leaving_the_field() {
        WindowFixture fixture;
        auto *box = fixture.find<IntegerBox>("cluster/sites");
        fixture.reveal(box);
        box->setFocus();
        box->selectAll();
        QTest::keyClicks(box, QStringLiteral("48"));
        QTest::keyClick(box, Qt::Key_Tab);
        QCOMPARE(textOf(fixture.json()["cluster"]["sites"]), textOf(48));
        QCOMPARE(fixture.edits(), 1);
    }

    void a_plan_that_cannot_be_evaluated_keeps_the_last_result_and_says_so() {
        WindowFixture fixture;
        const auto before = fixture.session().view().result;
        auto *box = fixture.find<IntegerBox>("parallelism/tensor");
        fixture.reveal(box);
        box->setFocus();
        box->selectAll();
        QTest::keyClicks(box, QStringLiteral("5"));
        QTest::keyClick(box, Qt::Key_Return);
        // The view is marked as outdated immediately, before the evaluation ends.
        QCOMPARE(fixture.session().view().freshness, Freshness::Invalid);
        QVERIFY(fixture.find<KeyFigure>("stepFigure")->isStale());
        QVERIFY(fixture.find<ResultCard>("memoryCard")->isStale());
        QVERIFY(fixture.find<MemoryBars>("memoryBars")->isVisible());
        QVERIFY(fixture.find<QLabel>("freshness")->text().contains(QStringLiteral("last valid plan")));
        QVERIFY(fixture.settle());
        QCOMPARE(fixture.session().view().result, before);
        QVERIFY2(fixture.json()["parallelism"]["pipeline"] == 2, "the edit changed another field");
    }

    void one_click_on_a_fix_makes_the_plan_valid_again() {
        WindowFixture fixture;
        fixture.document().apply({.field = QStringLiteral("/parallelism/tensor"),
                                  .subject = QStringLiteral("Tensor"),
                                  .from = {},
                                  .to = QStringLiteral("4"),
                                  .patch = R"({"parallelism": {"tensor": 4}})",
                                  .pace = EditPace::Settled});
        QVERIFY(fixture.settle());
        QCOMPARE(fixture.session().view().freshness, Freshness::Invalid);
        auto *row = fixture.window().view<PlanPage>()->findChild<ProblemRow *>(QStringLiteral("problem0"));
        FixButton *button = row->findChild<FixButton *>();
        QVERIFY(button != nullptr && button->isVisible());
        QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(fixture.settle());
        QCOMPARE(fixture.session().view().freshness, Freshness::Fresh);
        QVERIFY(!fixture.find<KeyFigure>("stepFigure")->isStale());
        QCOMPARE(fixture.edits(), 2);
    }

    void the_smallest_fit_is_said_before_it_is_one_step() {
        WindowFixture fixture;
        QVERIFY2(!fixture.session().view().result->verdict.fits, "the preset no longer exceeds its memory");
        QTest::mouseClick(fixture.find<QPushButton>("smallestFit"), Qt::LeftButton);
        auto *goal = fixture.window().findChild<GoalCard *>();
        QTRY_VERIFY_WITH_TIMEOUT(goal->answer() != nullptr, 20'000);
        QCOMPARE(fixture.edits(), 0);
        QTest::mouseClick(fixture.find<QPushButton>("applyGoal"), Qt::LeftButton);
        QTRY_COMPARE(fixture.edits(), 1);
        QVERIFY(fixture.settle());
        QVERIFY(fixture.session().view().result->verdict.fits);
        QTRY_VERIFY(!fixture.find<QPushButton>("smallestFit")->isVisible());
    }

    void another_model_is_found_by_any_part_of_its_name() {
        WindowFixture fixture;
        auto *combo = fixture.find<SearchableCombo>("modelPreset");
        fixture.reveal(combo);
        QVERIFY(combo->items().size() > 50);
        Q_EMIT combo->chosen(QStringLiteral("llama-3.1-8b"));
        QCOMPARE(textOf(fixture.json()["model"]), textOf("llama-3.1-8b"));
        QCOMPARE(fixture.edits(), 1);
    }

    void scaling_the_model_spells_it_out_and_dragging_back_names_the_preset_again() {
        WindowFixture fixture;
        auto *slider = fixture.find<QSlider>("modelSizeSlider");
        fixture.reveal(slider);
        const int start = slider->value();
        slider->setSliderDown(true);
        slider->setSliderPosition(start - 40);
        QVERIFY(fixture.json()["model"].is_object());
        slider->setSliderPosition(start);
        QCOMPARE(textOf(fixture.json()["model"]), textOf("dense-144b"));
        QCOMPARE(fixture.edits(), 0);
        slider->setSliderPosition(start - 80);
        slider->setSliderDown(false);
        QCOMPARE(fixture.edits(), 1);
        QVERIFY(fixture.settle());
        QVERIFY(fixture.session().view().result->parameters.total < 100e9);
    }

    void a_preset_from_the_menu_replaces_the_plan() {
        WindowFixture fixture;
        PresetMenu *menu = fixture.window().presetMenu();
        menu->fill();
        auto *action = menu->findChild<QAction *>(QStringLiteral("deepseek-v3"));
        QVERIFY(action != nullptr);
        action->trigger();
        QVERIFY(fixture.settle());
        QVERIFY(fixture.document().name().contains(QStringLiteral("DeepSeek-V3")));
        QCOMPARE(fixture.edits(), 0);
        QCOMPARE(fixture.session().view().freshness, Freshness::Fresh);
    }

    void many_edits_at_once_end_with_the_last_ones_result() {
        WindowFixture fixture;
        for (int steps = 1; steps <= 60; ++steps)
            fixture.document().apply({.field = QStringLiteral("/outer/inner_steps"),
                                      .subject = QStringLiteral("Inner steps"),
                                      .from = {},
                                      .to = QString::number(steps),
                                      .patch = ordered_json{{"outer", {{"inner_steps", 100 + steps}}}}.dump(),
                                      .pace = EditPace::Live});
        QVERIFY(fixture.settle());
        QCOMPARE(fixture.session().view().result->plan.outer.inner_steps, 160);
        QVERIFY2(fixture.session().evaluator()->started() < 62,
                 "only the latest edit is evaluated after a running evaluation");
        QCOMPARE(fixture.edits(), 1);
    }

    void every_edit_reaches_the_cards_and_how_long_that_takes() {
        WindowFixture fixture;
        std::vector<double> numbers;
        std::vector<double> whole;
        for (int i = 1; i <= 60; ++i) {
            QElapsedTimer timer;
            timer.start();
            fixture.document().apply({.field = QStringLiteral("/batch/global_sequences"),
                                      .subject = QStringLiteral("Sequences"),
                                      .from = {},
                                      .to = QString::number(i),
                                      .patch = ordered_json{{"batch", {{"global_sequences", 32 + 2 * i}}}}.dump(),
                                      .pace = EditPace::Settled});
            waitUntil(fixture, [&] { return fixture.session().view().freshness == Freshness::Fresh; });
            numbers.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
            waitUntil(fixture, [&] { return fixture.session().view().diagnosticsComplete; });
            whole.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
            QCOMPARE(fixture.session().view().result->plan.batch.global_sequences, 32 + 2 * i);
        }
        qInfo("edit to painted numbers: median %.1f, 95th percentile %.1f ms; with evaluated fixes %.1f, %.1f ms",
              percentile(numbers, 0.5), percentile(numbers, 0.95), percentile(whole, 0.5), percentile(whole, 0.95));
    }
};

LISTED_TEST(EditingTest)
#include "tst_editing.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "controls/quantity_box.h"
#include "controls/segmented.h"
#include "controls/small_marks.h"
#include "controls/toggle_switch.h"
#include "figures/figure_sentence.h"
#include "figures/figure_text.h"
#include "listed_test.h"
#include "main_window.h"
#include "search/configuration_selection.h"
#include "search/configuration_table.h"
#include "search/configuration_table_model.h"
#include "search/configuration_text.h"
#include "search/constraints_bar.h"
#include "search/found_strip.h"
#include "search/schedule_bests.h"
#include "search/search_heading.h"
#include "search/search_view.h"
#include "search_controller.h"
#include "searched_window.h"
#include "view_rail.h"
#include "window_fixture.h"

#include <QLineEdit>
#include <QPushButton>
#include <QTest>
#include <QUndoStack>

#include <nlohmann/json.hpp>

#include <array>
#include <vector>

using namespace meshwright;

/// Checks which configurations the search offers and recommends.
class SearchOffersTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void the_strip_next_to_the_plan_shows_the_best_configuration_and_applies_it() {
        WindowFixture fixture(QStringLiteral("preset:smollm-135m"), {1600, 1000});
        MainWindow &window = fixture.window();
        fixture.document().apply({.subject = QStringLiteral("test"), .patch = smallSpace});
        const auto settle = [&] {
            return fixture.settle() && QTest::qWaitFor([&] { return window.searching()->isSettled(); }, 60'000);
        };
        QVERIFY(settle());
        auto *strip = window.findChild<FoundStrip *>();
        QVERIFY(strip->isVisible());
        QVERIFY2(strip->text().contains(QStringLiteral("faster than the plan")), qPrintable(strip->text()));
        const double best = window.view<SearchView>()->selection()->answer()->offeredRow()->entry.step_seconds;
        const int edits = fixture.edits();
        QVERIFY(strip->applyButton()->isVisible());
        strip->applyButton()->click();
        QVERIFY(settle());
        QCOMPARE(fixture.edits(), edits + 1);
        QCOMPARE(fixture.session().view().result->step.seconds, best);
        QVERIFY2(saysThatNothingIsBetter(strip->text()), qPrintable(strip->text()));
        QVERIFY(!strip->applyButton()->isVisible());
        fixture.document().apply({.subject = QStringLiteral("test"), .patch = R"({"parallelism": {"tensor": 7}})"});
        QVERIFY(fixture.settle());
        // An invalid plan has no search result, but the strip keeps its place.
        QCOMPARE(strip->text(), QStringLiteral("No search while the plan has errors"));
        QVERIFY(!strip->applyButton()->isVisible());
        fixture.document().undoStack()->undo();
        QVERIFY(settle());
        QVERIFY(strip->isVisible());
        strip->whyButton()->click();
        QVERIFY(window.view<SearchView>()->isVisible());
    }

    void the_strip_keeps_its_place_and_the_last_answer_until_the_next_one() {
        WindowFixture fixture(QStringLiteral("preset:smollm-135m"), {1600, 1000});
        MainWindow &window = fixture.window();
        auto *strip = window.findChild<FoundStrip *>();
        const auto settle = [&] {
            return fixture.settle() && QTest::qWaitFor([&] { return window.searching()->isSettled(); }, 60'000);
        };
        QVERIFY(strip->isVisible()); // the strip is visible even before the first result
        const int height = strip->height();
        fixture.document().apply({.subject = QStringLiteral("test"), .patch = smallSpace});
        QVERIFY(settle());
        const QRect place = strip->geometry();
        QCOMPARE(place.height(), height);
        const QString found = strip->text();
        QVERIFY2(found.contains(QLatin1Char('%')), qPrintable(found));
        QVERIFY(!strip->isStale());
        fixture.document().apply({.subject = QStringLiteral("test"), .patch = R"({"parallelism": {"zero_stage": 1}})"});
        QTRY_VERIFY(strip->isStale());
        QCOMPARE(strip->text(), found);
        QVERIFY(!strip->applyButton()->isEnabled());
        QCOMPARE(strip->geometry(), place);
        QVERIFY(settle());
        QVERIFY(!strip->isStale());
        QVERIFY(strip->applyButton()->isEnabled());
        QCOMPARE(strip->geometry(), place);
        // Results for another run are not shown for this one.
        fixture.document().apply(
            {.subject = QStringLiteral("test"), .patch = R"({"batch": {"sequence_length": 1024}})"});
        QTRY_VERIFY(strip->text().startsWith(QStringLiteral("Searching")));
        QCOMPARE(strip->geometry(), place);
    }

    void only_configurations_that_the_software_can_run_are_offered_unless_any_software_is_allowed() {
        Searched shown(QStringLiteral("pretrain-8b"), R"({"constraints": {"tensor_within_node": true}})");
        for (const LayoutRow &row : shown.answer().rows)
            QVERIFY2(row.present || row.entry.runnable, row.entry.reason.c_str());
        QVERIFY(shown.view->table()->isColumnHidden(int(ColumnId::software)));
        QTest::mouseClick(shown.window.find<ToggleSwitch>("anySoftware"), Qt::LeftButton);
        QVERIFY(shown.settle());
        QVERIFY(constraints_of(shown.plan()).any_software);
        QVERIFY(!shown.view->table()->isColumnHidden(int(ColumnId::software)));
        int others = 0;
        const QAbstractItemModel *model = shown.view->table()->model();
        for (int row = 0; row < model->rowCount(); ++row) {
            const QModelIndex cell = model->index(row, int(ColumnId::software));
            if (cell.data().toString() != QStringLiteral("no"))
                continue;
            ++others;
            QVERIFY(!cell.data(Qt::ToolTipRole).toString().isEmpty());
        }
        QVERIFY(others > 0);
    }

    void headroom_is_a_fraction_an_interval_or_a_number_of_bytes() {
        Searched shown(QStringLiteral("smollm-135m"));
        const double capacity = shown.plan().cluster.accelerator.memory_bytes;
        QVERIFY(!constraints_of(shown.plan()).headroom_bytes);
        for (const LayoutRow &row : shown.answer().rows)
            QVERIFY(row.rank == 0 || row.present || row.entry.headroom_bytes >= 0.05 * capacity);
        auto *choice = shown.window.find<Segmented>("headroomChoice");
        QCOMPARE(choice->currentIndex(), 0);
        QTest::mouseClick(choice->button(1), Qt::LeftButton);
        QVERIFY(shown.settle());
        QCOMPARE(constraints_of(shown.plan()).headroom, Headroom::sure);
        QCOMPARE(choice->currentIndex(), 1);
        QTest::mouseClick(choice->button(2), Qt::LeftButton);
        QVERIFY(shown.settle());
        QVERIFY(constraints_of(shown.plan()).headroom_bytes.has_value());
        auto *bytes = shown.window.find<QuantityBox>("leastHeadroom");
        bytes->setFocus();
        QTest::keyClick(bytes, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(bytes, QStringLiteral("0"));
        QTest::keyClick(bytes, Qt::Key_Return);
        QVERIFY(shown.settle());
        QCOMPARE(constraints_of(shown.plan()).headroom_bytes.value_or(-1), 0.0);
        QTest::mouseClick(choice->button(0), Qt::LeftButton);
        QVERIFY(shown.settle());
        QVERIFY(!constraints_of(shown.plan()).headroom_bytes);
        QCOMPARE(constraints_of(shown.plan()).headroom, Headroom::share);
    }

    void a_plan_that_leaves_too_little_headroom_is_never_called_the_best() {
        Searched shown(QStringLiteral("smollm-135m"));
        QTest::mouseClick(shown.view->heading()->applyButton(), Qt::LeftButton);
        QVERIFY(shown.settle());
        const double own = shown.answer().presentRow()->entry.headroom_bytes;
        nlohmann::ordered_json constraints;
        constraints["constraints"]["headroom_bytes"] = own + 1e9;
        shown.patch(constraints.dump().c_str());
        QVERIFY(!shown.answer().presentHolds());
        const QString headline = shown.view->heading()->headline();
        QVERIFY2(!saysThatNothingIsBetter(headline), qPrintable(headline));
        if (shown.answer().fits)
            QVERIFY(shown.answer().offeredRow()->entry.headroom_bytes >= own + 1e9);
    }

    void ties_are_shown_and_the_recommended_one_is_marked() {
        Searched shown(QStringLiteral("smollm-135m"));
        const LayoutRow *recommended = shown.answer().recommendedRow();
        QVERIFY(recommended != nullptr && recommended->entry.tied);
        QVERIFY(shown.answer().tiedCount() > 1);
        const LayoutRow &first = shown.answer().rows.front();
        QVERIFY(recommended->entry.techniques.size() <= first.entry.techniques.size());
        const QAbstractItemModel *model = shown.view->table()->model();
        int tied = 0;
        int marked = 0;
        for (int row = 0; row < model->rowCount(); ++row) {
            const QModelIndex rank = model->index(row, int(ColumnId::rank));
            tied += rank.data(ConfigurationTableModel::TiedRole).toBool() ? 1 : 0;
            marked += rank.data(ConfigurationTableModel::RecommendedRole).toBool() ? 1 : 0;
            QCOMPARE(rank.data(Qt::ToolTipRole).toString().isEmpty(),
                     !rank.data(ConfigurationTableModel::TiedRole).toBool());
        }
        QCOMPARE(tied, shown.answer().tiedCount());
        QCOMPARE(marked, 1);
    }

    void the_best_of_each_schedule_is_listed() {
        Searched shown(QStringLiteral("pretrain-8b"), R"({"constraints": {"tensor_within_node": true}})");
        ScheduleBests *bests = shown.view->scheduleBests();
        QVERIFY(bests->isVisible());
        QVERIFY(shown.answer().schedules.size() > 1);
        const QList<LinkButton *> names = bests->findChildren<LinkButton *>();
        QCOMPARE(names.size(), qsizetype(shown.answer().schedules.size()));
        for (std::size_t i = 1; i < shown.answer().schedules.size(); ++i)
            QVERIFY(shown.answer().schedules[i].entry.run_seconds >= shown.answer().schedules[i - 1].entry.run_seconds);
        const QAbstractItemModel *model = shown.view->table()->model();
        int named = 0;
        for (LinkButton *name : names) {
            name->click();
            // The table lists the best configuration of every schedule, however far it is from the overall best.
            QVERIFY2(model->rowCount() > 0, qPrintable(name->text()));
            const bool none = name->text() == QStringLiteral("No pipeline");
            named += none ? 0 : 1;
            for (int row = 0; row < model->rowCount(); ++row) {
                const bool one = model->index(row, int(ColumnId::pipeline)).data().toInt() == 1;
                QCOMPARE(one, none);
                if (!none)
                    QCOMPARE(model->index(row, int(ColumnId::schedule)).data().toString(), name->text());
            }
        }
        QVERIFY(named > 0 && named < int(names.size())); // a pipeline of one stage has no schedule
    }

    void plain_1f1b_is_among_the_bests_however_fast_a_single_stage_is() {
        Searched shown(QStringLiteral("pretrain-70b-1k"), "{}");
        QStringList names;
        for (const LinkButton *name : shown.view->scheduleBests()->findChildren<LinkButton *>())
            names << name->text();
        QVERIFY2(names.contains(QStringLiteral("1F1B")), qPrintable(names.join(QLatin1Char(' '))));
        QCOMPARE(names.removeDuplicates(), 0);
        shown.view->filterField()->setText(QStringLiteral("schedule=1f1b pipeline>1"));
        const QAbstractItemModel *model = shown.view->table()->model();
        QVERIFY(model->rowCount() > 0);
        QCOMPARE(model->index(0, int(ColumnId::rank)).data(Qt::ToolTipRole).toString(),
                 QStringLiteral("Best for its schedule, not among the best 1,000"));
    }

    void the_strip_offers_what_the_search_view_does() {
        WindowFixture fixture(QStringLiteral("preset:pretrain-70b-1k"));
        QVERIFY(fixture.settle());
        std::array<std::vector<SearchAnswerPointer>, 2> given;
        for (const bool alone : {false, true})
            answerQuestion(
                {.plan = fixture.session().view().plan, .curvesOnly = alone}, fixture.session().library(), {},
                [](const SearchProgress &) {},
                [&](const SearchAnswerPointer &answer) { given[alone ? 1 : 0].push_back(answer); });
        // The recommendation also stays the same while the list grows from the first result to the last.
        const Plan &offered = given[0].back()->offeredRow()->entry.plan;
        QVERIFY(given[0].back()->recommendedRow()->rank <= int(recommendedOf));
        for (const std::vector<SearchAnswerPointer> &answers : given)
            for (const SearchAnswerPointer &answer : answers)
                QVERIFY(answer->offeredRow()->entry.plan == offered);
    }

    void a_plan_with_too_little_headroom_is_told_and_offered_a_faster_configuration() {
        Searched shown(QStringLiteral("deepseek-v3"), "{}");
        const LayoutRow &present = *shown.answer().presentRow();
        QCOMPARE(shown.answer().presentStanding(), Standing::headroom);
        auto *said = shown.window.find<FigureSentence>("foundPlan");
        const QString left = figureText(present.entry.headroom_bytes, Quantity::bytes);
        QVERIFY2(
            said->text().contains(QStringLiteral("The plan has %1 of headroom; the search requires 4.3 GB").arg(left)),
            qPrintable(said->text()));
        const LayoutRow &offered = *shown.answer().offeredRow();
        QVERIFY(offered.entry.headroom_bytes >= shown.answer().headroom_bytes);
        const LayoutRow *faster = nullptr;
        for (const LayoutRow &row : shown.answer().rows)
            if (faster == nullptr && row.rank > 0 && !row.present && shown.answer().gains(row))
                faster = &row;
        QVERIFY(faster != nullptr);
        QVERIFY(offered.entry.run_seconds < present.entry.run_seconds);
        QVERIFY2(shown.view->heading()->headline().endsWith(QStringLiteral("faster than the plan")),
                 qPrintable(shown.view->heading()->headline()));
    }

    void a_plan_that_its_software_cannot_run_is_told() {
        Searched shown(QStringLiteral("pretrain-8b"),
                       R"({"parallelism": {"pipeline": 2, "schedule": "seq1f1b", "chunks": 2, "data": null},
                           "constraints": {"tensor_within_node": true}})");
        QCOMPARE(shown.answer().presentStanding(), Standing::software);
        const QString reason = QString::fromStdString(shown.answer().presentRow()->entry.reason);
        QVERIFY(!reason.isEmpty());
        auto *said = shown.window.find<FigureSentence>("foundPlan");
        QVERIFY2(said->text().endsWith(QStringLiteral("The plan cannot be run: ") + reason), qPrintable(said->text()));
        QVERIFY(shown.answer().offeredRow()->entry.runnable);
        const QAbstractItemModel *model = shown.view->table()->model();
        for (int row = 0; row < model->rowCount(); ++row) {
            const QModelIndex rank = model->index(row, int(ColumnId::rank));
            if (rank.data(ConfigurationTableModel::PresentRole).toBool()
                && rank.data().toString() == QStringLiteral("–"))
                QCOMPARE(rank.data(Qt::ToolTipRole).toString(),
                         QStringLiteral("Not ranked: the software cannot run it"));
        }
    }

    void a_configuration_that_cannot_be_run_says_why_where_it_is_offered() {
        Searched shown(
            QStringLiteral("pretrain-8b"),
            R"({"constraints": {"any_software": true, "allowed": {"schedule": ["seq1f1b"], "pipeline": [2]}}})");
        QVERIFY(!shown.answer().rows.front().entry.runnable);
        const QString reason = QString::fromStdString(shown.answer().rows.front().entry.reason);
        auto *caution = shown.window.find<FigureSentence>("foundCaution");
        shown.view->selection()->choose(0);
        QVERIFY(caution->isVisible());
        QCOMPARE(caution->text(), QStringLiteral("Cannot be run: ") + reason);
        shown.view->selection()->choose(-1);
        QCOMPARE(caution->isVisible(), !shown.answer().offeredRow()->entry.runnable);
        const QModelIndex cell = shown.view->table()->model()->index(0, int(ColumnId::software));
        QCOMPARE(cell.data().toString(), QStringLiteral("no"));
        QCOMPARE(cell.data(Qt::AccessibleDescriptionRole).toString(), reason);
    }

    void the_button_of_the_strip_lists_every_change() {
        Searched shown(QStringLiteral("smollm-135m"),
                       R"({"constraints": {"any_software": true, "allowed": {"schedule": ["1f1b", "interleaved"]}},
                           "recompute": {"mode": "full"}, "batch": {"micro_sequences": 2},
                           "parallelism": {"pipeline": 2, "context": 2, "data": 16, "zero_stage": 1}})");
        const QString tip = shown.window.window().findChild<FoundStrip *>()->applyButton()->toolTip();
        const auto differences = layoutDifferences(shown.plan(), shown.answer().offeredRow()->entry.plan);
        QCOMPARE(tip.count(QLatin1Char('\n')), differences.size());
        for (const ConfigurationDifference &difference : differences)
            QVERIFY2(tip.contains(difference.from + QStringLiteral(" → ") + difference.to), qPrintable(tip));
    }

    void the_smallest_window_cuts_nothing_of_the_heading_and_the_constraints() {
        Searched shown(QStringLiteral("smollm-135m"),
                       R"({"constraints": {"any_software": true, "fixed": ["tensor", "pipeline"]}})", {1000, 600});
        QTest::mouseClick(shown.window.find<Segmented>("objective")->button(int(Objective::accelerators)),
                          Qt::LeftButton);
        QVERIFY(shown.settle());
        auto *bar = shown.window.find<ConstraintsBar>("constraintsBar");
        for (const QWidget *part : bar->findChildren<QWidget *>())
            if (part->isVisible() && !part->isWindow()) {
                const int right = part->mapTo(shown.view, QPoint(part->width(), 0)).x();
                QVERIFY2(right <= shown.view->width(), qPrintable(part->objectName()));
                QVERIFY2(qobject_cast<const QPushButton *>(part) == nullptr
                             || part->width() >= part->sizeHint().width(),
                         qPrintable(part->objectName()));
            }
        QCOMPARE(shown.window.find<QuantityBox>("leastHeadroom")->text(), QStringLiteral("4.28"));
        QPushButton *apply = shown.view->heading()->applyButton();
        if (apply->isVisible())
            QCOMPARE(apply->width(), apply->sizeHint().width());
    }
};

LISTED_TEST(SearchOffersTest)
#include "tst_search_offers.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "controls/quantity_box.h"
#include "controls/searchable_combo.h"
#include "controls/segmented.h"
#include "controls/small_marks.h"
#include "controls/stepped_slider.h"
#include "controls/toggle_switch.h"
#include "explain/explain_view.h"
#include "figures/figure_sentence.h"
#include "figures/figure_text.h"
#include "listed_test.h"
#include "main_window.h"
#include "panels/degree_row.h"
#include "plan/plan_json.h"
#include "plan/plan_page.h"
#include "search/configuration_selection.h"
#include "search/configuration_table.h"
#include "search/configuration_table_model.h"
#include "search/configuration_text.h"
#include "search/found_strip.h"
#include "search/headroom_chart.h"
#include "search/parallel_coordinates.h"
#include "search/search_heading.h"
#include "search/search_view.h"
#include "search_controller.h"
#include "searched_window.h"
#include "theme/theme.h"
#include "view_rail.h"
#include "views/plan_errors.h"
#include "views/problems_card.h"
#include "window_fixture.h"

#include <QAction>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QElapsedTimer>
#include <QGuiApplication>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QTest>
#include <QUndoStack>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <vector>

using namespace meshwright;

class SearchViewTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void a_gain_is_positive_and_says_in_words_whether_it_is_one() {
        Searched shown(QStringLiteral("smollm-135m"));
        const ConfigurationFigures &figures = shown.view->selection()->figures();
        const LayoutRow &best = shown.answer().rows.front();
        const double present = shown.answer().presentRow()->entry.run_seconds;
        QCOMPARE(figures.gain(best.entry), 1 - best.entry.run_seconds / present);
        QVERIFY(figures.gain(best.entry) > 0);
        bool slower = false;
        for (const LayoutRow &row : shown.answer().rows) {
            const QString said = figures.text(row, ColumnId::gain);
            const double gain = figures.gain(row.entry);
            if (!row.present && gain > 0.001)
                QVERIFY2(said.endsWith(QStringLiteral("% faster")), qPrintable(said));
            if (!row.present && gain < -0.001)
                QVERIFY2(said.endsWith(QStringLiteral("% slower")), qPrintable(said));
            slower = slower || gain < -0.001;
        }
        QVERIFY(slower);
        shown.view->filterField()->setText(QStringLiteral("gain>0.1"));
        const int left = shown.view->table()->model()->rowCount();
        QVERIFY(left > 0 && left < int(shown.answer().rows.size()));
    }

    void every_change_that_is_applied_is_listed() {
        Searched shown(QStringLiteral("smollm-135m"),
                       R"({"constraints": {"any_software": true, "allowed": {"schedule": ["1f1b", "interleaved"]}},
                           "recompute": {"mode": "full"},
                           "batch": {"micro_sequences": 2},
                           "parallelism": {"pipeline": 2, "context": 2, "data": 16, "zero_stage": 1}})");
        const auto differences = layoutDifferences(shown.plan(), shown.answer().offeredRow()->entry.plan);
        QVERIFY(differences.size() > 5);
        for (const ConfigurationDifference &difference : differences)
            QVERIFY2(shown.view->heading()->changes().contains(difference.from + QStringLiteral(" → ") + difference.to),
                     qPrintable(difference.name));
    }

    void where_the_plan_does_not_fit_the_best_that_fits_is_named_by_its_own_figures() {
        Searched shown(QStringLiteral("pretrain-8b"),
                       R"({"constraints": {"allowed": {"schedule": ["1f1b"]}}, "recompute": {"mode": "none"},
                           "batch": {"micro_sequences": 4}})");
        QVERIFY(!shown.answer().present->verdict.fits);
        QVERIFY(shown.answer().fits);
        const LayoutRow &offered = *shown.answer().offeredRow();
        const QString run = figureText(offered.entry.run_seconds, Quantity::seconds);
        const QString lead = offered.rank == 1 ? QStringLiteral("Best configuration that fits: ")
                                               : QStringLiteral("Recommended configuration that fits: ");
        QCOMPARE(shown.view->heading()->headline(), lead + run);
        QVERIFY(!shown.view->heading()->headline().contains(QStringLiteral("slower")));
        // A plan that cannot be evaluated has no step time to compare with.
        QVERIFY(shown.view->table()->isColumnHidden(int(ColumnId::gain)));
    }

    void where_sites_hold_a_run_back_its_own_gain_comes_first() {
        Searched shown(QStringLiteral("ten-to-25-a100"),
                       R"({"constraints": {"allowed": {"schedule": ["1f1b", "interleaved"]}, "headroom_bytes": 0},
                           "recompute": {"mode": "full"}})");
        const LayoutRow &best = *shown.answer().offeredRow();
        const ConfigurationFigures &figures = shown.view->selection()->figures();
        QVERIFY(shown.answer().present->verdict.fits);
        QVERIFY(figures.runDiffers(best.entry));
        const double run = 1 - best.entry.run_seconds / shown.answer().presentRow()->entry.run_seconds;
        const double step = 1 - best.entry.step_seconds / shown.answer().presentRow()->entry.step_seconds;
        QVERIFY(step > 2 * run);
        QVERIFY2(shown.view->heading()->headline().startsWith(shareText(run) + QStringLiteral(" faster run")),
                 qPrintable(shown.view->heading()->headline()));
        const QAbstractItemModel *model = shown.view->table()->model();
        QCOMPARE(model->headerData(int(ColumnId::gain), Qt::Horizontal).toString(), QStringLiteral("Run gain"));
        auto *why = shown.window.find<FigureSentence>("foundWhy");
        QVERIFY2(why->text().startsWith(QStringLiteral("Step %1 faster").arg(shareText(step))),
                 qPrintable(why->text()));
        QVERIFY(figureOf(why->places().front().target).name() == QStringLiteral("gain_share_step.seconds"));
    }

    void a_whole_name_in_a_filter_means_that_value_alone() {
        Searched shown(QStringLiteral("pretrain-8b"),
                       R"({"constraints": {"any_software": true,
                                           "allowed": {"schedule": ["1f1b", "seq1f1b", "interleaved"]}}})");
        const auto schedules = [&](const char *filter) {
            shown.view->filterField()->setText(QLatin1String(filter));
            QStringList left;
            const QAbstractItemModel *model = shown.view->table()->model();
            for (int row = 0; row < model->rowCount(); ++row)
                left << model->index(row, int(ColumnId::schedule)).data().toString();
            left.removeDuplicates();
            left.sort();
            return left;
        };
        QCOMPARE(schedules("schedule=1f1b"), QStringList{QStringLiteral("1F1B")});
        QCOMPARE(schedules("schedule=seq1f1b"), QStringList{QStringLiteral("Seq1F1B")});
        QVERIFY(!schedules("schedule!=1f1b").contains(QStringLiteral("1F1B")));
        QVERIFY(schedules("schedule!=1f1b").contains(QStringLiteral("Seq1F1B")));
        // A part of a name matches all names that contain it.
        QCOMPARE(schedules("schedule=1f").size(), schedules("").size());
    }

    void the_best_layout_is_announced_and_applied_as_one_undo_step() {
        Searched shown(QStringLiteral("smollm-135m"));
        QVERIFY(shown.answer().fits);
        QCOMPARE(shown.answer().stage, SearchStage::complete);
        const Plan before = shown.plan();
        const Plan best = shown.answer().offeredRow()->entry.plan;
        QVERIFY(!(best == before));
        QVERIFY2(shown.view->heading()->headline().contains(QStringLiteral("faster")),
                 qPrintable(shown.view->heading()->headline()));
        const int steps = shown.window.edits();
        QTest::mouseClick(shown.view->heading()->applyButton(), Qt::LeftButton);
        QVERIFY(shown.settle());
        QCOMPARE(shown.window.edits(), steps + 1);
        QCOMPARE(shown.plan().parallelism, best.parallelism);
        QCOMPARE(shown.plan().batch, best.batch);
        QCOMPARE(shown.plan().recompute, best.recompute);
        QVERIFY2(saysThatNothingIsBetter(shown.view->heading()->headline()),
                 qPrintable(shown.view->heading()->headline()));
        shown.window.document().undoStack()->undo();
        QVERIFY(shown.settle());
        QCOMPARE(shown.plan(), before);
    }

    void listed_figures_are_those_of_the_evaluation() {
        Searched shown(QStringLiteral("smollm-135m"));
        const LayoutRow *present = shown.answer().presentRow();
        QVERIFY(present != nullptr);
        const Result &result = *shown.window.session().view().result;
        QCOMPARE(present->entry.step_seconds, result.step.seconds);
        QCOMPARE(present->entry.peak_bytes, result.memory.peak_bytes);
        QCOMPARE(present->entry.mfu, result.step.mfu);
    }

    void the_table_filters_sorts_and_applies() {
        Searched shown(QStringLiteral("smollm-135m"));
        ConfigurationTable *table = shown.view->table();
        const int all = table->model()->rowCount();
        QVERIFY(all > 10);
        shown.view->filterField()->setText(QStringLiteral("tensor=1 recompute=none"));
        const int some = table->model()->rowCount();
        QVERIFY(some > 0 && some < all);
        for (int row = 0; row < some; ++row) {
            const auto at = [&](ColumnId column) { return table->model()->index(row, int(column)).data().toString(); };
            QCOMPARE(at(ColumnId::tensor), QStringLiteral("1"));
            QCOMPARE(at(ColumnId::recompute), QStringLiteral("none"));
        }
        table->setFocus();
        QTest::keyClick(table, Qt::Key_Slash);
        QCOMPARE(shown.view->filterField()->selectedText(), QStringLiteral("tensor=1 recompute=none"));
        shown.view->filterField()->setText(QStringLiteral("nonsense<x"));
        QCOMPARE(table->model()->rowCount(), all);
        QVERIFY(!shown.view->filterField()->accessibleDescription().isEmpty());
        shown.view->filterField()->clear();
        table->sortByColumn(int(ColumnId::peak), Qt::AscendingOrder);
        double last = 0;
        for (int row = 0; row < all; ++row) {
            const double peak =
                table->model()->index(row, int(ColumnId::peak)).data(ConfigurationTableModel::SortRole).toDouble();
            QVERIFY(peak >= last);
            last = peak;
        }
        table->sortByColumn(int(ColumnId::rank), Qt::AscendingOrder);
        const QModelIndex third = table->model()->index(2, int(ColumnId::tensor));
        const Plan wanted = shown.answer().rows[2].entry.plan;
        table->setCurrentIndex(third);
        QCOMPARE(shown.view->selection()->chosen(), 2);
        QTest::keyClick(table, Qt::Key_Return);
        QVERIFY(shown.settle());
        QCOMPARE(shown.plan().parallelism, wanted.parallelism);
    }

    void space_pins_a_layout_that_stays_in_sight() {
        Searched shown(QStringLiteral("smollm-135m"));
        ConfigurationTable *table = shown.view->table();
        ConfigurationSelection *selection = shown.view->selection();
        const int all = table->model()->rowCount();
        table->setCurrentIndex(table->model()->index(4, int(ColumnId::step)));
        const SearchEntry pinned = selection->rows()[4].entry;
        QTest::keyClick(table, Qt::Key_Space);
        QCOMPARE(selection->rows()[4].pin, QStringLiteral("A"));
        QCOMPARE(selection->chosen(), 4);
        QCOMPARE(table->model()->index(4, int(ColumnId::pin)).data().toString(), QStringLiteral("A"));
        // A click on the pin releases it, and another click pins it again.
        const QPoint pin = table->visualRect(table->model()->index(4, int(ColumnId::pin))).center();
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, pin);
        QVERIFY(selection->rows()[4].pin.isEmpty());
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, pin);
        QCOMPARE(selection->rows()[4].pin, QStringLiteral("A"));
        shown.view->filterField()->setText(QStringLiteral("step<0"));
        QCOMPARE(table->model()->rowCount(), 1);
        shown.view->filterField()->clear();
        shown.patch(R"({"run":{"tokens":3e11}})");
        QVERIFY(shown.settle());
        const LayoutRow kept = selection->rows().back();
        QCOMPARE(kept.pin, QStringLiteral("A"));
        QVERIFY(kept.elsewhere);
        QVERIFY(kept.entry.plan == pinned.plan);
        QCOMPARE(kept.entry.step_seconds, pinned.step_seconds);
        QVERIFY(selection->pathOf(kept, ColumnId::step).isEmpty());
        const int last = static_cast<int>(selection->rows().size()) - 1;
        selection->togglePin(last);
        QCOMPARE(int(selection->rows().size()), last);
        for (int row = 0; row < 6; ++row)
            selection->togglePin(row);
        QStringList pins;
        for (const LayoutRow &row : selection->rows())
            if (!row.pin.isEmpty())
                pins << row.pin;
        QCOMPARE(pins.size(), 4);
        QCOMPARE(pins.removeDuplicates(), 0);
        QVERIFY(all > 10);
    }

    void the_right_button_offers_what_can_be_done_with_a_configuration() {
        Searched shown(QStringLiteral("smollm-135m"));
        ConfigurationTable *table = shown.view->table();
        const auto menu = [&](ColumnId column) {
            const QPoint at = table->visualRect(table->model()->index(2, int(column))).center();
            QContextMenuEvent event(QContextMenuEvent::Mouse, at, table->viewport()->mapToGlobal(at));
            QCoreApplication::sendEvent(table->viewport(), &event);
            return shown.window.find<QMenu>("layoutMenu");
        };
        const auto action = [](QMenu *of, const char *title) {
            for (QAction *each : of->actions())
                if (each->text() == QLatin1String(title))
                    return each;
            return static_cast<QAction *>(nullptr);
        };
        QMenu *offered = menu(ColumnId::tensor);
        QVERIFY(offered != nullptr && offered->isVisible());
        QVERIFY(!action(offered, "Explain this number")->isEnabled());
        action(offered, "Pin")->trigger();
        QCOMPARE(shown.view->selection()->rows()[2].pin, QStringLiteral("A"));
        action(offered, "Copy row")->trigger();
        const QStringList lines = QGuiApplication::clipboard()->text().split(QLatin1Char('\n'));
        QCOMPARE(lines.size(), 2);
        QVERIFY(lines[0].contains(QStringLiteral("Tensor")));
        QCOMPARE(lines[0].count(QLatin1Char('\t')), lines[1].count(QLatin1Char('\t')));
        const Plan wanted = shown.answer().rows[2].entry.plan;
        action(offered, "Apply")->trigger();
        delete offered;
        QVERIFY(shown.settle());
        QCOMPARE(shown.plan().parallelism, wanted.parallelism);
        offered = menu(ColumnId::step);
        action(offered, "Explain this number")->trigger();
        QVERIFY(shown.window.window().view<ExplainView>()->isVisible());
        delete offered;
    }

    void columns_make_room_and_come_when_asked_for() {
        Searched shown(QStringLiteral("smollm-135m"));
        ConfigurationTable *table = shown.view->table();
        const int context = int(ColumnId::context);
        const std::vector<LayoutRow> &rows = shown.view->selection()->rows();
        for (std::size_t i = 0; i < layoutColumns().size(); ++i)
            if (const std::optional<ConfigurationField> field = layoutColumns()[i].field;
                field && table->isColumnHidden(int(i)) && layoutColumns()[i].use == ColumnUse::always)
                for (const LayoutRow &row : rows)
                    QCOMPARE(value_of(row.entry.plan, *field), value_of(rows.front().entry.plan, *field));
        table->askFor(ColumnId::context, true);
        QVERIFY(!table->isColumnHidden(context));
        table->askFor(ColumnId::context, false);
        QVERIFY(table->isColumnHidden(context));
    }

    void a_schedule_s_name_is_whole_where_there_is_room() {
        Searched shown(QStringLiteral("pretrain-8b"),
                       R"({"constraints": {"any_software": true, "allowed": {"schedule": ["interleaved-zb"]}}})",
                       {2560, 1440});
        const ConfigurationTable *table = shown.view->table();
        const int schedule = int(ColumnId::schedule);
        const QString name = QStringLiteral("Interleaved zero bubble");
        int there = 0;
        for (const LayoutRow &row : shown.answer().rows)
            there += shown.view->selection()->figures().text(row, ColumnId::schedule) == name ? 1 : 0;
        QVERIFY(there > 0);
        QVERIFY(table->columnWidth(schedule) > table->fontMetrics().horizontalAdvance(name));
    }

    void every_column_is_explained() {
        Searched shown(QStringLiteral("smollm-135m"));
        for (std::size_t i = 0; i < layoutColumns().size(); ++i)
            QVERIFY2(shown.view->table()->model()->headerData(int(i), Qt::Horizontal, Qt::ToolTipRole).toString().size()
                         > 20,
                     qPrintable(layoutColumns()[i].key));
    }

    void a_figure_of_the_plan_s_own_row_is_explained() {
        Searched shown(QStringLiteral("smollm-135m"));
        ConfigurationTable *table = shown.view->table();
        for (int row = 0; row < table->model()->rowCount(); ++row) {
            const QModelIndex cell = table->model()->index(row, int(ColumnId::step));
            if (!cell.data(ConfigurationTableModel::PresentRole).toBool())
                continue;
            table->setCurrentIndex(cell);
            QCOMPARE(table->currentFigure(), QStringLiteral("step.seconds"));
            QTest::keyClick(table, Qt::Key_Return);
            QVERIFY(shown.window.window().view<ExplainView>()->isVisible());
            return;
        }
        QFAIL("the plan has no row");
    }

    void locks_and_constraints_are_edits_of_the_plan() {
        Searched shown(QStringLiteral("smollm-135m"));
        LockHeader *header = shown.view->table()->header();
        const QRect lock = header->lockRect(int(ColumnId::data));
        QVERIFY(!lock.isEmpty());
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, lock.center());
        QVERIFY(shown.settle());
        QVERIFY(constraints_of(shown.plan()).fixed[std::size_t(ConfigurationField::data)]);
        for (const LayoutRow &row : shown.answer().rows)
            QCOMPARE(row.entry.plan.parallelism.data, shown.plan().parallelism.data);
        auto *headroom = shown.window.find<QuantityBox>("leastHeadroom");
        headroom->setFocus();
        QTest::keyClick(headroom, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(headroom, QStringLiteral("60 GB"));
        QTest::keyClick(headroom, Qt::Key_Return);
        QVERIFY(shown.settle());
        QCOMPARE(constraints_of(shown.plan()).headroom_bytes.value_or(-1), 60e9);
        for (const LayoutRow &row : shown.answer().rows)
            QVERIFY(row.rank == 0 || row.entry.headroom_bytes >= 60e9);
        QTest::mouseClick(shown.window.find<ToggleSwitch>("tensorWithinNode"), Qt::LeftButton);
        QVERIFY(shown.settle());
        QVERIFY(constraints_of(shown.plan()).tensor_within_node);
        shown.window.document().undoStack()->undo();
        QVERIFY(shown.settle());
        QVERIFY(!constraints_of(shown.plan()).tensor_within_node);
    }

    void brushes_filter_table_and_charts_together() {
        Searched shown(QStringLiteral("smollm-135m"));
        ConfigurationSelection *selection = shown.view->selection();
        const int all = selection->leftCount();
        ParallelCoordinates *lines = shown.view->lines();
        int axis = 0;
        while (lines->columnOf(axis) != ColumnId::step)
            ++axis;
        const double best = shown.answer().rows.front().entry.step_seconds;
        const QPoint bottom(int(lines->xOf(axis)), int(lines->yOf(axis, best)));
        QTest::mousePress(lines, Qt::LeftButton, {}, bottom);
        QTest::mouseMove(lines, bottom - QPoint(0, 20));
        QTest::mouseMove(lines, bottom - QPoint(0, 40));
        QTest::mouseRelease(lines, Qt::LeftButton, {}, bottom - QPoint(0, 40));
        QVERIFY(selection->leftCount() > 0 && selection->leftCount() < all);
        QCOMPARE(shown.view->table()->model()->rowCount(), selection->leftCount());
        QTest::mouseClick(lines, Qt::LeftButton, {}, bottom);
        QCOMPARE(selection->leftCount(), all);

        HeadroomChart *chart = shown.view->chart();
        const QPoint from = chart->placeOf(shown.answer().rows.front()) - QPoint(12, 12);
        QTest::mousePress(chart, Qt::LeftButton, {}, from);
        QTest::mouseMove(chart, from + QPoint(10, 10));
        QTest::mouseMove(chart, from + QPoint(26, 26));
        QTest::mouseRelease(chart, Qt::LeftButton, {}, from + QPoint(26, 26));
        QVERIFY(selection->leftCount() < all);
        QVERIFY(selection->isLeft(0));
        QTest::keyClick(chart, Qt::Key_Escape);
        QCOMPARE(selection->leftCount(), all);

        QTest::mouseClick(chart, Qt::LeftButton, {}, chart->placeOf(shown.answer().rows.front()));
        QVERIFY(selection->chosen() >= 0);
        QTest::mouseClick(shown.window.find<QPushButton>("backToBest"), Qt::LeftButton);
        QCOMPARE(selection->chosen(), -1);
    }

    void every_objective_has_its_column_and_its_best() {
        Searched shown(QStringLiteral("smollm-135m"));
        auto *objective = shown.window.find<Segmented>("objective");
        for (int i = 0; i < objective->count(); ++i) {
            QTest::mouseClick(objective->button(i), Qt::LeftButton);
            QVERIFY(shown.settle());
            QCOMPARE(int(shown.answer().question.objective), i);
            QVERIFY(shown.answer().fits);
            const auto columnShown = [&](ColumnId column) { return !shown.view->table()->isColumnHidden(int(column)); };
            QCOMPARE(columnShown(ColumnId::energy), static_cast<Objective>(i) == Objective::energy);
            QCOMPARE(columnShown(ColumnId::accelerators), static_cast<Objective>(i) == Objective::accelerators);
        }
    }

    void where_nothing_fits_it_says_what_would() {
        Searched shown(QStringLiteral("ten-to-25"));
        QVERIFY(!shown.answer().fits);
        QCOMPARE(shown.view->heading()->headline(), QStringLiteral("No configuration fits"));
        QVERIFY(!shown.answer().rows.empty());
        for (const LayoutRow &row : shown.answer().rows)
            QVERIFY(row.entry.headroom_bytes < 0);
        QVERIFY(!shown.answer().wider.empty());
        auto *wider = shown.window.find<QPushButton>("searchAlso");
        const double promised = shown.answer().wider.front().best.step_seconds;
        QTest::mouseClick(wider, Qt::LeftButton);
        QVERIFY(shown.settle());
        QVERIFY(shown.answer().fits);
        QCOMPARE(shown.answer().rows.front().entry.step_seconds, promised);
        QTest::mouseClick(shown.view->heading()->applyButton(), Qt::LeftButton);
        QVERIFY(shown.settle());
        QVERIFY(shown.window.session().view().result->verdict.fits);
    }

    void an_invalid_plan_keeps_the_last_answer_and_marks_it() {
        Searched shown(QStringLiteral("smollm-135m"));
        const SearchAnswer *before = shown.view->selection()->answer();
        shown.patch(R"({"parallelism": {"tensor": 7}})");
        QCOMPARE(shown.view->selection()->answer(), before);
        QVERIFY(!shown.view->table()->isEnabled());
        QVERIFY(!shown.view->heading()->applyButton()->isEnabled());
        const QList<PlanErrors *> errors = shown.view->findChildren<PlanErrors *>();
        QCOMPARE(errors.size(), qsizetype{1});
        QVERIFY(errors.first()->isVisible());
        QCOMPARE(errors.first()->problems()->mapTo(shown.view, QPoint(0, 0)).x(),
                 shown.window.find<QWidget>("searchPages")->mapTo(shown.view, QPoint(0, 0)).x());
    }

    void the_schedule_s_choices_say_what_they_do_and_who_has_them() {
        WindowFixture fixture(QStringLiteral("preset:pretrain-70b-1k"));
        QVERIFY(fixture.settle());
        auto *box = fixture.find<SearchableCombo>("parallelism/schedule");
        QStringList groups;
        for (const ComboItem &item : box->items()) {
            QVERIFY2(!item.detail.isEmpty(), qPrintable(item.id));
            if (!groups.contains(item.group))
                groups << item.group;
            if (item.id == QStringLiteral("1f1b"))
                QVERIFY2(item.group.startsWith(QStringLiteral("In ")), qPrintable(item.group));
            if (item.id == QStringLiteral("chimera"))
                QVERIFY2(item.group.startsWith(QStringLiteral("From papers")), qPrintable(item.group));
        }
        QCOMPARE(groups.size(), 2);
        auto *row = box->parentWidget();
        fixture.reveal(row);
        QTest::mouseClick(row->findChild<LockButton *>(), Qt::LeftButton);
        QVERIFY(fixture.settle());
        QVERIFY(constraints_of(fixture.session().view().plan).fixed[std::size_t(ConfigurationField::schedule)]);
        auto *zero = fixture.find<QWidget>("parallelism/zero_stage")->parentWidget();
        QTest::mouseClick(zero->findChild<LockButton *>(), Qt::LeftButton);
        QVERIFY(fixture.settle());
        QVERIFY(constraints_of(fixture.session().view().plan).fixed[std::size_t(ConfigurationField::zero_stage)]);
    }

    void a_plan_that_does_not_fit_is_marked_at_the_edge_of_the_chart() {
        Searched shown(QStringLiteral("pretrain-8b"),
                       R"({"constraints": {"allowed": {"schedule": ["1f1b"]}}, "recompute": {"mode": "none"},
                           "batch": {"micro_sequences": 4}})");
        const LayoutRow &present = *shown.answer().presentRow();
        QVERIFY(present.entry.headroom_bytes < 0);
        HeadroomChart *chart = shown.view->chart();
        QVERIFY(!chart->reaches(present));
        QVERIFY(chart->rect().contains(chart->placeOf(present)));
        for (const LayoutRow &row : shown.answer().rows)
            if (!row.present)
                QVERIFY(chart->reaches(row));
    }

    void a_search_that_runs_can_be_stopped() {
        Searched shown(QStringLiteral("smollm-135m"));
        shown.window.document().replace(shown.window.session().library().json(PresetKind::plan, "deepseek-v3"),
                                        PlanOrigin::Preset);
        SearchController *searching = shown.window.window().searching();
        QVERIFY(QTest::qWaitFor([&] { return searching->runner()->state().share > 0; }, 20'000));
        QElapsedTimer time;
        time.start();
        searching->runner()->cancel();
        QVERIFY(QTest::qWaitFor([&] { return searching->isSettled(); }, 5'000));
        qInfo("stopped after %lld ms", static_cast<long long>(time.elapsed()));
    }

    void sliders_are_drawn_with_the_best_at_every_value() {
        Searched shown(QStringLiteral("smollm-135m"));
        shown.window.window().rail()->show(shown.window.window().view<PlanPage>());
        const double best = shown.answer().rows.front().entry.step_seconds;
        const Landscape tensor = shown.answer().landscapes[std::size_t(ConfigurationField::tensor)];
        QCOMPARE(*std::min_element(tensor.fits.cbegin(), tensor.fits.cend()), best);
        auto *slider = shown.window.find<SteppedSlider>("tensorSlider");
        QVERIFY2(slider->accessibleDescription().contains(QStringLiteral("Fastest configuration")),
                 qPrintable(slider->accessibleDescription()));
        auto *micro = shown.window.find<DegreeRow>("microRow");
        QVERIFY2(micro->slider()->accessibleDescription().contains(QStringLiteral("Fastest configuration")),
                 qPrintable(micro->slider()->accessibleDescription()));
        // Another sequence length needs another search, which starts once typing pauses.
        shown.window.document().apply(
            {.subject = QStringLiteral("test"), .patch = R"({"batch": {"sequence_length": 1024}})"});
        QVERIFY(slider->accessibleDescription().isEmpty());
        QVERIFY(QTest::qWaitFor([&] { return !slider->accessibleDescription().isEmpty(); }, 60'000));
        auto *row = shown.window.find<DegreeRow>("tensorRow");
        shown.window.reveal(row);
        QTest::mouseClick(row->findChild<LockButton *>(), Qt::LeftButton);
        QVERIFY(shown.window.settle());
        QVERIFY(constraints_of(shown.plan()).fixed[std::size_t(ConfigurationField::tensor)]);
    }

    /// Saves pictures of the view into the folder that MESHWRIGHT_PICTURES names.
    void pictures() {
        const QString folder = qEnvironmentVariable("MESHWRIGHT_PICTURES");
        if (folder.isEmpty())
            QSKIP("MESHWRIGHT_PICTURES is not set to a folder");
        for (const char *preset : {"ten-to-25", "pretrain-70b-1k-design", "smollm-135m"})
            for (const QSize size : {QSize(1280, 720), QSize(1600, 1000)}) {
                Searched shown(QLatin1String(preset), "{}", size);
                for (const ThemeMode mode : {ThemeMode::Dark, ThemeMode::Light}) {
                    Theme::apply(*qobject_cast<QApplication *>(QCoreApplication::instance()), mode);
                    const QString theme = mode == ThemeMode::Dark ? QStringLiteral("dark") : QStringLiteral("light");
                    const auto grab = [&](const char *what) {
                        QTest::qWait(50);
                        shown.window.window().grab().save(QStringLiteral("%1/%2-%3-%4-%5.png")
                                                              .arg(folder, QLatin1String(what), QLatin1String(preset))
                                                              .arg(size.width())
                                                              .arg(theme));
                    };
                    grab("search");
                    shown.window.window().rail()->show(shown.window.window().view<PlanPage>());
                    grab("sliders");
                    shown.window.window().rail()->show(shown.view);
                }
            }
    }
};

LISTED_TEST(SearchViewTest)
#include "tst_search_view.moc"

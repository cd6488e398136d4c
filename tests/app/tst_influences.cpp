// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/assumption.h"
#include "evidence/assumptions_model.h"
#include "evidence/assumptions_page.h"
#include "evidence/evidence_view.h"
#include "explain/explain_model.h"
#include "explain/explain_side.h"
#include "explain/explain_tree.h"
#include "explain/explain_view.h"
#include "explain/influence_card.h"
#include "explain/node_card.h"
#include "explain/simulation_effects.h"
#include "figures/figure_ref.h"
#include "figures/figure_text.h"
#include "listed_test.h"
#include "models/figures_table.h"
#include "view_rail.h"
#include "window_fixture.h"

#include <QPushButton>
#include <QTableView>

#include <cmath>

using namespace meshwright;

namespace {

constexpr QSize large{2560, 1440};
const Derivation *shown(WindowFixture &fixture) {
    return fixture.window().view<ExplainView>()->currentNode();
}

/// Opens a figure and waits for its influences.
std::vector<InfluenceRow *> rowsOf(WindowFixture &fixture, const FigureRef &figure) {
    ExplainView *view = fixture.window().view<ExplainView>();
    fixture.window().rail()->show(view);
    fixture.explained(figure);
    if (!view->openFigure(figure) || !QTest::qWaitFor([&] { return view->sidePanel()->isSettled(); }, patience))
        qWarning("%s has no derivation", qPrintable(figure.name()));
    std::vector<InfluenceRow *> rows;
    for (InfluenceRow *row : view->sidePanel()->influences()->rows())
        if (row->isVisible())
            rows.push_back(row);
    return rows;
}

/// Checks that the derivation that each row opens gives the change shown in the row.
void expectRows(WindowFixture &fixture, const std::vector<InfluenceRow *> &rows, const QString &of) {
    QVERIFY2(!rows.empty(), qPrintable(of));
    std::vector<std::pair<FigureRef, QString>> said;
    for (const InfluenceRow *row : rows)
        said.emplace_back(row->currentFigure(), row->accessibleName());
    for (const auto &[figure, text] : said) {
        const FigureBook::Found found = fixture.explained(figure);
        QVERIFY2(found, qPrintable(figure.name()));
        QVERIFY2(text.contains(shareText(found.figure->value)),
                 qPrintable(text + QLatin1String(" is explained as ") + shareText(found.figure->value)));
        QCOMPARE(found.figure->inputs.size(), std::size_t{2});
    }
}

std::vector<InfluenceRow *> rowsOf(const QWidget &card) {
    std::vector<InfluenceRow *> rows;
    for (InfluenceRow *row : card.findChildren<InfluenceRow *>())
        if (row->isVisibleTo(&card))
            rows.push_back(row);
    return rows;
}

} // namespace

/// A click on an influence opens its derivation, as a click on a figure does.
class InfluencesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void every_change_opens_into_both_evaluations() {
        WindowFixture fixture(QStringLiteral("preset:ten-to-25"), large);
        for (const char *figure : {"step.seconds", "verdict.headroom_bytes", "outer.utilisation", "run.days"})
            expectRows(fixture, rowsOf(fixture, QLatin1String(figure)), QLatin1String(figure));
        // The same holds for figures of another schedule, of a changed plan and of a measured run's plan, for the gain
        // from a change, and for the figure of an influence.
        for (const FigureRef &figure :
             {FigureRef(QStringLiteral("schedule.makespan_seconds"), scope::Schedule{QStringLiteral("gpipe")}),
              FigureRef::gainOf(QStringLiteral("step.seconds"), QStringLiteral(R"({"recompute":{"mode":"none"}})")),
              FigureRef::ofChanged(QStringLiteral("step.seconds"), QStringLiteral(R"({"recompute":{"mode":"none"}})")),
              FigureRef::ofPlan(QStringLiteral("step.seconds"), FigureView::evidence, QStringLiteral("row.7"))})
            expectRows(fixture, rowsOf(fixture, figure), figure.name());
        const FigureRef change = rowsOf(fixture, QStringLiteral("step.seconds")).front()->currentFigure();
        expectRows(fixture, rowsOf(fixture, change), change.name());
    }

    void a_rise_of_a_cost_is_red_and_one_of_throughput_is_green() {
        WindowFixture fixture(QStringLiteral("preset:ten-to-25"), large);
        const auto expectTones = [&](const char *figure, Tone rise, Tone fall) {
            const std::vector<InfluenceRow *> rows = rowsOf(fixture, QLatin1String(figure));
            QVERIFY2(rows.size() > 1, figure);
            for (const InfluenceRow *row : rows)
                QVERIFY2(row->tone() == (row->accessibleName().contains(QLatin1String(": +")) ? rise : fall),
                         qPrintable(row->accessibleName()));
        };
        for (const char *figure : {"step.seconds", "run.rental_dollars", "memory.peak_bytes"})
            expectTones(figure, Tone::Bad, Tone::Good);
        for (const char *figure : {"step.mfu", "step.tokens_per_second", "verdict.headroom_bytes"})
            expectTones(figure, Tone::Good, Tone::Bad);
        expectTones("parameters.total", Tone::Neutral, Tone::Neutral);
    }

    void a_press_on_the_change_opens_it_and_one_on_the_name_goes_to_the_field() {
        WindowFixture fixture(QStringLiteral("preset:ten-to-25"), large);
        InfluenceRow *row = nullptr;
        for (InfluenceRow *each : rowsOf(fixture, QStringLiteral("outer.utilisation")))
            if (each->pointer() == QLatin1String("/outer/inner_steps"))
                row = each;
        QVERIFY(row != nullptr);
        QTest::mouseClick(row, Qt::LeftButton, {}, row->changeArea().center());
        QTRY_COMPARE_WITH_TIMEOUT(shown(fixture)->name, std::string("gain_share_outer_utilisation"), patience);
        fixture.window().view<ExplainView>()->backAction()->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(fixture.window().view<ExplainView>()->sidePanel()->isSettled(), patience);
        row = rowsOf(fixture, QStringLiteral("outer.utilisation")).front();
        QTest::keyClick(row, Qt::Key_F1);
        QTRY_COMPARE_WITH_TIMEOUT(shown(fixture)->name, std::string("gain_share_outer_utilisation"), patience);
        for (InfluenceRow *each : rowsOf(fixture, QStringLiteral("outer.utilisation")))
            if (each->pointer() == QLatin1String("/outer/inner_steps"))
                row = each;
        QTest::mouseClick(row, Qt::LeftButton, {}, QPoint(20, row->height() / 2));
        QTRY_COMPARE(fixture.window().focusWidget(), fixture.find<QWidget>("outer/inner_steps"));
    }

    void the_effect_of_every_row_of_a_tree_opens_data() {
        QTest::addColumn<QString>("figure");
        QTest::addColumn<bool>("runs"); // whether the figure needs simulations
        for (const char *figure : {"run.rental_dollars", "step.mfu", "step.compute_seconds"})
            QTest::newRow(figure) << QString(QLatin1String(figure)) << false;
        for (const char *figure : {"outer.stall_seconds_per_round", "step.bubble_seconds", "schedule.idle_seconds"})
            QTest::newRow(figure) << QString(QLatin1String(figure)) << true;
    }
    void the_effect_of_every_row_of_a_tree_opens() {
        QFETCH(QString, figure);
        QFETCH(bool, runs);
        WindowFixture fixture(QStringLiteral("preset:ten-to-25"), large);
        ExplainView *view = fixture.window().view<ExplainView>();
        const bool isOfSchedule = figure.startsWith(QLatin1String("schedule."));
        rowsOf(fixture, isOfSchedule ? FigureRef(figure, scope::Schedule{QStringLiteral("gpipe")}) : FigureRef(figure));
        view->tree()->expandToDepth(2);
        const auto eachRow = [&](const auto &visit) {
            for (QModelIndex row = view->model()->index(0, 0); row.isValid(); row = view->tree()->indexBelow(row))
                visit(row.siblingAtColumn(ExplainModel::EffectColumn));
        };
        eachRow([](const QModelIndex &cell) { cell.data(); }); // requests the effects, as hovering does
        QTRY_VERIFY_WITH_TIMEOUT(view->effects()->isSettled(), patience);
        int effects = 0;
        int beneathProcedures = 0;
        eachRow([&](const QModelIndex &cell) {
            const QString text = cell.data().toString();
            const FigureRef path = view->tree()->figureAt(view->tree()->visualRect(cell).center());
            QCOMPARE(path.isEmpty(), text.isEmpty());
            if (text.isEmpty())
                return;
            const FigureBook::Found found = fixture.explained(path);
            QVERIFY2(found, qPrintable(path.name()));
            QVERIFY2(text.contains(figureText(found.figure->value, Quantity::share)), qPrintable(text + path.name()));
            ++effects;
            if (passesSimulation(view->model()->nodesTo(cell.siblingAtColumn(0))))
                ++beneathProcedures;
        });
        QVERIFY2(effects > 1, qPrintable(QString::number(effects)));
        QVERIFY2(runs == (beneathProcedures > 1), qPrintable(QString::number(beneathProcedures)));
    }

    void a_press_on_an_effect_opens_it() {
        WindowFixture fixture(QStringLiteral("preset:ten-to-25"), large);
        ExplainView *view = fixture.window().view<ExplainView>();
        rowsOf(fixture, QStringLiteral("step.compute_seconds"));
        const QModelIndex row = view->model()->index(0, ExplainModel::EffectColumn, view->model()->index(0, 0));
        QTest::mouseClick(view->tree()->viewport(), Qt::LeftButton, {}, view->tree()->visualRect(row).center());
        QTRY_COMPARE(shown(fixture)->name, std::string("effect"));
        view->backAction()->trigger();
        QTRY_COMPARE(view->model()->nodeAt(view->model()->index(0, 0))->name, std::string("step_compute_seconds"));
        QTest::keyClick(view->tree(), Qt::Key_F1);
        QTRY_COMPARE(shown(fixture)->name, std::string("effect"));
    }

    void influences_of_constants_open_in_the_table_and_next_to_it() {
        WindowFixture fixture(QStringLiteral("preset:pretrain-8b"), large);
        EvidenceView *view = fixture.window().view<EvidenceView>();
        fixture.window().rail()->show(view);
        QTRY_VERIFY_WITH_TIMEOUT(!view->isBusy(), patience);
        for (const char *card : {"stepInfluences", "memoryInfluences"})
            expectRows(fixture, rowsOf(*fixture.find<QWidget>(card)), QLatin1String(card));
        const AssumptionsModel *model = view->assumptions()->model();
        int changes = 0;
        for (int row = 0; row < model->rowCount(); ++row)
            for (const int column : {AssumptionsModel::Step, AssumptionsModel::Memory}) {
                const QModelIndex cell = model->index(row, column);
                const auto path = model->data(cell, FiguresTable::FigureRole).value<FigureRef>();
                const QString text = model->data(cell, Qt::DisplayRole).toString();
                QCOMPARE(path.isEmpty(), text == QStringLiteral("–"));
                if (path.isEmpty())
                    continue;
                const FigureBook::Found found = fixture.explained(path);
                QVERIFY2(found, qPrintable(path.name()));
                QVERIFY2(text.contains(shareText(found.figure->value)), qPrintable(text + path.name()));
                ++changes;
            }
        QVERIFY2(changes > 5, qPrintable(QString::number(changes)));
    }

    /// A field of another plan is not mistaken for a field of the current plan.
    void a_field_of_another_plan_opens_in_that_plan() {
        WindowFixture fixture(QStringLiteral("preset:ten-to-25"), large);
        ExplainView *view = fixture.window().view<ExplainView>();
        const FigureRef path =
            FigureRef::ofPlan(QStringLiteral("step.mfu"), FigureView::evidence, QStringLiteral("row.7"));
        for (const InfluenceRow *row : rowsOf(fixture, path))
            QVERIFY2(row->pointer().isEmpty(), qPrintable(row->pointer()));
        const double mfu = shown(fixture)->value;
        const QString before = fixture.document().name();
        // The field may be at any depth of the tree.
        auto *button = fixture.find<QPushButton>("goToField");
        view->tree()->expandAll();
        for (QModelIndex row = view->model()->index(0, 0); row.isValid() && button->isHidden();
             row = view->tree()->indexBelow(row))
            view->tree()->setCurrentIndex(row);
        QVERIFY(button->isVisible());
        QCOMPARE(button->text(), QStringLiteral("Open this plan and go to the field"));
        const QString field = QString::fromStdString(shown(fixture)->field);
        button->click();
        QVERIFY(fixture.settle());
        QTRY_VERIFY(!view->isVisible());
        QVERIFY(fixture.document().name() != before);
        QVERIFY(std::abs(fixture.session().view().result->step.mfu / mfu - 1) < 1e-9);
        QTRY_VERIFY(fixture.window().focusWidget() != nullptr);
        QTRY_COMPARE(QLatin1Char('/') + fixture.window().focusWidget()->objectName(), field);
    }

    void a_field_set_by_a_change_opens_with_the_change_applied() {
        WindowFixture fixture(QStringLiteral("preset:ten-to-25"), large);
        ExplainView *view = fixture.window().view<ExplainView>();
        InfluenceRow *row = nullptr;
        for (InfluenceRow *each : rowsOf(fixture, QStringLiteral("outer.inner_seconds")))
            if (each->pointer() == QLatin1String("/outer/inner_steps"))
                row = each;
        QVERIFY(row != nullptr);
        QVERIFY(fixture.explained(row->currentFigure()));
        QVERIFY(view->openFigure(row->currentFigure()));
        const auto choose = [&](const char *side) {
            const QStringList names{QString::fromStdString(view->model()->nodeAt(view->model()->index(0, 0))->name),
                                    QLatin1String(side), QStringLiteral("inner_steps")};
            view->tree()->setCurrentIndex(view->model()->indexAt(names));
            QCOMPARE(shown(fixture)->name, std::string("inner_steps"));
        };
        auto *button = fixture.find<QPushButton>("goToField");
        choose("before");
        QCOMPARE(button->text(), QStringLiteral("Go to the field"));
        choose("after");
        QCOMPARE(button->text(), QStringLiteral("Apply this change and go to the field"));
        const double steps = shown(fixture)->value;
        const int edits = fixture.edits();
        button->click();
        QVERIFY(fixture.settle());
        QCOMPARE(fixture.edits(), edits + 1);
        QCOMPARE(static_cast<double>(fixture.session().view().result->plan.outer.inner_steps), steps);
        QTRY_COMPARE(fixture.window().focusWidget(), fixture.find<QWidget>("outer/inner_steps"));
    }
};

LISTED_TEST(InfluencesTest)
#include "tst_influences.moc"

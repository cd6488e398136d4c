// SPDX-License-Identifier: GPL-3.0-or-later
#include "listed_test.h"
#include "window_fixture.h"

#include "calculators/calculators_view.h"
#include "charts/xy_chart.h"
#include "controls/small_marks.h"
#include "explain/explain_model.h"
#include "explain/explain_side.h"
#include "explain/explain_tree.h"
#include "explain/explain_view.h"
#include "explain/influence_card.h"
#include "figures/figure_sentence.h"
#include "figures/figure_text.h"
#include "formulas/formula.h"
#include "glossary/term_popup.h"
#include "palette/command_palette.h"
#include "panels/panel_column.h"
#include "panels/run_curves_view.h"
#include "plan/plan_page.h"
#include "search/search_view.h"
#include "theme/theme.h"
#include "view_rail.h"

#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMouseEvent>

using namespace meshwright;

namespace {

void typeInPalette(WindowFixture &fixture, const char *text) {
    QTest::keyClick(&fixture.window(), Qt::Key_K, Qt::ControlModifier);
    QVERIFY(fixture.window().commandPalette()->isVisible());
    QTest::keyClicks(fixture.window().commandPalette()->field(), QLatin1String(text));
}

} // namespace

class CalculatorsViewTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void the_palette_opens_a_formula() {
        WindowFixture fixture;
        typeInPalette(fixture, "stra");
        fixture.window().commandPalette()->field()->setText(QStringLiteral("straggler"));
        QTest::keyClick(fixture.window().commandPalette()->field(), Qt::Key_Return);
        QVERIFY(fixture.window().view<CalculatorsView>()->isVisible());
        QCOMPARE(fixture.window().view<CalculatorsView>()->cards().front()->calculator().formula().id,
                 std::string_view("straggler"));
    }

    void notes_can_be_selected_and_copied_and_their_terms_still_open() {
        WindowFixture fixture;
        auto *view = fixture.window().goTo<CalculatorsView>();
        const CalculatorCard *card = view->openFormula(QStringLiteral("microbatches-for-bubble"));
        auto *notes = card->findChild<FigureSentence *>(QStringLiteral("calculatorNotes"));
        QVERIFY(notes != nullptr && !notes->places().empty());
        QTest::qWait(50); // wait for the layout
        QTest::mousePress(notes, Qt::LeftButton, {}, QPoint(0, 2));
        QTest::mouseMove(notes, notes->rect().bottomRight());
        QMouseEvent drag(QEvent::MouseMove, notes->rect().bottomRight(),
                         notes->mapToGlobal(notes->rect().bottomRight()), Qt::NoButton, Qt::LeftButton, {});
        QApplication::sendEvent(notes, &drag);
        QTest::mouseRelease(notes, Qt::LeftButton, {}, notes->rect().bottomRight());
        QCOMPARE(notes->selectedText(), notes->text());
        QGuiApplication::clipboard()->clear();
        QTest::keyClick(notes, Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QGuiApplication::clipboard()->text(), notes->text());
        QVERIFY(fixture.window().findChild<TermPopup *>()->isHidden());
        QTest::mouseClick(notes, Qt::LeftButton, {}, notes->areaOf(0).center());
        QVERIFY(notes->selectedText().isEmpty());
        QTRY_VERIFY(fixture.window().findChild<TermPopup *>()->isVisible());
    }

    void the_palette_finds_fields_views_plans_and_actions() {
        WindowFixture fixture;
        fixture.window().find();
        PaletteModel *model = fixture.window().commandPalette()->model();
        const auto first = [&](const char *typed) {
            fixture.window().commandPalette()->field()->setText(QLatin1String(typed));
            return model->rowCount() > 0 ? model->index(0, 0).data(PaletteModel::GroupRole).toString() : QString();
        };
        QCOMPARE(first("Explain"), QStringLiteral("Views"));
        QCOMPARE(first("Reset Layout"), QStringLiteral("Actions"));
        QCOMPARE(first("DeepSeek-V3"), QStringLiteral("Models"));
        QCOMPARE(first("DeepSeek-V3 on"), QStringLiteral("Plans"));
        QCOMPARE(first("Waste vs. checkpoint interval"), QStringLiteral("Curves"));
        fixture.window().commandPalette()->runChosen();
        QVERIFY(fixture.find<RunCurvesView>("runCurves")->chart()->isVisible());
        fixture.window().find();
        QCOMPARE(first("Rental price"), QStringLiteral("Fields of this plan"));
        fixture.window().commandPalette()->runChosen();
        QVERIFY(fixture.window().commandPalette()->isHidden());
        QVERIFY(QApplication::focusWidget() != nullptr);
    }

    void the_plan_s_own_field_or_figure_comes_first_with_its_value_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("title");
        QTest::addColumn<QString>("group");
        const auto row = [](const char *typed, const char *title, const char *group) {
            QTest::newRow(typed) << QString::fromLatin1(typed) << QString::fromLatin1(title)
                                 << QString::fromLatin1(group);
        };
        const char *const fields = "Fields of this plan";
        const char *const figures = "Figures of this plan";
        row("tensor", "Tensor", fields);
        row("nodes", "Nodes per site", fields);
        row("tokens", "Tokens", fields);
        row("schedule", "Schedule", fields);
        row("ZeRO", "ZeRO stage", fields);
        row("mfu", "MFU", figures);
        row("step time", "Step time", figures);
        row("headroom", "Headroom", figures);
        row("free memory", "Headroom", figures);
        row("cost", "Rental cost", figures);
        row("throughput", "Tokens per second", figures);
    }
    void the_plan_s_own_field_or_figure_comes_first_with_its_value() {
        QFETCH(QString, typed);
        QFETCH(QString, title);
        QFETCH(QString, group);
        WindowFixture fixture(QStringLiteral("preset:pretrain-8b"));
        QVERIFY(fixture.settle());
        fixture.window().find();
        CommandPalette *palette = fixture.window().commandPalette();
        palette->field()->setText(typed);
        const PaletteItem &first = palette->model()->itemAt(0);
        QCOMPARE(first.title, title);
        QCOMPARE(first.group, group);
        const Result &result = *fixture.session().view().result;
        if (title == QStringLiteral("MFU"))
            QCOMPARE(first.value, figureText(result.step.mfu, Quantity::share));
        else if (title == QStringLiteral("Nodes per site"))
            QCOMPARE(first.value, QString::number(result.plan.site_accelerators() / 8));
        QVERIFY2(!first.value.isEmpty(), qPrintable(title));
        palette->runChosen();
        QCOMPARE(fixture.window().view<ExplainView>()->isVisible(), group == QStringLiteral("Figures of this plan"));
        if (group == QStringLiteral("Fields of this plan"))
            QVERIFY(QApplication::focusWidget() != nullptr);
    }

    void a_preset_is_found_by_a_part_of_its_name_and_used() {
        WindowFixture fixture(QStringLiteral("preset:pretrain-8b"));
        QVERIFY(fixture.settle());
        CommandPalette *palette = fixture.window().commandPalette();
        fixture.window().find();
        palette->field()->setText(QStringLiteral("h200"));
        for (int row = 0; palette->model()->itemAt(row).group != QStringLiteral("Accelerators"); ++row)
            QTest::keyClick(palette->field(), Qt::Key_Down);
        const int edits = fixture.edits();
        palette->runChosen();
        QVERIFY(fixture.settle());
        QCOMPARE(fixture.edits(), edits + 1);
        QCOMPARE(fixture.session().view().plan.cluster.accelerator_id, std::string("h200-sxm-141gb"));
        fixture.window().find();
        palette->field()->setText(QStringLiteral("h100"));
        QStringList groups;
        for (int row = 0; row < palette->model()->rowCount(); ++row)
            groups << palette->model()->itemAt(row).group;
        QVERIFY(groups.contains(QStringLiteral("Accelerators")));
        QVERIFY(groups.contains(QStringLiteral("Clusters")));
        QVERIFY(groups.indexOf(QStringLiteral("Accelerators")) < groups.indexOf(QStringLiteral("Figures of this plan"))
                || !groups.contains(QStringLiteral("Figures of this plan")));
        fixture.window().commandPalette()->close();
        fixture.window().find();
        palette->field()->setText(QStringLiteral("llama3-70b"));
        QCOMPARE(palette->model()->itemAt(0).title.contains(QStringLiteral("70B")), true);
    }

    void words_for_what_one_wants_to_do_find_the_nearest_thing() {
        WindowFixture fixture(QStringLiteral("preset:pretrain-8b"));
        QVERIFY(fixture.settle());
        CommandPalette *palette = fixture.window().commandPalette();
        fixture.window().find();
        for (const char *typed : {"compare", "pin", "rename"}) {
            palette->field()->setText(QLatin1String(typed));
            QVERIFY2(palette->model()->rowCount() > 0, typed);
            QCOMPARE(palette->model()->itemAt(0).group, QStringLiteral("Actions"));
        }
        palette->field()->setText(QStringLiteral("compare"));
        palette->runChosen();
        QVERIFY(fixture.window().view<SearchView>()->isVisible());
    }

    void find_goes_to_the_filter_of_the_view_else_to_the_palette() {
        WindowFixture fixture(QStringLiteral("preset:pretrain-8b"));
        QVERIFY(fixture.settle());
        MainWindow &window = fixture.window();
        const auto press = [&] {
            QTest::keyClick(&window, Qt::Key_F, Qt::ControlModifier);
            return window.commandPalette()->isVisible();
        };
        QVERIFY(press());
        window.commandPalette()->close();
        window.rail()->show(window.view<CalculatorsView>());
        QVERIFY(!press());
        QVERIFY(window.view<CalculatorsView>()->filterField()->hasFocus());
        window.rail()->show(window.view<SearchView>());
        QVERIFY(!press());
        QVERIFY(window.view<SearchView>()->filterField()->hasFocus());
    }

    void whatever_is_chosen_in_the_palette_is_shown_beside_it() {
        WindowFixture fixture;
        CommandPalette *palette = fixture.window().commandPalette();
        fixture.window().find();
        for (const Formula &formula : formulas()) {
            palette->field()->setText(QString::fromStdString(std::string(formula.title)));
            QVERIFY2(palette->model()->rowCount() > 0, qPrintable(palette->field()->text()));
        }
        palette->field()->clear();
        for (char letter = 'a'; letter <= 'z'; ++letter) {
            QTest::keyClick(palette->field(), letter);
            QVERIFY2(palette->model()->rowCount() > 0, qPrintable(palette->field()->text()));
            QTest::keyClick(palette->field(), Qt::Key_Backspace);
        }
        QVERIFY(palette->isVisible());
    }

    void the_palette_shows_the_calculator_with_the_plans_values() {
        WindowFixture fixture;
        MainWindow &window = fixture.window();
        window.find();
        window.commandPalette()->field()->setText(QStringLiteral("training days"));
        window.commandPalette()->field()->setText(QStringLiteral("headroom"));
        // The first match is the plan's figure with this name, and the formula is among the matches.
        PaletteModel *model = window.commandPalette()->model();
        for (int row = 0; row < model->rowCount() && model->itemAt(row).group != QStringLiteral("Formulas"); ++row)
            QTest::keyClick(window.commandPalette()->field(), Qt::Key_Down);
        auto *card = qobject_cast<CalculatorCard *>(window.commandPalette()->preview());
        QVERIFY(card != nullptr && card->isVisible());
        QCOMPARE(card->calculator().formula().id, std::string_view("headroom"));
        const Calculation::Value *value = card->calculator().value("bytes");
        const double headroom = fixture.session().view().result->verdict.headroom_bytes;
        QVERIFY(value != nullptr && std::abs(value->value - headroom) <= 1e-9 * std::abs(headroom));
        QTest::keyClick(window.commandPalette()->field(), Qt::Key_Tab);
        auto *field = qobject_cast<QLineEdit *>(QApplication::focusWidget());
        QVERIFY(field != nullptr && card->isAncestorOf(field));
        field->selectAll();
        QTest::keyClicks(field, QStringLiteral("200 GB"));
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY(!window.commandPalette()->isVisible() && window.view<CalculatorsView>()->isVisible());
        const CalculatorCard *opened = window.view<CalculatorsView>()->cards().front();
        QCOMPARE(opened->calculator().texts().at("capacity_bytes"), std::string("200 GB"));
    }

    void open_calculators_come_back_after_a_restart() {
        WindowFixture fixture;
        fixture.window().view<CalculatorsView>()->closeAll();
        fixture.window()
            .view<CalculatorsView>()
            ->openFormula(QStringLiteral("all-to-all"))
            ->setText("ranks", QStringLiteral("24"));
        const QStringList state = fixture.window().view<CalculatorsView>()->state();
        fixture.restart();
        QCOMPARE(fixture.window().view<CalculatorsView>()->state(), state);
    }

    void values_come_from_the_plan() {
        WindowFixture fixture;
        CalculatorCard *card = fixture.window().view<CalculatorsView>()->openFormula(QStringLiteral("straggler"));
        QMenu *menu = card->planMenu();
        const QList<QAction *> actions = menu->actions();
        QVERIFY(!actions.isEmpty());
        QVERIFY(actions.first()->isEnabled());
        actions.first()->trigger();
        QVERIFY(card->calculator().calculation().has_value());
    }

    void the_run_panel_draws_its_curves_and_opens_their_calculators() {
        for (const char *plan : {"preset:ten-to-25", "preset:deepseek-v3"}) {
            WindowFixture fixture{QLatin1String(plan)};
            auto *curves = fixture.find<RunCurvesView>("runCurves");
            QVERIFY(!curves->isVisible());
            fixture.reveal(curves);
            QVERIFY(curves->curves().size() >= 5);
            for (const RunCurve &curve : curves->curves()) {
                QVERIFY2(curves->choose(QString::fromStdString(curve.id)), curve.id.c_str());
                QCOMPARE(static_cast<std::size_t>(curves->chart()->view().series.size()), curve.series.size());
            }
            fixture.find<LinkButton>("openCurveCalculator")->click();
            QVERIFY(fixture.window().view<CalculatorsView>()->isVisible());
        }
    }

    void explanations_say_what_would_change_the_figure() {
        WindowFixture fixture;
        ExplainView *view = fixture.window().view<ExplainView>();
        fixture.window().rail()->show(view);
        QVERIFY(view->openFigure(QStringLiteral("step.seconds")));
        QTRY_VERIFY(view->sidePanel()->isSettled());
        QVERIFY(!view->sidePanel()->influences()->isHidden());
        QVERIFY(view->sidePanel()->influences()->rows().size() > 3);
        // The effect of each term of a sum is its fraction of the sum, times 10%.
        const ExplainModel *model = view->model();
        const QModelIndex figure = model->index(0, 0);
        double sum = 0;
        for (int row = 0; row < model->rowCount(figure); ++row)
            sum += model->index(row, ExplainModel::EffectColumn, figure).data(ExplainModel::EffectRole).toDouble();
        QVERIFY2(std::abs(sum - 0.1) < 1e-9, qPrintable(QString::number(sum)));
        view->tree()->setCurrentIndex(model->index(0, 0, figure));
        QCOMPARE(view->findChild<QLabel *>(QStringLiteral("explainWay"))->text().count(QStringLiteral("<a ")), 1);
        QVERIFY(!view->sidePanel()->chart()->view().series.isEmpty());
        const ChartView chart = view->sidePanel()->chart()->view();
        const auto drawn = valueOf(chart.series.first(), chart.marks.first().at.x(), chart.x);
        QVERIFY(drawn && std::abs(*drawn / chart.marks.first().at.y() - 1) < 0.05);
    }

    /// Saves pictures of the views to the folder that MESHWRIGHT_PICTURES names.
    void pictures() {
        const QString folder = qEnvironmentVariable("MESHWRIGHT_PICTURES");
        if (folder.isEmpty())
            QSKIP("MESHWRIGHT_PICTURES is not set to a folder");
        for (const QSize size : {QSize(1280, 720), QSize(1600, 1000)}) {
            WindowFixture fixture(size.width() == 1280 ? QString() : QStringLiteral("preset:deepseek-v3"), size);
            MainWindow &window = fixture.window();
            for (const ThemeMode mode : {ThemeMode::Dark, ThemeMode::Light}) {
                Theme::apply(*qobject_cast<QApplication *>(QCoreApplication::instance()), mode);
                const QString theme = mode == ThemeMode::Dark ? QStringLiteral("dark") : QStringLiteral("light");
                const auto grab = [&](const char *what) {
                    QTest::qWait(100);
                    window.grab().save(QStringLiteral("%1/%2-%3-%4.png")
                                           .arg(folder, QLatin1String(what))
                                           .arg(size.width())
                                           .arg(theme));
                };
                window.rail()->show(window.view<CalculatorsView>());
                grab("calculators");
                window.find();
                window.commandPalette()->field()->setText(QStringLiteral("all-red"));
                grab("palette");
                window.commandPalette()->close();
                window.rail()->show(window.view<ExplainView>());
                window.view<ExplainView>()->openFigure(QStringLiteral("step.mfu"));
                window.view<ExplainView>()->tree()->expandToDepth(2);
                grab("explain");
                window.rail()->show(window.view<PlanPage>());
                fixture.reveal(fixture.find<RunCurvesView>("runCurves"));
                QTest::qWait(50);
                fixture.find<RunCurvesView>("runCurves")
                    ->grab()
                    .save(QStringLiteral("%1/curves-%2-%3.png").arg(folder).arg(size.width()).arg(theme));
            }
        }
    }
};

LISTED_TEST(CalculatorsViewTest)
#include "tst_calculators_view.moc"

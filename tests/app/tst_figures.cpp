// SPDX-License-Identifier: GPL-3.0-or-later
#include "listed_test.h"
#include "window_fixture.h"

#include "canvases/hover_card.h"
#include "canvases/threshold_gauge.h"
#include "charts/xy_chart.h"
#include "controls/fact_button.h"
#include "controls/fact_list.h"
#include "evidence/evidence_view.h"
#include "evidence/runs_model.h"
#include "explain/explain.h"
#include "explain/explain_side.h"
#include "explain/explain_view.h"
#include "explain/figure_book.h"
#include "explain/figure_guide.h"
#include "explain/influence_card.h"
#include "figures/figure_event.h"
#include "figures/figure_label.h"
#include "figures/figure_ref.h"
#include "figures/figure_sentence.h"
#include "figures/figure_source.h"
#include "figures/figure_text.h"
#include "gantt/figure_line.h"
#include "gantt/pipeline_view.h"
#include "models/figure_table.h"
#include "panels/run_curves_view.h"
#include "plan/plan_page.h"
#include "view_rail.h"
#include "views/problem_row.h"
#include "views/problems_card.h"

#include <QAction>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QMenu>
#include <QRegularExpression>
#include <QSet>

using namespace meshwright;

namespace {

const std::array plans{"preset:ten-to-25", "preset:deepseek-v3", "preset:smollm-135m", "preset:pretrain-70b-1k-design"};
constexpr QSize large{2560, 1440}; ///< large enough to show the whole Plan view without scrolling

bool saysANumber(const QString &text) {
    static const QRegularExpression digit(QStringLiteral("\\d"));
    return text.contains(digit);
}

/// Whether a text is a number, as in "4.6 GB" and "+1.2%". "1f1b" is a word.
bool isANumber(const QString &text) {
    static const QRegularExpression number(QStringLiteral("^[^\\w]?\\d[\\d,.]*( |%|$)"));
    return number.match(text).hasMatch();
}

/// Returns every widget of the window that shows figures, in all views.
QList<std::pair<QWidget *, FigureSource *>> sourcesOf(QWidget &window) {
    QList<std::pair<QWidget *, FigureSource *>> sources;
    const QList<QWidget *> widgets = window.findChildren<QWidget *>();
    for (QWidget *widget : widgets)
        if (auto *source = dynamic_cast<FigureSource *>(widget); source != nullptr && widget->isVisibleTo(&window))
            sources.append({widget, source});
    return sources;
}

void showEachView(WindowFixture &fixture, const std::function<void(const QString &)> &look) {
    const QList<QAction *> views = fixture.window().rail()->actions();
    for (QAction *view : views) {
        view->trigger();
        QCoreApplication::processEvents();
        QTRY_VERIFY(fixture.window().view<PipelineView>()->isHidden()
                    || fixture.window().view<PipelineView>()->isSettled());
        look(view->text());
    }
    views.first()->trigger();
}

QString isExplaining(WindowFixture &fixture) {
    const ExplainView *view = fixture.window().view<ExplainView>();
    return view->isVisible() && view->currentNode() != nullptr ? QString::fromStdString(view->currentNode()->name)
                                                               : QString();
}

QString nameOf(const FigureTarget &target) {
    return QString::fromStdString(identifier(figureOf(target).name().toStdString()));
}

/// Returns the numbers with a unit that a sentence does not link: "4.6 GB", "31.7%". A percentage without a decimal is
/// a name ("80% interval").
QStringList quantitiesOf(const FigureSentence &sentence) {
    static const QRegularExpression quantity(
        QStringLiteral("\\d[\\d,]*\\.\\d+%|"
                       "\\d[\\d,.]* ([kMGTP]?B|[kMGT]?B/s|[kMGT]?b/s|s|ms|µs|min|h|days|\\$|[A-Z]?FLOP)(?![\\w])"));
    QStringList found;
    QRegularExpressionMatchIterator match = quantity.globalMatch(sentence.text());
    while (match.hasNext()) {
        const QRegularExpressionMatch number = match.next();
        const std::vector<FigureSentence::Place> &places = sentence.places();
        if (std::none_of(places.begin(), places.end(), [&](const FigureSentence::Place &place) {
                return place.begin <= number.capturedStart() && number.capturedEnd() <= place.begin + place.length;
            }))
            found << number.captured();
    }
    return found;
}

} // namespace

class FiguresTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void every_figure_of_every_view_has_an_explanation() {
        for (const char *plan : plans) {
            WindowFixture fixture(QLatin1String(plan), large);
            std::set<FigureRef> seen;
            showEachView(fixture, [&](const QString &view) {
                // Collect the figures first, because explaining a figure may add and remove widgets.
                QList<std::pair<FigureRef, QString>> shown;
                for (const auto &[widget, source] : sourcesOf(fixture.window()))
                    for (const FigureRef &figure : source->figures())
                        shown.append({figure, widget->objectName()});
                for (const auto &[figure, widget] : shown) {
                    seen.insert(figure);
                    if (!fixture.explained(figure))
                        QFAIL(qPrintable(QStringLiteral("%1, %2: %3 of %4 has no derivation")
                                             .arg(QLatin1String(plan), view, figure.name(), widget)));
                }
            });
            QVERIFY2(seen.size() > 30, plan); // the walk must have visited the views' figures
            QVERIFY2(std::any_of(seen.cbegin(), seen.cend(),
                                 [](const FigureRef &figure) { return figure.of<scope::Schedule>() != nullptr; }),
                     plan);
        }
    }

    void no_number_is_shown_without_its_figure() {
        for (const char *plan : plans) {
            WindowFixture fixture(QLatin1String(plan), large);
            const QList<FactList *> lists = fixture.window().findChildren<FactList *>();
            for (const FactList *list : lists)
                for (const Fact &fact : list->facts())
                    QVERIFY2(!fact.figure.isEmpty() || !isANumber(fact.value),
                             qPrintable(fact.name + QLatin1String(": ") + fact.value));
            showEachView(fixture, [&](const QString &) {
                const QList<FigureLine *> lines = fixture.window().findChildren<FigureLine *>();
                for (const FigureLine *line : lines)
                    for (const FigureLine::Entry &entry : line->entries())
                        QVERIFY2(!entry.figure.isEmpty() || !isANumber(entry.value),
                                 qPrintable(entry.name + QLatin1Char(' ') + entry.value));
                const QList<ProblemRow *> rows = fixture.window().findChildren<ProblemRow *>();
                for (const ProblemRow *row : rows) {
                    const QList<FigureLabel *> gains = row->findChildren<FigureLabel *>();
                    for (const FigureLabel *gain : gains)
                        QVERIFY2(!gain->figures().isEmpty() || !isANumber(gain->text()), qPrintable(gain->text()));
                }
            });
            const QList<FigureTable *> tables = fixture.window().findChildren<FigureTable *>();
            for (const FigureTable *table : tables)
                for (int row = 0; row < table->model()->rowCount(); ++row)
                    for (int column = 0; column < table->model()->columnCount(); ++column) {
                        const QModelIndex cell = table->model()->index(row, column);
                        QCOMPARE(cell.data(FigureTable::FigureRole).value<FigureRef>().isEmpty(),
                                 !saysANumber(cell.data().toString()));
                    }
        }
    }

    /// Every number with a unit in a sentence of a view opens its derivation.
    void no_sentence_says_a_number_that_does_not_open() {
        for (const char *plan : plans) {
            WindowFixture fixture(QLatin1String(plan), large);
            std::size_t numbers = 0;
            showEachView(fixture, [&](const QString &view) {
                const QList<FigureSentence *> sentences = fixture.window().findChildren<FigureSentence *>();
                for (const FigureSentence *sentence : sentences) {
                    if (!sentence->isVisibleTo(&fixture.window()) || isWithoutFigures(sentence))
                        continue;
                    for (const QString &number : quantitiesOf(*sentence)) {
                        ++numbers;
                        QFAIL(qPrintable(QStringLiteral("%1, %2: \"%3\" in \"%4\" opens no derivation")
                                             .arg(QLatin1String(plan), view, number, sentence->text())));
                    }
                    numbers += sentence->places().size();
                }
            });
            QVERIFY2(numbers > 4, plan);
        }
    }

    void marks_of_the_curves_open() {
        WindowFixture fixture(QStringLiteral("preset:ten-to-25"), large);
        auto *curves = fixture.window().findChild<RunCurvesView *>();
        QVERIFY(curves);
        fixture.reveal(curves);
        QVERIFY(curves->choose(QStringLiteral("checkpoint-waste")));
        const std::vector<RunCurve> all = curves->curves();
        QVERIFY(all.size() > 8);
        for (const RunCurve &curve : all) {
            QVERIFY(curves->choose(QString::fromStdString(curve.id)));
            for (const ChartMark &mark : curves->chart()->view().marks) {
                QVERIFY2(fixture.explained(mark.figure), qPrintable(QString::fromStdString(curve.id) + mark.text));
                QCOMPARE(curves->chart()->figureAt(curves->chart()->placeOf(mark.at)).isEmpty(), false);
            }
        }
        QVERIFY(curves->choose(QStringLiteral("checkpoint-waste")));
        const ChartMark young = curves->chart()->view().marks.first();
        QTest::mouseClick(curves->chart(), Qt::LeftButton, {}, curves->chart()->placeOf(young.at));
        QCOMPARE(isExplaining(fixture), nameOf(curves->chart()->figureAt(curves->chart()->placeOf(young.at))));
    }

    void figures_open_by_click_and_by_key() {
        WindowFixture fixture(QStringLiteral("preset:ten-to-25"), large);
        auto *summary = fixture.find<FigureSentence>("statusSummary");
        auto *gauge = fixture.window().findChild<ThresholdGauge *>();
        auto *table = fixture.find<QWidget>("memoryTableCard")->findChild<FigureTable *>();
        QVERIFY(summary && gauge && table);
        const auto back = [&] { QTest::keyClick(&fixture.window(), Qt::Key_1, Qt::ControlModifier); };

        QVERIFY(summary->places().size() > 3);
        for (std::size_t i = 0; i < summary->places().size(); ++i) {
            QTest::mouseClick(summary, Qt::LeftButton, {}, summary->areaOf(i).center());
            QCOMPARE(isExplaining(fixture), nameOf(summary->places()[i].target));
            back();
        }
        summary->setFocus();
        QTest::keyClick(summary, Qt::Key_F1);
        QCOMPARE(isExplaining(fixture), nameOf(summary->currentFigure()));
        back();
        QTest::keyClick(summary, Qt::Key_Right);
        QTest::keyClick(summary, Qt::Key_Return);
        QCOMPARE(isExplaining(fixture), nameOf(summary->places()[1].target));
        back();
        const FigureRef marker = gauge->figureAt(gauge->rect().center());
        QTest::mouseClick(gauge, Qt::LeftButton, {}, gauge->rect().center());
        QCOMPARE(isExplaining(fixture), nameOf(marker));
        back();
        QTest::keyClick(gauge, Qt::Key_Return);
        QCOMPARE(isExplaining(fixture), nameOf(gauge->currentFigure()));
        back();
        const QModelIndex cell = table->model()->index(0, 0);
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(cell).center());
        QCOMPARE(isExplaining(fixture), QStringLiteral("memory_stages_0_weights_bytes"));
        back();
        table->setCurrentIndex(table->model()->index(0, 1));
        QTest::keyClick(table, Qt::Key_Return);
        QCOMPARE(isExplaining(fixture), QStringLiteral("memory_stages_0_gradients_bytes"));
        back();
        auto *fact = fixture.window().findChild<FactButton *>();
        QTest::keyClick(fact, Qt::Key_Return);
        QCOMPARE(isExplaining(fixture), nameOf(fact->figure()));
    }

    /// Where a click has another use, the context menu and the keys open figures; the hover card states this.
    void figures_of_tables_open_by_their_menu_and_by_key() {
        WindowFixture fixture(QStringLiteral("preset:pretrain-8b"), large);
        fixture.window().rail()->show(fixture.window().view<EvidenceView>());
        QTRY_VERIFY(!fixture.window().view<EvidenceView>()->isBusy());
        auto *table = fixture.find<QTableView>("nearestTable");
        for (const int column : {RunsModel::Measured, RunsModel::Predicted, RunsModel::Error}) {
            fixture.window().rail()->show(fixture.window().view<EvidenceView>());
            const QModelIndex cell = table->model()->index(0, column);
            const auto figure = cell.data(FiguresTable::FigureRole).value<FigureRef>();
            table->setFocus();
            table->setCurrentIndex(cell);
            QTest::keyClick(table, Qt::Key_F1);
            const QString opened = QString::fromStdString(fixture.explained(figure).figure->name);
            QTRY_COMPARE(isExplaining(fixture), opened);
            fixture.window().rail()->show(fixture.window().view<EvidenceView>());
            const QPoint place = table->visualRect(cell).center();
            QContextMenuEvent pressed(QContextMenuEvent::Mouse, place, table->viewport()->mapToGlobal(place));
            QCoreApplication::sendEvent(table->viewport(), &pressed);
            auto *menu = fixture.window().findChild<QMenu *>(QStringLiteral("figureMenu"));
            QVERIFY(menu != nullptr && menu->isVisible());
            menu->actions().constFirst()->trigger();
            QTRY_COMPARE(isExplaining(fixture), opened);
            menu->close();
            QTRY_VERIFY(fixture.window().findChild<QMenu *>(QStringLiteral("figureMenu")) == nullptr);
        }
    }

    /// Predictions for measured runs and answers to "what would change it" open derivations that go down to the fields
    /// of the measured run's plan.
    void predictions_of_measured_runs_open_into_their_evaluation() {
        WindowFixture fixture(QStringLiteral("preset:pretrain-8b"), large);
        fixture.window().rail()->show(fixture.window().view<EvidenceView>());
        QTRY_VERIFY(!fixture.window().view<EvidenceView>()->isBusy());
        const FigureRef run = FigureRef::ofView(QStringLiteral("run.0.error"), FigureView::evidence);
        const FigureBook::Found error = fixture.explained(run);
        QVERIFY(error);
        const Derivation *predicted = error.figure->find("predicted");
        QVERIFY(predicted != nullptr);
        while (predicted->figure.empty())
            predicted = &predicted->inputs.front();
        const FigureRef figure = referredFrom(run, predicted->figure);
        const FigureBook::Found step = fixture.explained(figure);
        QVERIFY(step);
        QCOMPARE(step.figure->name, std::string("step_seconds"));
        QVERIFY(std::abs(step.figure->value / predicted->value - 1) < 1e-9);
        QVERIFY(step.tree != fixture.explained(QStringLiteral("step.seconds")).tree);
        ExplainView *view = fixture.window().view<ExplainView>();
        fixture.window().rail()->show(view);
        QVERIFY(view->openFigure(figure));
        QTRY_COMPARE(isExplaining(fixture), QStringLiteral("step_seconds"));
        QTRY_VERIFY(view->sidePanel()->isSettled() && !view->sidePanel()->influences()->isHidden());
        QVERIFY(view->sidePanel()->influences()->rows().size() > 3);
    }

    void figures_of_schedules_open_with_what_they_are_made_of() {
        WindowFixture fixture(QStringLiteral("preset:pretrain-70b-1k-design"), large);
        PipelineView *pipeline = fixture.window().view<PipelineView>();
        fixture.window().rail()->show(pipeline);
        QTRY_VERIFY(pipeline->isSettled());
        pipeline->compareWith({Schedule::zb_h1});
        QTRY_VERIFY(pipeline->isSettled());
        const QList<FigureLine *> lines = pipeline->findChildren<FigureLine *>();
        QCOMPARE(lines.size(), 3); // one line for each of two schedules and one for memory
        for (FigureLine *line : lines)
            for (const FigureLine::Entry &entry : line->entries()) {
                if (entry.figure.isEmpty())
                    continue;
                const FigureBook::Found found = fixture.explained(entry.figure);
                QVERIFY2(found, qPrintable(entry.figure.name()));
                QVERIFY2(!found.figure->inputs.empty(), qPrintable(entry.figure.name()));
            }
        FigureLine *own = *std::find_if(lines.cbegin(), lines.cend(), [](const FigureLine *line) {
            return line->entries().first().figure.name() == QLatin1String("schedule.idle_of_all_ranks");
        });
        QVERIFY(!own->areaOf(0).isEmpty());
        QTest::mouseClick(own, Qt::LeftButton, {}, own->areaOf(0).center());
        QCOMPARE(isExplaining(fixture), QStringLiteral("schedule_idle_of_all_ranks"));
        fixture.window().rail()->show(pipeline);
        own->setFocus(Qt::TabFocusReason);
        QTest::keyClick(own, Qt::Key_Right);
        QTest::keyClick(own, Qt::Key_Return);
        QCOMPARE(isExplaining(fixture), QStringLiteral("schedule_idle_warm_up_and_drain"));
    }

    void gains_open_with_both_evaluations() {
        WindowFixture fixture(QStringLiteral("preset:ten-to-25"), large);
        QVERIFY(fixture.settle());
        const QList<FigureLabel *> labels =
            fixture.window().view<PlanPage>()->problems()->findChildren<FigureLabel *>();
        const auto shown = std::find_if(labels.cbegin(), labels.cend(), [&fixture](const FigureLabel *label) {
            return label->isVisibleTo(&fixture.window()) && !label->figures().isEmpty();
        });
        QVERIFY(shown != labels.cend());
        FigureLabel *gain = *shown;
        const FigureBook::Found found = fixture.explained(gain->currentFigure());
        QVERIFY(found);
        QCOMPARE(found.figure->formula, std::string("after - before"));
        QString figure = figureText(std::abs(found.figure->value), found.figure->quantity);
        QVERIFY2(gain->text().contains(figure), qPrintable(gain->text() + QStringLiteral(" is not ") + figure));
        QTest::mouseClick(gain, Qt::LeftButton);
        QTRY_VERIFY(isExplaining(fixture).startsWith(QLatin1String("gain_")));
        // In the changed plan too, a figure opens from inside another figure's derivation.
        ExplainView *view = fixture.window().view<ExplainView>();
        QVERIFY(view->openFigure(gain->currentFigure().named(QStringLiteral("changed_step_seconds"))));
        QTRY_COMPARE(isExplaining(fixture), QStringLiteral("changed_step_seconds"));
        // The influences are computed for the changed plan.
        QTRY_VERIFY(view->sidePanel()->isSettled() && !view->sidePanel()->influences()->isHidden());
    }

    void pointing_at_a_figure_shows_how_it_comes_about() {
        WindowFixture fixture(QStringLiteral("preset:ten-to-25"), large);
        auto *fact = fixture.window().findChild<FactButton *>();
        QVERIFY(fact);
        const QPoint place = fact->rect().center();
        QHelpEvent pointed(QEvent::ToolTip, place, fact->mapToGlobal(place));
        QCoreApplication::sendEvent(fact, &pointed);
        auto *card = fixture.window().findChild<HoverCard *>();
        QVERIFY(card != nullptr && card->isVisible());
        QEvent left(QEvent::Leave);
        QCoreApplication::sendEvent(fact, &left);
        QVERIFY(!card->isVisible());
    }

    void a_first_level_says_value_formula_numbers_and_inputs() {
        WindowFixture fixture;
        const Derivation tree = explain(*fixture.session().view().result);
        const Derivation *step = find_figure(tree, "step.seconds");
        QVERIFY(step != nullptr);
        const HoverContent content = firstLevelOf(*step);
        QVERIFY(content.rows.size() > 1);
        QCOMPARE(content.footnote.count(QLatin1Char('=')), 2);
        QVERIFY(saysANumber(content.footnote));
    }
};

LISTED_TEST(FiguresTest)
#include "tst_figures.moc"

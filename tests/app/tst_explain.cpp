// SPDX-License-Identifier: GPL-3.0-or-later
#include "listed_test.h"
#include "window_fixture.h"

#include "canvases/memory_bars.h"
#include "canvases/step_bar.h"
#include "controls/fact_button.h"
#include "controls/key_figure.h"
#include "explain/explain.h"
#include "explain/explain_model.h"
#include "explain/explain_tree.h"
#include "explain/explain_view.h"
#include "explain/formula_label.h"
#include "explain/formula_latex.h"
#include "explain/input_row.h"
#include "explain/node_card.h"
#include "explain/node_formula.h"
#include "pictures/formula_picture.h"
#include "pictures/picture_view.h"
#include "plan/plan_page.h"
#include "theme/theme.h"
#include "view_rail.h"
#include "views/view_mapping.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QDialog>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <cmath>

using namespace meshwright;
using nlohmann::ordered_json;

namespace {

const Result &resultOf(WindowFixture &fixture) {
    return *fixture.session().view().result;
}

double explained(WindowFixture &fixture) {
    const Derivation *node = fixture.window().view<ExplainView>()->currentNode();
    return node != nullptr ? node->value : qQNaN();
}

bool isExplaining(WindowFixture &fixture) {
    return fixture.window().view<ExplainView>()->isVisible();
}

void backToPlan(WindowFixture &fixture) {
    QTest::keyClick(&fixture.window(), Qt::Key_1, Qt::ControlModifier);
}

bool isClose(double a, double b) {
    return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b));
}

QString latex(const char *formula) {
    const std::optional<FormulaPart> part = readFormula(QLatin1String(formula));
    return part ? latexOf(*part) : QStringLiteral("unread");
}

} // namespace

class ExplainTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void every_key_figure_opens_its_derivation() {
        WindowFixture fixture;
        const Result &result = resultOf(fixture);
        const std::pair<const char *, double> figures[] = {{"memoryFigure", result.verdict.headroom_bytes},
                                                           {"stepFigure", result.step.seconds},
                                                           {"runFigure", result.run.seconds},
                                                           {"costFigure", result.run.rental_dollars}};
        for (const auto &[name, value] : figures) {
            QVERIFY(!isExplaining(fixture));
            QTest::keyClick(fixture.find<KeyFigure>(name), Qt::Key_Return);
            QVERIFY(isExplaining(fixture));
            QVERIFY2(isClose(explained(fixture), value), name);
            backToPlan(fixture);
        }
    }

    void every_part_of_every_stage_opens_its_derivation() {
        for (const char *plan : {"preset:ten-to-25", "preset:deepseek-v3"}) {
            WindowFixture fixture{QLatin1String(plan)};
            auto *bars = fixture.find<MemoryBars>("memoryBars");
            const QVector<MemoryBar> stages = bars->view().bars;
            for (int stage = 0; stage < stages.size(); ++stage) {
                for (int kind = 0; kind < MemoryKindCount; ++kind) {
                    Q_EMIT bars->segmentActivated(stage, static_cast<MemoryKind>(kind));
                    QVERIFY(isExplaining(fixture));
                    QVERIFY2(isClose(explained(fixture), stages.at(stage).bytes.at(kind)),
                             qPrintable(figurePathOf(stage, static_cast<MemoryKind>(kind))));
                    backToPlan(fixture);
                }
            }
        }
    }

    void every_term_of_the_step_opens_its_derivation() {
        WindowFixture fixture;
        auto *bar = fixture.find<StepBar>("stepBar");
        const QVector<StepBarTerm> terms = bar->view().rows.first().terms;
        QCOMPARE(terms.size(), static_cast<qsizetype>(step_term_count));
        for (const StepBarTerm &term : terms) {
            Q_EMIT bar->termActivated(0, term.id);
            QVERIFY(isExplaining(fixture));
            QVERIFY2(isClose(explained(fixture), term.seconds), qPrintable(term.id));
            backToPlan(fixture);
        }
    }

    void every_fact_that_looks_pressed_opens_its_derivation() {
        for (const char *plan : {"preset:ten-to-25", "preset:deepseek-v3"}) {
            WindowFixture fixture{QLatin1String(plan)};
            const Derivation tree = explain(resultOf(fixture));
            int facts = 0;
            for (FactButton *button : fixture.window().findChildren<FactButton *>()) {
                fixture.reveal(button);
                if (!button->isVisible())
                    continue; // the figure is in a section that this plan lacks
                const Derivation *node = find_figure(tree, button->figure().name().toStdString());
                QVERIFY2(node != nullptr, qPrintable(button->figure().name()));
                button->click();
                QVERIFY(isExplaining(fixture));
                QCOMPARE(explained(fixture), node->value);
                QVERIFY(!button->accessibleName().isEmpty());
                backToPlan(fixture);
                ++facts;
            }
            QVERIFY2(facts > 10, qPrintable(QString::number(facts)));
        }
    }

    void the_tree_is_a_sound_model_through_every_change() {
        WindowFixture fixture;
        ExplainView *view = fixture.window().view<ExplainView>();
        QAbstractItemModelTester tester(view->model(), QAbstractItemModelTester::FailureReportingMode::Fatal);
        for (const char *figure : {"step.seconds", "run.days", "verdict.headroom_bytes", "outer.utilisation"}) {
            QVERIFY(view->openFigure(QLatin1String(figure)));
            QCOMPARE(view->model()->rowCount(), 1);
        }
        QVERIFY(!view->openFigure(QStringLiteral("no.such.figure")));
        fixture.window().rail()->show(view);
        fixture.document().apply(
            {.field = QStringLiteral("/cluster/sites"),
             .subject = QStringLiteral("Sites"),
             .from = {},
             .to = QStringLiteral("1"),
             .patch = ordered_json{{"cluster", {{"sites", 1}}}, {"outer", {{"method", "none"}}}}.dump(),
             .pace = EditPace::Settled});
        QVERIFY(fixture.settle());
        // A plan with one site has no outer steps, so the step time replaces its compute utilization.
        QCOMPARE(explained(fixture), resultOf(fixture).step.seconds);
    }

    void an_edit_keeps_what_is_open_and_shows_new_numbers() {
        WindowFixture fixture;
        ExplainView *view = fixture.window().view<ExplainView>();
        fixture.window().rail()->show(view);
        QVERIFY(view->openFigure(QStringLiteral("step.seconds")));
        const QStringList path{QStringLiteral("step_seconds"), QStringLiteral("compute")};
        view->tree()->setCurrentIndex(view->model()->indexAt(path));
        view->tree()->expand(view->model()->indexAt(path));
        const double before = explained(fixture);
        fixture.document().apply({.field = QStringLiteral("/batch/global_sequences"),
                                  .subject = QStringLiteral("Sequences"),
                                  .from = {},
                                  .to = QStringLiteral("64"),
                                  .patch = ordered_json{{"batch", {{"global_sequences", 64}}}}.dump(),
                                  .pace = EditPace::Settled});
        QVERIFY(fixture.settle());
        QVERIFY(explained(fixture) > 1.5 * before);
        QCOMPARE(view->model()->pathOf(view->tree()->currentIndex()), path);
        QVERIFY(view->tree()->isExpanded(view->model()->indexAt(path)));
    }

    void keys_walk_the_tree_and_its_history() {
        WindowFixture fixture;
        fixture.showView(QStringLiteral("Explain"));
        QVERIFY(isExplaining(fixture));
        ExplainView *view = fixture.window().view<ExplainView>();
        QVERIFY(view->openFigure(QStringLiteral("run.rental_dollars")));
        view->tree()->setFocus();
        QTest::keyClick(view->tree(), Qt::Key_Down);
        QCOMPARE(view->currentNode()->name, std::string("accelerators"));
        QTest::keyClick(view->tree(), Qt::Key_Right);
        QVERIFY(view->tree()->isExpanded(view->tree()->currentIndex()));
        QTest::keyClick(view->tree(), Qt::Key_Return);
        QVERIFY(!view->tree()->isExpanded(view->tree()->currentIndex()));
        QVERIFY(view->openFigure(QStringLiteral("step.mfu")));
        QTest::keyClick(&fixture.window(), Qt::Key_Left, Qt::AltModifier);
        QCOMPARE(view->currentNode()->name, std::string("accelerators"));
        QTest::keyClick(&fixture.window(), Qt::Key_Right, Qt::AltModifier);
        QCOMPARE(view->currentNode()->name, std::string("step_mfu"));
        QVERIFY(!view->forwardAction()->isEnabled());
    }

    void a_plan_field_leads_to_its_control() {
        WindowFixture fixture;
        ExplainView *view = fixture.window().view<ExplainView>();
        fixture.window().rail()->show(view);
        QVERIFY(view->openFigure(QStringLiteral("outer.inner_seconds")));
        view->tree()->setCurrentIndex(
            view->model()->indexAt({QStringLiteral("outer_inner_seconds"), QStringLiteral("inner_steps")}));
        auto *button = fixture.find<QPushButton>("goToField");
        QVERIFY(button->isVisible());
        button->click();
        QVERIFY(!isExplaining(fixture));
        QCOMPARE(fixture.window().focusWidget(), fixture.find<QWidget>("outer/inner_steps"));
    }

    void a_leaf_that_is_a_figure_opens_its_own_derivation() {
        WindowFixture fixture;
        ExplainView *view = fixture.window().view<ExplainView>();
        fixture.window().rail()->show(view);
        QVERIFY(view->openFigure(QStringLiteral("step.mfu")));
        view->tree()->setCurrentIndex(
            view->model()->indexAt({QStringLiteral("step_mfu"), QStringLiteral("seconds"), QStringLiteral("compute")}));
        QVERIFY(view->currentNode()->inputs.empty());
        QVERIFY(fixture.find<QPushButton>("openMaking")->isVisible());
        fixture.find<QPushButton>("openMaking")->click();
        QCOMPARE(view->currentNode()->name, std::string("step_compute_seconds"));
        QVERIFY(!view->currentNode()->inputs.empty());
    }

    void a_node_opens_its_moving_picture() {
        WindowFixture fixture(QStringLiteral("preset:pretrain-8b"));
        auto *view = fixture.window().view<ExplainView>();
        auto *button = view->findChild<QPushButton *>(QStringLiteral("showPicture"));
        QVERIFY(view->openFigure(QStringLiteral("step.data_exposed_seconds")));
        QTRY_VERIFY(view->currentNode() != nullptr);
        QVERIFY(!button->isVisibleTo(view)); // a sum has no curve
        QTest::keyClick(view->tree(), Qt::Key_Down);
        QCOMPARE(view->currentNode()->name, std::string("reduce"));
        QVERIFY(button->isVisibleTo(view));
        button->click();
        auto *dialog = fixture.window().findChild<QDialog *>(QStringLiteral("nodePicture"));
        QVERIFY(dialog != nullptr && dialog->isVisible());
        auto *shown = dialog->findChild<FormulaPicture *>();
        QVERIFY(shown->isVisibleTo(dialog) && shown->view()->width() >= 600);
        QCOMPARE(shown->view()->picture().name, std::string("overlap"));
        // A symbol under the pointer is outlined in the picture: the reductions in their lane.
        auto *formula = dialog->findChild<NodeFormula *>();
        QVERIFY(formula->isVisible());
        const QImage plain = shown->grab().toImage();
        Q_EMIT formula->inputHovered(QStringLiteral("traffic_seconds"));
        QVERIFY(shown->grab().toImage() != plain);
        Q_EMIT formula->inputHovered({});
        QCOMPARE(shown->grab().toImage(), plain);
        const auto *note = dialog->findChild<QLabel *>(QStringLiteral("pictureNote"));
        QVERIFY(note->height() >= note->heightForWidth(note->width()));
        QTest::keyClick(dialog, Qt::Key_Escape);
        QTRY_VERIFY(fixture.window().findChild<QDialog *>(QStringLiteral("nodePicture")) == nullptr);
    }

    void a_symbol_under_the_pointer_lights_its_value_its_input_and_its_row() {
        WindowFixture fixture(QStringLiteral("preset:pretrain-8b"));
        auto *view = fixture.window().view<ExplainView>();
        fixture.window().rail()->show(view);
        QVERIFY(view->openFigure(QStringLiteral("step.mfu")));
        QTRY_VERIFY(view->currentNode() != nullptr);
        auto *card = view->findChild<NodeCard *>();
        auto *row = card->findChild<InputRow *>(QStringLiteral("input0"));
        const QList<FormulaLabel *> formulas = card->findChildren<FormulaLabel *>();
        QCOMPARE(formulas.size(), 2);
        const QImage plainRow = row->grab().toImage();
        const QImage plainTree = view->tree()->grab().toImage();
        QList<QImage> plain;
        for (FormulaLabel *formula : formulas)
            plain.append(formula->grab().toImage());
        // Looks for the first input's symbol in the formula.
        const QSignalSpy lit(card, &NodeCard::inputLit);
        const auto isLit = [&] { return !lit.isEmpty() && lit.last().first().toString() == row->name(); };
        for (int y = 0; y < formulas.front()->height() && !isLit(); y += 2)
            for (int x = 0; x < formulas.front()->width() && !isLit(); x += 2)
                QTest::mouseMove(formulas.front(), {x, y});
        QVERIFY(isLit());
        QVERIFY(row->grab().toImage() != plainRow);
        QVERIFY(view->tree()->grab().toImage() != plainTree);
        for (int i = 0; i < 2; ++i)
            QVERIFY(formulas[i]->grab().toImage() != plain[i]);
        QTest::mouseMove(card, {1, 1});
        QTRY_VERIFY(lit.last().first().toString().isEmpty());
        QCOMPARE(row->grab().toImage(), plainRow);
    }

    void copies_say_value_formula_numbers_and_source() {
        WindowFixture fixture;
        ExplainView *view = fixture.window().view<ExplainView>();
        fixture.window().rail()->show(view);
        QVERIFY(view->openFigure(QStringLiteral("run.rental_dollars")));
        const QString source = QString::fromStdString(view->currentNode()->source);
        fixture.find<QPushButton>("copyText")->click();
        const QString text = QGuiApplication::clipboard()->text();
        QVERIFY(text.contains(QStringLiteral("= accelerators * days * 24 * price_per_hour")));
        QVERIFY(text.contains(QStringLiteral("$3.50/h")) && text.contains(source));
        fixture.find<QPushButton>("copyMarkdown")->click();
        QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("| `price_per_hour` |")));
        fixture.find<QPushButton>("copyLatex")->click();
        const QString math = QGuiApplication::clipboard()->text();
        QVERIFY2(math.contains(QStringLiteral("\\mathit{accelerators} \\cdot \\mathit{days} \\cdot 24")),
                 qPrintable(math));
        QCOMPARE(math.count(QLatin1Char('{')), math.count(QLatin1Char('}')));
    }

    void formulas_are_converted_to_latex() {
        QCOMPARE(latex("a / (b * c)"), QStringLiteral("\\frac{a}{b \\cdot c}"));
        QCOMPARE(latex("2 * (n - 1) / n"), QStringLiteral("\\frac{2 \\cdot \\left(n - 1\\right)}{n}"));
        QCOMPARE(latex("a - (b - c)"), QStringLiteral("a - \\left(b - c\\right)"));
        QCOMPARE(latex("max(a, log2(b))"), QStringLiteral("\\max\\left(a, \\log_2\\left(b\\right)\\right)"));
        QCOMPARE(latex("(a + b)^2"), QStringLiteral("\\left(a + b\\right)^{2}"));
        QCOMPARE(latex("a > 1 ? b : c"),
                 QStringLiteral("\\begin{cases}b & \\text{if } a > 1 \\\\ c & \\text{otherwise}\\end{cases}"));
        QCOMPARE(latex("1e-6 * x"), QStringLiteral("1 \\cdot 10^{-6} \\cdot x"));
        QCOMPARE(latex("a +"), QStringLiteral("unread"));
        QCOMPARE(latex(QByteArray(10000, '(').constData()), QStringLiteral("unread"));
    }

    void every_formula_of_every_node_is_read() {
        WindowFixture fixture;
        const Derivation tree = explain(resultOf(fixture));
        std::vector<const Derivation *> waiting{&tree};
        int formulas = 0;
        while (!waiting.empty()) {
            const Derivation *node = waiting.back();
            waiting.pop_back();
            for (const Derivation &input : node->inputs)
                waiting.push_back(&input);
            if (node->formula.empty())
                continue;
            QVERIFY2(readFormula(QString::fromStdString(node->formula)), node->formula.c_str());
            ++formulas;
        }
        QVERIFY(formulas > 50);
    }

    void a_plan_that_cannot_be_evaluated_leaves_the_last_derivation_marked() {
        WindowFixture fixture;
        ExplainView *view = fixture.window().view<ExplainView>();
        fixture.window().rail()->show(view);
        fixture.document().apply({.field = QStringLiteral("/parallelism/tensor"),
                                  .subject = QStringLiteral("Tensor"),
                                  .from = {},
                                  .to = QStringLiteral("7"),
                                  .patch = ordered_json{{"parallelism", {{"tensor", 7}}}}.dump(),
                                  .pace = EditPace::Settled});
        QVERIFY(fixture.settle());
        QCOMPARE(fixture.session().view().freshness, Freshness::Invalid);
        QVERIFY(view->currentNode() != nullptr);
        QVERIFY(fixture.find<QWidget>("staleExplanation")->isVisible());
        fixture.document().undoStack()->undo();
        QVERIFY(fixture.settle());
        QVERIFY(!fixture.find<QWidget>("staleExplanation")->isVisible());
    }

    void a_hidden_view_requests_no_derivations() {
        WindowFixture fixture;
        QVERIFY(fixture.window().view<ExplainView>()->currentNode() == nullptr);
        fixture.showView(QStringLiteral("Explain"));
        QCOMPARE(explained(fixture), resultOf(fixture).step.seconds);
    }

    void the_rail_has_a_name_and_room_for_every_view() {
        for (const int width : {1600, 1280}) {
            WindowFixture fixture({}, {width, 800});
            const ViewRail *rail = fixture.window().rail();
            QCOMPARE(rail->width(), width < 1400 ? ViewRail::CompactWidth : ViewRail::Width);
            for (const char *name : {"planViewButton", "explainViewButton"}) {
                auto *button = fixture.find<QWidget>(name);
                QVERIFY(rail->rect().contains(button->geometry()));
                QCOMPARE(button->x(), rail->width() - button->geometry().right() - 1);
                QVERIFY(!button->accessibleName().isEmpty());
            }
        }
    }

    void names_are_whole_in_a_small_window() {
        WindowFixture fixture({}, {1280, 720});
        ExplainView *view = fixture.window().view<ExplainView>();
        fixture.window().rail()->show(view);
        for (const char *figure : {"step.seconds", "memory.reserved_bytes"}) {
            QVERIFY(view->openFigure(QLatin1String(figure)));
            view->tree()->expandToDepth(1);
            QTest::qWait(50);
            const QFontMetrics metrics(Theme::current().font(TypeRole::Body, TextWeight::SemiBold));
            int rows = 0;
            for (QModelIndex row = view->model()->index(0, 0); row.isValid(); row = view->tree()->indexBelow(row)) {
                const QRect area = view->tree()->visualRect(row);
                constexpr int padding = 8;
                const QRect text = metrics.boundingRect(QRect(0, 0, area.width() - 2 * padding, QWIDGETSIZE_MAX),
                                                        Qt::TextWordWrap, row.data().toString());
                QVERIFY2(text.height() < area.height() && text.width() <= area.width() - 2 * padding,
                         qPrintable(row.data().toString()));
                ++rows;
            }
            QVERIFY(rows > 3);
        }
    }

    void key_figures_begin_with_a_paragraph() {
        WindowFixture fixture;
        ExplainView *view = fixture.window().view<ExplainView>();
        fixture.window().rail()->show(view);
        const auto *paragraph = view->findChild<QLabel *>(QStringLiteral("nodeParagraph"));
        QVERIFY(view->openFigure(QStringLiteral("step.seconds")));
        QVERIFY(paragraph->isVisible() && paragraph->text().contains(QLatin1String("One optimizer step trains on")));
        QVERIFY(view->openFigure(QStringLiteral("parameters.total")));
        QVERIFY(!paragraph->isVisible());
    }

    void pictures_are_saved_on_request() {
        const QString folder = qEnvironmentVariable("MESHWRIGHT_PICTURES");
        if (folder.isEmpty())
            QSKIP("MESHWRIGHT_PICTURES is not set to a folder");
        for (const QSize size : {QSize(1280, 720), QSize(1600, 1000), QSize(2560, 1440)}) {
            WindowFixture fixture({}, size);
            ExplainView *view = fixture.window().view<ExplainView>();
            for (const ThemeMode mode : {ThemeMode::Dark, ThemeMode::Light}) {
                Theme::apply(*qobject_cast<QApplication *>(QCoreApplication::instance()), mode);
                const QString name = QStringLiteral("%1/%2-%3x%4-%5.png");
                const QString theme = mode == ThemeMode::Dark ? QStringLiteral("dark") : QStringLiteral("light");
                const auto grab = [&](const QString &what) {
                    QTest::qWait(100);
                    fixture.window().grab().save(
                        name.arg(folder, what).arg(size.width()).arg(size.height()).arg(theme));
                };
                fixture.window().rail()->show(fixture.window().view<PlanPage>());
                grab(QStringLiteral("plan"));
                fixture.window().rail()->show(view);
                QVERIFY(view->openFigure(QStringLiteral("step.mfu")));
                view->tree()->expandToDepth(2);
                grab(QStringLiteral("mfu"));
                QVERIFY(view->openFigure(QStringLiteral("step.seconds")));
                grab(QStringLiteral("step"));
            }
        }
    }
};

LISTED_TEST(ExplainTest)
#include "tst_explain.moc"

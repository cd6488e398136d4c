// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvases/memory_bars.h"
#include "canvases/step_bar.h"
#include "catalog/library.h"
#include "compare/causes_card.h"
#include "compare/causes_model.h"
#include "compare/compare_view.h"
#include "compare/compared_bars.h"
#include "compare/fields_model.h"
#include "compare/figures_model.h"
#include "compare/invitation.h"
#include "compare/plan_header.h"
#include "compare/plan_heads.h"
#include "compare/timelines_card.h"
#include "compared_window.h"
#include "controls/notice_strip.h"
#include "controls/text_label.h"
#include "controls/toggle_switch.h"
#include "evaluate/evaluate.h"
#include "explain/explain_view.h"
#include "listed_test.h"
#include "models/figure_table.h"
#include "painted_text.h"
#include "plan/plan_json.h"
#include "plan/plan_page.h"
#include "theme/theme.h"
#include "timeline/timeline_canvas.h"
#include "views/problems_card.h"

#include <QAction>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFile>
#include <QMimeData>
#include <QPushButton>
#include <QScrollArea>
#include <QToolButton>

using namespace meshwright;

class CompareViewTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void an_empty_view_invites_to_ready_comparisons();
    void a_ready_comparison_opens_by_key();
    void a_ready_comparison_that_makes_no_sense_says_why();
    void figures_stand_side_by_side_and_open();
    void differences_only_hides_what_is_equal();
    void bars_and_pipelines_have_a_row_per_plan();
    void effects_in_order_add_up_to_the_difference();
    void effects_open_with_the_plans_before_and_after();
    void fields_open_by_part_and_go_to_the_panel();
    void plans_come_from_snapshots_and_history();
    void plans_come_from_files_and_drops();
    void four_plans_are_the_most();
    void a_plan_is_removed_and_opened_by_its_buttons();
    void an_edit_is_compared_anew();
    void an_invalid_plan_keeps_the_comparison_and_is_fixed();
    void a_plan_that_does_not_fit_is_marked();
    void names_are_text();
    void heads_of_columns_can_be_told_apart();
    void names_in_cards_and_beside_bars_can_be_told_apart();
    void large_changes_read_as_factors_everywhere();
    void a_small_window_shows_everything();
};

void CompareViewTest::an_empty_view_invites_to_ready_comparisons() {
    Compared compared(QStringLiteral("pretrain-8b"));
    QVERIFY(compared.view->invitation()->isVisible());
    QVERIFY(!compared.isShown());
    QTest::mouseClick(compared.view->invitation()->button(TradeOff::precision), Qt::LeftButton);
    QVERIFY(compared.settle());
    QVERIFY(!compared.view->invitation()->isVisible());
    QVERIFY(compared.isShown());
    QCOMPARE(compared.view->others().size(), 1);
    QCOMPARE(compared.view->others().first().name, QStringLiteral("FP8"));
}

void CompareViewTest::a_ready_comparison_opens_by_key() {
    Compared compared(QStringLiteral("pretrain-8b"));
    QVERIFY(compared.view->invitation()->button(TradeOff::sharding)->hasFocus());
    QTest::keyClick(compared.view->invitation()->button(TradeOff::sharding), Qt::Key_Space);
    QVERIFY(compared.settle());
    QCOMPARE(compared.view->others().size(), 3);
    QCOMPARE(compared.view->others()[0].name, QStringLiteral("FSDP"));
    QCOMPARE(compared.view->others()[2].name, QStringLiteral("Megatron"));
    QVERIFY(compared.isShown());
}

void CompareViewTest::a_ready_comparison_that_makes_no_sense_says_why() {
    Compared compared(QStringLiteral("ten-to-25-a100"));
    compared.view->openTradeOff(TradeOff::precision);
    QVERIFY(compared.settle());
    QVERIFY(compared.window.window().notices()->text().contains(QStringLiteral("FP8")));
    QVERIFY(compared.view->others().isEmpty() && compared.view->invitation()->isVisible());
}

void CompareViewTest::figures_stand_side_by_side_and_open() {
    Compared compared(QStringLiteral("pretrain-8b"));
    compared.addPreset(QStringLiteral("llama3-70b"));
    const ComparedFiguresModel *figures = compared.view->figures();
    QCOMPARE(figures->columnCount(), 3);
    const int row = compared.rowOf(QStringLiteral("Step time"));
    QVERIFY(row >= 0);
    QVERIFY(!figures->index(row, 2).data(ComparedFiguresModel::ChangeRole).toString().isEmpty());
    QCOMPARE(std::max(figures->index(row, 1).data(ComparedFiguresModel::ShareRole).toDouble(),
                      figures->index(row, 2).data(ComparedFiguresModel::ShareRole).toDouble()),
             1.0);
    FigureTable *table = compared.view->figuresTable();
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(figures->index(row, 2)).center());
    ExplainView *explain = compared.window.window().view<ExplainView>();
    QTRY_VERIFY(explain->isVisible() && explain->currentNode() != nullptr);
    const double other = *figures->figureOfRow(row).values[1];
    QTRY_VERIFY(explain->currentNode() != nullptr && std::abs(explain->currentNode()->value / other - 1) < 1e-9);
    // Enter opens the derivation for the current plan too.
    compared.window.showView(QStringLiteral("Compare"));
    table->setFocus();
    table->setCurrentIndex(figures->index(row, 1));
    QTest::keyClick(table, Qt::Key_Return);
    QTRY_VERIFY(explain->isVisible() && explain->currentNode()->name == "step_seconds");
}

void CompareViewTest::differences_only_hides_what_is_equal() {
    Compared compared(QStringLiteral("pretrain-8b"));
    compared.view->openTradeOff(TradeOff::precision);
    QVERIFY(compared.settle());
    const int all = compared.view->figures()->rowCount();
    QVERIFY(compared.rowOf(QStringLiteral("Parameters")) >= 0);
    QTest::mouseClick(compared.view->differencesOnly(), Qt::LeftButton);
    QVERIFY(compared.view->figures()->rowCount() < all);
    QCOMPARE(compared.rowOf(QStringLiteral("Parameters")), -1);
    QVERIFY(compared.rowOf(QStringLiteral("Step time")) >= 0);
    QTest::mouseClick(compared.view->differencesOnly(), Qt::LeftButton);
    QCOMPARE(compared.view->figures()->rowCount(), all);
}

void CompareViewTest::bars_and_pipelines_have_a_row_per_plan() {
    Compared compared(QStringLiteral("pretrain-70b-1k-design"));
    compared.addPreset(QStringLiteral("pretrain-8b"));
    compared.addPreset(QStringLiteral("ten-to-25"));
    QCOMPARE(compared.view->memory()->view().bars.size(), 3);
    QCOMPARE(compared.view->steps()->view().rows.size(), 3);
    // The plans have different accelerators, so a single capacity line would be wrong for some of them.
    QCOMPARE(compared.view->memory()->view().capacityBytes, 0.0);
    QVERIFY(compared.view->memory()->view().bars[2].capacityBytes
            > compared.view->memory()->view().bars[0].capacityBytes);
    for (int plan = 0; plan < 3; ++plan)
        QVERIFY(compared.view->timelines()->canvas(plan)->model() != nullptr);
}

void CompareViewTest::effects_in_order_add_up_to_the_difference() {
    Compared compared(QStringLiteral("pretrain-8b"));
    compared.view->openTradeOff(TradeOff::sharding);
    QVERIFY(compared.settle());
    compared.addPreset(QStringLiteral("llama3-70b"));
    const CausesModel *causes = compared.view->causes()->model();
    for (const std::string &path : caused_figure_paths()) {
        compared.view->causes()->chooseFigure(QString::fromStdString(path));
        if (!causes->hasCauses())
            continue;
        const int last = causes->rowCount() - 1;
        double reached = causes->index(0, CausesModel::Bar).data(CausesModel::ToRole).toDouble();
        const double first = reached;
        for (int row = 1; row < last; ++row) {
            const QModelIndex bar = causes->index(row, CausesModel::Bar);
            QVERIFY(std::abs(bar.data(CausesModel::FromRole).toDouble() - reached) <= 1e-6 * std::abs(first));
            reached = bar.data(CausesModel::ToRole).toDouble();
        }
        const double other = causes->index(last, CausesModel::Bar).data(CausesModel::ToRole).toDouble();
        QVERIFY2(std::abs(reached - other) <= 1e-6 * std::abs(other), path.c_str());
    }
}

void CompareViewTest::effects_open_with_the_plans_before_and_after() {
    Compared compared(QStringLiteral("pretrain-8b"));
    compared.addPreset(QStringLiteral("llama3-70b"));
    const CausesModel *causes = compared.view->causes()->model();
    QVERIFY(causes->hasCauses());
    for (const int column : {CausesModel::InOrder, CausesModel::Alone, CausesModel::Interaction}) {
        const auto figure = causes->index(1, column).data(FiguresTable::FigureRole).value<FigureRef>();
        const FigureBook::Found found = compared.window.explained(figure);
        QVERIFY2(found, qPrintable(figure.name()));
        QCOMPARE(found.figure->inputs.size(), 2u);
    }
    FigureTable *table = compared.view->causes()->table();
    table->setFocus();
    table->setCurrentIndex(causes->index(1, CausesModel::InOrder));
    QTest::keyClick(table, Qt::Key_Return);
    QTRY_VERIFY(compared.window.window().view<ExplainView>()->isVisible());
}

void CompareViewTest::fields_open_by_part_and_go_to_the_panel() {
    Compared compared(QStringLiteral("pretrain-8b"));
    compared.addPreset(QStringLiteral("ten-to-25"));
    ComparedFieldsModel *fields = compared.view->fields();
    int part = -1;
    for (int row = 0; row < fields->rowCount(); ++row)
        if (!fields->index(row, 0).data(ComparedFieldsModel::PartRole).toString().isEmpty())
            part = row;
    QVERIFY2(part >= 0, "the list of differences has no field of the cluster");
    const int closed = fields->rowCount();
    auto *table = compared.view->findChild<QTableView *>(QStringLiteral("comparedFields"));
    table->setFocus();
    table->setCurrentIndex(fields->index(part, 0));
    QTest::keyClick(table, Qt::Key_Return);
    QVERIFY(fields->rowCount() > closed);
    QTest::keyClick(table, Qt::Key_Return);
    QCOMPARE(fields->rowCount(), closed);
    for (int row = 0; row < fields->rowCount(); ++row)
        if (fields->index(row, 0).data().toString() == QStringLiteral("batch.global_sequences"))
            table->setCurrentIndex(fields->index(row, 0));
    QTest::keyClick(table, Qt::Key_Return);
    QTRY_VERIFY(compared.window.window().view<PlanPage>()->isVisible());
}

void CompareViewTest::plans_come_from_snapshots_and_history() {
    Compared compared(QStringLiteral("pretrain-8b"));
    compared.window.document().addSnapshot(QStringLiteral("Before & after"));
    compared.patch(R"({"batch": {"micro_sequences": 2}})");
    compared.patch(R"({"recompute": {"mode": "full"}})");
    // The menu text without its ampersands.
    QVERIFY(compared.take(QStringLiteral("Snapshots"), QStringLiteral("Before  after")));
    QVERIFY(compared.take(QStringLiteral("Undo History"), QStringLiteral("As opened")));
    QCOMPARE(compared.view->others().size(), 2);
    QCOMPARE(compared.view->others()[0].name, QStringLiteral("Before & after"));
    QCOMPARE(compared.view->others()[0].plan, compared.view->others()[1].plan);
    QCOMPARE(compared.view->others()[1].plan.batch.micro_sequences, 1);
    compared.window.document().undoStack()->undo();
    QVERIFY(compared.settle());
    QCOMPARE(compared.window.document().documentAt(2)["recompute"]["mode"], "full");
    QCOMPARE(compared.window.document().documentAt(1), compared.window.json());
}

void CompareViewTest::plans_come_from_files_and_drops() {
    Compared compared(QStringLiteral("pretrain-8b"));
    compared.window.write(QStringLiteral("other.plan"), Library::standard().json(PresetKind::plan, "llama3-70b"));
    compared.window.prompts.path = compared.window.file(QStringLiteral("other.plan"));
    compared.view->addMenu()->findChild<QAction *>(QStringLiteral("compareFile"))->trigger();
    QVERIFY(compared.settle());
    QCOMPARE(compared.view->others().size(), 1);
    QCOMPARE(compared.view->others().first().origin, QStringLiteral("other.plan"));
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(compared.window.file(QStringLiteral("other.plan")))});
    QDragEnterEvent entered({200, 200}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&compared.window.window(), &entered);
    QVERIFY(entered.isAccepted());
    QDropEvent dropped({200, 200}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&compared.window.window(), &dropped);
    QVERIFY(compared.settle());
    QCOMPARE(compared.view->others().size(), 2);
    QCOMPARE(compared.window.session().view().plan.model_id, std::string("llama-3.1-8b"));
    QFile script(compared.window.file(QStringLiteral("train.sh")));
    QVERIFY(script.open(QIODevice::WriteOnly));
    script.write("torchrun --nproc_per_node 8 pretrain_gpt.py --tensor-model-parallel-size 2 --num-layers 16 "
                 "--hidden-size 2048 --num-attention-heads 16 --seq-length 2048 --max-position-embeddings 2048 "
                 "--micro-batch-size 1 --global-batch-size 64 --train-iters 1000 --bf16\n");
    script.close();
    compared.window.prompts.path = script.fileName();
    compared.view->addMenu()->findChild<QAction *>(QStringLiteral("compareFile"))->trigger();
    QVERIFY(compared.settle());
    QCOMPARE(compared.view->others().size(), 3);
    QCOMPARE(compared.view->others().last().plan.parallelism.tensor, 2);
    compared.window.prompts.path = compared.window.file(QStringLiteral("none.plan"));
    compared.view->addMenu()->findChild<QAction *>(QStringLiteral("compareFile"))->trigger();
    QVERIFY(compared.window.window().notices()->text().contains(QStringLiteral("none.plan")));
}

void CompareViewTest::four_plans_are_the_most() {
    Compared compared(QStringLiteral("pretrain-8b"));
    for (int i = 0; i < maxOtherPlans; ++i)
        compared.addPreset(QStringLiteral("smollm-135m"));
    QCOMPARE(compared.view->others().size(), maxOtherPlans);
    QVERIFY(!compared.window.find<QPushButton>("addComparedPlan")->isEnabled());
    compared.addPreset(QStringLiteral("smollm-135m"));
    QCOMPARE(compared.view->others().size(), maxOtherPlans);
    QVERIFY(compared.window.window().notices()->text().startsWith(QStringLiteral("This plan is already compared")));
}

void CompareViewTest::a_plan_is_removed_and_opened_by_its_buttons() {
    Compared compared(QStringLiteral("pretrain-8b"));
    compared.addPreset(QStringLiteral("llama3-70b"));
    compared.addPreset(QStringLiteral("smollm-135m"));
    const Plan first = compared.window.session().view().plan;
    const Plan second = compared.view->others()[0].plan;
    QTest::mouseClick(compared.view->heads()->head(1)->openButton(), Qt::LeftButton);
    QVERIFY(compared.settle());
    QCOMPARE(compared.window.session().view().plan.model, second.model);
    QCOMPARE(compared.view->others()[0].plan, first);
    QVERIFY(compared.isShown());
    QTest::mouseClick(compared.view->heads()->head(2)->removeButton(), Qt::LeftButton);
    QVERIFY(compared.settle());
    QCOMPARE(compared.view->others().size(), 1);
    QCOMPARE(compared.view->figures()->columnCount(), 3);
    QTest::mouseClick(compared.view->heads()->head(1)->removeButton(), Qt::LeftButton);
    QVERIFY(compared.view->invitation()->isVisible() && !compared.isShown());
}

void CompareViewTest::an_edit_is_compared_anew() {
    Compared compared(QStringLiteral("pretrain-8b"));
    compared.addPreset(QStringLiteral("llama3-70b"));
    const int row = compared.rowOf(QStringLiteral("Step time"));
    const QString before = compared.view->figures()->index(row, 1).data().toString();
    compared.patch(R"({"recompute": {"mode": "full"}})");
    QVERIFY(compared.view->figures()->index(row, 1).data().toString() != before);
    compared.window.showView(QStringLiteral("Plan"));
    compared.window.document().apply(
        {.subject = QStringLiteral("test"), .patch = R"({"recompute": {"mode": "none"}})"});
    QVERIFY(compared.window.settle());
    QVERIFY(!compared.view->isSettled()); // a hidden view does not start a comparison
    compared.window.showView(QStringLiteral("Compare"));
    QVERIFY(compared.settle());
}

void CompareViewTest::an_invalid_plan_keeps_the_comparison_and_is_fixed() {
    Compared compared(QStringLiteral("pretrain-8b"));
    compared.addPreset(QStringLiteral("llama3-70b"));
    compared.window.document().apply(
        {.subject = QStringLiteral("test"), .patch = R"({"batch": {"global_sequences": 1023}})"});
    QVERIFY(compared.window.settle());
    QVERIFY(!compared.window.session().view().valid);
    QVERIFY(compared.view->problems()->isVisible());
    QVERIFY(compared.isShown() && !compared.view->figuresTable()->isEnabled());
    compared.patch(R"({"batch": {"global_sequences": 1024}})");
    QVERIFY(!compared.view->problems()->isVisible());
    QVERIFY(compared.isShown() && compared.view->figuresTable()->isEnabled());
}

void CompareViewTest::a_plan_that_does_not_fit_is_marked() {
    Compared compared(QStringLiteral("pretrain-8b"));
    compared.addPreset(QStringLiteral("smollm-135m"));
    compared.patch(R"({"batch": {"micro_sequences": 4}})");
    const StackedRow &row = compared.view->memory()->stackedView().rows.first();
    QCOMPARE(row.noteTone, Tone::Bad);
    QVERIFY(row.note.endsWith(QStringLiteral("over")));
}

void CompareViewTest::names_are_text() {
    Compared compared(QStringLiteral("pretrain-8b"));
    nlohmann::ordered_json document = Library::standard().json(PresetKind::plan, "smollm-135m");
    document["name"] = "<b>bold</b> & <img src=x>";
    compared.window.write(QStringLiteral("markup.plan"), document);
    compared.window.prompts.path = compared.window.file(QStringLiteral("markup.plan"));
    compared.view->addMenu()->findChild<QAction *>(QStringLiteral("compareFile"))->trigger();
    QVERIFY(compared.settle());
    const QList<TextLabel *> labels = compared.view->heads()->head(1)->findChildren<TextLabel *>();
    QVERIFY(std::any_of(labels.begin(), labels.end(), [](const TextLabel *label) {
        return label->text() == QStringLiteral("<b>bold</b> & <img src=x>") && label->textFormat() == Qt::PlainText;
    }));
    QCOMPARE(compared.view->figures()->headerData(2, Qt::Horizontal, Qt::DisplayRole).toString(),
             QStringLiteral("B · <b>bold</b> & <img src=x>"));
}

void CompareViewTest::heads_of_columns_can_be_told_apart() {
    const PlanHeader header(nullptr);
    constexpr int narrow = 96;
    const QStringList first = header.linesOf(QStringLiteral("D · A 70B model on 1,024 H100, as designed"), narrow);
    const QStringList second = header.linesOf(QStringLiteral("E · A 70B model on 1,024 H100, as found"), narrow);
    QCOMPARE(first.size(), 2);
    QCOMPARE(second.size(), 2);
    QVERIFY(first.first().startsWith(QStringLiteral("D · A")));
    QVERIFY(first.last().endsWith(QStringLiteral("ned")));
    QVERIFY(second.last().endsWith(QStringLiteral("und")));
    const QFontMetrics metrics(Theme::of(&header).font(TypeRole::Caption));
    for (const QString &line : first + second)
        QVERIFY2(metrics.horizontalAdvance(line) <= narrow, qPrintable(line));
    QCOMPARE(header.linesOf(QStringLiteral("A · This plan"), 4 * narrow), QStringList{QStringLiteral("A · This plan")});
    QCOMPARE(header.linesOf(QString(), narrow), QStringList{QString()});
    QCOMPARE(header.linesOf(QStringLiteral("MMMMMMMMMMMMMMMM"), 2).size(), 2);
}

void CompareViewTest::names_in_cards_and_beside_bars_can_be_told_apart() {
    const QString name = QStringLiteral("A model of 70B parameters on 1,024 H100, tensor 8, pipeline 4");
    PlanHead head(1);
    head.showPlan({.name = name, .origin = QStringLiteral("a.plan"), .plan = {}});
    head.resize(260, head.sizeHint().height());
    head.show();
    const QList<TextLabel *> labels = head.findChildren<TextLabel *>();
    const auto label =
        std::find_if(labels.begin(), labels.end(), [&](const TextLabel *each) { return each->text() == name; });
    QVERIFY(label != labels.end());
    const QVector<PaintedNumber> painted = paintedNumbers(**label);
    QVERIFY(!painted.isEmpty());
    QVERIFY2(painted.last().text.endsWith(QStringLiteral(" 4")), qPrintable(painted.last().text));
    QVERIFY(std::none_of(painted.begin(), painted.end(), [&](const PaintedNumber &each) { return each.text == name; }));
    QCOMPARE((*label)->toolTip(), name);

    const Library &library = Library::standard();
    const auto result = std::make_shared<const Result>(
        evaluate(read_plan(library.json(PresetKind::plan, "pretrain-8b"), library).plan, Depth::closed_forms));
    const auto beside = [&](const char *other) {
        PlanComparison comparison;
        comparison.names = {"this", other};
        comparison.results = {result, result};
        return comparedSteps(comparison).rows.last().sublabel;
    };
    QVERIFY(beside("A model of 70B, pipeline 4") != beside("A model of 70B, pipeline 8"));
    QCOMPARE(beside("short"), QStringLiteral("short"));
}

void CompareViewTest::large_changes_read_as_factors_everywhere() {
    QCOMPARE(relativeChangeText(0.0001), QString());
    QCOMPARE(relativeChangeText(-0.124), QStringLiteral("−12.4%"));
    QCOMPARE(relativeChangeText(1.5), QStringLiteral("+150.0%"));
    QCOMPARE(relativeChangeText(61.5), QStringLiteral("× 62.5"));
    Compared compared(QStringLiteral("pretrain-8b"));
    compared.addPreset(QStringLiteral("ten-to-25"));
    const QAbstractItemModel *figures = compared.view->figuresTable()->model();
    QCOMPARE(figures->index(0, 0).data().toString(), QStringLiteral("Step time"));
    const QString change = figures->index(0, 2).data(ComparedFiguresModel::ChangeRole).toString();
    QVERIFY2(change.startsWith(QStringLiteral("× ")), qPrintable(change));
    QCOMPARE(compared.view->steps()->stackedView().rows.last().note, change);
}

void CompareViewTest::a_small_window_shows_everything() {
    Compared compared(QStringLiteral("pretrain-8b"), {1000, 600});
    for (const char *id : {"llama3-70b", "smollm-135m", "ten-to-25", "deepseek-v3"})
        compared.addPreset(QLatin1String(id));
    auto *scroll = compared.view->findChild<QScrollArea *>();
    const QWidget *page = compared.view->figuresTable()->parentWidget();
    QVERIFY(page->width() <= compared.view->width());
    QVERIFY(scroll != nullptr);
    for (int plan = 0; plan <= maxOtherPlans; ++plan) {
        const PlanHead *head = compared.view->heads()->head(plan);
        QVERIFY(head->isVisible() && head->width() >= 150);
        QVERIFY(head->geometry().right() <= compared.view->width());
    }
    for (int column = 0; column < compared.view->figures()->columnCount(); ++column)
        QVERIFY(compared.view->figuresTable()->columnWidth(column) >= 80);
}

LISTED_TEST(CompareViewTest)
#include "tst_compare_view.moc"

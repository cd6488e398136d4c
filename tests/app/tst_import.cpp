// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/library.h"
#include "controls/notice_strip.h"
#include "controls/segmented.h"
#include "evidence/calibrate_page.h"
#include "evidence/evidence_view.h"
#include "exchange/plan_command.h"
#include "exchange/plan_text.h"
#include "file_controller.h"
#include "import_controller.h"
#include "launch/import_account.h"
#include "launch/import_dialog.h"
#include "listed_test.h"
#include "panels/panel_column.h"
#include "plan/plan_page.h"
#include "size_on_screen.h"
#include "window_fixture.h"

#include <QAction>
#include <QClipboard>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFile>
#include <QGuiApplication>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QTableView>

using namespace meshwright;

namespace {

/// A typical batch script of a cluster, with the arguments of a small run.
constexpr const char *script = R"(#!/bin/bash
GPUS_PER_NODE=8
NNODES=4
torchrun --nproc_per_node $GPUS_PER_NODE --nnodes $NNODES pretrain_gpt.py \
  --tensor-model-parallel-size 4 --pipeline-model-parallel-size 2 --sequence-parallel \
  --num-layers 32 --hidden-size 4096 --ffn-hidden-size 11008 --num-attention-heads 32 \
  --seq-length 4096 --max-position-embeddings 4096 --micro-batch-size 1 --global-batch-size 256 \
  --train-iters 100000 --bf16 --use-distributed-optimizer --swiglu --log-interval 10
)";

constexpr const char *bandwidths = R"(# nThread 1 nGpus 8 minBytes 1048576 maxBytes 1073741824 step: 2(factor)
#  Rank  0 Group  0 Pid   1234 on      node1 device  0 [0x18] NVIDIA H100 80GB HBM3
#  Rank  1 Group  0 Pid   1234 on      node1 device  1 [0x2a] NVIDIA H100 80GB HBM3
#  Rank  2 Group  0 Pid   1234 on      node1 device  2 [0x3a] NVIDIA H100 80GB HBM3
#  Rank  3 Group  0 Pid   1234 on      node1 device  3 [0x5d] NVIDIA H100 80GB HBM3
#  Rank  4 Group  0 Pid   1234 on      node1 device  4 [0x9a] NVIDIA H100 80GB HBM3
#  Rank  5 Group  0 Pid   1234 on      node1 device  5 [0xab] NVIDIA H100 80GB HBM3
#  Rank  6 Group  0 Pid   1234 on      node1 device  6 [0xba] NVIDIA H100 80GB HBM3
#  Rank  7 Group  0 Pid   1234 on      node1 device  7 [0xdb] NVIDIA H100 80GB HBM3
#                                                              out-of-place                       in-place
#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
     1048576        262144     float     sum      -1    36.10   29.05   50.83      0    35.90   29.21   51.11      0
  1073741824     268435456     float     sum      -1   4010.0  267.77  468.59      0   4012.0  267.63  468.36      0
# Avg bus bandwidth    : 259.7
)";

constexpr const char *trainingLog =
    R"(using world size: 8, data-parallel size: 1, context-parallel size: 1, tensor-model-parallel size: 8, pipeline-model-parallel size: 1
 [2024-05-01 10:00:01] iteration        1/     100 | consumed samples:          64 | elapsed time per iteration (ms): 9000.1 | throughput per GPU (TFLOP/s/GPU): 390.1 | learning rate: 1.000000E-05 | global batch size:    64 | lm loss: 1.0E+01 | loss scale: 1.0 | grad norm: 1.000 |
 [2024-05-01 10:00:10] iteration        2/     100 | consumed samples:         128 | elapsed time per iteration (ms): 8100.2 | throughput per GPU (TFLOP/s/GPU): 433.5 | learning rate: 1.000000E-05 | global batch size:    64 | lm loss: 9.9E+00 | loss scale: 1.0 | grad norm: 1.000 |
 [2024-05-01 10:00:18] iteration        3/     100 | consumed samples:         192 | elapsed time per iteration (ms): 8102.0 | throughput per GPU (TFLOP/s/GPU): 433.4 | learning rate: 1.000000E-05 | global batch size:    64 | lm loss: 9.8E+00 | loss scale: 1.0 | grad norm: 1.000 |
)";

class ImportFixture : public WindowFixture {
public:
    explicit ImportFixture(const QString &plan = QStringLiteral("preset:pretrain-8b"))
        : WindowFixture(plan) {
        prompts.importAnswer = [](QWidget *, const ImportQuestion &question) {
            return std::optional(ImportAnswer{.document = question.imported.document, .tier = question.tier});
        };
    }
    QString put(const QString &name, const QByteArray &content) const {
        QFile written(file(name));
        if (!written.open(QIODevice::WriteOnly))
            qWarning("%s cannot be written", qPrintable(name));
        written.write(content);
        return written.fileName();
    }
    bool wait() {
        return QTest::qWaitFor([this] { return !window().imports()->isBusy(); }, patience) && settle();
    }
    void open(const QString &path) {
        prompts.path = path;
        window().files()->chooseFile();
        QVERIFY(wait());
    }
    void paste(const QString &text) {
        QGuiApplication::clipboard()->setText(text);
        window().view<PlanPage>()->setFocus();
        QTest::keyClick(&window(), Qt::Key_V, Qt::ControlModifier);
        QVERIFY(wait());
    }
    QString said() { return window().notices()->text(); }
};

ImportQuestion questionOf(const QByteArray &text, const QString &name) {
    const LaunchFile file{.name = name.toStdString(), .text = text.toStdString()};
    return {.files = name, .kind = QStringLiteral("test"), .imported = import_files({file}, {}, Library::standard())};
}

} // namespace

class ImportTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void a_script_is_shown_before_it_opens() {
        ImportFixture fixture;
        fixture.open(fixture.put(QStringLiteral("train.sh"), script));
        QCOMPARE(fixture.prompts.imports.size(), 1u);
        const ImportQuestion &question = fixture.prompts.imports.front();
        QCOMPARE(question.imported.kind, std::string("megatron"));
        QCOMPARE(question.files, QStringLiteral("train.sh"));
        QVERIFY(question.imported.understood.size() > 10 && !question.imported.assumed.empty());
        QCOMPARE(fixture.session().view().plan.parallelism.tensor, 4);
        QCOMPARE(fixture.session().view().plan.parallelism.pipeline, 2);
        QCOMPARE(fixture.document().path(), QString());
        QVERIFY(fixture.window().view<PlanPage>()->isVisible());
        QVERIFY(fixture.said().startsWith(QStringLiteral("Opened from train.sh")));
    }

    void the_dialog_opens_no_larger_than_its_screen() {
        ImportDialog dialog(questionOf(script, QStringLiteral("train.sh")), Library::standard());
        dialog.show();
        QVERIFY(opensOnScreen(dialog));
    }

    void a_canceled_import_changes_nothing() {
        ImportFixture fixture;
        fixture.prompts.importAnswer = nullptr;
        const nlohmann::ordered_json before = fixture.json();
        fixture.open(fixture.put(QStringLiteral("train.sh"), script));
        QCOMPARE(fixture.prompts.imports.size(), 1u);
        QCOMPARE(fixture.json(), before);
        QCOMPARE(fixture.edits(), 0);
    }

    void unsaved_changes_are_asked_about() {
        ImportFixture fixture;
        fixture.document().apply({.subject = QStringLiteral("test"), .patch = R"({"batch": {"micro_sequences": 2}})"});
        fixture.settle();
        fixture.open(fixture.put(QStringLiteral("train.sh"), script)); // the user cancels
        QCOMPARE(fixture.prompts.saveQuestions, 1);
        QCOMPARE(fixture.session().view().plan.batch.micro_sequences, 2);
    }

    void the_dialog_shows_what_needs_attention_and_takes_edits() {
        ImportDialog dialog(questionOf(script, QStringLiteral("train.sh")), Library::standard());
        dialog.show();
        QTRY_VERIFY(!dialog.isBusy() && dialog.preview().valid);
        ImportAccount *account = dialog.account();
        QVERIFY(account->page() == ImportAccount::Page::Assumed || account->page() == ImportAccount::Page::Faults);
        dialog.pages()->button(1)->click();
        QCOMPARE(account->page(), ImportAccount::Page::Assumed);
        const QString before = dialog.preview().plan;
        int row = -1;
        for (int each = 0; each < account->rowCount(); ++each)
            if (account->index(each, 0).data().toString().contains(QStringLiteral("accelerator"))
                && account->flags(account->index(each, 1)).testFlag(Qt::ItemIsEditable))
                row = each;
        QVERIFY(row >= 0);
        const QModelIndex value = account->index(row, 1);
        dialog.table()->setFocus();
        dialog.table()->setCurrentIndex(value);
        QTest::keyClick(dialog.table(), Qt::Key_F2);
        auto *editor = dialog.table()->findChild<QLineEdit *>();
        QVERIFY(editor != nullptr);
        editor->selectAll();
        QTest::keyClicks(editor, QStringLiteral("h200-sxm-141gb"));
        QTest::keyClick(editor, Qt::Key_Return);
        QTRY_COMPARE(value.data().toString(), QStringLiteral("h200-sxm-141gb"));
        QTRY_VERIFY(!dialog.isBusy() && dialog.preview().plan != before);
        QCOMPARE(account->index(row, 2).data().toString(), QStringLiteral("set here"));
        QVERIFY(dialog.answer().document.dump().find("h200-sxm-141gb") != std::string::npos);
        QTest::keyClick(&dialog, Qt::Key_Escape);
        QCOMPARE(dialog.result(), static_cast<int>(QDialog::Rejected));
    }

    void a_dialog_that_closes_while_a_value_is_typed_drops_it() {
        ImportDialog dialog(questionOf(script, QStringLiteral("train.sh")), Library::standard());
        dialog.show();
        dialog.pages()->button(1)->click();
        const ImportAccount *account = dialog.account();
        for (int row = 0; row < account->rowCount(); ++row)
            if (account->flags(account->index(row, 1)).testFlag(Qt::ItemIsEditable))
                dialog.table()->setCurrentIndex(account->index(row, 1));
        dialog.table()->setFocus();
        QTest::keyClick(dialog.table(), Qt::Key_F2);
        auto *editor = dialog.table()->findChild<QLineEdit *>();
        QVERIFY(editor != nullptr);
        QTest::keyClicks(editor, QStringLiteral("x"));
    }

    void lists_are_not_edited_as_text() {
        ImportAccount account(questionOf(script, QStringLiteral("train.sh")));
        account.setPage(ImportAccount::Page::Assumed);
        bool found = false;
        for (int row = 0; row < account.rowCount(); ++row)
            if (account.index(row, 0).data().toString() == QStringLiteral("cluster.tiers")) {
                found = true;
                QVERIFY(!account.flags(account.index(row, 1)).testFlag(Qt::ItemIsEditable));
            }
        QVERIFY(found);
    }

    void enter_accepts_the_dialog() {
        ImportDialog dialog(questionOf(script, QStringLiteral("train.sh")), Library::standard());
        dialog.show();
        QVERIFY(dialog.acceptButton()->isDefault());
        QTest::keyClick(&dialog, Qt::Key_Return);
        QCOMPARE(dialog.result(), static_cast<int>(QDialog::Accepted));
    }

    void every_option_is_on_one_page() {
        const ImportQuestion question = questionOf(script, QStringLiteral("train.sh"));
        const ImportAccount account(question);
        QCOMPARE(account.countOf(ImportAccount::Page::Understood), int(question.imported.understood.size()));
        QCOMPARE(account.countOf(ImportAccount::Page::Ignored), int(question.imported.ignored.size()));
        QVERIFY(account.countOf(ImportAccount::Page::Ignored) > 0); // --log-interval
    }

    void an_unknown_file_is_one_clear_line() {
        ImportFixture fixture;
        const nlohmann::ordered_json before = fixture.json();
        fixture.open(fixture.put(QStringLiteral("notes.txt"), "buy milk\n"));
        QVERIFY2(fixture.said().startsWith(QStringLiteral("notes.txt: not recognized; expected a plan")),
                 qPrintable(fixture.said()));
        QVERIFY(!fixture.said().contains(QLatin1Char('\n')));
        QVERIFY(fixture.prompts.imports.empty());
        QCOMPARE(fixture.json(), before);
        fixture.open(fixture.put(QStringLiteral("binary.bin"), QByteArray("\x00\x01\xff\xfe", 4)));
        QVERIFY(fixture.said().startsWith(QStringLiteral("binary.bin: not recognized")));
    }

    void a_plan_as_text_pastes_and_undo_history_is_new() {
        ImportFixture fixture;
        const auto &other = Library::standard().json(PresetKind::plan, "smollm-135m");
        fixture.paste(QString::fromStdString(plan_text(other)));
        QCOMPARE(fixture.json(), other);
        QCOMPARE(fixture.edits(), 0);
        fixture.paste(QStringLiteral("meshwright-plan-1:broken"));
        QVERIFY(fixture.said().startsWith(QStringLiteral("Clipboard: ")));
        QCOMPARE(fixture.json(), other);
    }

    void a_command_line_and_a_plans_json_paste() {
        ImportFixture fixture;
        fixture.paste(QStringLiteral("meshwright-cli evaluate preset:smollm-135m --set batch.micro_sequences=4"));
        QCOMPARE(fixture.session().view().plan.batch.micro_sequences, 4);
        QCOMPARE(fixture.session().view().plan.model_id, std::string("smollm-135m"));
        fixture.paste(QString::fromStdString(Library::standard().json(PresetKind::plan, "llama3-70b").dump(2)));
        QCOMPARE(fixture.session().view().plan.model_id, std::string("llama-3-70b"));
    }

    void a_launch_configuration_pastes() {
        ImportFixture fixture;
        fixture.paste(QString::fromLatin1(script));
        QCOMPARE(fixture.prompts.imports.size(), 1u);
        QCOMPARE(fixture.prompts.imports.front().files, QStringLiteral("clipboard"));
        QCOMPARE(fixture.session().view().plan.parallelism.tensor, 4);
        fixture.paste(QStringLiteral("hello"));
        QVERIFY(fixture.said().startsWith(QStringLiteral("The clipboard has no plan")));
    }

    void pasting_into_a_field_goes_into_the_field() {
        ImportFixture fixture;
        const nlohmann::ordered_json before = fixture.json();
        fixture.window().findInView();
        QGuiApplication::clipboard()->setText(
            QString::fromStdString(plan_text(Library::standard().json(PresetKind::plan, "smollm-135m"))));
        auto *field = qobject_cast<QLineEdit *>(QApplication::focusWidget());
        QVERIFY(field != nullptr);
        QTest::keyClick(field, Qt::Key_V, Qt::ControlModifier);
        QVERIFY(field->text().startsWith(QStringLiteral("meshwright-plan-1:")));
        QCOMPARE(fixture.json(), before);
    }

    void files_that_are_dropped_together_are_imported_together() {
        ImportFixture fixture;
        QMimeData dropped;
        dropped.setUrls(
            {QUrl::fromLocalFile(fixture.put(QStringLiteral("ds.json"),
                                             R"({"zero_optimization": {"stage": 1}, "bf16": {"enabled": true}})")),
             QUrl::fromLocalFile(fixture.put(QStringLiteral("train.sh"), script))});
        QDragEnterEvent entered({200, 200}, Qt::CopyAction, &dropped, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&fixture.window(), &entered);
        QVERIFY(entered.isAccepted());
        QDropEvent event({200, 200}, Qt::CopyAction, &dropped, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&fixture.window(), &event);
        QVERIFY(fixture.wait());
        QCOMPARE(fixture.prompts.imports.size(), 1u);
        QVERIFY(fixture.prompts.imports.front().files.contains(QStringLiteral("ds.json")));
        QVERIFY(fixture.prompts.imports.front().files.contains(QStringLiteral("train.sh")));
    }

    void measured_bandwidth_goes_into_a_tier_as_one_edit() {
        ImportFixture fixture;
        fixture.open(fixture.put(QStringLiteral("all_reduce.log"), bandwidths));
        QCOMPARE(fixture.prompts.imports.size(), 1u);
        QCOMPARE(fixture.prompts.imports.front().imported.what, std::string("tier"));
        QCOMPARE(fixture.prompts.imports.front().tier, 0);
        QVERIFY(!fixture.prompts.imports.front().tiers.isEmpty());
        const Cluster &cluster = fixture.session().view().plan.cluster;
        QCOMPARE(cluster.tiers.front().bus_bandwidth.size(), 2u);
        QVERIFY(cluster.health == NetworkHealth::measured);
        QCOMPARE(fixture.edits(), 1);
        fixture.document().undoStack()->undo();
        QVERIFY(fixture.settle());
        QVERIFY(fixture.session().view().plan.cluster.tiers.front().bus_bandwidth.empty());
    }

    void a_training_log_is_laid_next_to_the_plan_and_goes_to_my_machine() {
        ImportFixture fixture;
        fixture.open(fixture.put(QStringLiteral("run.log"), trainingLog));
        QCOMPARE(fixture.prompts.imports.size(), 1u);
        const ImportQuestion &question = fixture.prompts.imports.front();
        QCOMPARE(question.imported.what, std::string("run"));
        QVERIFY(question.compared && !question.compared->figures.empty());
        const ImportAccount account(question);
        QVERIFY(account.countOf(ImportAccount::Page::Compared) > 0);
        EvidenceView *evidence = fixture.window().view<EvidenceView>();
        QVERIFY(evidence->isVisible() && evidence->calibration()->isVisible());
        QTRY_VERIFY(!evidence->isBusy());
        QVERIFY(!evidence->calibration()->answer().runs.runs.empty() || !evidence->calibration()->words().isEmpty());
    }

    void names_of_files_are_text() {
        ImportDialog dialog(questionOf(script, QStringLiteral("<b>train</b>.sh")), Library::standard());
        const QList<QLabel *> labels = dialog.findChildren<QLabel *>();
        QVERIFY(std::any_of(labels.begin(), labels.end(), [](const QLabel *label) {
            return label->text() == QStringLiteral("<b>train</b>.sh") && label->textFormat() == Qt::PlainText;
        }));
    }
};

LISTED_TEST(ImportTest)
#include "tst_import.moc"

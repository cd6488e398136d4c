// SPDX-License-Identifier: GPL-3.0-or-later
#include "listed_test.h"
#include "window_fixture.h"

#include "catalog/library.h"
#include "charts/xy_chart.h"
#include "controls/notice_strip.h"
#include "controls/optional_quantity_box.h"
#include "controls/segmented.h"
#include "evidence/calibrate_page.h"
#include "evidence/evidence_view.h"
#include "evidence/fitted_constants_model.h"
#include "evidence/machine_runs_model.h"
#include "plan/plan_json.h"
#include "plan/plan_page.h"
#include "view_rail.h"

#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QUndoStack>

using namespace meshwright;

namespace {

constexpr auto planName = "preset:pretrain-8b";
constexpr auto rows = "id,model,accelerator,accelerators,tensor,pipeline,data,micro_batch,global_batch,"
                      "sequence_length,recompute,step_seconds\n"
                      "a,Llama 3.1 8B,h100-sxm-80gb,8,8,1,1,1,8,8192,full,1.9\n"
                      "b,Llama 3.1 8B,h100-sxm-80gb,8,4,1,2,1,8,8192,full,1.8\n"
                      "c,Llama 3.1 8B,h100-sxm-80gb,8,2,1,4,1,8,8192,full,1.7\n";

/// A window whose Evidence view shows the calibration page.
class CalibrateFixture : public WindowFixture {
public:
    CalibrateFixture()
        : WindowFixture(QLatin1String(planName)) {
        settle();
        window().rail()->show(window().view<EvidenceView>());
        find<Segmented>("evidencePages")->setCurrentIndex(2);
    }

    CalibratePage &page() { return *window().view<EvidenceView>()->calibration(); }
    bool fitted() {
        return QTest::qWaitFor([this] { return !page().isBusy(); }, patience);
    }
    int runs() { return page().runs()->rowCount(); }
    QString cell(int row, int column) { return page().runs()->index(row, column).data(Qt::DisplayRole).toString(); }
    QString written(const char *name, const char *text) {
        QFile out(file(QLatin1String(name)));
        if (out.open(QIODevice::WriteOnly))
            out.write(text);
        return out.fileName();
    }
    void type(const char *field, const QString &text) {
        auto *box = find<QAbstractSpinBox>(field);
        box->setFocus();
        box->selectAll();
        QTest::keyClicks(box, text);
        QTest::keyClick(box, Qt::Key_Return);
    }
    QString notice() { return window().notices()->text(); }
};

} // namespace

class CalibrateTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void the_current_plan_becomes_a_run_once_its_step_time_is_entered() {
        CalibrateFixture fixture;
        auto *add = fixture.find<QPushButton>("addRun");
        QVERIFY(!add->isEnabled());
        const double predicted = fixture.session().view().result->step.seconds;
        fixture.type("measuredStep", QStringLiteral("%1 s").arg(predicted * 1.2));
        QVERIFY(add->isEnabled());
        QTest::mouseClick(add, Qt::LeftButton);
        QVERIFY(fixture.fitted());
        QCOMPARE(fixture.runs(), 1);
        QVERIFY(fixture.cell(0, MachineRunsModel::StepBefore).contains(QStringLiteral("16.7")));
        QCOMPARE(fixture.page().chart()->view().things, 1);
        QVERIFY(fixture.page().constants()->rowCount() > 2);
        QVERIFY(fixture.page().words().contains(QStringLiteral("Fewer than three runs")));
        QVERIFY(!add->isEnabled());
    }

    void a_run_is_not_added_while_a_value_is_invalid() {
        CalibrateFixture fixture;
        fixture.type("measuredStep", QStringLiteral("7 s"));
        fixture.type("measuredPeak", QStringLiteral("66")); // a number of bytes that is too small for any run
        auto *peak = fixture.find<OptionalQuantityBox>("measuredPeak");
        QVERIFY(!peak->rejection().isEmpty());
        auto *add = fixture.find<QPushButton>("addRun");
        QTest::mouseClick(add, Qt::LeftButton);
        QCOMPARE(fixture.runs(), 0);
        QCOMPARE(peak->text(), QStringLiteral("66"));
        fixture.type("measuredPeak", QStringLiteral("66 GB"));
        QTest::mouseClick(add, Qt::LeftButton);
        QVERIFY(fixture.fitted());
        QCOMPARE(fixture.runs(), 1);
    }

    void using_a_fit_in_the_plan_is_one_undoable_edit() {
        CalibrateFixture fixture;
        const double before = fixture.session().view().result->step.seconds;
        fixture.type("measuredStep", QStringLiteral("%1 s").arg(before * 1.2));
        QTest::mouseClick(fixture.find<QPushButton>("addRun"), Qt::LeftButton);
        QVERIFY(fixture.fitted());
        const double low = fixture.session().view().result->step.low_seconds / before;
        const int edits = fixture.edits();
        auto *use = fixture.find<QPushButton>("useFit");
        QTest::mouseClick(use, Qt::LeftButton);
        QVERIFY(fixture.settle());
        QCOMPARE(fixture.edits(), edits + 1);
        QVERIFY(fixture.json()["cluster"]["constants"].contains("matrix-efficiency-hopper"));
        const Result &result = *fixture.session().view().result;
        QVERIFY(result.step.seconds > before * 1.02);
        QVERIFY(result.step.seconds < before * 1.2);
        // The interval keeps its width, because it is derived from errors on other machines.
        QVERIFY(std::abs(result.step.low_seconds / result.step.seconds - low) < 1e-9);
        QVERIFY(!use->isEnabled());
        fixture.document().undoStack()->undo();
        QVERIFY(fixture.settle());
        QCOMPARE(fixture.session().view().result->step.seconds, before);
    }

    void a_table_is_added_by_dialog_and_rows_are_removed_by_key() {
        CalibrateFixture fixture;
        fixture.prompts.path = fixture.written("mine.csv", rows);
        QTest::mouseClick(fixture.find<QPushButton>("openMachineRuns"), Qt::LeftButton);
        QVERIFY(fixture.fitted());
        QCOMPARE(fixture.runs(), 3);
        QVERIFY(fixture.page().hasFit());
        auto *table = fixture.find<QTableView>("machineRuns");
        table->setFocus();
        table->selectRow(1);
        QTest::keyClick(table, Qt::Key_Delete);
        QVERIFY(fixture.fitted());
        QCOMPARE(fixture.runs(), 2);
        QCOMPARE(fixture.cell(1, MachineRunsModel::Run), QStringLiteral("c"));
        QTest::mouseClick(fixture.find<QPushButton>("clearRuns"), Qt::LeftButton);
        QVERIFY(fixture.fitted());
        QCOMPARE(fixture.runs(), 0);
    }

    void impossible_runs_are_rejected_in_one_line() {
        CalibrateFixture fixture;
        fixture.window().view<EvidenceView>()->addFile(
            fixture.written("fast.csv",
                            "id,model,accelerator,accelerators,global_batch,"
                            "sequence_length,step_seconds\n"
                            "x,Llama 3.1 8B,h100-sxm-80gb,8,8,8192,0.001\n"));
        QVERIFY(fixture.fitted());
        QCOMPARE(fixture.runs(), 0);
        QVERIFY(fixture.page().words().startsWith(QStringLiteral("fast.csv: /x: a step of 0.001 s is faster than")));
        QVERIFY(!fixture.find<QPushButton>("useFit")->isEnabled());
        fixture.window().view<EvidenceView>()->addFile(fixture.written("words.csv", "a,b\n1,2\n"));
        QVERIFY(fixture.fitted());
        QVERIFY(fixture.page().words().startsWith(QStringLiteral("words.csv: /1: no column")));
    }

    void a_table_with_other_names_is_read_and_one_that_lacks_something_says_what() {
        CalibrateFixture fixture;
        fixture.window().view<EvidenceView>()->addFile(
            fixture.written("naive.csv", "model,gpus,tp,pp,dp,step_time_ms\nLlama 3.1 8B,8,8,1,1,1900\n"));
        QVERIFY(fixture.fitted());
        QCOMPARE(fixture.runs(), 0);
        QVERIFY2(fixture.page().words().contains(QStringLiteral("GPU, Sequence length, Global batch")),
                 qPrintable(fixture.page().words()));
        fixture.window().view<EvidenceView>()->addFile(
            fixture.written("whole.csv",
                            "model,gpu,gpus,tp,pp,dp,mbs,gbs,seq_len,ac,step_time_ms\n"
                            "Llama 3.1 8B,h100-sxm-80gb,8,8,1,1,1,8,8192,full,1900\n"
                            "Llama 3.1 8B,h100-sxm-80gb,8,4,1,2,1,8,8192,full,1800\n"));
        QVERIFY(fixture.fitted());
        QCOMPARE(fixture.runs(), 2);
        QCOMPARE(fixture.cell(0, MachineRunsModel::Run), QStringLiteral("whole row 1"));
    }

    void rows_of_the_same_id_are_replaced_and_counted() {
        CalibrateFixture fixture;
        const QString path = fixture.written("mine.csv", rows);
        fixture.window().view<EvidenceView>()->addFile(path);
        QVERIFY(fixture.fitted());
        const int before = fixture.runs();
        QVERIFY(before > 0);
        fixture.window().view<EvidenceView>()->addFile(path);
        QVERIFY(fixture.fitted());
        QCOMPARE(fixture.runs(), before);
        QVERIFY2(fixture.page().words().contains(
                     QStringLiteral("mine.csv: %1 runs replaced earlier runs with the same id").arg(before)),
                 qPrintable(fixture.page().words()));
    }

    void a_template_is_saved_and_reads() {
        CalibrateFixture fixture;
        fixture.prompts.path = fixture.file(QStringLiteral("template.csv"));
        QTest::mouseClick(fixture.find<QPushButton>("saveRunTemplate"), Qt::LeftButton);
        QVERIFY(fixture.notice().contains(QStringLiteral("template.csv")));
        fixture.window().view<EvidenceView>()->addFile(fixture.prompts.path);
        QVERIFY(fixture.fitted());
        QCOMPARE(fixture.runs(), 1); // the example run; the line with explanations is not counted
    }

    void a_fit_is_saved_as_a_readable_preset() {
        CalibrateFixture fixture;
        fixture.window().view<EvidenceView>()->addFile(fixture.written("mine.csv", rows));
        QVERIFY(fixture.fitted());
        fixture.prompts.path = fixture.file(QStringLiteral("no preset!.json"));
        QTest::mouseClick(fixture.find<QPushButton>("saveFit"), Qt::LeftButton);
        QVERIFY(fixture.notice().contains(QStringLiteral("no preset!")));
        fixture.prompts.path = fixture.file(QStringLiteral("sub/our-node.json"));
        QTest::mouseClick(fixture.find<QPushButton>("saveFit"), Qt::LeftButton);
        QFile saved(fixture.prompts.path);
        QVERIFY(saved.open(QIODevice::ReadOnly));
        const auto cluster = nlohmann::ordered_json::parse(saved.readAll().toStdString());
        QCOMPARE(cluster["id"].get<std::string>(), std::string("our-node"));
        nlohmann::ordered_json document = fixture.json();
        document["cluster"] = cluster;
        const Plan read = plan_from_json(document, Library::standard());
        QVERIFY(!read.assumptions.empty());
    }

    void runs_of_another_accelerator_are_not_used_in_the_plan() {
        CalibrateFixture fixture;
        QString text = QString::fromLatin1(rows);
        text.replace(QStringLiteral("h100-sxm-80gb"), QStringLiteral("a100-sxm-80gb"));
        text.replace(QStringLiteral(",1."), QStringLiteral(",4."));
        fixture.window().view<EvidenceView>()->addFile(fixture.written("other.csv", text.toLatin1().constData()));
        QVERIFY(fixture.fitted());
        QVERIFY(fixture.page().hasFit());
        QVERIFY(!fixture.find<QPushButton>("useFit")->isEnabled());
        QVERIFY(fixture.find<QPushButton>("saveFit")->isEnabled());
    }
};

LISTED_TEST(CalibrateTest)
#include "tst_calibrate.moc"

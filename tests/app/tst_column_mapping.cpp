// SPDX-License-Identifier: GPL-3.0-or-later
#include "listed_test.h"
#include "window_fixture.h"

#include "catalog/library.h"
#include "controls/choice_box.h"
#include "controls/notice_strip.h"
#include "controls/segmented.h"
#include "evidence/accuracy_strip.h"
#include "evidence/calibrate_page.h"
#include "evidence/column_mapping_dialog.h"
#include "evidence/evidence_view.h"
#include "evidence/machine_runs_model.h"
#include "evidence/mapping_form.h"
#include "evidence/mapping_line.h"
#include "evidence/runs_page.h"
#include "figures/figure_text.h"
#include "plan/plan_page.h"
#include "view_rail.h"

#include <QFile>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>

using namespace meshwright;

namespace {

/// Three runs under another tool's column names. The GPU and the unit of "duration" cannot be inferred.
constexpr auto foreign = "name,model,gpus,tp,pp,mbs,gbs,ctx,duration [ms],comment\n"
                         "a,Llama 3.1 8B,8,8,1,1,8,8192,1900,\n"
                         "b,Llama 3.1 8B,8,4,1,1,8,8192,1800,\n"
                         "c,no such model,8,2,1,1,8,8192,1700,\n";

ColumnQuestion questionOf(const QByteArray &text) {
    auto table = std::make_shared<const CsvTable>(read_csv(text.toStdString()));
    return {.file = QStringLiteral("mine.csv"), .table = table, .mapping = guessed_mapping(*table), .saveTemplate = {}};
}

/// Opens the dialog without a window.
class DialogFixture {
public:
    explicit DialogFixture(const QByteArray &text)
        : dialog(questionOf(text)) {
        dialog.show();
        settle();
    }
    bool settle() {
        return QTest::qWaitFor([this] { return !dialog.isBusy(); }, patience);
    }
    QComboBox *choice(const char *column) { return line(column)->findChildren<ChoiceBox *>().at(0); }
    QComboBox *unit(const char *column) { return line(column)->findChildren<ChoiceBox *>().at(1); }
    QLineEdit *value(const char *column) { return line(column)->findChild<QLineEdit *>(); }
    MappingLine *line(const char *column) { return dialog.form()->line(column); }
    /// Chooses an entry with the keyboard, as a user does.
    bool choose(QComboBox *box, const QString &text) {
        box->setFocus();
        for (int presses = 0; presses < box->count() && box->currentText() != text; ++presses)
            QTest::keyClick(box, Qt::Key_Down);
        for (int presses = 0; presses < box->count() && box->currentText() != text; ++presses)
            QTest::keyClick(box, Qt::Key_Up);
        return box->currentText() == text && settle();
    }
    bool type(const char *column, const QString &text) {
        value(column)->setFocus();
        QTest::keyClicks(value(column), text);
        return settle();
    }
    QString verdict(int row) {
        return dialog.preview()->index(row, MappingPreview::Verdict).data(Qt::DisplayRole).toString();
    }
    QPushButton *button(const char *name) { return dialog.findChild<QPushButton *>(QLatin1String(name)); }

    ColumnMappingDialog dialog;
};

/// A window on the calibration page.
class FileFixture : public WindowFixture {
public:
    explicit FileFixture(int page = 2)
        : WindowFixture(QStringLiteral("preset:pretrain-8b")) {
        window().rail()->show(window().view<EvidenceView>());
        find<Segmented>("evidencePages")->setCurrentIndex(page);
    }
    QString written(const char *name, const QByteArray &text) {
        QFile out(file(QLatin1String(name)));
        if (out.open(QIODevice::WriteOnly))
            out.write(text);
        return out.fileName();
    }
    /// Opens a file like the button "Open CSV" or "Add CSV".
    bool open(const QString &path) {
        prompts.path = path;
        Q_EMIT window().view<EvidenceView>()->fileWanted();
        return read();
    }
    bool read() {
        return QTest::qWaitFor([this] { return !window().view<EvidenceView>()->isBusy(); }, patience);
    }
    int runs() { return window().view<EvidenceView>()->calibration()->runs()->rowCount(); }
    NoticeStrip *strip() { return window().notices(); }
    QPushButton *action(const QString &text) {
        const auto buttons = strip()->findChildren<QPushButton *>();
        for (QPushButton *button : buttons)
            if (button->isVisibleTo(strip()) && button->text() == text)
                return button;
        return nullptr;
    }
};

/// Chooses the mapping for `foreign` as a user would.
std::optional<ColumnMapping> chosen(QWidget *, const ColumnQuestion &question) {
    ColumnMapping mapping = question.mapping;
    mapping.columns[8] = {.target = "step_seconds", .factor = 1e-3};
    mapping.for_all_rows["accelerator"] = "h100-sxm-80gb";
    mapping.for_all_rows["recompute"] = "full";
    return mapping;
}

} // namespace

class ColumnMappingTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void a_dialog_begins_with_the_guess_and_what_is_missing() {
        DialogFixture fixture(foreign);
        QCOMPARE(fixture.choice("accelerators")->currentText(), QStringLiteral("gpus"));
        QCOMPARE(fixture.choice("sequence_length")->currentText(), QStringLiteral("ctx"));
        QCOMPARE(fixture.choice("step_seconds")->currentText(), QStringLiteral("Not in the file"));
        QCOMPARE(fixture.choice("accelerator")->currentText(), QStringLiteral("Same for all rows"));
        QVERIFY(fixture.value("accelerator")->isVisible());
        QCOMPARE(fixture.dialog.count(), QStringLiteral("0 of 3 rows can be read"));
        QVERIFY(!fixture.button("mappingRead")->isEnabled());
        QCOMPARE(fixture.verdict(2), QStringLiteral("Skipped: needs GPU, a measured figure"));
        for (const RunColumn &column : run_columns())
            QVERIFY(fixture.dialog.findChild<MappingLine *>(QStringLiteral("column.")
                                                            + QString::fromStdString(std::string(column.name))));
    }

    void a_column_and_a_value_for_all_rows_make_rows_readable() {
        DialogFixture fixture(foreign);
        QVERIFY(fixture.type("accelerator", QStringLiteral("h100-sxm-80gb")));
        QCOMPARE(fixture.dialog.count(), QStringLiteral("0 of 3 rows can be read"));
        QCOMPARE(fixture.verdict(0), QStringLiteral("Skipped: needs a measured figure"));
        QVERIFY(fixture.choose(fixture.choice("step_seconds"), QStringLiteral("duration [ms]")));
        // The unit comes from the name of the column.
        QCOMPARE(fixture.unit("step_seconds")->currentText(), QStringLiteral("ms"));
        QVERIFY(fixture.choose(fixture.unit("step_seconds"), QStringLiteral("s")));
        QVERIFY2(fixture.verdict(0).contains(QStringLiteral("check its unit")), qPrintable(fixture.verdict(0)));
        QVERIFY(fixture.choose(fixture.unit("step_seconds"), QStringLiteral("ms")));
        QCOMPARE(fixture.dialog.count(), QStringLiteral("2 of 3 rows can be read"));
        QVERIFY2(fixture.verdict(0).contains(QStringLiteral("step 1.9")), qPrintable(fixture.verdict(0)));
        QCOMPARE(fixture.verdict(2),
                 QStringLiteral("Skipped: no model dimensions, and no model of this name is known"));
        auto *read = fixture.button("mappingRead");
        QCOMPARE(read->text(), QStringLiteral("&Read 2 rows"));
        QSignalSpy accepted(&fixture.dialog, &QDialog::accepted);
        QTest::keyClick(&fixture.dialog, Qt::Key_Return);
        QCOMPARE(accepted.count(), 1);
        const ColumnMapping mapping = fixture.dialog.mapping();
        QCOMPARE(mapping.columns[8].target, std::string("step_seconds"));
        QCOMPARE(mapping.columns[8].factor, 1e-3);
        QCOMPARE(mapping.for_all_rows.at("accelerator"), std::string("h100-sxm-80gb"));
    }

    void what_is_required_is_not_assumed() {
        DialogFixture fixture("model,gpu,gpus,tp,gbs,seq,step time\nLlama 3.1 8B,h100-sxm-80gb,8,8,8,8192,1.9\n");
        QCOMPARE(fixture.dialog.count(), QStringLiteral("1 of 1 rows can be read"));
        QCOMPARE(fixture.button("mappingRead")->text(), QStringLiteral("&Read 1 row"));
        QVERIFY(fixture.choose(fixture.choice("sequence_length"), QStringLiteral("Not in the file")));
        QCOMPARE(fixture.verdict(0), QStringLiteral("Skipped: needs Sequence length"));
        QVERIFY(!fixture.button("mappingRead")->isEnabled());
    }

    void a_column_is_used_by_one_line_only() {
        DialogFixture fixture(foreign);
        // The arrow key first selects columns that other rows already use; those rows get their columns back.
        QVERIFY(fixture.choose(fixture.choice("micro_batch"), QStringLiteral("gbs")));
        QCOMPARE(fixture.choice("model")->currentText(), QStringLiteral("model"));
        QCOMPARE(fixture.choice("global_batch")->currentText(), QStringLiteral("Not in the file"));
        QCOMPARE(fixture.dialog.mapping().columns[6].target, std::string("micro_batch"));
    }

    void the_preview_of_a_hostile_table_is_bounded() {
        QByteArray text("model,gpus");
        for (int i = 0; i < 900; ++i)
            text += ",<b>column " + QByteArray::number(i) + "</b>" + QByteArray(500, 'x');
        text += '\n';
        text += QByteArray(1 << 20, 'y') + ",8,\xff\xfe\x01,<img src=/etc/passwd>\n";
        for (int row = 0; row < 2100; ++row)
            text += "m,1e999\n";
        DialogFixture fixture(text);
        QVERIFY(fixture.settle());
        QCOMPARE(fixture.dialog.preview()->rowCount(), static_cast<int>(MappingPreview::MaxRows));
        QVERIFY(fixture.dialog.preview()->columnCount() < 50);
        QVERIFY(fixture.dialog.preview()->index(0, MappingPreview::FirstCell).data().toString().size() <= 40);
        QVERIFY(fixture.choice("model")->itemText(900).size() <= 60);
        QCOMPARE(fixture.dialog.count(), QStringLiteral("0 of the first 2,000 rows can be read; the file has 2,101"));
    }

    void escape_changes_nothing() {
        FileFixture fixture;
        fixture.prompts.columnAnswer = [](QWidget *parent, const ColumnQuestion &question) {
            ColumnMappingDialog dialog(question, parent);
            dialog.show();
            QTest::keyClick(&dialog, Qt::Key_Escape);
            return dialog.result() == QDialog::Accepted ? std::optional(dialog.mapping()) : std::nullopt;
        };
        const QString path = fixture.written("foreign.csv", foreign);
        QVERIFY(fixture.open(path));
        QCOMPARE(fixture.prompts.columnQuestions.size(), std::size_t{1});
        QCOMPARE(fixture.runs(), 0);
        QCOMPARE(fixture.edits(), 0);
        QVERIFY(fixture.open(path)); // the mapping was not saved
        QCOMPARE(fixture.prompts.columnQuestions.size(), std::size_t{2});
    }

    void a_mapping_is_remembered_for_files_of_the_same_columns() {
        FileFixture fixture;
        fixture.prompts.columnAnswer = chosen;
        QVERIFY(fixture.open(fixture.written("foreign.csv", foreign)));
        QCOMPARE(fixture.runs(), 2);
        QCOMPARE(fixture.prompts.columnQuestions.size(), std::size_t{1});
        fixture.restart();
        fixture.window().rail()->show(fixture.window().view<EvidenceView>());
        fixture.find<Segmented>("evidencePages")->setCurrentIndex(2);
        QVERIFY(fixture.open(fixture.written("later.csv", QByteArray(foreign).replace("\na,", "\nd,"))));
        QCOMPARE(fixture.prompts.columnQuestions.size(), std::size_t{1});
        QCOMPARE(fixture.runs(), 2);
        QCOMPARE(fixture.strip()->text(), QStringLiteral("The columns of later.csv were mapped as you last chose."));
        QPushButton *change = fixture.action(QStringLiteral("Change Columns"));
        QVERIFY(change != nullptr);
        fixture.prompts.columnAnswer = [](QWidget *, const ColumnQuestion &question) {
            ColumnMapping mapping = question.mapping;
            mapping.for_all_rows["model"] = "llama-3.1-8b";
            mapping.columns[1] = {};
            return std::optional(mapping);
        };
        QTest::mouseClick(change, Qt::LeftButton);
        QVERIFY(fixture.read());
        QCOMPARE(fixture.prompts.columnQuestions.back().mapping.for_all_rows.at("accelerator"),
                 std::string("h100-sxm-80gb"));
        QCOMPARE(fixture.runs(), 3);
    }

    void the_programs_own_columns_are_not_asked_about() {
        FileFixture fixture;
        QVERIFY(fixture.open(fixture.written("own.csv",
                                             "id,model,accelerator,accelerators,tensor,global_batch,sequence_length,"
                                             "step_seconds\na,Llama 3.1 8B,h100-sxm-80gb,8,8,8,8192,1.9\n")));
        QVERIFY(fixture.prompts.columnQuestions.empty());
        QCOMPARE(fixture.runs(), 1);
    }

    void a_template_is_saved_from_the_dialog() {
        FileFixture fixture;
        fixture.prompts.columnAnswer = [&](QWidget *parent, const ColumnQuestion &question) {
            ColumnMappingDialog dialog(question, parent);
            dialog.show();
            fixture.prompts.path = fixture.file(QStringLiteral("template.csv"));
            QTest::mouseClick(dialog.findChild<QPushButton *>(QStringLiteral("mappingTemplate")), Qt::LeftButton);
            return std::optional<ColumnMapping>();
        };
        QVERIFY(fixture.open(fixture.written("foreign.csv", foreign)));
        QVERIFY(QFile::exists(fixture.file(QStringLiteral("template.csv"))));
    }

    void files_without_names_of_runs_do_not_replace_each_other() {
        FileFixture fixture;
        fixture.prompts.columnAnswer = chosen;
        const QByteArray nameless = QByteArray(foreign).replace("name,model", "host,model");
        QVERIFY(fixture.open(fixture.written("monday.csv", nameless)));
        QVERIFY(fixture.open(fixture.written("tuesday.csv", nameless)));
        QCOMPARE(fixture.runs(), 4);
    }

    void a_reloaded_file_says_what_was_replaced() {
        FileFixture fixture(0);
        QVERIFY(fixture.read());
        const QByteArray head("id,model,accelerator,accelerators,tensor,global_batch,sequence_length,step_seconds\n");
        const QString path = fixture.written("own.csv",
                                             head
                                                 + "a,Llama 3.1 8B,h100-sxm-80gb,8,8,8,8192,1.9\n"
                                                   "b,Llama 3.1 8B,h100-sxm-80gb,8,8,8,8192,1.8\n");
        QVERIFY(fixture.open(path));
        const std::size_t rows = fixture.window().view<EvidenceView>()->runs()->slice().rows.size();
        fixture.written("own.csv",
                        head
                            + "b,Llama 3.1 8B,h100-sxm-80gb,8,8,8,8192,1.7\n"
                              "c,Llama 3.1 8B,h100-sxm-80gb,8,8,8,8192,1.6\n"
                              "d,Llama 3.1 8B,h100-sxm-80gb,8,8,8,8192,1.5\n");
        QVERIFY(fixture.open(path));
        QCOMPARE(fixture.strip()->text(), QStringLiteral("own.csv reloaded: 1 runs replaced, 2 added, 1 removed."));
        QCOMPARE(fixture.window().view<EvidenceView>()->runs()->slice().rows.size(), rows + 1);
        // A file that can no longer be read leaves its rows unchanged.
        fixture.written("own.csv", "\"");
        QVERIFY(fixture.open(path));
        QVERIFY2(fixture.strip()->text().startsWith(QStringLiteral("own.csv: ")), qPrintable(fixture.strip()->text()));
        QCOMPARE(fixture.window().view<EvidenceView>()->runs()->slice().rows.size(), rows + 1);
    }

    void a_hostile_file_is_rejected_in_one_line_data() {
        QTest::addColumn<QByteArray>("text");
        QByteArray wide("a");
        for (int i = 0; i < 10'000; ++i)
            wide += ",c" + QByteArray::number(i);
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("one line") << QByteArray("model,gpus,step_time_ms\n");
        QTest::newRow("NUL bytes") << QByteArray("model,gpus\nx,\0\n", 15);
        QTest::newRow("10,000 columns") << wide + "\n1\n";
        QTest::newRow("not UTF-8, no commas") << QByteArray("\xff\xfe\x80\x81\n\xff\n");
        QTest::newRow("semicolons") << QByteArray("model;gpus;tp\nx;8;1\n");
        QTest::newRow("stages without end")
            << QByteArray("id,model,accelerator,accelerators,pipeline,global_batch,sequence_length,step_seconds\n"
                          "a,Llama 3.1 8B,h100-sxm-80gb,8,2147483648,8,8192,1.9\n");
    }

    void a_hostile_file_is_rejected_in_one_line() {
        QFETCH(QByteArray, text);
        FileFixture fixture;
        QVERIFY(fixture.open(fixture.written("odd.csv", text)));
        QVERIFY(fixture.prompts.columnQuestions.empty());
        QCOMPARE(fixture.runs(), 0);
        const QString words = fixture.window().view<EvidenceView>()->calibration()->words();
        QVERIFY2(words.startsWith(QStringLiteral("odd.csv")), qPrintable(words));
        QVERIFY(!words.contains(QLatin1Char('\n')));
        QVERIFY(words.size() < 300);
    }

    void a_row_that_cannot_run_is_the_only_row_skipped() {
        FileFixture fixture(0);
        QVERIFY(fixture.read());
        QVERIFY(fixture.open(
            fixture.written("stages.csv",
                            "id,model,accelerator,accelerators,pipeline,global_batch,sequence_length,step_seconds\n"
                            "a,Llama 3.1 8B,h100-sxm-80gb,8,100000,8,8192,1.9\n"
                            "b,Llama 3.1 8B,h100-sxm-80gb,8,8,8,8192,1.9\n")));
        QCOMPARE(fixture.window().view<EvidenceView>()->accuracy()->figure(0),
                 countText(static_cast<double>(EvidenceTable::standard()->runs.size() + 2)));
    }
};

LISTED_TEST(ColumnMappingTest)
#include "tst_column_mapping.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "controls/notice_strip.h"
#include "export_menu.h"
#include "listed_test.h"
#include "report/page_preview.h"
#include "report/report_dialog.h"
#include "size_on_screen.h"
#include "window_fixture.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QPushButton>
#include <QUndoStack>

#include <nlohmann/json.hpp>

#include <cmath>
#include <utility>

using namespace meshwright;

namespace {

/// A window on a plan whose pipeline has half a million operations, so that exporting it takes seconds.
class ExportFixture : public WindowFixture {
public:
    ExportFixture()
        : WindowFixture(QStringLiteral("preset:megatron-1t-2021")) {
        document().apply({.field = QStringLiteral("/batch/global_sequences"),
                          .subject = QStringLiteral("Batch"),
                          .patch = R"({"batch": {"global_sequences": 12288}})"});
        settle();
    }

    /// Starts an export to a file in the window's folder.
    /// @returns path of the file
    QString begin(const char *what, const QString &name) {
        prompts.path = file(name);
        find<QAction>(what)->trigger();
        return prompts.path;
    }
    ExportMenu &menu() { return *window().findChild<ExportMenu *>(); }
    bool isDone() {
        return QTest::qWaitFor([this] { return !menu().isBusy(); }, patience);
    }
};

QPushButton *button(NoticeStrip *strip, const QString &text) {
    for (QPushButton *each : strip->findChildren<QPushButton *>())
        if (each->text() == text && each->isVisible())
            return each;
    return nullptr;
}

/// Writes the report that the dialog shows as PDF, HTML and Markdown.
void exportInEachForm(WindowFixture &fixture) {
    for (const auto &[form, suffix] : {std::pair(ReportForm::Pdf, "pdf"), std::pair(ReportForm::Html, "html"),
                                       std::pair(ReportForm::Markdown, "md")}) {
        fixture.find<QComboBox>("reportForm")->setCurrentIndex(static_cast<int>(form));
        fixture.prompts.path = fixture.file(QStringLiteral("report.") + QLatin1String(suffix));
        QTest::mouseClick(fixture.find<QPushButton>("exportReport"), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!fixture.window().findChild<ExportMenu *>()->isBusy(), patience);
        QVERIFY(QFile(fixture.prompts.path).size() > 2000);
    }
}

} // namespace

class ExportTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void the_window_answers_while_a_long_file_is_written() {
        ExportFixture fixture;
        const QString path = fixture.begin("export.perfetto", QStringLiteral("trace.json"));
        QVERIFY(fixture.menu().isBusy());
        QVERIFY(!QFile::exists(path));
        fixture.showView(QStringLiteral("Memory"));
        QVERIFY(fixture.menu().isBusy());
        QTRY_COMPARE(fixture.window().notices()->text(), QStringLiteral("Writing trace.json …"));
        QVERIFY(fixture.isDone());
        QVERIFY(QFile(path).size() > 50'000'000);
        QCOMPARE(fixture.window().notices()->text(), QStringLiteral("Exported trace.json"));
    }

    void a_long_file_can_be_stopped_and_leaves_nothing() {
        ExportFixture fixture;
        const QString path = fixture.begin("export.perfetto", QStringLiteral("trace.json"));
        NoticeStrip *strip = fixture.window().notices();
        QTRY_VERIFY(button(strip, QStringLiteral("Stop")) != nullptr);
        QTest::mouseClick(button(strip, QStringLiteral("Stop")), Qt::LeftButton);
        QVERIFY(!fixture.menu().isBusy());
        QCOMPARE(strip->text(), QStringLiteral("Stopped: trace.json was not written."));
        // Exports run one after the other. If the first had not been stopped, its file would exist before the second.
        const QString next = fixture.begin("export.json", QStringLiteral("result.json"));
        QVERIFY(fixture.isDone());
        QVERIFY(QFile::exists(next));
        QVERIFY(!QFile::exists(path));
    }

    void a_second_file_is_not_begun_while_one_is_written() {
        ExportFixture fixture;
        const QString first = fixture.begin("export.perfetto", QStringLiteral("trace.json"));
        const QString second = fixture.begin("export.json", QStringLiteral("result.json"));
        QCOMPARE(fixture.window().notices()->text(), QStringLiteral("Writing trace.json …"));
        QTRY_VERIFY(button(fixture.window().notices(), QStringLiteral("Stop")) != nullptr);
        QTest::mouseClick(button(fixture.window().notices(), QStringLiteral("Stop")), Qt::LeftButton);
        QVERIFY(fixture.isDone());
        QVERIFY(!QFile::exists(first));
        QVERIFY(!QFile::exists(second));
    }

    void a_window_that_closes_stops_what_takes_long() {
        ExportFixture fixture;
        fixture.prompts.answer = SaveAnswer::Discard;
        const QString path = fixture.begin("export.perfetto", QStringLiteral("trace.json"));
        QVERIFY(fixture.window().close());
        QVERIFY(!fixture.menu().isBusy());
        QVERIFY(!QFile::exists(path) || QFile(path).size() > 50'000'000); // a file is written completely or not at all
    }

    void a_window_that_closes_lets_a_short_file_end() {
        WindowFixture fixture;
        fixture.prompts.path = fixture.file(QStringLiteral("result.json"));
        fixture.find<QAction>("export.json")->trigger();
        QVERIFY(fixture.window().close());
        QVERIFY(QFile::exists(fixture.prompts.path));
    }

    void a_report_is_written_beside_the_window() {
        WindowFixture fixture;
        for (const char *what : {"export.png", "export.svg"}) {
            fixture.prompts.path = fixture.file(QLatin1String(what));
            fixture.find<QAction>(what)->trigger();
            QTRY_VERIFY_WITH_TIMEOUT(!fixture.window().findChild<ExportMenu *>()->isBusy(), patience);
            QVERIFY(QFile(fixture.prompts.path).size() > 1000);
        }
    }

    void a_report_s_sections_are_chosen_beside_its_pages() {
        WindowFixture fixture;
        fixture.settle();
        fixture.find<QAction>("export.report")->trigger();
        auto *dialog = fixture.find<ReportDialog>("reportDialog");
        QTRY_VERIFY_WITH_TIMEOUT(dialog->isSettled(), patience);
        const std::size_t all = dialog->preview()->pages().size();
        QVERIFY(all > 4);
        // A report with one section less has fewer pages, and a report without sections cannot be exported.
        auto *derivations = fixture.find<QCheckBox>("section.derivations");
        derivations->click();
        QTRY_VERIFY_WITH_TIMEOUT(dialog->isSettled(), patience);
        QVERIFY(dialog->preview()->pages().size() < all);
        for (const ReportChapterEntry &entry : reportChapters())
            fixture.find<QCheckBox>(qPrintable(QStringLiteral("section.") + QLatin1String(entry.name)))
                ->setChecked(false);
        QVERIFY(!fixture.find<QPushButton>("exportReport")->isEnabled());
        QVERIFY(dialog->preview()->pages().empty());
        fixture.find<QCheckBox>("section.summary")->click();
        fixture.find<QComboBox>("reportPaper")->setCurrentIndex(static_cast<int>(PaperSize::Letter));
        QTRY_VERIFY_WITH_TIMEOUT(dialog->isSettled(), patience);
        QCOMPARE(dialog->preview()->pages().size(), std::size_t(1));
        const QSizeF page = dialog->preview()->pages().front().size();
        QVERIFY(std::abs(page.height() / page.width() - 11 / 8.5) < 0.01);
        // The report has the chosen sections, and the dialog proposes them next time.
        exportInEachForm(fixture);
        dialog->close();
        QTRY_VERIFY(fixture.window().findChild<ReportDialog *>() == nullptr);
        fixture.find<QAction>("export.report")->trigger();
        dialog = fixture.find<ReportDialog>("reportDialog");
        QCOMPARE(dialog->options().chapters, ReportChapters().set(ReportChapter::summary));
        QCOMPARE(dialog->options().paper, PaperSize::Letter);
    }

    void the_report_opens_no_larger_than_its_screen() {
        WindowFixture fixture;
        fixture.settle();
        fixture.find<QAction>("export.report")->trigger();
        QVERIFY(opensOnScreen(*fixture.find<ReportDialog>("reportDialog")));
    }

    void an_invalid_plan_is_not_exported() {
        WindowFixture fixture;
        auto *button = fixture.find<QPushButton>("exportButton");
        QVERIFY(button->isEnabled());
        fixture.document().apply({.subject = QStringLiteral("Tensor"), .patch = R"({"parallelism": {"tensor": 7}})"});
        fixture.settle();
        QVERIFY(!fixture.session().view().valid);
        QVERIFY(!button->isEnabled());
        QVERIFY(!button->toolTip().isEmpty());
        fixture.document().undoStack()->undo();
        fixture.settle();
        QVERIFY(button->isEnabled());
    }

    void what_cannot_be_written_is_said() {
        WindowFixture fixture;
        fixture.prompts.path = fixture.file(QStringLiteral("no/such/folder/result.json"));
        fixture.find<QAction>("export.json")->trigger();
        QTRY_VERIFY(fixture.window().notices()->text().contains(QStringLiteral("no/such/folder")));
    }
};

LISTED_TEST(ExportTest)
#include "tst_export.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/library.h"
#include "controls/notice_strip.h"
#include "controls/segmented.h"
#include "evidence/evidence_view.h"
#include "exchange/plan_command.h"
#include "exchange/plan_text.h"
#include "launch/export_dialog.h"
#include "launch/export_lines.h"
#include "launch_menu.h"
#include "listed_test.h"
#include "plan/plan_json.h"
#include "plan/plan_page.h"
#include "size_on_screen.h"
#include "view_export.h"
#include "view_rail.h"
#include "window_fixture.h"

#include <QAction>
#include <QClipboard>
#include <QDir>
#include <QFile>
#include <QGuiApplication>
#include <QMimeData>
#include <QPushButton>
#include <QSvgRenderer>
#include <QTableView>
#include <QXmlStreamReader>

using namespace meshwright;

namespace {

class LaunchFixture : public WindowFixture {
public:
    explicit LaunchFixture(const QString &preset = QStringLiteral("pretrain-8b"))
        : WindowFixture(QStringLiteral("preset:") + preset) { }
    void trigger(const char *action) {
        find<QAction>(action)->trigger();
        const auto *menu = window().findChild<LaunchMenu *>();
        QVERIFY(QTest::qWaitFor([menu] { return !menu->isBusy(); }, patience));
    }
    QString said() { return window().notices()->text(); }
};

QString clipboard() {
    return QGuiApplication::clipboard()->text();
}

/// Two small files with every kind of line.
ExportQuestion twoFiles() {
    return {.title = QStringLiteral("Test target"),
            .plan = QStringLiteral("<b>name</b>"),
            .exported = {.files = {{.name = "train.sh",
                                    .lines = {{.text = "#!/bin/bash"},
                                              {.text = "--tensor 8", .field = "/parallelism/tensor"},
                                              {.text = "--rank-order tp-dp", .why = "innermost first"}}},
                                   {.name = "ds.json", .lines = {{.text = "{}"}}}},
                         .lost = {{"the schedule zb-h1: 1f1b instead", {}}, {"offloading: none", {}}}},
            .valueOf = [](const std::string &) { return QStringLiteral("8"); },
            .save = {}};
}

} // namespace

class LaunchExportTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void lines_are_marked_with_the_fields_that_they_come_from() {
        LaunchFixture fixture;
        fixture.trigger("export.launch.megatron");
        QCOMPARE(fixture.prompts.exports.size(), 1u);
        const ExportQuestion &question = fixture.prompts.exports.front();
        bool found = false;
        for (const ExportLine &line : question.exported.files.front().lines)
            if (line.field == "/parallelism/tensor" && !found) {
                found = true;
                QVERIFY(line.text.find(std::to_string(fixture.session().view().plan.parallelism.tensor))
                        != std::string::npos);
                QCOMPARE(question.valueOf(line.field),
                         QString::number(fixture.session().view().plan.parallelism.tensor));
            }
        QVERIFY(found);
        QCOMPARE(question.plan, QString::fromStdString(fixture.session().view().plan.name));
    }

    void the_dialog_opens_no_larger_than_its_screen() {
        ExportDialog dialog(twoFiles());
        dialog.show();
        QVERIFY(opensOnScreen(dialog));
    }

    void a_plan_with_errors_is_not_exported() {
        LaunchFixture fixture;
        fixture.document().apply(
            {.subject = QStringLiteral("test"), .patch = R"({"batch": {"global_sequences": 1023}})"});
        QVERIFY(fixture.settle());
        fixture.trigger("export.launch.megatron");
        QVERIFY(fixture.prompts.exports.empty());
        QVERIFY(fixture.said().startsWith(QStringLiteral("A plan with errors")));
        fixture.trigger("export.planCommand");
        QVERIFY(fixture.said().startsWith(QStringLiteral("A plan with errors")));
    }

    void the_preview_says_what_is_lost_and_where_lines_come_from() {
        ExportDialog dialog(twoFiles());
        dialog.show();
        QVERIFY(dialog.lost().contains(QStringLiteral("zb-h1"))
                && dialog.lost().contains(QStringLiteral("offloading")));
        const ExportLines *lines = dialog.lines();
        QCOMPARE(lines->rowCount(), 3);
        QCOMPARE(lines->index(1, ExportLines::From).data().toString(), QStringLiteral("parallelism.tensor"));
        QCOMPARE(lines->index(2, ExportLines::From).data().toString(), QStringLiteral("innermost first"));
        QVERIFY(lines->index(1, ExportLines::Text)
                    .data(Qt::ToolTipRole)
                    .toString()
                    .contains(QStringLiteral("parallelism.tensor = 8")));
        QCOMPARE(lines->index(0, ExportLines::Text).data(Qt::ToolTipRole).toString(),
                 QStringLiteral("The same for every plan"));
        dialog.files()->button(1)->click();
        QCOMPARE(lines->rowCount(), 1);
    }

    void lines_and_files_are_copied() {
        ExportDialog dialog(twoFiles());
        dialog.show();
        QTableView *table = dialog.table();
        table->selectRow(1);
        table->setFocus();
        QTest::keyClick(table, Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(clipboard(), QStringLiteral("--tensor 8\n"));
        QTest::mouseClick(dialog.findChild<QPushButton *>(QStringLiteral("exportCopy")), Qt::LeftButton);
        QCOMPARE(clipboard(), QStringLiteral("#!/bin/bash\n--tensor 8\n--rank-order tp-dp\n"));
        QCOMPARE(dialog.said(), QStringLiteral("Copied: train.sh"));
    }

    void files_are_saved_one_by_one_or_together() {
        LaunchFixture fixture;
        fixture.prompts.lookAtExport = [&](QWidget *parent, const ExportQuestion &question) {
            ExportDialog dialog(question, parent);
            dialog.show();
            fixture.prompts.path = fixture.file(QStringLiteral("own.sh"));
            QTest::mouseClick(dialog.findChild<QPushButton *>(QStringLiteral("exportSave")), Qt::LeftButton);
            QVERIFY(dialog.said().startsWith(QStringLiteral("Saved as")));
            if (auto *all = dialog.findChild<QPushButton *>(QStringLiteral("exportSaveAll")); all != nullptr) {
                QDir(fixture.file({})).mkdir(QStringLiteral("run"));
                fixture.prompts.path = fixture.file(QStringLiteral("run"));
                QTest::mouseClick(all, Qt::LeftButton);
                QVERIFY(dialog.said().startsWith(QStringLiteral("Saved ")));
            }
            fixture.prompts.path = fixture.file(QStringLiteral("no/such/folder.sh"));
            QTest::mouseClick(dialog.findChild<QPushButton *>(QStringLiteral("exportSave")), Qt::LeftButton);
            QVERIFY(dialog.said().contains(QStringLiteral("folder.sh")));
        };
        fixture.trigger("export.launch.megatron");
        QCOMPARE(fixture.prompts.exports.size(), 1u);
        QFile written(fixture.file(QStringLiteral("own.sh")));
        QVERIFY(written.open(QIODevice::ReadOnly));
        QCOMPARE(written.readAll(),
                 QByteArray::fromStdString(fixture.prompts.exports.front().exported.files.front().text()));
        for (const ExportFile &file : fixture.prompts.exports.front().exported.files)
            if (fixture.prompts.exports.front().exported.files.size() > 1)
                QVERIFY(QFile::exists(fixture.file(QStringLiteral("run/") + QString::fromStdString(file.name))));
    }

    void menu_and_dialog_spell_a_project_as_it_spells_itself() {
        LaunchFixture fixture;
        const std::pair<const char *, const char *> titles[] = {{"torchtitan", "torchtitan v0.2.2 TOML"},
                                                                {"nanotron", "nanotron YAML"},
                                                                {"csv", "Tables of figures, stages and operations"}};
        for (const auto &[id, title] : titles) {
            const auto *action =
                fixture.window().findChild<QAction *>(QStringLiteral("export.launch.") + QLatin1String(id));
            QVERIFY(action != nullptr);
            QCOMPARE(action->text(), QString(QLatin1String(title) + QStringLiteral(" …")));
            const std::size_t before = fixture.prompts.exports.size();
            fixture.trigger((std::string("export.launch.") + id).c_str());
            QCOMPARE(fixture.prompts.exports.size(), before + 1);
            QCOMPARE(fixture.prompts.exports.back().title, QString(QLatin1String(title)));
        }
    }

    void every_target_previews_every_walked_plan() {
        for (const char *preset : {"pretrain-8b", "deepseek-v3", "ten-to-25"}) {
            LaunchFixture fixture{QLatin1String(preset)};
            for (const ExportTarget &target : export_targets()) {
                if (target.id == "perfetto")
                    continue;
                const std::size_t before = fixture.prompts.exports.size();
                fixture.trigger(("export.launch." + std::string(target.id)).c_str());
                // A target that cannot express a degree reports this; otherwise the export has files.
                const bool shown = fixture.prompts.exports.size() == before + 1;
                QVERIFY2(shown || !fixture.said().isEmpty(), target.id.data());
                if (shown) {
                    ExportDialog dialog(fixture.prompts.exports.back());
                    dialog.show();
                    QVERIFY(dialog.lines()->rowCount() > 0);
                }
            }
        }
    }

    void a_plan_goes_from_one_window_to_another_as_text() {
        LaunchFixture fixture;
        fixture.document().apply({.subject = QStringLiteral("test"), .patch = R"({"batch": {"micro_sequences": 2}})"});
        QVERIFY(fixture.settle());
        fixture.trigger("export.planText");
        QVERIFY(clipboard().startsWith(QStringLiteral("meshwright-plan-1:")));
        LaunchFixture other(QStringLiteral("smollm-135m"));
        other.window().view<PlanPage>()->setFocus();
        QTest::keyClick(&other.window(), Qt::Key_V, Qt::ControlModifier);
        QVERIFY(other.settle());
        QCOMPARE(other.json(), fixture.json());
    }

    void a_command_line_reproduces_the_plan() {
        LaunchFixture fixture;
        fixture.document().apply({.subject = QStringLiteral("test"), .patch = R"({"batch": {"micro_sequences": 2}})"});
        QVERIFY(fixture.settle());
        fixture.trigger("export.planCommand");
        QCOMPARE(clipboard(),
                 QStringLiteral("meshwright-cli evaluate preset:pretrain-8b --set batch.micro_sequences=2"));
        const nlohmann::ordered_json document = plan_of_command(clipboard().toStdString(), Library::standard());
        QCOMPARE(read_plan(document, Library::standard()).plan, fixture.session().view().plan);
    }

    void pictures_of_views_have_the_chosen_scale() {
        LaunchFixture fixture;
        for (int scale = 1; scale <= 4; ++scale) {
            fixture.prompts.path = fixture.file(QStringLiteral("view%1.png").arg(scale));
            fixture.trigger(("export.viewPng" + std::to_string(scale)).c_str());
            const QImage image(fixture.prompts.path);
            QCOMPARE(image.size(), fixture.window().view<PlanPage>()->size() * scale);
        }
    }

    /// Covers every view, because each paints in its own way.
    void drawings_of_views_are_well_formed_and_clipped() {
        LaunchFixture fixture(QStringLiteral("ten-to-25"));
        const QList<QAction *> views = fixture.window().rail()->actions();
        for (QAction *view : views) {
            view->trigger();
            QVERIFY(fixture.settle());
            QTest::qWait(50);
            QWidget *shown = nullptr;
            for (View *each : fixture.window().views())
                if (each->isVisible())
                    shown = each;
            QVERIFY(shown != nullptr);
            const QByteArray svg = svgOf(*shown, view->text());
            QXmlStreamReader reader(svg);
            int texts = 0;
            while (!reader.atEnd())
                if (reader.readNext() == QXmlStreamReader::StartElement && reader.name() == QLatin1String("text"))
                    ++texts;
            QVERIFY2(!reader.hasError(), qPrintable(view->text() + reader.errorString()));
            QVERIFY2(texts > 3, qPrintable(view->text()));
            QSvgRenderer renderer(svg);
            QVERIFY(renderer.isValid());
            QCOMPARE(renderer.viewBox().size(), shown->size());
        }
    }

    void tables_are_copied_with_tabs_and_written_with_commas() {
        LaunchFixture fixture;
        fixture.showView(QStringLiteral("Evidence"));
        QTRY_VERIFY(!fixture.window().view<EvidenceView>()->isBusy());
        fixture.trigger("export.copyTable");
        const QStringList lines = clipboard().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        QVERIFY(lines.size() > 2);
        QVERIFY(lines.first().contains(QLatin1Char('\t')));
        QCOMPARE(lines.first().count(QLatin1Char('\t')), lines.last().count(QLatin1Char('\t')));
        QVERIFY(!QGuiApplication::clipboard()->mimeData()->data(QStringLiteral("text/csv")).isEmpty());
        fixture.prompts.path = fixture.file(QStringLiteral("table.csv"));
        fixture.trigger("export.csv");
        QFile written(fixture.prompts.path);
        QVERIFY(written.open(QIODevice::ReadOnly));
        QCOMPARE(written.readAll().count('\n'), lines.size());
    }
};

LISTED_TEST(LaunchExportTest)
#include "tst_launch_export.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "json_text.h"
#include "listed_test.h"
#include "window_fixture.h"

#include "controls/integer_box.h"
#include "controls/notice_strip.h"
#include "controls/text_field.h"
#include "evidence/evidence_view.h"
#include "file_controller.h"
#include "input/json_document.h"
#include "panels/details_column.h"
#include "panels/snapshot_list.h"
#include "plan/plan_json.h"
#include "plan/plan_page.h"
#include "view_table.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QToolButton>

using namespace meshwright;
using nlohmann::ordered_json;

namespace {

void trigger(WindowFixture &fixture, const QString &text) {
    for (QAction *action : fixture.window().findChildren<QAction *>())
        if (action->text().remove(QLatin1Char('&')) == text) {
            action->trigger();
            return;
        }
    qWarning("no action has the name %s", qPrintable(text));
}

TextField *openTitle(WindowFixture &fixture) {
    QTest::mouseClick(fixture.find<QLabel>("planName"), Qt::LeftButton);
    auto *field = fixture.find<TextField>("planNameField");
    QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier);
    return field;
}

void setTensor(WindowFixture &fixture, int value) {
    auto *box = fixture.find<IntegerBox>("parallelism/tensor");
    fixture.reveal(box);
    box->setFocus();
    box->selectAll();
    QTest::keyClicks(box, QString::number(value));
    QTest::keyClick(box, Qt::Key_Return);
}

int tensor(WindowFixture &fixture) {
    return fixture.json()["parallelism"]["tensor"].get<int>();
}

void saveSnapshot(WindowFixture &fixture, const QString &name) {
    fixture.prompts.text = name;
    auto *save = fixture.find<QPushButton>("saveSnapshot");
    fixture.reveal(save);
    QTest::mouseClick(save, Qt::LeftButton);
}

QWidget *snapshotRow(WindowFixture &fixture, int index) {
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    return fixture.window().findChild<QWidget *>(QStringLiteral("snapshot%1").arg(index));
}

QByteArray contentOf(const QString &path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QStringList buttonsOf(const NoticeStrip *strip) {
    QStringList texts;
    for (const QPushButton *button : strip->findChildren<QPushButton *>())
        if (button->isVisible())
            texts.append(button->text());
    return texts;
}

void press(const NoticeStrip *strip, const QString &text) {
    for (QPushButton *button : strip->findChildren<QPushButton *>())
        if (button->isVisible() && button->text() == text) {
            QTest::mouseClick(button, Qt::LeftButton);
            return;
        }
    qWarning("no button has the name %s", qPrintable(text));
}

} // namespace

class AnnotationsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void a_click_on_the_title_renames_the_plan_in_one_step() {
        WindowFixture fixture;
        const QString before = fixture.document().name();
        TextField *field = openTitle(fixture);
        QTest::keyClicks(field, QStringLiteral("Mine"));
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY(!field->isVisible());
        QCOMPARE(fixture.document().name(), QStringLiteral("Mine"));
        QCOMPARE(fixture.edits(), 1);
        QCOMPARE(fixture.find<QLabel>("planName")->text(), QStringLiteral("Mine"));
        QVERIFY(fixture.window().windowTitle().startsWith(QStringLiteral("Mine")));
        QVERIFY(fixture.settle());
        QCOMPARE(QString::fromStdString(fixture.session().view().result->plan.name), QStringLiteral("Mine"));
        QTest::keyClick(&fixture.window(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(fixture.document().name(), before);
    }

    void escape_leaves_the_name_and_the_menu_edits_it_too() {
        WindowFixture fixture;
        const QString before = fixture.document().name();
        TextField *field = openTitle(fixture);
        QTest::keyClicks(field, QStringLiteral("Mine"));
        QTest::keyClick(field, Qt::Key_Escape);
        QVERIFY(!field->isVisible());
        QCOMPARE(fixture.document().name(), before);
        QCOMPARE(fixture.edits(), 0);
        trigger(fixture, QStringLiteral("Rename Plan …"));
        QVERIFY(field->isVisible());
        QCOMPARE(field->text(), before);
        QCOMPARE(field->selectedText(), before);
    }

    void a_plan_without_a_name_is_named_after_its_file() {
        WindowFixture fixture;
        trigger(fixture, QStringLiteral("New Plan"));
        QCOMPARE(fixture.find<QLabel>("planState")->text(), QStringLiteral("not saved"));
        fixture.prompts.path = fixture.file(QStringLiteral("mine64.plan"));
        QVERIFY(fixture.window().files()->saveAs());
        QCOMPARE(fixture.document().name(), QStringLiteral("mine64"));
        QCOMPARE(textOf(read_json_file(fixture.prompts.path.toStdString())["name"]), textOf("mine64"));
        QVERIFY(!fixture.document().isModified());
        fixture.prompts.path = fixture.file(QStringLiteral("other.plan"));
        QVERIFY(fixture.window().files()->saveAs());
        QCOMPARE(fixture.document().name(), QStringLiteral("mine64"));
    }

    void notes_are_kept_in_the_file_and_can_be_undone() {
        WindowFixture fixture;
        fixture.prompts.text = QStringLiteral("Bought in spring.\nTwo racks later.");
        trigger(fixture, QStringLiteral("Notes …"));
        QCOMPARE(fixture.document().notes(), *fixture.prompts.text);
        QCOMPARE(fixture.edits(), 1);
        QVERIFY2(fixture.session().view().valid, "a plan with notes is valid");
        QVERIFY(fixture.find<QLabel>("planName")->toolTip().contains(QStringLiteral("Two racks later.")));
        fixture.prompts.path = fixture.file(QStringLiteral("noted.plan"));
        QVERIFY(fixture.window().files()->saveAs());
        QVERIFY(fixture.window().files()->openPreset(QStringLiteral("llama3-70b")));
        QVERIFY(fixture.window().files()->openFile(fixture.prompts.path));
        QCOMPARE(fixture.document().notes(), *fixture.prompts.text);
        fixture.prompts.text = QString();
        trigger(fixture, QStringLiteral("Notes …"));
        QVERIFY2(!fixture.json().contains("notes"), "an empty list of notes is not written");
        fixture.document().undoStack()->undo();
        QVERIFY(fixture.document().notes().startsWith(QStringLiteral("Bought")));
    }

    void a_snapshot_is_restored_in_one_step_and_comes_back_with_the_file() {
        WindowFixture fixture;
        setTensor(fixture, 4);
        saveSnapshot(fixture, QStringLiteral("narrow"));
        QVERIFY(fixture.document().isModified());
        setTensor(fixture, 2);
        fixture.prompts.path = fixture.file(QStringLiteral("with.plan"));
        QVERIFY(fixture.window().files()->saveAs());
        QVERIFY(!fixture.document().isModified());
        const ordered_json written = read_json_file(fixture.prompts.path.toStdString());
        QCOMPARE(int(written["snapshots"].size()), 1);
        QVERIFY2(read_plan(written, Library::standard()).diagnostics
                     == read_plan(fixture.json(), Library::standard()).diagnostics,
                 "the command line reads it as the same plan");
        QVERIFY(fixture.window().files()->openPreset(QStringLiteral("llama3-70b")));
        QVERIFY(fixture.document().snapshots().empty());
        QVERIFY(snapshotRow(fixture, 0) == nullptr);
        QVERIFY(fixture.window().files()->openFile(fixture.prompts.path));
        QCOMPARE(int(fixture.document().snapshots().size()), 1);
        QVERIFY(!fixture.json().contains("snapshots"));
        QWidget *row = snapshotRow(fixture, 0);
        fixture.reveal(row);
        QTest::mouseClick(row->findChild<QPushButton *>(), Qt::LeftButton);
        QCOMPARE(tensor(fixture), 4);
        QCOMPARE(fixture.edits(), 1);
        fixture.document().undoStack()->undo();
        QCOMPARE(tensor(fixture), 2);
    }

    void undo_never_loses_a_snapshot_and_a_removed_one_can_be_brought_back() {
        WindowFixture fixture;
        setTensor(fixture, 4);
        saveSnapshot(fixture, QStringLiteral("a"));
        saveSnapshot(fixture, QStringLiteral("b"));
        fixture.document().undoStack()->undo();
        setTensor(fixture, 2);
        QCOMPARE(int(fixture.document().snapshots().size()), 2);
        QWidget *row = snapshotRow(fixture, 0);
        fixture.reveal(row);
        QTest::mouseClick(row->findChild<QToolButton *>(), Qt::LeftButton);
        QCOMPARE(int(fixture.document().snapshots().size()), 1);
        QCOMPARE(fixture.document().snapshots().front().name, QStringLiteral("b"));
        press(fixture.window().notices(), QStringLiteral("Restore"));
        QCOMPARE(fixture.document().snapshots().front().name, QStringLiteral("a"));
        fixture.document().restoreSnapshot(0);
        QCOMPARE(tensor(fixture), 4);
    }

    void an_exported_file_can_be_opened_and_the_notice_goes_by_itself() {
        WindowFixture fixture;
        fixture.prompts.path = fixture.file(QStringLiteral("trace.json"));
        fixture.find<QAction>("export.perfetto")->trigger();
        QTRY_VERIFY(QFile::exists(fixture.prompts.path));
        const ordered_json trace = read_json_file(fixture.prompts.path.toStdString());
        QVERIFY(trace.at("traceEvents").size() > 10);
        NoticeStrip *strip = fixture.window().notices();
        QTRY_VERIFY(strip->isVisible());
        QCOMPARE(buttonsOf(strip),
                 QStringList({QStringLiteral("Dismiss"), QStringLiteral("Open"), QStringLiteral("Show in Folder"),
                              QStringLiteral("Copy Path")}));
        press(strip, QStringLiteral("Copy Path"));
        QCOMPARE(QGuiApplication::clipboard()->text(), fixture.prompts.path);
        QVERIFY(strip->isVisible());
        fixture.showView(QStringLiteral("Memory"));
        QVERIFY2(!strip->isVisible(), "a note appears only in its view");
    }

    void the_views_table_and_picture_can_be_taken_along() {
        WindowFixture fixture;
        fixture.showView(QStringLiteral("Evidence"));
        QTRY_VERIFY(tableIn(*fixture.window().view<EvidenceView>()) != nullptr);
        fixture.prompts.path = fixture.file(QStringLiteral("runs.csv"));
        fixture.find<QAction>("export.csv")->trigger();
        const QList<QByteArray> lines = contentOf(fixture.prompts.path).split('\n');
        QVERIFY(lines.size() > 2);
        QVERIFY(lines.front().count(',') > 2);
        fixture.find<QAction>("export.picture")->trigger();
        QVERIFY(QGuiApplication::clipboard()->image().width() > 400);
    }
};

LISTED_TEST(AnnotationsTest)
#include "tst_annotations.moc"

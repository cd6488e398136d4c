// SPDX-License-Identifier: GPL-3.0-or-later
#include "json_text.h"
#include "listed_test.h"
#include "window_fixture.h"

#include "autosave.h"
#include "controls/integer_box.h"
#include "controls/notice_strip.h"
#include "file_controller.h"
#include "file_lock.h"
#include "input/json_document.h"
#include "plan/plan_page.h"

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QPushButton>

using namespace meshwright;
using nlohmann::ordered_json;

namespace {

ordered_json smallPlan(int length) {
    return {{"schema", "meshwright.plan/1"},
            {"name", "Small"},
            {"cluster", "dgx-h100"},
            {"model", "llama-3.1-8b"},
            {"batch", {{"sequence_length", length}}}};
}

QByteArray contentOf(const QString &path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void typeLength(WindowFixture &fixture, int length) {
    auto *box = fixture.find<IntegerBox>("batch/sequence_length");
    fixture.reveal(box);
    box->setFocus();
    box->selectAll();
    QTest::keyClicks(box, QString::number(length));
    QTest::keyClick(box, Qt::Key_Return);
}

void save(WindowFixture &fixture) {
    fixture.window().activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&fixture.window()));
    QTest::keyClick(&fixture.window(), Qt::Key_S, Qt::ControlModifier);
}

int lengthIn(const ordered_json &document) {
    return document.at("batch").at("sequence_length").get<int>();
}

QPushButton *button(WindowFixture &fixture, const char *bar, const char *name) {
    return fixture.find<NoticeStrip>(bar)->findChild<QPushButton *>(QLatin1String(name));
}

} // namespace

class FilesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void a_file_that_is_not_a_plan_is_not_opened_and_not_saved_over() {
        WindowFixture fixture;
        const ordered_json before = fixture.json();
        fixture.write(QStringLiteral("package.json"), {{"name", "left-pad"}, {"version", "1.3.0"}});
        const QString path = fixture.file(QStringLiteral("package.json"));
        const QByteArray content = contentOf(path);
        fixture.prompts.path = path;
        QTest::keyClick(&fixture.window(), Qt::Key_O, Qt::ControlModifier);
        QCOMPARE(fixture.window().notices()->text(), QStringLiteral("package.json: not a plan (no `schema`)"));
        QCOMPARE(textOf(fixture.json()), textOf(before));
        QVERIFY(fixture.document().path().isEmpty());
        typeLength(fixture, 2048);
        save(fixture); // the dialog returns package.json
        QCOMPARE(contentOf(path), content);
        QVERIFY(fixture.document().isModified());
        fixture.write(QStringLiteral("result.json"), {{"schema", "meshwright.result/1"}});
        QVERIFY(!fixture.window().files()->openFile(fixture.file(QStringLiteral("result.json"))));
        QVERIFY(fixture.window().notices()->text().contains(QStringLiteral("meshwright.result/1")));
    }

    void saving_asks_before_it_replaces_what_another_window_wrote() {
        WindowFixture fixture;
        fixture.write(QStringLiteral("shared.plan"), smallPlan(4096));
        const QString path = fixture.file(QStringLiteral("shared.plan"));
        QVERIFY(fixture.window().files()->openFile(path));
        WindowFixture other;
        QVERIFY(other.window().files()->openFile(path));
        QVERIFY(other.settle());
        typeLength(other, 2048);
        save(other);
        QCOMPARE(lengthIn(read_json_file(path.toStdString())), 2048);
        typeLength(fixture, 8192);
        save(fixture);
        QCOMPARE(int(fixture.prompts.conflicts.size()), 1);
        const std::vector<FieldDifference> &asked = fixture.prompts.conflicts.front().differences;
        QCOMPARE(int(asked.size()), 1);
        QCOMPARE(asked[0].field, QStringLiteral("batch.sequence_length"));
        QCOMPARE(asked[0].theirs, QStringLiteral("2048"));
        QCOMPARE(asked[0].mine, QStringLiteral("8192"));
        QVERIFY2(lengthIn(read_json_file(path.toStdString())) == 2048, "cancelled: theirs stays");
        QVERIFY(fixture.document().isModified());

        fixture.prompts.conflictAnswer = ConflictAnswer::SaveAs;
        fixture.prompts.path = fixture.file(QStringLiteral("mine.plan"));
        save(fixture);
        QCOMPARE(lengthIn(read_json_file(path.toStdString())), 2048);
        QCOMPARE(lengthIn(read_json_file(fixture.prompts.path.toStdString())), 8192);
        QVERIFY(!fixture.document().isModified());
    }

    void overwriting_and_reloading_are_what_they_say() {
        WindowFixture fixture;
        fixture.write(QStringLiteral("shared.plan"), smallPlan(4096));
        const QString path = fixture.file(QStringLiteral("shared.plan"));
        QVERIFY(fixture.window().files()->openFile(path));
        fixture.write(QStringLiteral("shared.plan"), smallPlan(2048));
        typeLength(fixture, 8192);
        fixture.prompts.conflictAnswer = ConflictAnswer::Reload;
        save(fixture);
        QCOMPARE(lengthIn(fixture.json()), 2048);
        QVERIFY(!fixture.document().isModified());
        fixture.document().undoStack()->undo();
        QVERIFY2(lengthIn(fixture.json()) == 8192, "undo does not restore the plan before the reload");
        fixture.write(QStringLiteral("shared.plan"), smallPlan(1024));
        fixture.prompts.conflictAnswer = ConflictAnswer::Overwrite;
        save(fixture);
        QCOMPARE(lengthIn(read_json_file(path.toStdString())), 8192);
        QCOMPARE(int(fixture.prompts.conflicts.size()), 2);
        typeLength(fixture, 512);
        save(fixture);
        QVERIFY2(fixture.prompts.conflicts.size() == 2, "the program reported its own save as a conflict");
    }

    void another_layout_of_the_same_plan_is_no_conflict() {
        WindowFixture fixture;
        fixture.write(QStringLiteral("shared.plan"), smallPlan(4096));
        const QString path = fixture.file(QStringLiteral("shared.plan"));
        QVERIFY(fixture.window().files()->openFile(path));
        typeLength(fixture, 2048);
        write_file_atomically(path.toStdString(), fixture.json().dump(7));
        save(fixture);
        QVERIFY(fixture.prompts.conflicts.empty());
        QVERIFY(!fixture.document().isModified());
    }

    void a_file_that_changes_offers_to_reload_and_never_does_so_by_itself() {
        WindowFixture fixture;
        fixture.write(QStringLiteral("shared.plan"), smallPlan(4096));
        QVERIFY(fixture.window().files()->openFile(fixture.file(QStringLiteral("shared.plan"))));
        auto *bar = fixture.find<NoticeStrip>("fileBar");
        fixture.write(QStringLiteral("shared.plan"), smallPlan(2048));
        QTRY_VERIFY(bar->isVisible());
        QCOMPARE(lengthIn(fixture.json()), 4096);
        QTest::mouseClick(button(fixture, "fileBar", "noticeAction"), Qt::LeftButton);
        QCOMPARE(lengthIn(fixture.json()), 2048);
        QVERIFY(!bar->isVisible());
        QVERIFY(!fixture.document().isModified());
        // The window notices a file that is replaced by a rename, as here, or written in place.
        QFile file(fixture.file(QStringLiteral("shared.plan")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(smallPlan(1024).dump()));
        file.close();
        QTRY_VERIFY(bar->isVisible());
        QTest::mouseClick(button(fixture, "fileBar", "noticeDismiss"), Qt::LeftButton);
        QCOMPARE(lengthIn(fixture.json()), 2048);
        QVERIFY2(!bar->isVisible(), "the window asks again after the user kept their version");
        typeLength(fixture, 512);
        save(fixture);
        QVERIFY2(fixture.prompts.conflicts.size() == 1, "overwriting the changed file must ask");
    }

    void ones_own_saves_are_not_announced() {
        WindowFixture fixture;
        fixture.write(QStringLiteral("own.plan"), smallPlan(4096));
        QVERIFY(fixture.window().files()->openFile(fixture.file(QStringLiteral("own.plan"))));
        typeLength(fixture, 2048);
        save(fixture);
        QTest::qWait(500);
        QVERIFY(!fixture.find<NoticeStrip>("fileBar")->isVisible());
    }

    void one_window_offers_what_a_crash_left_behind() {
        const QTemporaryDir folder;
        write_file_atomically(folder.filePath(QStringLiteral("lost.plan")).toStdString(),
                              ordered_json{{"name", "Lost"}, {"path", ""}, {"document", smallPlan(31)}}.dump());
        PlanDocument document(Library::standard());
        Autosave first(document, folder.path());
        Autosave second(document, folder.path());
        {
            const std::optional<LeftBehind> left = first.leftBehind();
            QVERIFY(left);
            QVERIFY2(!second.leftBehind(), "only the first window may offer the recovered plan");
        }
        QVERIFY2(second.leftBehind(), "the next window must offer the recovered plan again");
    }

    void a_lock_whose_holder_died_is_free_whatever_its_process_id_says() {
        const QTemporaryDir folder;
        // A lock file in the format of QLockFile, with the id of a running process: this test.
        const QString path = folder.path() + QStringLiteral("/lost.plan");
        QFile lock(path + QStringLiteral(".lock"));
        QVERIFY(lock.open(QIODevice::WriteOnly));
        lock.write(QByteArray::number(QCoreApplication::applicationPid()) + "\ntst_files\n");
        lock.close();
        write_file_atomically(path.toStdString(), ordered_json{{"name", "Lost"}, {"document", smallPlan(31)}}.dump());
        PlanDocument document(Library::standard());
        Autosave autosave(document, folder.path());
        QVERIFY(autosave.leftBehind());
    }

    void locks_of_sessions_that_were_killed_are_cleared_away() {
        const QTemporaryDir folder;
        for (int i = 0; i < 3; ++i) {
            QFile lock(folder.filePath(QStringLiteral("%1.plan.lock").arg(i)));
            QVERIFY(lock.open(QIODevice::WriteOnly));
        }
        const auto held = FileLock::tryToHold(folder.filePath(QStringLiteral("2.plan.lock")));
        PlanDocument document(Library::standard());
        Autosave autosave(document, folder.path());
        QVERIFY(!autosave.leftBehind());
        const QStringList locks = QDir(folder.path()).entryList({QStringLiteral("*.lock")}, QDir::Files);
        QCOMPARE(locks.size(), 2); // one lock of this window, one of another open window
        QVERIFY(locks.contains(QStringLiteral("2.plan.lock")));
    }

    void a_recovered_plan_asks_before_it_replaces_its_file() {
        WindowFixture fixture;
        fixture.write(QStringLiteral("kept.plan"), smallPlan(4096));
        const QString path = fixture.file(QStringLiteral("kept.plan"));
        fixture.document().recover(smallPlan(2048), PlanFile(path, PlanFile::hashOf("what it was")));
        save(fixture);
        QCOMPARE(int(fixture.prompts.conflicts.size()), 1);
        fixture.document().recover(smallPlan(2048), PlanFile(path, PlanFile::contentOf(path)));
        save(fixture);
        QCOMPARE(int(fixture.prompts.conflicts.size()), 1);
        QCOMPARE(lengthIn(read_json_file(path.toStdString())), 2048);
    }
};

LISTED_TEST(FilesTest)
#include "tst_files.moc"

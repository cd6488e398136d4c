// SPDX-License-Identifier: GPL-3.0-or-later
#include "autosave.h"
#include "catalog/library.h"
#include "input/diagnostic.h"
#include "input/json_document.h"
#include "models/latest_worker.h"
#include "plan_document.h"
#include "prompts.h"

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QMessageBox>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <nlohmann/json.hpp>

#include <new>
#include <stdexcept>

using namespace meshwright;
using nlohmann::ordered_json;

namespace {

ordered_json smallPlan() {
    return {{"schema", "meshwright.plan/1"}, {"name", "Small"}, {"cluster", "dgx-h100"}, {"model", "llama-3.1-8b"}};
}

void setLength(PlanDocument &document, int length) {
    const ordered_json patch{{"batch", {{"sequence_length", length}}}};
    document.apply({.subject = QStringLiteral("length %1").arg(length), .patch = patch.dump()});
}

int keptLength(const QString &folder) {
    const QStringList files = QDir(folder).entryList({QStringLiteral("*.plan")}, QDir::Files);
    if (files.size() != 1)
        return 0;
    const ordered_json kept = read_json_file(QDir(folder).filePath(files.first()).toStdString());
    return kept.at("document").at("batch").at("sequence_length").get<int>();
}

} // namespace

/// Nothing that ends or fails takes unsaved work with it.
class LostWorkTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void edits_without_a_pause_are_kept_too() {
        const QTemporaryDir folder;
        PlanDocument document(Library::standard());
        document.replace(smallPlan(), PlanOrigin::New);
        const Autosave autosave(document, folder.path());
        constexpr int first = 1024, edits = 24;
        for (int i = 0; i < edits; ++i) {
            setLength(document, first + i);
            QTest::qWait(100);
        }
        QVERIFY2(keptLength(folder.path()) >= first + 8, "kept a second after the first edit, and again after that");
    }

    void a_program_that_is_told_to_end_leaves_its_edits_behind() {
        const QTemporaryDir folder;
        PlanDocument document(Library::standard());
        document.replace(smallPlan(), PlanOrigin::New);
        {
            Autosave autosave(document, folder.path());
            setLength(document, 2048);
            autosave.leaveBehind();
        }
        const Autosave next(document, folder.path());
        const std::optional<LeftBehind> left = next.leftBehind();
        QVERIFY(left);
        QCOMPARE(left->document->at("batch").at("sequence_length").get<int>(), 2048);
    }

    void edits_that_cannot_be_kept_are_said_and_tried_again() {
        const QTemporaryDir folder;
        const QString blocked = folder.filePath(QStringLiteral("blocked"));
        QFile file(blocked);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.close();
        PlanDocument document(Library::standard());
        document.replace(smallPlan(), PlanOrigin::New);
        const Autosave autosave(document, blocked + QStringLiteral("/autosave"));
        QSignalSpy failed(&autosave, &Autosave::failed);
        QSignalSpy recovered(&autosave, &Autosave::recovered);
        setLength(document, 2048);
        QVERIFY(failed.wait(3000));
        QVERIFY(file.remove());
        QVERIFY(recovered.wait(10'000));
        QCOMPARE(failed.size(), 1);
        QCOMPARE(keptLength(blocked + QStringLiteral("/autosave")), 2048);
    }

    void a_plan_that_would_not_open_again_does_not_replace_its_file() {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("a.plan"));
        PlanDocument document(Library::standard());
        document.replace(smallPlan(), PlanOrigin::New);
        document.save(path);
        ordered_json huge = smallPlan();
        huge["notes"] = std::string(largest_input_bytes, 'x');
        document.replace(huge, PlanOrigin::New);
        QVERIFY_THROWS_EXCEPTION(FileError, document.save(path));
        QVERIFY(contentOf(path) == smallPlan());
        // Indented it would be too long; without that it is not.
        ordered_json wide = smallPlan();
        wide["sources"] = std::vector<int>(4'000'000, 1);
        document.replace(wide, PlanOrigin::New);
        document.save(path);
        QVERIFY(contentOf(path) == wide);
    }

    void a_name_is_text() {
        DialogPrompts prompts;
        Qt::TextFormat format = Qt::AutoText;
        QTimer::singleShot(200, this, [&format] {
            auto *box = qobject_cast<QMessageBox *>(QApplication::activeModalWidget());
            if (box == nullptr)
                return;
            format = box->textFormat();
            box->reject();
        });
        QCOMPARE(prompts.askToSave(nullptr, QStringLiteral("<img src='/dev/zero'>")), SaveAnswer::Cancel);
        QCOMPARE(format, Qt::PlainText);
    }

    void work_that_throws_becomes_a_notice_and_the_worker_goes_on() {
        QSignalSpy notices(&WorkFailures::instance(), &WorkFailures::failed);
        int answer = 0;
        LatestWorker<int, int> worker(
            this,
            [](int question, const std::stop_token &) {
                if (question == 1)
                    throw std::bad_alloc();
                if (question == 2)
                    throw std::runtime_error("a schedule of no stages");
                return question;
            },
            [&answer](int given) { answer = given; });
        worker.ask(1);
        QTRY_VERIFY(!worker.isBusy());
        QVERIFY(notices.at(0).at(0).toString().contains(QStringLiteral("memory")));
        worker.ask(2);
        QTRY_VERIFY(!worker.isBusy());
        QVERIFY(notices.at(1).at(0).toString().contains(QStringLiteral("a schedule of no stages")));
        QCOMPARE(answer, 0);
        worker.ask(3);
        QTRY_COMPARE(answer, 3);
    }

private:
    static ordered_json contentOf(const QString &path) { return read_json_file(path.toStdString()); }
};

QTEST_MAIN(LostWorkTest)
#include "tst_lost_work.moc"

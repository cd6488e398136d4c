// SPDX-License-Identifier: GPL-3.0-or-later
#include "autosave.h"
#include "catalog/library.h"
#include "controls/notice_strip.h"
#include "input/diagnostic.h"
#include "input/json_document.h"
#include "input/stop_scope.h"
#include "listed_test.h"
#include "models/latest_worker.h"
#include "plan_document.h"
#include "prompts.h"
#include "window_fixture.h"

#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QMessageBox>
#include <QPushButton>
#include <QRegularExpression>
#include <QSet>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <nlohmann/json.hpp>

#include <atomic>
#include <chrono>
#include <iterator>
#include <new>
#include <random>
#include <stdexcept>
#include <thread>

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

/// Autosave whose folder cannot be created, because a file has its name.
struct Blocked {
    static QString made(const QString &path) { return QFile(path).open(QIODevice::WriteOnly) ? path : QString(); }
    const QTemporaryDir folder;
    const QString file = made(folder.filePath(QStringLiteral("blocked")));
    const QString autosaves = file + QStringLiteral("/autosave");
    PlanDocument document{Library::standard()};
    Autosave autosave{document, autosaves};
    QSignalSpy failed{&autosave, &Autosave::failed};
    QSignalSpy recovered{&autosave, &Autosave::recovered};
};

} // namespace

/// No failure and no exit loses unsaved work.
class LostWorkTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void edits_without_a_pause_are_kept_too() {
        const QTemporaryDir folder;
        PlanDocument document(Library::standard());
        document.replace(smallPlan(), PlanOrigin::New);
        Autosave autosave(document, folder.path());
        constexpr int first = 1024, edits = 12;
        for (int i = 0; i < edits; ++i) {
            setLength(document, first + i);
            QTRY_COMPARE_WITH_TIMEOUT(keptLength(folder.path()), first + i, 1000);
        }
    }

    void a_drag_is_written_now_and_then() {
        const QTemporaryDir folder;
        PlanDocument document(Library::standard());
        document.replace(smallPlan(), PlanOrigin::New);
        Autosave autosave(document, folder.path());
        constexpr int first = 1024, edits = 100;
        QElapsedTimer clock;
        clock.start();
        QSet<qint64> written;
        for (int i = 0; i < edits; ++i) {
            const ordered_json patch{{"batch", {{"sequence_length", first + i}}}};
            document.apply({.field = QStringLiteral("/batch/sequence_length"),
                            .subject = QStringLiteral("length"),
                            .patch = patch.dump(),
                            .pace = EditPace::Live});
            QTest::qWait(5);
            const QStringList files = QDir(folder.path()).entryList({QStringLiteral("*.plan")}, QDir::Files);
            if (!files.isEmpty())
                written.insert(QFileInfo(folder.filePath(files.first())).lastModified().toMSecsSinceEpoch());
        }
        QVERIFY2(written.size() <= clock.elapsed() / CopyWriter::dragPause.count() + 2,
                 "a drag writes more often than its pause allows");
        QTRY_COMPARE(keptLength(folder.path()), first + edits - 1);
    }

    void the_notice_goes_when_nothing_is_unsaved_and_comes_again() {
        Blocked at;
        at.document.replace(smallPlan(), PlanOrigin::New);
        setLength(at.document, 2048);
        QVERIFY(at.failed.wait(3000));
        at.document.save(at.folder.filePath(QStringLiteral("a.plan")));
        QCOMPARE(at.recovered.size(), 1);
        setLength(at.document, 4096);
        QVERIFY(at.failed.wait(3000));
    }

    void a_recovered_copy_stays_until_there_is_a_newer_one() {
        const QTemporaryDir folder;
        const QString left = folder.filePath(QStringLiteral("left.plan"));
        write_file_atomically(left.toStdString(), ordered_json{{"name", "Left"}, {"document", smallPlan()}}.dump());
        PlanDocument document(Library::standard());
        document.replace(smallPlan(), PlanOrigin::New);
        Autosave autosave(document, folder.path());
        const std::optional<LeftBehind> found = autosave.leftBehind();
        QVERIFY(found);
        // A folder in the place of the autosave file blocks writing.
        const QString own = QDir(folder.path())
                                .entryList({QStringLiteral("*.lock")}, QDir::Files)
                                .filter(QRegularExpression(QStringLiteral("^(?!left)")))
                                .first()
                                .chopped(5);
        QVERIFY(QDir().mkpath(folder.filePath(own + QStringLiteral("/full"))));
        QSignalSpy failed(&autosave, &Autosave::failed);
        QSignalSpy recovered(&autosave, &Autosave::recovered);
        document.recover(*found->document, found->origin);
        autosave.adopt(*found);
        QVERIFY(failed.wait(3000));
        QVERIFY(QFile::exists(left));
        QVERIFY(QDir(folder.filePath(own)).removeRecursively());
        QVERIFY(recovered.wait(5000));
        QVERIFY(!QFile::exists(left));
        QVERIFY(QFile::exists(folder.filePath(own)));
    }

    void every_session_that_was_killed_is_offered_in_turn() {
        WindowFixture fixture;
        for (int i = 0; i < 3; ++i) {
            ordered_json plan = smallPlan();
            plan["name"] = "Left " + std::to_string(i);
            fixture.write(QStringLiteral("autosave/left-%1.plan").arg(i),
                          {{"name", plan.at("name")}, {"document", plan}});
        }
        fixture.window().offerRecovery();
        auto *bar = fixture.find<NoticeStrip>("recoveryBar");
        QSet<QString> offers;
        for (const char *button : {"noticeDismiss", "noticeAction", "noticeDismiss"}) {
            QVERIFY(bar->isVisible());
            offers.insert(bar->text().left(8));
            QTest::mouseClick(bar->findChild<QPushButton *>(QLatin1String(button)), Qt::LeftButton);
        }
        QVERIFY(!bar->isVisible());
        QCOMPARE(offers.size(), 3);
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
        Autosave next(document, folder.path());
        const std::optional<LeftBehind> left = next.leftBehind();
        QVERIFY(left);
        QCOMPARE(left->document->at("batch").at("sequence_length").get<int>(), 2048);
    }

    void edits_that_cannot_be_kept_are_said_and_tried_again() {
        Blocked at;
        at.document.replace(smallPlan(), PlanOrigin::New);
        setLength(at.document, 2048);
        QVERIFY(at.failed.wait(3000));
        QVERIFY(QFile::remove(at.file));
        QVERIFY(at.recovered.wait(10'000));
        QCOMPARE(at.failed.size(), 1);
        QCOMPARE(keptLength(at.autosaves), 2048);
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
        QVERIFY_THROWS_EXCEPTION(InputError, document.save(path));
        QVERIFY(contentOf(path) == smallPlan());
        // The plan exceeds the size limit only when it is indented.
        ordered_json wide = smallPlan();
        wide["sources"] = std::vector<int>(4'000'000, 1);
        document.replace(wide, PlanOrigin::New);
        document.save(path);
        QVERIFY(contentOf(path) == wide);
    }

    void any_plan_that_opens_is_read_back_equal_or_not_saved() {
        const QTemporaryDir folder;
        const QString from = folder.filePath(QStringLiteral("from.plan"));
        const QString to = folder.filePath(QStringLiteral("to.plan"));
        std::mt19937 random(20261123);
        int saved = 0;
        int refused = 0;
        for (int i = 0; i < 120; ++i) {
            ordered_json plan = Library::standard().json(PresetKind::plan, i % 2 == 0 ? "ten-to-25" : "deepseek-v3");
            for (int change = 0; change < 3; ++change)
                replaceSomething(plan, random);
            write_file_atomically(from.toStdString(), plan.dump());
            write_file_atomically(to.toStdString(), "as it was");
            PlanDocument document(Library::standard());
            try {
                document.open(from);
            } catch (const InputError &) {
                continue;
            }
            if (i % 3 == 0)
                document.addSnapshot(QStringLiteral("of now"));
            try {
                document.save(to);
                ++saved;
                QVERIFY(contentOf(to) == document.whole());
                PlanDocument again(Library::standard());
                again.open(to);
                QVERIFY(again.whole() == document.whole());
            } catch (const InputError &) {
                ++refused;
                QCOMPARE(QString::fromStdString(read_file(to.toStdString())), QStringLiteral("as it was"));
            }
        }
        QVERIFY2(saved > 60, qPrintable(QString::number(saved)));
        QVERIFY2(refused > 1, qPrintable(QString::number(refused)));
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

    void endless_work_ends_at_the_next_question_and_with_its_worker() {
        QSignalSpy notices(&WorkFailures::instance(), &WorkFailures::failed);
        std::atomic<int> begun = 0;
        int answer = 0;
        {
            LatestWorker<int, int> worker(
                this,
                [&begun](int question, const std::stop_token &) {
                    // Stops like a simulation, which gets no stop token and asks its thread's stop scope instead.
                    ++begun;
                    while (question == 1) { // NOLINT(bugprone-infinite-loop): end_if_stopped() throws
                        std::this_thread::sleep_for(std::chrono::milliseconds(1));
                        end_if_stopped();
                    }
                    return question;
                },
                [&answer](int given) { answer = given; });
            worker.ask(1);
            QTRY_COMPARE(begun.load(), 1);
            worker.ask(2);
            QTRY_COMPARE(answer, 2);
            worker.ask(1);
            QTRY_COMPARE(begun.load(), 3);
        } // the destructor waits for its thread
        QCOMPARE(notices.size(), 0);
        QCOMPARE(answer, 2);
    }

private:
    /// Replaces a random member at a random depth of the plan by a random value.
    static void replaceSomething(ordered_json &plan, std::mt19937 &random) {
        const auto below = [&random](std::size_t many) {
            return std::uniform_int_distribution<std::size_t>(0, many - 1)(random);
        };
        ordered_json deep = "end";
        for (int i = 0; i < deepest_input_nesting - 4; ++i)
            deep = ordered_json::array({std::move(deep)});
        const ordered_json values[] = {nullptr,
                                       5e-324,
                                       -1.7976931348623157e308,
                                       9007199254740993,
                                       -1,
                                       "",
                                       "\u202e\u0000",
                                       "\U0001f9f5",
                                       ordered_json::array(),
                                       ordered_json::object(),
                                       deep,
                                       std::string(100'000, '"')};
        ordered_json *place = &plan;
        while (place->is_structured() && !place->empty() && (place == &plan || below(3) > 0))
            place = &std::next(place->begin(), static_cast<std::ptrdiff_t>(below(place->size()))).value();
        if (place != &plan["schema"])
            *place = values[below(std::size(values))];
    }

    static ordered_json contentOf(const QString &path) { return read_json_file(path.toStdString()); }
};

LISTED_TEST(LostWorkTest)
#include "tst_lost_work.moc"

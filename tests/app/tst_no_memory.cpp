// SPDX-License-Identifier: GPL-3.0-or-later
// Allocations fail in background work. Each time the window shows a notice, stays open, and answers the next request.
#include "window_fixture.h"

#include "application.h"
#include "controls/key_figure.h"
#include "controls/small_marks.h"
#include "evidence/calibrate_page.h"
#include "evidence/evidence_view.h"
#include "models/work_guard.h"
#include "plan/goal_card.h"
#include "search_controller.h"
#include "start/start_view.h"

#include <QLineEdit>
#include <QSignalSpy>

#include <atomic>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <new>
#include <thread>
#include <utility>

namespace {

/// Smaller allocations may belong to Qt's event queue, which cannot handle a failure.
constexpr std::size_t largest = 4096;
std::atomic<bool> memoryIsOut = false;
const std::thread::id windowThread = std::this_thread::get_id();

} // namespace

// Replaces operator new in all threads of the program.
void *operator new(std::size_t bytes) {
    // The destructor of a JSON document also allocates, and a destructor must not throw.
    if (memoryIsOut && bytes > largest && std::this_thread::get_id() != windowThread && std::uncaught_exceptions() == 0)
        throw std::bad_alloc();
    if (void *piece = std::malloc(std::max<std::size_t>(bytes, 1)))
        return piece;
    throw std::bad_alloc();
}
void operator delete(void *piece) noexcept {
    std::free(piece);
}
void operator delete(void *piece, std::size_t) noexcept {
    std::free(piece);
}

using namespace meshwright;

namespace {

/// Changes the sequence length, so that every view has to recalculate.
void editOf(WindowFixture &fixture, int length) {
    fixture.document().apply({.field = {},
                              .subject = QStringLiteral("Sequence length"),
                              .from = {},
                              .to = {},
                              .patch = nlohmann::ordered_json{{"batch", {{"sequence_length", length}}}}.dump(),
                              .pace = EditPace::Settled});
}

/// Waits until all threads are idle, so that documents read with sufficient memory are also freed with it.
void waitForIdle() {
    std::clock_t before = std::clock();
    QVERIFY(QTest::qWaitFor(
        [&] {
            QTest::qSleep(100);
            const std::clock_t now = std::clock();
            return now - std::exchange(before, now) < CLOCKS_PER_SEC / 50;
        },
        patience));
}

} // namespace

class NoMemoryTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void every_view_says_so_and_answers_again_data() {
        QTest::addColumn<QString>("view");
        for (const char *view : {"Plan", "Pipeline", "Memory", "Sites", "Search", "Explain", "Evidence"})
            QTest::newRow(view) << QString::fromLatin1(view);
    }
    void every_view_says_so_and_answers_again() {
        QFETCH(QString, view);
        WindowFixture fixture;
        fixture.showView(view);
        waitForIdle();
        QSignalSpy notices(&WorkFailures::instance(), &WorkFailures::failed);
        const auto restore = qScopeGuard([] { memoryIsOut = false; });
        memoryIsOut = true;
        editOf(fixture, 2048);
        QTRY_VERIFY_WITH_TIMEOUT(!notices.isEmpty(), patience);
        QVERIFY(notices.first().first().toString().contains(QStringLiteral("memory")));
        QTest::qWait(300); // the view may make further requests
        memoryIsOut = false;
        editOf(fixture, 1024);
        QVERIFY(fixture.settle());
        QCOMPARE(fixture.session().view().freshness, Freshness::Fresh);
        QVERIFY(fixture.session().view().result != nullptr);
    }
};

int main(int argc, char **argv) {
    Application application(argc, argv);
    NoMemoryTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_no_memory.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Measures the time from a key press on a slider until the window shows the changed figures and the search result, as
// median and 95th percentile per plan. Run it on an idle machine.
#include "app/window_fixture.h"
#include "controls/key_figure.h"
#include "controls/stepped_slider.h"
#include "freed_memory.h"
#include "kept_memory.h"
#include "panels/degree_row.h"
#include "plan/plan_page.h"
#include "search/search_answer.h"
#include "search_controller.h"
#include "view_rail.h"

#include <QAction>
#include <QElapsedTimer>
#include <QTest>
#include <QThread>
#include <QUndoStack>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <vector>

namespace {

using namespace meshwright;

constexpr double longest = 30'000; // milliseconds

class Times {
public:
    void add(double milliseconds) { m_all.push_back(milliseconds); }
    void print(const char *what) {
        std::sort(m_all.begin(), m_all.end());
        if (m_all.empty())
            std::printf("  %-40s no key\n", what);
        else
            std::printf("  %-40s median %6.1f ms, p95 %6.1f ms, %zu keys\n", what, m_all[m_all.size() / 2],
                        m_all[std::min(m_all.size() - 1, m_all.size() * 95 / 100)], m_all.size());
    }

private:
    std::vector<double> m_all;
};

/// Counts the paint events of a page's key figures.
class PaintWatch : public QObject {
public:
    explicit PaintWatch(QWidget &page) {
        for (KeyFigure *figure : page.findChildren<KeyFigure *>())
            figure->installEventFilter(this);
    }
    int painted() const { return m_painted; }

protected:
    bool eventFilter(QObject *, QEvent *event) override {
        m_painted += event->type() == QEvent::Paint ? 1 : 0;
        return false;
    }

private:
    int m_painted = 0;
};

/// Alternates between a slider's value and the next one.
class Keys {
public:
    Keys(WindowFixture &fixture, SteppedSlider &slider, bool upFirst)
        : m_fixture(fixture)
        , m_slider(slider)
        , m_up(!upFirst) { }

    /// @returns whether the key leads to another valid plan; starts the clock at the press
    bool press() {
        const Plan before = m_fixture.session().view().plan;
        m_up = !m_up;
        m_clock.start();
        QTest::keyClick(&m_slider, m_up ? Qt::Key_Right : Qt::Key_Left);
        const PlanView &view = m_fixture.session().view();
        return view.valid && view.plan != before;
    }
    /// Whether both values of the slider give plans that can be evaluated.
    bool hold() {
        for (int i = 0; i < 2; ++i)
            if (!press() || !m_fixture.settle() || !m_fixture.session().view().valid) {
                m_fixture.document().undoStack()->undo();
                m_fixture.settle();
                return false;
            }
        return true;
    }
    double milliseconds() const { return double(m_clock.nsecsElapsed()) / 1e6; }
    template <typename Until>
    bool waitFor(Until until) const {
        while (!until()) {
            if (milliseconds() > longest)
                return false;
            QCoreApplication::processEvents();
            QThread::usleep(100); // results come from other threads
        }
        return true;
    }

private:
    WindowFixture &m_fixture;
    SteppedSlider &m_slider;
    QElapsedTimer m_clock;
    bool m_up = false;
};

void measureFigures(WindowFixture &fixture, Keys &pressed, int keys) {
    const PaintWatch paints(*fixture.window().view<PlanPage>());
    const PlanView &view = fixture.session().view();
    std::optional<int> before; // number of paint events when the result arrived
    const auto noted = QObject::connect(&fixture.session(), &PlanSession::resultChanged, &fixture.window(), [&] {
        if (!before && view.freshness == Freshness::Fresh)
            before = paints.painted();
    });
    Times times;
    for (int i = 0; i < keys; ++i) {
        before.reset();
        if (pressed.press() && pressed.waitFor([&] { return before && paints.painted() > *before; }))
            times.add(pressed.milliseconds());
        fixture.settle();
        QTest::qWait(20);
    }
    QObject::disconnect(noted);
    times.print("key to the figures on the screen");
}

void measureSearch(WindowFixture &fixture, Keys &pressed, int keys) {
    constexpr std::array stages{"key to the search's best", "key to its list", "key to its last answer"};
    fixture.showView(QStringLiteral("Search"));
    SearchController *search = fixture.window().searching();
    std::array<Times, stages.size()> times;
    std::array<double, stages.size()> reached{};
    const auto note = [&](const SearchAnswerPointer &answer) {
        reached.at(static_cast<std::size_t>(answer->stage)) = pressed.milliseconds();
    };
    const auto noted = QObject::connect(search, &SearchController::answered, &fixture.window(), note);
    pressed.waitFor([&] { return search->isSettled(); });
    for (int i = 0; i < keys; ++i) {
        reached = {};
        if (!pressed.press() || !pressed.waitFor([&] { return search->isSettled(); }))
            continue;
        for (std::size_t stage = 0; stage < stages.size(); ++stage)
            if (reached.at(stage) > 0)
                times.at(stage).add(reached.at(stage));
        fixture.settle();
        QTest::qWait(20);
    }
    QObject::disconnect(noted);
    for (std::size_t stage = 0; stage < stages.size(); ++stage)
        times.at(stage).print(stages.at(stage));
}

void measure(const char *plan, int keys) {
    WindowFixture fixture(QString::fromLatin1(plan), {1440, 900});
    // Leaves data parallelism to the planner, so that a plan with another degree still uses all accelerators.
    fixture.document().apply(
        {.subject = QStringLiteral("Derive data parallel size"), .patch = R"({"parallelism": {"data": null}})"});
    fixture.settle();
    for (const char *row : {"microRow", "chunksRow", "pipelineRow", "tensorRow", "contextRow"}) {
        auto *degree = fixture.window().findChild<DegreeRow *>(QLatin1String(row));
        for (const bool upFirst : {true, false}) {
            if (degree == nullptr || !degree->slider()->isEnabled())
                continue;
            Keys pressed(fixture, *degree->slider(), upFirst);
            if (!pressed.hold())
                continue;
            std::printf("%s, %s\n", plan, row);
            measureFigures(fixture, pressed, keys);
            measureSearch(fixture, pressed, keys);
            return;
        }
    }
    std::printf("%s: no slider's key leaves the plan valid\n", plan);
}

/// Prints the program's memory after opening every view, and after edits with each view visible.
void measureMemory(const char *plan, int keys) {
    constexpr double mebibyte = 1 << 20;
    const double before = FreedMemory::resident();
    WindowFixture fixture(QString::fromLatin1(plan), {1440, 900});
    const double first = FreedMemory::resident();
    auto *degree = fixture.find<DegreeRow>("microRow");
    if (degree == nullptr)
        return;
    const auto walk = [&] {
        for (const QAction *view : fixture.window().rail()->actions()) {
            fixture.showView(view->text());
            fixture.settle();
            QTest::qWait(300);
        }
        if (!QTest::qWaitFor([&] { return fixture.window().searching()->isSettled(); }, int(longest)))
            std::printf("the search has not ended\n");
        FreedMemory::release();
        return FreedMemory::resident();
    };
    const double walked = walk();
    Keys pressed(fixture, *degree->slider(), true);
    double after = 0;
    for (int i = 0; i < std::max(1, keys / 10); ++i) {
        pressed.press();
        fixture.settle();
        after = walk();
    }
    std::printf("%s: MiB resident %.0f before, %.0f with its window, %.0f after all views, %.0f after edits\n", plan,
                before / mebibyte, first / mebibyte, walked / mebibyte, after / mebibyte);
}

} // namespace

int main(int argc, char **argv) {
    QApplication application(argc, argv);
    keep_freed_memory(); // main() calls it too
    const FreedMemory freed;
    std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
    constexpr int many = 40;
    const int keys = argc > 1 ? std::atoi(argv[1]) : many;
    if (argc > 2) { // measures only memory, for one plan
        measureMemory(argv[2], keys);
        return 0;
    }
    measure("preset:pretrain-70b-1k", keys);
    measureMemory("preset:pretrain-70b-1k", keys);
    if (keys < 10)
        return 0; // a trial, whose numbers say nothing
    measure("preset:llama3-405b-16k", keys);
    for (const char *plan : {"preset:megatron-1t-2021", "preset:deepseek-v3"})
        measureMemory(plan, keys);
}

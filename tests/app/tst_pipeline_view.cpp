// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/library.h"
#include "controls/toggle_switch.h"
#include "figures/figure_text.h"
#include "gantt/figure_line.h"
#include "gantt/memory_curves.h"
#include "gantt/pipeline_toolbar.h"
#include "gantt/pipeline_view.h"
#include "gantt/schedule_panel.h"
#include "listed_test.h"
#include "main_window.h"
#include "timeline/timeline_axis.h"
#include "view_rail.h"
#include "views/problems_card.h"
#include "window_fixture.h"

#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>

#include <nlohmann/json.hpp>

using namespace meshwright;

namespace {

/// A window that shows the pipeline of a preset.
struct Shown {
    explicit Shown(const QString &preset)
        : window(QStringLiteral("preset:") + preset)
        , view(window.window().view<PipelineView>()) {
        window.showView(QStringLiteral("Pipeline"));
        settle();
    }
    bool settle() {
        return window.settle()
            && QTest::qWaitFor([this] { return !window.session().view().valid || view->isSettled(); }, 10'000);
    }
    SchedulePanel *panel(std::size_t index) const { return view->panels().at(index); }
    const ScheduleRun &run(std::size_t index) const { return *panel(index)->schedule().run; }
    SpanIndex forwardOf(int microbatch, int track) const {
        const TimelineTrack &row = panel(0)->canvas()->model()->tracks[std::size_t(track)];
        for (std::size_t span = 0; span < row.count(); ++span)
            if (row.look(span).number == microbatch)
                return {track, span};
        return {};
    }
    void patch(const char *text) {
        window.document().apply({.subject = QStringLiteral("test"), .patch = text});
        settle();
    }

    WindowFixture window;
    PipelineView *view;
};

} // namespace

class PipelineViewTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void railShowsThePipelineViewAtFullWidth();
    void everyRankHasARowAndTheHeadingHasFigures();
    void drawnIdleTimeMatchesTheIdleFigures();
    void fasterScheduleHasLessIdleTime();
    void concurrentPassesAreDrawnConcurrently();
    void anotherPlanIsShownInFull();
    void aClickMarksAMicrobatchOnEveryRank();
    void aMicrobatchIsFoundByItsNumber();
    void comparedSchedulesShareATimeAxis();
    void usingAComparedScheduleCanBeUndone();
    void aScheduleThatCannotRunSaysWhy();
    void anEditKeepsTheVisibleRange();
    void streamsUnfold();
    void playingSweepsAndStepsStopAtOperations();
    void memoryFollowsTheChosenRank();
    void anInvalidPlanIsExplainedAndFixed();
    void oneRankHasATimelineToo();
    void aLargePipelineNeverStallsTheWindow();
};

void PipelineViewTest::railShowsThePipelineViewAtFullWidth() {
    Shown shown(QStringLiteral("ten-to-25"));
    QVERIFY(shown.view->isVisible());
    const auto *panels = shown.window.find<QDockWidget>("panels");
    QVERIFY(!panels->isVisible());
    QTest::keyClick(&shown.window.window(), Qt::Key_F9);
    QVERIFY(panels->isVisible());
    QTest::keyClick(&shown.window.window(), Qt::Key_F9);
    QTest::keyClick(&shown.window.window(), Qt::Key_1, Qt::ControlModifier);
    QVERIFY(panels->isVisible());
}

void PipelineViewTest::everyRankHasARowAndTheHeadingHasFigures() {
    Shown shown(QStringLiteral("deepseek-v3"));
    QCOMPARE(shown.panel(0)->canvas()->model()->tracks.size(), std::size_t(16));
    const QVector<FigureLine::Entry> &entries = shown.panel(0)->figures()->entries();
    QCOMPARE(entries.at(0).name, QStringLiteral("idle"));
    QCOMPARE(entries.at(0).value, shareText(shown.run(0).pipeline->idle.of_all_ranks()));
    QCOMPARE(entries.at(1).name, QStringLiteral("warm-up and drain"));
    QCOMPARE(entries.at(2).name, QStringLiteral("imbalance"));
    QCOMPARE(entries.at(3).name, QStringLiteral("waiting for sends"));
    // The tool tip gives each definition of "bubble" with its formula.
    const QString toolTip = shown.panel(0)->figures()->toolTip();
    for (const char *convention :
         {"bubble of ideal = (makespan", "bubble of total = (makespan", "bubble of span = (span"})
        QVERIFY2(toolTip.contains(QLatin1String(convention)), qPrintable(toolTip));
    // The idle time drawn on a rank is the makespan minus its busy time.
    const Timeline &timeline = shown.run(0).pipeline->timeline;
    const TimelineModelPointer &model = shown.panel(0)->canvas()->model();
    for (std::size_t rank = 0; rank < 16; ++rank) {
        const StyleSeconds seconds = model->tracks[rank].secondsIn({0, timeline.makespan});
        double idle = seconds.of[NothingStyle];
        for (std::size_t style = 1; style < model->styles.size(); ++style)
            idle += model->styles[style].fill == TimelineStyle::Fill::Hatched ? seconds.of[style] : 0;
        QVERIFY(std::abs(idle - (timeline.makespan - timeline.busy_seconds[rank])) < 1e-6 * timeline.makespan);
    }
}

void PipelineViewTest::drawnIdleTimeMatchesTheIdleFigures() {
    Shown shown(QStringLiteral("deepseek-v3"));
    const PlanPipeline &pipeline = *shown.run(0).pipeline;
    const TimelineModel &model = *shown.panel(0)->canvas()->model();
    StyleSeconds all;
    for (const TimelineTrack &track : model.tracks) {
        const StyleSeconds seconds = track.secondsIn({0, pipeline.timeline.makespan});
        for (std::size_t style = 0; style < MaxTimelineStyles; ++style)
            all.of[style] += seconds.of[style];
    }
    const double ranks = static_cast<double>(pipeline.order.ranks);
    const auto share = [&](PipelineStyle style) {
        return all.of[static_cast<std::size_t>(style)] / (ranks * pipeline.timeline.makespan);
    };
    const double bubble = share(PipelineStyle::WarmUp) + share(PipelineStyle::Drain);
    QVERIFY(std::abs(bubble - pipeline.idle.warm_up_and_drain) < 1e-6);
    QVERIFY(std::abs(share(PipelineStyle::Imbalance) - pipeline.idle.imbalance) < 1e-6);
    QVERIFY(std::abs(share(PipelineStyle::WaitingForSend) - pipeline.idle.sends) < 1e-6);
    QVERIFY(model.styles[static_cast<std::size_t>(PipelineStyle::WarmUp)].name.contains(QLatin1String("bubble")));
}

void PipelineViewTest::fasterScheduleHasLessIdleTime() {
    Shown shown(QStringLiteral("deepseek-v3")); // this plan uses DualPipe
    shown.view->compareWith({Schedule::one_f_one_b});
    QVERIFY(shown.settle());
    const PlanPipeline &own = *shown.run(0).pipeline;
    const PlanPipeline &other = *shown.run(1).pipeline;
    QVERIFY(other.timeline.makespan > 1.4 * own.timeline.makespan);
    QVERIFY(other.timeline.bubble_of_ideal()
            < own.timeline.bubble_of_ideal()); // the bubble covers only the busiest rank
    QVERIFY(other.idle.of_all_ranks() > 3 * own.idle.of_all_ranks());
    QCOMPARE(shown.panel(1)->figures()->entries().at(0).value, shareText(other.idle.of_all_ranks()));
}

void PipelineViewTest::concurrentPassesAreDrawnConcurrently() {
    Shown shown(QStringLiteral("deepseek-v3"));
    const PlanPipeline &pipeline = *shown.run(0).pipeline;
    const TimelineCanvas *canvas = shown.panel(0)->canvas();
    const TimelineTrack &track = canvas->model()->tracks[4];
    std::size_t first = 0;
    while (first < track.count() && !track.look(first).joined)
        ++first;
    QVERIFY(first < track.count());
    const QRectF upper = canvas->rectOf({4, first});
    const QRectF lower = canvas->rectOf({4, first + 1});
    QCOMPARE(upper.left(), lower.left());
    QCOMPARE(upper.right(), lower.right());
    QVERIFY(upper.bottom() <= lower.top() + 0.5);
    const auto source = static_cast<std::size_t>(track.look(first).source);
    const TimeRange drawn{track.time(first).begin, track.time(first + 1).end};
    QVERIFY(std::abs(drawn.begin - pipeline.timeline.start[source]) < 1e-9);
    QVERIFY(std::abs(drawn.end - pipeline.timeline.end[source]) < 1e-9);
}

void PipelineViewTest::anotherPlanIsShownInFull() {
    Shown shown(QStringLiteral("deepseek-v3"));
    shown.view->axis()->show({5, 6});
    QVERIFY(!shown.view->axis()->showsAll());
    shown.window.document().replace(Library::standard().json(PresetKind::plan, "ten-to-25-a100"), {});
    QVERIFY(shown.settle());
    QVERIFY(shown.view->axis()->showsAll());
}

void PipelineViewTest::aClickMarksAMicrobatchOnEveryRank() {
    Shown shown(QStringLiteral("ten-to-25-a100"));
    TimelineCanvas *canvas = shown.panel(0)->canvas();
    const QRectF rect = canvas->rectOf(shown.forwardOf(4, 2));
    QTest::mouseClick(canvas->viewport(), Qt::LeftButton, Qt::NoModifier, rect.center().toPoint());
    QCOMPARE(canvas->chosenNumber(), 4);
    QCOMPARE(shown.view->memory()->focusRank(), 2);
    QCOMPARE(shown.view->toolbar()->findField()->text(), QStringLiteral("4"));
    // The forward passes on six ranks form a chain of five links, and so do the backward passes.
    QVERIFY(shown.panel(0)->schedule().timeline.chainOf(*shown.run(0).pipeline, 4).size() >= 10);
    QTest::keyClick(canvas, Qt::Key_Escape);
    QCOMPARE(canvas->chosenNumber(), -1);
}

void PipelineViewTest::aMicrobatchIsFoundByItsNumber() {
    Shown shown(QStringLiteral("ten-to-25-a100"));
    QTest::keyClick(shown.panel(0)->canvas(), Qt::Key_Slash);
    QLineEdit *find = shown.view->toolbar()->findField();
    QTRY_VERIFY(find->hasFocus());
    QTest::keyClicks(find, QStringLiteral("20"));
    QCOMPARE(shown.panel(0)->canvas()->chosenNumber(), 20);
    QVERIFY(shown.view->axis()->showsAll());
    QTest::keyClick(find, Qt::Key_Return);
    QVERIFY(!shown.view->axis()->showsAll());
    const TimeRange range = *shown.panel(0)->canvas()->chosenRange();
    QVERIFY(shown.view->axis()->visible().begin <= range.begin && shown.view->axis()->visible().end >= range.end);
}

void PipelineViewTest::comparedSchedulesShareATimeAxis() {
    Shown shown(QStringLiteral("ten-to-25-a100"));
    shown.view->compareWith({Schedule::gpipe, Schedule::zb_h1});
    shown.settle();
    QCOMPARE(shown.view->panels().size(), std::size_t(3));
    double longest = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        QVERIFY(shown.run(i).pipeline != nullptr);
        longest = std::max(longest, shown.panel(i)->canvas()->model()->whole.end);
    }
    QCOMPARE(shown.view->axis()->whole().end, longest);
    QVERIFY(shown.run(2).pipeline->timeline.makespan < shown.run(0).pipeline->timeline.makespan);
    QVERIFY(shown.run(1).peakBytes() > shown.run(0).peakBytes());
}

void PipelineViewTest::usingAComparedScheduleCanBeUndone() {
    Shown shown(QStringLiteral("ten-to-25-a100"));
    shown.view->compareWith({Schedule::zb_h1});
    shown.settle();
    const double makespan = shown.run(1).pipeline->timeline.makespan;
    shown.panel(1)->findChild<QPushButton *>(QStringLiteral("takeSchedule"))->click();
    shown.settle();
    QCOMPARE(shown.window.edits(), 1);
    QCOMPARE(QString::fromStdString(shown.window.json().at("parallelism").at("schedule").get<std::string>()),
             QStringLiteral("zb-h1"));
    QCOMPARE(shown.run(0).pipeline->timeline.makespan, makespan);
    QCOMPARE(shown.run(1).plan.parallelism.schedule, Schedule::one_f_one_b);
    shown.window.document().undoStack()->undo();
    shown.settle();
    QCOMPARE(shown.run(0).plan.parallelism.schedule, Schedule::one_f_one_b);
}

void PipelineViewTest::aScheduleThatCannotRunSaysWhy() {
    Shown shown(QStringLiteral("ten-to-25-a100"));
    shown.patch(R"({"batch":{"global_sequences":5}})");
    QVERIFY(shown.run(0).pipeline != nullptr);
    shown.view->compareWith({Schedule::dualpipe});
    shown.settle();
    QVERIFY(shown.run(1).pipeline == nullptr);
    QVERIFY(!shown.run(1).problem.isEmpty());
    QVERIFY(!shown.panel(1)->canvas()->isVisible());
}

void PipelineViewTest::anEditKeepsTheVisibleRange() {
    Shown shown(QStringLiteral("ten-to-25-a100"));
    shown.view->axis()->show({2, 5});
    shown.patch(R"({"batch":{"global_sequences":64}})");
    QCOMPARE(shown.view->axis()->visible(), (TimeRange{2, 5}));
    QVERIFY(shown.view->axis()->whole().end > 30);
}

void PipelineViewTest::streamsUnfold() {
    Shown shown(QStringLiteral("ten-to-25-a100"));
    const std::size_t folded = shown.panel(0)->canvas()->model()->tracks.size();
    Q_EMIT shown.panel(0)->canvas()->trackNameClicked(1);
    shown.settle();
    const TimelineModelPointer &one = shown.panel(0)->canvas()->model();
    QVERIFY(one->tracks.size() > folded);
    QCOMPARE(one->tracks[2].depth(), 1);
    QCOMPARE(one->tracks[2].name(), QStringLiteral("P2P"));
    Q_EMIT shown.view->toolbar()->allStreamsChosen(true);
    shown.settle();
    QVERIFY(shown.panel(0)->canvas()->model()->tracks.size() >= 2 * folded);
}

void PipelineViewTest::playingSweepsAndStepsStopAtOperations() {
    Shown shown(QStringLiteral("ten-to-25"));
    TimelineAxis *axis = shown.view->axis();
    QTest::keyClick(shown.panel(0)->canvas(), Qt::Key_P);
    QTRY_VERIFY(axis->sweep().value_or(0) > 0.05);
    QTest::keyClick(shown.panel(0)->canvas(), Qt::Key_P);
    QTest::keyClick(shown.panel(0)->canvas(), Qt::Key_Period);
    const std::vector<double> &start = shown.run(0).pipeline->timeline.start;
    const std::vector<double> &end = shown.run(0).pipeline->timeline.end;
    const auto isStop = [&](double time) {
        return std::find(start.begin(), start.end(), time) != start.end()
            || std::find(end.begin(), end.end(), time) != end.end();
    };
    QVERIFY(isStop(*axis->sweep()));
    const double here = *axis->sweep();
    QTest::keyClick(shown.panel(0)->canvas(), Qt::Key_Period);
    QVERIFY(*axis->sweep() > here && isStop(*axis->sweep()));
    QTest::keyClick(shown.panel(0)->canvas(), Qt::Key_Comma);
    QCOMPARE(*axis->sweep(), here);
    QTest::keyClick(shown.panel(0)->canvas(), Qt::Key_Escape);
    QVERIFY(!axis->sweep());
}

void PipelineViewTest::memoryFollowsTheChosenRank() {
    Shown shown(QStringLiteral("ten-to-25-a100"));
    MemoryCurves *memory = shown.view->memory();
    const MemoryCurvesPointer &model = memory->model();
    const Timeline &timeline = shown.run(0).pipeline->timeline;
    for (std::size_t rank = 0; rank < 6; ++rank) {
        QVERIFY(std::abs(model->bytes[rank].highest() - timeline.peak_bytes[rank]) < 1);
        QCOMPARE(int(model->inFlight[rank].highest()), int(timeline.peak_in_flight[rank]));
        double sum = 0;
        for (const MemoryLayer &layer : model->layers[rank])
            sum += layer.bytes;
        QVERIFY(std::abs(sum - shown.run(0).pipeline->work.resident_bytes[rank]) < 1);
    }
    // The rank with peak memory is in focus until another rank is chosen.
    QCOMPARE(memory->focusRank(), int(shown.run(0).peakRank()));
    memory->setFocusRank(0);
    memory->setFocus();
    QTest::keyClick(memory, Qt::Key_Down);
    QCOMPARE(memory->focusRank(), 1);
    auto *toggle = shown.window.find<ToggleSwitch>("memoryCurvesShown");
    toggle->click();
    QVERIFY(!memory->isVisible());
}

void PipelineViewTest::anInvalidPlanIsExplainedAndFixed() {
    Shown shown(QStringLiteral("ten-to-25-a100"));
    shown.patch(R"({"parallelism":{"pipeline":7}})");
    QVERIFY(!shown.panel(0)->isVisible());
    QVERIFY(shown.view->problems()->isVisible());
    shown.window.document().undoStack()->undo();
    shown.settle();
    QVERIFY(shown.panel(0)->isVisible());
    QVERIFY(!shown.view->problems()->isVisible());
}

void PipelineViewTest::oneRankHasATimelineToo() {
    Shown shown(QStringLiteral("pretrain-8b"));
    QCOMPARE(shown.panel(0)->canvas()->model()->tracks.size(), std::size_t(1));
    QVERIFY(!shown.view->grab().isNull());
}

void PipelineViewTest::aLargePipelineNeverStallsTheWindow() {
    Shown shown(QStringLiteral("megatron-1t-2021"));
    QCOMPARE(shown.panel(0)->canvas()->model()->tracks.size(), std::size_t(64));
    // After many edits in a row, only the last plan has to be drawn.
    for (const int sequences : {1536, 3072, 6144, 12'288})
        shown.window.document().apply(
            {.subject = QStringLiteral("test"),
             .patch = QStringLiteral(R"({"batch":{"global_sequences":%1}})").arg(sequences).toStdString()});
    QVERIFY(shown.settle());
    QCOMPARE(shown.run(0).plan.batch.global_sequences, 12'288);
    QVERIFY(!shown.view->grab().isNull());
}

LISTED_TEST(PipelineViewTest)
#include "tst_pipeline_view.moc"

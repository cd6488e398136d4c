// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/xy_chart.h"
#include "listed_test.h"
#include "sites/aggregator_chart.h"
#include "sites/load_curves.h"
#include "sites/minimal_changes_card.h"
#include "sites/minimal_changes_strip.h"
#include "sites/run_strip.h"
#include "sites/sites_heading.h"
#include "sites_fixture.h"
#include "theme/theme.h"
#include "timeline/timeline_axis.h"
#include "views/problems_card.h"

#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTest>
#include <QWheelEvent>

using namespace meshwright;

namespace {

/// Makes sites differ: link rates and step times vary, and sites go offline from time to time.
constexpr const char *Random =
    R"({"cluster":{"wan":{"rate_variation":0.1,"rate_interval_seconds":60}},"outer":{"fragments":12},
    "faults":{"step_variation":0.05,"site_mtbf_seconds":400000,"site_recovery_seconds":3600,
              "rejoin_bytes_per_parameter":0.01}})";

} // namespace

class SitesViewTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void drawsTheSimulation();
    void headingMatchesTheEvaluation();
    void aClickOutlinesAFragmentsWholeJourney();
    void hoverTellsTheJourney();
    void differingSitesAreDistinguished();
    void showsOneRoundInitiallyAndAnEditKeepsTheVisibleRange();
    void draggingThePointChangesThePlan();
    void minChangesAreAppliedAsOneStep();
    void oneSiteSaysWhatToDo();
    void anInvalidPlanKeepsTheLastRunAndSaysSo();
    void tablesEvaluateVariedSettings();
    void manySitesSharePixelRows();
    void stripShowsTheWholeRunAndSelectsRounds();
    void wheelKeepsScrollingThePage();
    void sweepsAreVisibleInAUsualWindow();
    void tooManyUpdatesAreNotDrawnButCounted();
    void manyEditsEndWithTheLast();
};

void SitesViewTest::drawsTheSimulation() {
    ShownSites shown(QStringLiteral("ten-to-25-36"));
    const SitesRun &run = *shown.view->run();
    QVERIFY(run.drawable);
    QCOMPARE(run.timeline.sites, std::int64_t(72));
    QCOMPARE(shown.view->allSites()->model()->tracks.size(), std::size_t(72));
    QCOMPARE(shown.view->closeSites()->model()->tracks.size(),
             std::size_t(4 * 3)); // the number of sites that fit above the other charts
    // The fraction of time drawn as steps is the simulated utilization, except at both ends.
    const TimelineModelPointer &model = shown.view->allSites()->model();
    const StyleSeconds seconds = model->tracks[7].secondsIn(model->whole);
    const double drawn = seconds.of[std::size_t(SiteStyle::Step)] / model->whole.length();
    QVERIFY2(std::abs(drawn - run.watched.utilisation) < 0.02, qPrintable(QString::number(drawn)));
    QCOMPARE(run.gatherings.size(), std::size_t(run.timeline.rounds) * 36);
    for (const WatchedGathering &watched : run.gatherings)
        QCOMPARE(watched.arrivals.size(), std::size_t(72));
    QVERIFY(!shown.view->grab().isNull());
}

void SitesViewTest::headingMatchesTheEvaluation() {
    ShownSites shown(QStringLiteral("ten-to-25-36"));
    const QString words = shown.view->heading()->words();
    const Result &result = *shown.window.session().view().result;
    QVERIFY2(words.contains(QString::number(100 * result.outer->utilisation, 'f', 1)), qPrintable(words));
    QVERIFY(words.contains(QStringLiteral("agrees")));
    QVERIFY(words.contains(QStringLiteral("Limited by a fragment's upload")));
    QVERIFY2(words.contains(QStringLiteral("an overlap of ")), "times are not in one unit, followed by steps");
    QVERIFY(words.contains(QStringLiteral("beyond published runs")));
    QVERIFY(
        shown.patch(R"({"outer":{"overlap_steps":12,"inner_steps":160,"down":{"density":0.25,"index":"bitmap"}}})"));
    QVERIFY(shown.view->heading()->words().contains(QStringLiteral("nothing: communication")));
}

void SitesViewTest::aClickOutlinesAFragmentsWholeJourney() {
    ShownSites shown(QStringLiteral("ten-to-25-36"));
    TimelineCanvas *canvas = shown.view->closeSites();
    const SpanIndex up = shown.transferOf(3, SiteRow::Up);
    QVERIFY(up.isValid());
    QTest::mouseClick(canvas->viewport(), Qt::LeftButton, Qt::NoModifier, canvas->rectOf(up).center().toPoint());
    QCOMPARE(canvas->chosenNumber(), 3);
    // Uploads and downloads of five sites.
    const std::optional<TimeRange> range = canvas->chosenRange();
    const SpanIndex down = shown.transferOf(3, SiteRow::Down);
    QVERIFY(range && range->end >= canvas->model()->tracks[std::size_t(down.track)].time(down.span).end);
    QTest::keyClick(canvas, Qt::Key_Escape);
    QCOMPARE(canvas->chosenNumber(), -1);
}

void SitesViewTest::hoverTellsTheJourney() {
    ShownSites shown(QStringLiteral("ten-to-25-36"));
    const SitesRun &run = *shown.view->run();
    const SitesTimeline rows = closeTimelineOf(run, {0});
    const HoverContent card = describeSite(run, rows, {1, 0}, rows.model->whole, Theme::current());
    QCOMPARE(card.title, QStringLiteral("Fragment 0, round 1, site 1"));
    const QString spoken = card.spoken();
    for (const char *part : {"Sent", "Quorum", "72 of 72", "Returned", "Applied", "999.7 MB up", "2.0 GB down"})
        QVERIFY2(spoken.contains(QLatin1String(part)), qPrintable(spoken));
    AggregatorChart *aggregator = shown.view->aggregator();
    const HoverContent closed = aggregator->describe(aggregator->plot().center());
    QVERIFY(closed.title.startsWith(QStringLiteral("Fragment")));
    LoadCurves *loads = shown.view->loads();
    QCOMPARE(loads->describe(loads->plot().center()).rows.size(), 4);
}

void SitesViewTest::differingSitesAreDistinguished() {
    ShownSites shown(QStringLiteral("ten-to-25-36"));
    QVERIFY(shown.patch(Random));
    const SitesRun &run = *shown.view->run();
    QVERIFY(run.watched.updates.late + run.watched.updates.lost > 0);
    const TimelineModelPointer &model = shown.view->allSites()->model();
    QVERIFY(model->tracks[1].begins() != model->tracks[2].begins());
    // A click on the name of a site shows it in detail.
    const std::size_t before = shown.view->closeSites()->model()->tracks.size();
    Q_EMIT shown.view->allSites()->trackNameClicked(11);
    QCOMPARE(shown.view->closeSites()->model()->tracks.size(), before);
    bool found = false;
    for (const TimelineTrack &track : shown.view->closeSites()->model()->tracks)
        found = found || track.name() == QStringLiteral("site 12");
    QVERIFY(found);
    QVERIFY(shown.view->heading()->words().contains(QStringLiteral("p10")));
    QVERIFY(!shown.view->grab().isNull());
}

void SitesViewTest::showsOneRoundInitiallyAndAnEditKeepsTheVisibleRange() {
    ShownSites shown(QStringLiteral("ten-to-25-36"));
    TimelineAxis *axis = shown.view->axis();
    QVERIFY(!axis->showsAll());
    QCOMPARE(axis->visible().begin, 0.0);
    axis->show({100, 4000});
    QVERIFY(shown.patch(R"({"outer":{"overlap_steps":3}})"));
    QCOMPARE(axis->visible(), (TimeRange{100, 4000}));
}

void SitesViewTest::draggingThePointChangesThePlan() {
    ShownSites shown(QStringLiteral("ten-to-25-36"));
    for (const SweepOf of : {SweepOf::LinkRate, SweepOf::InnerSteps, SweepOf::Fragments, SweepOf::Overlap}) {
        const ChartView &chart = shown.sweep(of)->chart()->view();
        QVERIFY(chart.series.first().points.size() >= 10);
        // A higher link rate, more inner steps and more overlap never make sites wait longer.
        for (qsizetype i = 1; of != SweepOf::Fragments && i < chart.series.first().points.size(); ++i)
            QVERIFY(chart.series.first().points[i].y() >= chart.series.first().points[i - 1].y() - 1e-6);
    }
    XyChart *chart = shown.sweep(SweepOf::Overlap)->chart();
    const auto placeOf = [&](double x) {
        const ChartView &view = chart->view();
        return chart->placeOf({x, valueOf(view.series.first(), x, view.x).value_or(0)});
    };
    QTest::mousePress(chart, Qt::LeftButton, Qt::NoModifier, placeOf(1));
    QTest::mouseMove(chart, placeOf(4));
    QTest::mouseMove(chart, placeOf(6));
    QTest::mouseRelease(chart, Qt::LeftButton, Qt::NoModifier, placeOf(6));
    QVERIFY(shown.settle());
    QCOMPARE(shown.window.edits(), 1);
    QCOMPARE(shown.window.session().view().plan.outer.overlap_steps, std::int64_t(6));
    shown.window.document().undoStack()->undo();
    QVERIFY(shown.settle());
    Q_EMIT shown.sweep(SweepOf::LinkRate)->chart()->markDropped(4e8);
    QVERIFY(shown.settle());
    QCOMPARE(shown.window.session().view().plan.cluster.wan->downlink_bits_per_second, 4e8);
    QCOMPARE(shown.window.edits(), 1);
    // The value has no more digits than the curve can show.
    Q_EMIT shown.sweep(SweepOf::LinkRate)->chart()->markDropped(305.7271970410e6);
    QVERIFY(shown.settle());
    QCOMPARE(shown.window.session().view().plan.cluster.wan->uplink_bits_per_second, 306e6);
    QCOMPARE(shown.window.session().view().plan.cluster.wan->downlink_bits_per_second, 306e6);
}

void SitesViewTest::minChangesAreAppliedAsOneStep() {
    for (const char *preset : {"ten-to-25-36", "ten-to-25-a100"}) {
        ShownSites shown{QLatin1String(preset)};
        const double days = shown.window.session().view().result->run.days;
        QVERIFY(days > 365);
        // The search starts automatically, and the result is shown above the charts.
        auto *line = shown.window.find<MinimalChangesStrip>("leastChangesStrip");
        QVERIFY(QTest::qWaitFor([&] { return !shown.view->minimalChanges()->isSearching(); }, 60'000));
        QVERIFY2(line->text().startsWith(QStringLiteral("Minimal changes")), qPrintable(line->text()));
        QVERIFY(line->geometry().bottom() < shown.view->closeSites()->mapTo(line->parentWidget(), QPoint()).y());
        QVERIFY(shown.window.find<QPushButton>("applyLeastChanges")->isVisibleTo(shown.view));
        line->applyButton()->click();
        QVERIFY(shown.settle());
        QCOMPARE(shown.window.edits(), 1);
        const Result &result = *shown.window.session().view().result;
        QVERIFY(result.verdict.fits);
        QVERIFY(result.run.days <= 365);
        shown.window.document().undoStack()->undo();
        QVERIFY(shown.settle());
        QCOMPARE(shown.window.session().view().result->run.days, days);
    }
}

void SitesViewTest::oneSiteSaysWhatToDo() {
    WindowFixture window(QStringLiteral("preset:deepseek-v3"));
    SitesView *view = window.window().view<SitesView>();
    window.window().rail()->show(view);
    QVERIFY(window.settle());
    auto *button = window.find<QPushButton>("goToSites");
    QVERIFY(button->isVisible());
    QVERIFY(!view->closeSites()->isVisible());
    button->click();
    const auto *focused = QApplication::focusWidget();
    QVERIFY(focused != nullptr);
    QCOMPARE(focused->objectName(), QStringLiteral("cluster/sites"));
    QVERIFY(view->isVisible());
}

void SitesViewTest::anInvalidPlanKeepsTheLastRunAndSaysSo() {
    ShownSites shown(QStringLiteral("ten-to-25-36"));
    QVERIFY(shown.patch(R"({"outer":{"quorum":100}})"));
    QVERIFY(!shown.window.session().view().valid);
    QVERIFY(shown.view->problems()->isVisible());
    QVERIFY(shown.view->closeSites()->isVisibleTo(shown.view));
    QVERIFY(shown.view->run() != nullptr);
    shown.window.document().undoStack()->undo();
    QVERIFY(shown.settle());
    QVERIFY(!shown.view->problems()->isVisible());
}

void SitesViewTest::tablesEvaluateVariedSettings() {
    ShownSites shown(QStringLiteral("ten-to-25-36"));
    const auto rowOf = [](const TableRows &rows, const QString &name) {
        const auto found =
            std::find_if(rows.begin(), rows.end(), [&](const TableRow &row) { return row.front().text == name; });
        return found == rows.end() ? TableRow(5) : *found;
    };
    QVERIFY(QTest::qWaitFor([&] { return !shown.view->daysByStep()->rows().empty(); }, 30'000));
    // MFU and run time with inner steps of 23 s and 25 s.
    const TableRows days = shown.view->daysByStep()->rows();
    QCOMPARE(rowOf(days, QStringLiteral("23.0 s"))[2].text, QStringLiteral("338 days"));
    QCOMPARE(rowOf(days, QStringLiteral("25.0 s"))[2].text, QStringLiteral("368 days"));
    // The plan's source counts only values. With indices included, the traffic of a round takes longer than its steps,
    // and dense averages take even longer.
    const TableRows wire = shown.view->wireFormats()->rows();
    QCOMPARE(rowOf(wire, QStringLiteral("as written"))[1].text, QStringLiteral("36.0 GB"));
    QCOMPARE(rowOf(wire, QStringLiteral("as written"))[2].text, QStringLiteral("72.0 GB"));
    QVERIFY(rowOf(wire, QStringLiteral("both directions: values only")).at(3).isGood);
    QVERIFY(!rowOf(wire, QStringLiteral("both directions: bitmap")).at(3).isGood);
    const TableRows aggregators = shown.view->aggregators()->rows();
    QCOMPARE(rowOf(aggregators, QStringLiteral("2, sharded"))[2].text, QStringLiteral("3.6 Gb/s"));
    QCOMPARE(rowOf(aggregators, QStringLiteral("3, replicated"))[3].text, QStringLiteral("108.0 GB"));
    // The linked figure has the value that is shown.
    for (const TableRows &table : {days, wire, aggregators})
        for (const TableCell &cell : table[2])
            QVERIFY2(cell.figure.isEmpty() || shown.window.explained(cell.figure), qPrintable(cell.figure.name()));
    // A ring has no aggregator.
    QVERIFY(shown.patch(R"({"aggregation":{"topology":"ring"}})"));
    QVERIFY(QTest::qWaitFor([&] { return shown.view->aggregators()->isHidden(); }, 30'000));
    QVERIFY(!shown.view->wireFormats()->isHidden());
}

void SitesViewTest::manySitesSharePixelRows() {
    ShownSites shown(QStringLiteral("ten-to-25-36"));
    for (const int sites : {1000, 10'000}) {
        QVERIFY(shown.patch(QStringLiteral(R"({"cluster":{"sites":%1},"outer":{"quorum":%2}})")
                                .arg(sites)
                                .arg(sites * 9 / 10)
                                .toLatin1()
                                .constData()));
        QCOMPARE(shown.view->run()->timeline.sites, std::int64_t(sites));
        TimelineCanvas *all = shown.view->allSites();
        QCOMPARE(all->model()->tracks.size(), std::size_t(sites));
        // All sites are visible, so there is nothing to scroll.
        QVERIFY(all->currentConfiguration().height() <= all->plot().height() + 1);
        const QImage picture = all->grab().toImage();
        QVERIFY(!picture.isNull());
        // Identical sites stall together, so a pixel for several sites is as red as a pixel for one site.
        const QRectF plot = all->plot();
        const QRgb red = Theme::current().fill(Kind::Red).rgb();
        int waiting = 0;
        for (int x = int(plot.left()); x < int(plot.right()); ++x) {
            const QRgb pixel = picture.pixel(x, int(plot.center().y()));
            waiting += std::abs(qRed(pixel) - qRed(red)) + std::abs(qGreen(pixel) - qGreen(red)) < 60 ? 1 : 0;
        }
        QVERIFY2(waiting > plot.width() / 2, qPrintable(QString::number(waiting)));
    }
    // If all sites differ, a round is drawn nevertheless, and simulations of many runs use a sample of the sites.
    shown.window.document().apply(
        {.subject = QStringLiteral("test"), .patch = R"({"cluster":{"wan":{"rate_variation":0.1}}})"});
    QVERIFY(QTest::qWaitFor([&] { return shown.view->run()->question.plan.cluster.wan->rate_variation > 0; }, 60'000));
    QVERIFY(shown.view->run()->drawable);
    QCOMPARE(shown.view->run()->timeline.sites, std::int64_t(10'000));
    QVERIFY(shown.settle());
    QVERIFY(shown.sweep(SweepOf::LinkRate)->chart()->view().series.first().points.size() >= 7);
}

void SitesViewTest::stripShowsTheWholeRunAndSelectsRounds() {
    ShownSites shown(QStringLiteral("ten-to-25-36"));
    RunStrip *strip = shown.view->wholeRun();
    QVERIFY(strip->isVisible());
    QVERIFY(QTest::qWaitFor([&] { return strip->course() != nullptr; }, 30'000));
    const SitesCourse &course = *strip->course();
    QVERIFY(course.isWhole());
    const Result &result = *shown.window.session().view().result;
    QCOMPARE(course.rounds.back(), std::ceil(result.outer->rounds));
    // The rounds add up to the run time including stalls.
    QVERIFY(std::abs(course.ends.back() / (result.outer->rounds * result.outer->round_seconds) - 1) < 0.01);
    const QPointF middle = strip->plot().center();
    QVERIFY(strip->describe(middle).title.contains(QStringLiteral("Rounds")));
    QTest::mouseClick(strip, Qt::LeftButton, Qt::NoModifier, middle.toPoint());
    QVERIFY(shown.settle());
    const std::int64_t from = shown.view->run()->question.from;
    QVERIFY(std::abs(double(from) / course.rounds.back() - 0.5) < 0.01);
    const HoverContent card = describeSite(*shown.view->run(), closeTimelineOf(*shown.view->run(), {0}), {1, 0},
                                           shown.view->axis()->whole(), Theme::current());
    QVERIFY2(card.title.contains(QString::number(from + 1)), qPrintable(card.title));
    // An edit keeps the chosen round, unless the run becomes too short for it.
    QVERIFY(shown.patch(R"({"outer":{"overlap_steps":2}})"));
    QCOMPARE(shown.view->run()->question.from, from);
    QVERIFY(shown.patch(R"({"run":{"tokens":1e11}})"));
    QVERIFY(shown.view->run()->question.from < from);
    QTest::keyClick(strip, Qt::Key_Left);
    QTest::keyClick(strip, Qt::Key_Return);
    QVERIFY(shown.settle());
    QVERIFY(!shown.view->grab().isNull());
}

void SitesViewTest::wheelKeepsScrollingThePage() {
    ShownSites shown(QStringLiteral("ten-to-25-36"));
    shown.window.window().resize(1280, 720);
    QVERIFY(shown.settle());
    auto *page = shown.view->findChild<QScrollArea *>();
    QScrollBar *bar = page->verticalScrollBar();
    QVERIFY(bar->maximum() > 0);
    QWidget *rows = shown.view->closeSites()->viewport();
    const auto turn = [](QWidget *over, QPointF place) {
        QWheelEvent event(place, over->mapToGlobal(place), {}, {0, -120}, Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(over, &event);
    };
    const TimeRange visible = shown.view->axis()->visible();
    const QPointF onRows(rows->width() / 2.0, 60);
    // The wheel scrolls over the names, and continues to scroll after the pointer leaves them.
    turn(rows, {10, 60});
    const int scrolled = bar->value();
    QVERIFY(scrolled > 0);
    turn(rows, onRows);
    QVERIFY(bar->value() > scrolled);
    QCOMPARE(shown.view->axis()->visible(), visible);
    // After a pause the wheel zooms.
    QTest::qWait(500);
    turn(rows, onRows);
    QVERIFY(shown.view->axis()->visible() != visible);
}

void SitesViewTest::sweepsAreVisibleInAUsualWindow() {
    ShownSites shown(QStringLiteral("ten-to-25-36"));
    shown.window.window().resize(1600, 1000);
    QVERIFY(shown.settle());
    QTest::qWait(50);
    for (SweepCard *card : shown.view->sweepCards()) {
        const int bottom = card->mapTo(shown.view, QPoint(0, card->height())).y();
        QVERIFY2(bottom <= shown.view->height(),
                 qPrintable(QStringLiteral("%1 of %2").arg(bottom).arg(shown.view->height())));
    }
}

void SitesViewTest::tooManyUpdatesAreNotDrawnButCounted() {
    ShownSites shown(QStringLiteral("ten-to-25-36"));
    QVERIFY(shown.patch(R"({"cluster":{"sites":100000},"outer":{"quorum":90000}})"));
    // Identical sites are represented by a single simulated site.
    QCOMPARE(shown.view->run()->timeline.sites, std::int64_t(1));
    QVERIFY(!shown.view->allSites()->isVisible());
    QVERIFY(!shown.view->grab().isNull());
    // Differing sites, more than a picture can distinguish.
    shown.window.document().apply(
        {.subject = QStringLiteral("test"),
         .patch =
             R"({"cluster":{"sites":9000,"wan":{"rate_variation":0.1}},"outer":{"quorum":8000,"fragments":100}})"});
    QVERIFY(QTest::qWaitFor([&] { return shown.view->run()->question.plan.cluster.sites == 9000; }, 120'000));
    QVERIFY(!shown.view->run()->drawable);
    QVERIFY(!shown.view->closeSites()->isVisible());
    QVERIFY(shown.view->heading()->words().contains(QStringLiteral("%")));
    QCOMPARE(shown.view->run()->runs.runs.size(), std::size_t(1));
    QVERIFY(!shown.view->grab().isNull());
}

void SitesViewTest::manyEditsEndWithTheLast() {
    ShownSites shown(QStringLiteral("ten-to-25-36"));
    for (const int steps : {2, 3, 4, 5})
        shown.window.document().apply(
            {.subject = QStringLiteral("test"),
             .patch = QStringLiteral(R"({"outer":{"overlap_steps":%1}})").arg(steps).toStdString()});
    QVERIFY(shown.settle());
    QCOMPARE(shown.view->run()->question.plan.outer.overlap_steps, std::int64_t(5));
}

LISTED_TEST(SitesViewTest)
#include "tst_sites_view.moc"

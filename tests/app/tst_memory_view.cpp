// SPDX-License-Identifier: GPL-3.0-or-later
#include "controls/fact_button.h"
#include "explain/explain_view.h"
#include "figures/figure_source.h"
#include "listed_test.h"
#include "main_window.h"
#include "memory/memory_list.h"
#include "memory/memory_view.h"
#include "memory/peak_card.h"
#include "memory/step_memory_chart.h"
#include "timeline/timeline_axis.h"
#include "views/problems_card.h"
#include "window_fixture.h"

#include <QApplication>
#include <QComboBox>
#include <QTest>

using namespace meshwright;

namespace {

/// A window that shows the memory of a preset.
struct Shown {
    explicit Shown(const QString &preset)
        : window(QStringLiteral("preset:") + preset)
        , view(window.window().view<MemoryView>()) {
        window.showView(QStringLiteral("Memory"));
        settle();
    }
    bool settle() {
        return window.settle()
            && QTest::qWaitFor([this] { return !window.session().view().valid || view->isSettled(); }, 10'000);
    }
    void patch(const char *text) {
        window.document().apply({.subject = QStringLiteral("test"), .patch = text});
        settle();
    }
    const StepMemory &memory() const { return view->run()->trace->memory(); }

    WindowFixture window;
    MemoryView *view;
};

double sumOf(const MemoryList &list) {
    double sum = 0;
    for (const MemoryEntry &entry : list.entries())
        sum += entry.bytes;
    return sum;
}

QColor pixel(const QWidget *widget, QPointF at) {
    const QPixmap picture = const_cast<QWidget *>(widget)->grab();
    return picture.toImage().pixelColor((at * picture.devicePixelRatio()).toPoint());
}

} // namespace

class MemoryViewTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void rankWithPeakMemoryIsShownFirst();
    void tensorsAtThePeakAddUpToIt();
    void anyRangeShowsItsHighestPoint();
    void areaMatchesItsScale();
    void anotherRankIsChosenByBoxAndKey();
    void aMeasuredProfileIsShownForItsRun();
    void zoomingWorksAsInTimelines();
    void stageFigureOpensItsDerivation();
    void anInvalidPlanKeepsTheChartsAndIsFixed();
    void aPlanThatDoesNotFitSaysByHowMuch();
    void aScheduleThatIsTooLongSaysWhy();
};

void MemoryViewTest::rankWithPeakMemoryIsShownFirst() {
    const Shown shown(QStringLiteral("deepseek-v3"));
    QVERIFY(shown.view->isVisible());
    QCOMPARE(shown.view->rankBox()->count(), 16);
    QCOMPARE(shown.view->run()->rank, shown.view->run()->peakRank);
    QCOMPARE(shown.view->rankBox()->currentIndex(), shown.view->run()->rank);
    QCOMPARE(shown.view->axis()->whole().end, shown.memory().points.back().seconds);
}

void MemoryViewTest::tensorsAtThePeakAddUpToIt() {
    for (const char *preset : {"deepseek-v3", "llama-1b-profile", "pretrain-70b-1k-design"}) {
        const Shown shown{QLatin1String(preset)};
        const double peak = shown.view->run()->trace->peak().total();
        QVERIFY(std::abs(sumOf(*shown.view->peak()->kinds()) - peak) < 1e-9 * peak);
        QVERIFY(std::abs(sumOf(*shown.view->peak()->tensors()) - peak) < 1e-6 * peak);
        const auto &tensors = shown.view->peak()->tensors()->entries();
        QVERIFY(std::is_sorted(tensors.begin(), tensors.end(),
                               [](const MemoryEntry &a, const MemoryEntry &b) { return a.bytes > b.bytes; }));
    }
}

void MemoryViewTest::anyRangeShowsItsHighestPoint() {
    const Shown shown(QStringLiteral("pretrain-70b-1k-design"));
    const MemoryTrace &trace = *shown.view->run()->trace;
    const auto &points = shown.memory().points;
    for (int i = 0; i < 400; ++i) {
        const double begin = trace.whole().end * (i * 37 % 400) / 400;
        const double end = begin + trace.whole().end * (i * 13 % 100 + 1) / 400;
        double highest = points[trace.at(begin)].total();
        for (const MemoryPoint &point : points)
            if (point.seconds > begin && point.seconds < end)
                highest = std::max(highest, point.total());
        QCOMPARE(points[trace.highestWithin(begin, end)].total(), highest);
    }
}

void MemoryViewTest::areaMatchesItsScale() {
    const Shown shown(QStringLiteral("llama-1b-profile"));
    const StepMemoryChart *chart = shown.view->chart();
    const QRectF plot = chart->plot();
    const MemoryPoint &peak = shown.view->run()->trace->peak();
    const qreal x = plot.left() + plot.width() * (peak.seconds + 0.03) / shown.view->axis()->whole().end;
    const qreal top = chart->scale().toX(peak.total());
    // The chart is empty above the peak; directly below it are the logits, the topmost kind.
    QVERIFY(pixel(chart, {x, top + 12}) != pixel(chart, {x, top - 12}));
    QCOMPARE(pixel(chart, {x, top + 12}), pixel(chart, {x, top + 18}));
}

void MemoryViewTest::anotherRankIsChosenByBoxAndKey() {
    Shown shown(QStringLiteral("ten-to-25-a100"));
    QComboBox *box = shown.view->rankBox();
    box->setCurrentIndex(4);
    Q_EMIT box->activated(4);
    shown.settle();
    QCOMPARE(shown.view->run()->rank, 4);
    QTest::keyClick(shown.view->chart(), Qt::Key_PageUp);
    shown.settle();
    QCOMPARE(shown.view->run()->rank, 3);
    // The chosen rank stays chosen in a new plan that has this rank.
    shown.patch(R"({"parallelism":{"pipeline":2,"data":3},"batch":{"global_sequences":96}})");
    QCOMPARE(shown.view->run()->rank, 1);
}

void MemoryViewTest::aMeasuredProfileIsShownForItsRun() {
    Shown shown(QStringLiteral("llama-1b-profile"));
    QVERIFY(shown.view->measuredChart()->isVisible());
    const double ours = shown.view->run()->trace->peak().total();
    const double measured = shown.view->run()->measured->trace->peak().total();
    QVERIFY(std::abs(ours / measured - 1) < 0.1);
    QCOMPARE(shown.view->measuredChart()->highest(), shown.view->chart()->highest());
    shown.patch(R"({"batch":{"sequence_length":2048}})");
    QVERIFY(!shown.view->measuredChart()->isVisible());
    const Shown other(QStringLiteral("pretrain-8b"));
    QVERIFY(!other.view->measuredChart()->isVisible());
}

void MemoryViewTest::zoomingWorksAsInTimelines() {
    const Shown shown(QStringLiteral("deepseek-v3"));
    QTest::keyClick(shown.view->chart(), Qt::Key_W);
    QTRY_VERIFY(!shown.view->axis()->showsAll());
    QTest::keyClick(shown.view->chart(), Qt::Key_0);
    QTRY_VERIFY(shown.view->axis()->showsAll());
}

void MemoryViewTest::stageFigureOpensItsDerivation() {
    Shown shown(QStringLiteral("ten-to-25"));
    auto *fact = shown.view->peak()->findChild<FactButton *>();
    QVERIFY(fact && fact->isVisible());
    QCOMPARE(fact->figure().name(), QStringLiteral("memory.stages.%1.total_bytes").arg(shown.view->run()->rank));
    QTest::mouseClick(fact, Qt::LeftButton);
    QVERIFY(shown.window.window().view<ExplainView>()->isVisible());
}

void MemoryViewTest::anInvalidPlanKeepsTheChartsAndIsFixed() {
    Shown shown(QStringLiteral("deepseek-v3"));
    const MemoryRun *before = shown.view->run();
    shown.patch(R"({"batch":{"global_sequences":3968}})");
    QVERIFY(!shown.window.session().view().valid);
    QVERIFY(shown.view->problems()->isVisible() && shown.view->chart()->isVisible());
    QCOMPARE(shown.view->run(), before);
    shown.patch(R"({"batch":{"global_sequences":7680}})");
    QVERIFY(!shown.view->problems()->isVisible());
    QVERIFY(shown.view->run() != before || shown.view->run()->plan == shown.window.session().view().plan);
}

void MemoryViewTest::aPlanThatDoesNotFitSaysByHowMuch() {
    Shown shown(QStringLiteral("pretrain-8b"));
    shown.patch(R"({"batch":{"micro_sequences":4}})");
    const StepMemoryChart *chart = shown.view->chart();
    QVERIFY(shown.view->run()->trace->peak().total() > shown.memory().capacity_bytes);
    QVERIFY(chart->highest() >= shown.view->run()->trace->peak().total());
}

void MemoryViewTest::aScheduleThatIsTooLongSaysWhy() {
    Shown shown(QStringLiteral("pretrain-8b"));
    shown.patch(R"({"batch":{"global_sequences":67108864}})");
    QVERIFY(shown.window.session().view().valid);
    QVERIFY(shown.view->run() == nullptr && !shown.view->chart()->isVisible());
    shown.patch(R"({"batch":{"global_sequences":1024}})");
    QVERIFY(shown.view->run() != nullptr && shown.view->chart()->isVisible());
}

LISTED_TEST(MemoryViewTest)
#include "tst_memory_view.moc"

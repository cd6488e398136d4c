// SPDX-License-Identifier: GPL-3.0-or-later
#include "listed_test.h"
#include "timeline/time_ticks.h"
#include "timeline/timeline_axis.h"
#include "timeline/timeline_overview.h"
#include "timeline_fixture.h"

#include <QTest>

using namespace meshwright;

/// Tests the overview strip and the ruler.
class TimelineOverviewTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void windowMarksTheVisibleRange() {
        const TimelineModelPointer model = unevenTimeline(100, 50);
        TimelineAxis axis;
        axis.setWhole(model->whole);
        TimelineOverview overview(&axis);
        overview.setModel(model);
        overview.resize(900, overview.sizeHint().height());
        overview.show();
        QCOMPARE(overview.window().width(), overview.plot().width());
        const double length = model->whole.length();
        axis.show({length * 0.4, length * 0.6});
        const QRectF window = overview.window();
        QVERIFY(std::abs(window.left() - overview.plot().left() - 0.4 * overview.plot().width()) < 1e-6);
        const auto drag = [&](QPoint from, QPoint to) {
            QTest::mousePress(&overview, Qt::LeftButton, Qt::NoModifier, from);
            QTest::mouseMove(&overview, to);
            QTest::mouseRelease(&overview, Qt::LeftButton, Qt::NoModifier, to);
        };
        const int y = int(window.center().y());
        drag({int(window.center().x()), y}, {int(window.center().x()) + 100, y});
        QVERIFY(std::abs(overview.window().left() - window.left() - 100) < 1.5);
        QVERIFY(std::abs(overview.window().width() - window.width()) < 1e-6);
        drag({int(std::round(overview.window().right())), y}, {int(overview.window().right()) - 50, y});
        QVERIFY(std::abs(overview.window().width() - window.width() + 50) < 2);
        QVERIFY(!overview.grab().isNull());
    }

    void ticksAreRoundAndFit() {
        const QVector<TimeTick> ticks = timeTicks({1.42, 2.52}, 12);
        QCOMPARE(ticks.first().text, QStringLiteral("1.5 s"));
        QCOMPARE(ticks.at(1).text, QStringLiteral("1.6"));
        QCOMPARE(ticks.size(), 11);
        QCOMPARE(timeTicks({0, 3e-4}, 5).at(0).text, QStringLiteral("0 µs"));
        for (const double length : {1e-9, 1e-6, 1e-3, 0.3, 7.0, 4000.0}) {
            const QVector<TimeTick> fine = timeTicks({5, 5 + length}, 10);
            QVERIFY2(fine.size() <= 11, qPrintable(QString::number(length)));
            for (const TimeTick &tick : fine)
                QVERIFY(tick.time >= 5 - length * 1e-6 && tick.time <= 5 + length * (1 + 1e-6));
            for (qsizetype i = 2; i < fine.size(); ++i)
                QVERIFY(fine[i].text != fine[i - 1].text);
        }
        QVERIFY(timeTicks({3, 3}, 10).isEmpty());
        QCOMPARE(durationText(0.09), QStringLiteral("90.00 ms"));
        QCOMPARE(durationText(5.92), QStringLiteral("5.920 s"));
        QCOMPARE(timeText(2.4187, {1.4, 2.5}), QStringLiteral("2.419 s"));
    }
};

LISTED_TEST(TimelineOverviewTest)
#include "tst_timeline_overview.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvases/axis.h"
#include "canvases/label_layout.h"
#include "canvases/threshold_gauge.h"
#include "listed_test.h"

#include <QTest>

#include <limits>

using namespace meshwright;

class AxisTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void scalesRoundTrip();
    void ticksAreRoundAndCoverTheAxis();
    void figuresAreShort();
    void labelsNeverOverlap();
    void spreadLabelsKeepOrderAndBounds();
};

void AxisTest::scalesRoundTrip() {
    const LinearScale linear{0, 160e9, 72, 900};
    const LogScale logarithmic{0.5, 2000, 0, 300};
    for (const double value : {1.0, 15.99, 149.4, 1151.0}) {
        QVERIFY(std::abs(linear.toValue(linear.toX(value * 1e8)) / (value * 1e8) - 1) < 1e-9);
        QVERIFY(std::abs(logarithmic.toValue(logarithmic.toX(value)) / value - 1) < 1e-9);
    }
    QCOMPARE(logarithmic.toX(0.001), logarithmic.toX(0.5));
}

void AxisTest::ticksAreRoundAndCoverTheAxis() {
    QCOMPARE(niceTicks(160, 8), (QVector<double>{0, 20, 40, 60, 80, 100, 120, 140, 160}));
    QCOMPARE(niceTicks(23, 6), (QVector<double>{0, 5, 10, 15, 20}));
    QCOMPARE(niceTicks(0, 6), QVector<double>{0});
    QCOMPARE(niceTicks(std::numeric_limits<double>::infinity(), 6), QVector<double>{0});
    for (double high = 1e-6; high < 1e15; high *= 3.7) {
        const QVector<double> ticks = niceTicks(high, 7);
        QVERIFY(ticks.size() >= 3 && ticks.size() <= 8);
        QVERIFY(ticks.last() <= high * (1 + 1e-9));
    }
    QCOMPARE(tickText(2.5, 2.5), QStringLiteral("2.5"));
    QCOMPARE(tickText(5, 2.5), QStringLiteral("5.0"));
    QCOMPARE(tickText(1000, 500), QStringLiteral("1,000"));
}

void AxisTest::figuresAreShort() {
    QCOMPARE(figure(0.3024), QStringLiteral("0.302"));
    QCOMPARE(figure(4.56), QStringLiteral("4.56"));
    QCOMPARE(figure(149.42), QStringLiteral("149.4"));
    QCOMPARE(figure(1457), QStringLiteral("1,457"));
    QCOMPARE(figure(-2.8), QStringLiteral("\u22122.80"));
    QCOMPARE(timeUnit(0.02).name, QStringLiteral("ms"));
    QCOMPARE(byteUnit(154e9).name, QStringLiteral("GB"));
}

void AxisTest::labelsNeverOverlap() {
    QVector<LabelSpan> labels;
    for (int i = 0; i < 40; ++i)
        labels.append(centredWithin(i * 9.0, 14 + i % 5, 0, 360));
    const QVector<bool> shown = labelsThatFit(labels, 6, {17, 0, 39});
    QVERIFY(shown[17] && shown[0] && shown[39]);
    qreal edge = -1e9;
    for (int i = 0; i < labels.size(); ++i) {
        if (!shown[i])
            continue;
        QVERIFY(labels[i].left >= edge);
        QVERIFY(labels[i].left >= 0 && labels[i].right() <= 360);
        edge = labels[i].right() + 6;
    }
}

void AxisTest::spreadLabelsKeepOrderAndBounds() {
    const QVector<LabelSpan> crowded{{0, 40}, {2, 40}, {4, 40}, {150, 40}};
    const QVector<LabelSpan> placed = spreadLabels(crowded, 8, 0, 200);
    QCOMPARE(placed.size(), 4);
    QVERIFY(placed.first().left >= 0);
    QVERIFY(placed.last().right() <= 200);
    for (int i = 1; i < placed.size(); ++i)
        QVERIFY(placed[i].left >= placed[i - 1].right() + 8 - 1e-9);
    QVERIFY(spreadLabels(crowded, 8, 0, 100).isEmpty());
}

LISTED_TEST(AxisTest, QCoreApplication)
#include "tst_axis.moc"

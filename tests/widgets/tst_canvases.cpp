// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvases/memory_bars.h"
#include "canvases/stacked_bars_layout.h"
#include "canvases/stacked_bars_painter.h"
#include "canvases/step_bar.h"
#include "canvases/threshold_gauge.h"
#include "listed_test.h"
#include "theme/theme.h"

#include <QApplication>
#include <QBuffer>
#include <QElapsedTimer>
#include <QImage>
#include <QPainter>
#include <QPdfWriter>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSvgGenerator>
#include <QTest>

using namespace meshwright;

namespace {

MemoryBarsView stages(int count, double capacity = 154e9) {
    MemoryBarsView view;
    view.capacityBytes = capacity;
    for (int stage = 0; stage < count; ++stage) {
        const double activations = 20e9 * (count - stage) / count;
        view.bars.append({QStringLiteral("Stage %1").arg(stage),
                          QStringLiteral("layers"),
                          {18e9, 18e9, 36e9, 40e9, activations, stage + 1 == count ? 1e9 : 0, 0.8e9, 0, 2.6e9},
                          0,
                          QStringLiteral("backward of microbatch 3")});
    }
    return view;
}

constexpr StackedColumns Columns{60, 60};

} // namespace

class CanvasesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::apply(*qApp, ThemeMode::Dark); }
    void drawnPartsAddUpToTheSum_data();
    void drawnPartsAddUpToTheSum();
    void theSumIsWhereTheLastSegmentEnds();
    void rowsGetLowerThenScroll();
    void everySegmentIsFoundUnderThePointer();
    void aLabelIsWrittenOnlyWhereItFits();
    void pixelsOfABarHaveTheColoursOfTheirKinds();
    void whatIsOverTheCapacityIsRed();
    void keysWalkTheSegmentsAndEnterActivates();
    void aClickActivatesTheSegmentUnderIt();
    void keysScrollManyStagesIntoView();
    void theLegendNamesWhatTheBarsCannot();
    void aPreviewOfOtherStagesMovesTheAxis();
    void stepTermsAddUpAndTell();
    void theSameDrawingGoesToSvgAndPdf();
    void sixtyFourStagesPaintInAFewMilliseconds();
    void emptyAndAbsurdViewsPaint();
};

void CanvasesTest::drawnPartsAddUpToTheSum_data() {
    QTest::addColumn<int>("count");
    for (const int count : {1, 2, 16, 64, 200})
        QTest::addRow("%d stages", count) << count;
}

void CanvasesTest::drawnPartsAddUpToTheSum() {
    QFETCH(int, count);
    const StackedBarsView view = MemoryBars::stacked(stages(count));
    const StackedBarsLayout layout = layoutStackedBars(view, QSizeF(800, 400), Columns);
    for (int row = 0; row < count; ++row) {
        qreal widths = 0;
        qreal edge = layout.scale.left;
        for (int i = 0; i < MemoryKindCount; ++i) {
            const QRectF rect = layout.segment(view, {row, i});
            QVERIFY(std::abs(rect.left() - edge) < 1e-6);
            edge = rect.right();
            widths += rect.width();
        }
        QVERIFY(std::abs(widths - (layout.scale.toX(view.rows[row].sum()) - layout.scale.left)) < 1e-6);
    }
    QVERIFY(layout.scale.toX(view.largest()) <= layout.scale.right);
    QVERIFY(layout.barHeight >= 6);
}

void CanvasesTest::theSumIsWhereTheLastSegmentEnds() {
    const StackedBarsView view = MemoryBars::stacked(stages(2));
    const StackedBarsLayout layout = layoutStackedBars(view, QSizeF(800, 200), Columns);
    const QRectF last = layout.segment(view, {0, MemoryKindCount - 1});
    QVERIFY(std::abs(layout.scale.toValue(last.right()) - view.rows[0].sum()) < 1);
    QCOMPARE(view.rows[0].total, QStringLiteral("135.4 GB"));
    QCOMPARE(view.rows[0].note, QStringLiteral("18.6 GB free"));
}

void CanvasesTest::rowsGetLowerThenScroll() {
    const QSizeF size(800, 300);
    qreal before = 1e9;
    for (const int count : {1, 2, 8, 16, 24}) {
        const StackedBarsLayout layout = layoutStackedBars(MemoryBars::stacked(stages(count)), size, Columns);
        QVERIFY(layout.pitch <= before);
        QCOMPARE(layout.scrollRange(), 0.0);
        before = layout.pitch;
    }
    const StackedBarsLayout many = layoutStackedBars(MemoryBars::stacked(stages(64)), size, Columns, 1e6);
    QCOMPARE(many.pitch, StackedBarsLayout::SmallestPitch);
    QVERIFY(many.scrollRange() > 0);
    QCOMPARE(many.scrolled, many.scrollRange());
    QCOMPARE(many.endVisible(), 64);
}

void CanvasesTest::everySegmentIsFoundUnderThePointer() {
    const StackedBarsView view = MemoryBars::stacked(stages(4));
    const StackedBarsLayout layout = layoutStackedBars(view, QSizeF(800, 240), Columns);
    for (int row = 0; row < 4; ++row) {
        for (int i = 0; i < MemoryKindCount; ++i) {
            if (view.rows[row].segments[i].value <= 0)
                continue;
            QCOMPARE(layout.segmentAt(view, layout.segment(view, {row, i}).center()), (SegmentIndex{row, i}));
        }
    }
    QVERIFY(!layout.segmentAt(view, QPointF(2, 30)).isValid());
    QVERIFY(!layout.segmentAt(view, QPointF(300, 1000)).isValid());
}

void CanvasesTest::aLabelIsWrittenOnlyWhereItFits() {
    const StackedBarsView view = MemoryBars::stacked(stages(2));
    const StackedBarsPainter painter(view, Theme::current());
    const QFontMetricsF metrics(Theme::current().font(TypeRole::Caption, TextWeight::SemiBold));
    const StackedSegment &master = view.rows[0].segments[int(MemoryKind::Master)];
    QCOMPARE(painter.labelFor(master, QSizeF(200, 44)), (QStringList{master.name, QStringLiteral("36.0 GB")}));
    QCOMPARE(painter.labelFor(master, QSizeF(200, 24)), QStringList{QStringLiteral("Master weights 36.0 GB")});
    QVERIFY(painter.labelFor(master, QSizeF(3, 44)).isEmpty());
    for (qreal width = 0; width < 200; ++width) {
        for (const QString &line : painter.labelFor(master, QSizeF(width, 44)))
            QVERIFY(metrics.horizontalAdvance(line) <= width + 12);
    }
}

void CanvasesTest::pixelsOfABarHaveTheColoursOfTheirKinds() {
    const Theme &theme = Theme::current();
    const StackedBarsView view = MemoryBars::stacked(stages(2));
    const StackedBarsLayout layout = layoutStackedBars(view, QSizeF(800, 160), Columns);
    QImage image(800, 160, QImage::Format_RGB32);
    image.fill(theme.colour(ColourRole::Card));
    QPainter painter(&image);
    StackedBarsPainter(view, theme).paint(painter, layout);
    painter.end();
    for (const MemoryKind kind :
         {MemoryKind::Weights, MemoryKind::Gradients, MemoryKind::Master, MemoryKind::Moments}) {
        const QRectF rect = layout.segment(view, {1, int(kind)});
        // A pixel near the bottom of the bar, below the label.
        const QColor pixel = image.pixelColor(int(rect.center().x()), int(rect.bottom()) - 3);
        QCOMPARE(pixel, theme.fill(view.rows[1].segments[int(kind)].kind));
    }
}

void CanvasesTest::whatIsOverTheCapacityIsRed() {
    const Theme &theme = Theme::current();
    const MemoryBarsView memory = stages(1, 80e9);
    const StackedBarsView view = MemoryBars::stacked(memory);
    QCOMPARE(view.rows[0].noteTone, Tone::Bad);
    QVERIFY(view.rows[0].note.endsWith(QStringLiteral("over")));
    const StackedBarsLayout layout = layoutStackedBars(view, QSizeF(800, 120), Columns);
    QImage image(800, 120, QImage::Format_RGB32);
    image.fill(theme.colour(ColourRole::Card));
    QPainter painter(&image);
    StackedBarsPainter(view, theme).paint(painter, layout);
    painter.end();
    const QRectF bar = layout.bar(0);
    const int from = int(layout.scale.toX(85e9));
    const int to = int(layout.scale.toX(130e9));
    int red = 0;
    for (int x = from; x < to; ++x) {
        const QColor pixel = image.pixelColor(x, int(bar.top()) + 5); // above the names, in the part over capacity
        red += pixel.red() > pixel.blue() + 10;
    }
    QVERIFY2(red > (to - from) * 9 / 10, qPrintable(QStringLiteral("%1 of %2").arg(red).arg(to - from)));
}

void CanvasesTest::keysWalkTheSegmentsAndEnterActivates() {
    MemoryBars bars;
    bars.setView(stages(2));
    bars.resize(800, 180);
    bars.show();
    QSignalSpy activated(&bars, &MemoryBars::segmentActivated);
    QTest::keyClick(&bars, Qt::Key_Right);
    QCOMPARE(bars.highlighted(), (SegmentIndex{0, 0}));
    QTest::keyClick(&bars, Qt::Key_Right);
    QTest::keyClick(&bars, Qt::Key_Down);
    QCOMPARE(bars.highlighted(), (SegmentIndex{1, 1}));
    QVERIFY(bars.accessibleDescription().contains(QStringLiteral("Stage 1, Gradients")));
    QVERIFY(bars.accessibleDescription().contains(QStringLiteral("Peak at backward")));
    QTest::keyClick(&bars, Qt::Key_Return);
    QCOMPARE(activated.count(), 1);
    QCOMPARE(activated.first()[0].toInt(), 1);
    QCOMPARE(activated.first()[1].value<MemoryKind>(), MemoryKind::Gradients);
    // Stage 0 has no logits, so the highlight skips this kind.
    QTest::keyClick(&bars, Qt::Key_Up);
    QTest::keyClick(&bars, Qt::Key_End);
    QCOMPARE(bars.highlighted().segment, int(MemoryKind::Runtime));
    QTest::keyClick(&bars, Qt::Key_Left);
    QTest::keyClick(&bars, Qt::Key_Left);
    QCOMPARE(bars.highlighted().segment, int(MemoryKind::Activations));
    QTest::keyClick(&bars, Qt::Key_Escape);
    QVERIFY(!bars.highlighted().isValid());
}

void CanvasesTest::aClickActivatesTheSegmentUnderIt() {
    MemoryBars bars;
    bars.setView(stages(2));
    bars.resize(800, 180);
    bars.show();
    QSignalSpy activated(&bars, &MemoryBars::segmentActivated);
    const QPoint at =
        bars.currentConfiguration().segment(bars.stackedView(), {1, int(MemoryKind::Moments)}).center().toPoint();
    QTest::mouseMove(bars.viewport(), at);
    QTest::mouseClick(bars.viewport(), Qt::LeftButton, {}, at);
    QCOMPARE(activated.count(), 1);
    QCOMPARE(activated.first()[0].toInt(), 1);
    QCOMPARE(activated.first()[1].value<MemoryKind>(), MemoryKind::Moments);
}

void CanvasesTest::keysScrollManyStagesIntoView() {
    MemoryBars bars;
    bars.setView(stages(128));
    bars.resize(800, 300);
    bars.show();
    QCOMPARE(bars.verticalScrollBar()->value(), 0);
    for (int i = 0; i < 100; ++i)
        QTest::keyClick(&bars, Qt::Key_Down);
    QCOMPARE(bars.highlighted().row, 99);
    const StackedBarsLayout layout = bars.currentConfiguration();
    QVERIFY(layout.bar(99).bottom() <= layout.rows.bottom() + 0.5);
    QVERIFY(layout.bar(99).top() >= layout.rows.top() - 0.5);
}

void CanvasesTest::theLegendNamesWhatTheBarsCannot() {
    MemoryBars bars;
    QSignalSpy changed(&bars, &StackedBars::legendChanged);
    bars.resize(900, 180);
    bars.setView(stages(2));
    QVERIFY(changed.count() >= 1);
    QStringList names;
    for (const LegendEntry &entry : bars.legendEntries())
        names.append(entry.name);
    QVERIFY(names.contains(QStringLiteral("CUDA and NCCL")));
    QVERIFY(names.contains(QStringLiteral("Headroom")));
    QVERIFY(!names.contains(QStringLiteral("Adam states")));
    QVERIFY(!names.contains(QStringLiteral("Outer state")));
}

void CanvasesTest::aPreviewOfOtherStagesMovesTheAxis() {
    const MemoryBarsView view = stages(2);
    const StackedBarsView plain = MemoryBars::stacked(view);
    const StackedBarsView preview = MemoryBars::stacked(view, stages(2).bars);
    QVERIFY(preview.rows[0].note.startsWith(QStringLiteral("→ 135.4")));
    MemoryBar large = view.bars[0];
    large.bytes[0] = 300e9;
    QVERIFY(MemoryBars::stacked(view, {large}).largest() > 2 * plain.largest());
}

void CanvasesTest::stepTermsAddUpAndTell() {
    StepBarView view;
    StepRow row;
    row.label = QStringLiteral("This plan");
    row.terms.append({QStringLiteral("Compute"),
                      10.43,
                      Kind::Blue,
                      SegmentFill::Solid,
                      QStringLiteral("F"),
                      {},
                      QStringLiteral("compute")});
    row.terms.append({QStringLiteral("Bubble"),
                      0.7,
                      Kind::Grey,
                      SegmentFill::Hatched,
                      {},
                      QStringLiteral("Ranks wait"),
                      QStringLiteral("bubble")});
    view.rows.append(row);
    QCOMPARE(StepBar::stacked(view).rows[0].total, QStringLiteral("11.13 s"));
    StepBar bar;
    bar.setView(view);
    bar.resize(700, 120);
    bar.show();
    QSignalSpy activated(&bar, &StepBar::termActivated);
    QTest::keyClick(&bar, Qt::Key_End);
    QTest::keyClick(&bar, Qt::Key_Right);
    QVERIFY(bar.accessibleDescription().contains(QStringLiteral("Ranks wait")));
    QTest::keyClick(&bar, Qt::Key_Return);
    QCOMPARE(activated.first()[1].toString(), QStringLiteral("bubble"));
    view.rows[0].terms[0].seconds = 0.02;
    view.rows[0].terms[1].seconds = 0.001;
    QCOMPARE(StepBar::stacked(view).rows[0].total, QStringLiteral("21.00 ms"));
}

void CanvasesTest::theSameDrawingGoesToSvgAndPdf() {
    const Theme paper = Theme::paper();
    QBuffer svgBytes;
    svgBytes.open(QIODevice::WriteOnly);
    QSvgGenerator svg;
    svg.setOutputDevice(&svgBytes);
    svg.setSize(QSize(800, 240));
    QPainter svgPainter(&svg);
    MemoryBars::paint(svgPainter, QRectF(0, 0, 800, 240), stages(2), paper);
    svgPainter.end();
    QVERIFY(svgBytes.data().contains("Adam states"));
    QVERIFY(svgBytes.data().contains("DejaVu Sans"));
    QVERIFY(!svgBytes.data().contains("<image"));
    QBuffer pdfBytes;
    pdfBytes.open(QIODevice::WriteOnly);
    QPdfWriter pdf(&pdfBytes);
    QPainter pdfPainter(&pdf);
    MemoryBars::paint(pdfPainter, QRectF(0, 0, 800, 240), stages(2), paper);
    pdfPainter.end();
    QVERIFY(pdfBytes.data().startsWith("%PDF"));
}

void CanvasesTest::sixtyFourStagesPaintInAFewMilliseconds() {
    const StackedBarsView view = MemoryBars::stacked(stages(64));
    const Theme &theme = Theme::current();
    const StackedBarsLayout layout = layoutStackedBars(view, QSizeF(900, 500), Columns);
    QImage image(1800, 1000, QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(2);
    double best = 1e9;
    for (int i = 0; i < 15; ++i) {
        QElapsedTimer timer;
        timer.start();
        QPainter painter(&image);
        StackedBarsPainter(view, theme).paint(painter, layout);
        painter.end();
        best = std::min(best, double(timer.nsecsElapsed()) / 1e6);
    }
    // Drawing takes about 2 ms on a desktop; sanitizers and a busy machine get a wide margin.
    QVERIFY2(best < 40, qPrintable(QString::number(best)));
}

void CanvasesTest::emptyAndAbsurdViewsPaint() {
    QImage image(300, 100, QImage::Format_ARGB32_Premultiplied);
    QPainter painter(&image);
    MemoryBars::paint(painter, image.rect(), {}, Theme::current());
    MemoryBars::paint(painter, QRectF(0, 0, 10, 10), stages(3), Theme::current());
    MemoryBarsView zero = stages(2, 0);
    for (MemoryBar &bar : zero.bars)
        bar.bytes.clear();
    MemoryBars::paint(painter, image.rect(), zero, Theme::current());
    StepBar::paint(painter, image.rect(), {}, Theme::current());
    ThresholdGauge::paint(painter, image.rect(), {}, Theme::current());
    ThresholdGauge::paint(painter, image.rect(), {{{QStringLiteral("GPU"), 0, QStringLiteral("0")}}, {}, {}, {}},
                          Theme::current());
    MemoryBars bars;
    bars.show();
    QTest::keyClick(&bars, Qt::Key_Right);
    QVERIFY(!bars.highlighted().isValid());
}

LISTED_TEST(CanvasesTest)
#include "tst_canvases.moc"

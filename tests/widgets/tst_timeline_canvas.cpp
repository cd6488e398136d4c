// SPDX-License-Identifier: GPL-3.0-or-later
#include "listed_test.h"
#include "theme/theme.h"
#include "timeline/timeline_axis.h"
#include "timeline/timeline_canvas.h"
#include "timeline_fixture.h"

#include <QApplication>
#include <QBackingStore>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

using namespace meshwright;

namespace {

constexpr QSize Size{900, 260};

/// A canvas with sixteen rows in its own window.
struct Shown {
    explicit Shown(const TimelineModelPointer &model = unevenTimeline(16, 40)) {
        Theme::setReducedMotion(true);
        axis.setWhole(model->whole);
        canvas.setModel(model);
        canvas.setDescribe([](SpanIndex span) {
            return HoverContent{.title = QStringLiteral("span %1 of row %2").arg(span.span).arg(span.track)};
        });
        canvas.resize(Size);
        canvas.show();
        canvas.setFocus();
        QApplication::processEvents();
    }
    double timeAt(qreal x) const { return xToTime(x - canvas.plot().left(), axis.visible(), canvas.plot().width()); }
    void wheel(QPointF at, QPoint notches, Qt::KeyboardModifiers keys = Qt::NoModifier) {
        QWheelEvent event(at, canvas.viewport()->mapToGlobal(at), {}, notches * 120, Qt::NoButton, keys,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(canvas.viewport(), &event);
    }
    void drag(QPoint from, QPoint to, Qt::KeyboardModifiers keys = Qt::NoModifier) {
        QTest::mousePress(canvas.viewport(), Qt::LeftButton, keys, from);
        const auto move = [&](QPoint place) {
            QMouseEvent event(QEvent::MouseMove, place, canvas.viewport()->mapToGlobal(place), Qt::NoButton,
                              Qt::LeftButton, keys);
            QApplication::sendEvent(canvas.viewport(), &event);
        };
        move((from + to) / 2);
        move(to);
        QTest::mouseRelease(canvas.viewport(), Qt::LeftButton, keys, to);
    }
    /// A span of work wide enough to be clicked.
    SpanIndex workOn(int row) const {
        const TimelineTrack &track = canvas.model()->tracks[std::size_t(row)];
        for (std::size_t span = 3; span < track.count(); ++span)
            if (track.look(span).number >= 0 && canvas.rectOf({row, span}).width() > 8)
                return {row, span};
        return {};
    }

    TimelineAxis axis;
    TimelineCanvas canvas{&axis};
};

bool near(double a, double b, double scale) {
    return std::abs(a - b) < 1e-9 * std::max(1.0, std::abs(scale));
}

} // namespace

class TimelineCanvasTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::apply(*qApp, ThemeMode::Dark); }
    void coordinatesGoBothWays();
    void theWheelKeepsTheTimeUnderThePointer_data();
    void theWheelKeepsTheTimeUnderThePointer();
    void aGestureKeepsToItsAxis();
    void aDragPansAndNeverLeavesTheWhole();
    void aDragWithShiftMeasures();
    void keysZoomAndPan();
    void fFitsTheSelectionAndZeroFitsAll();
    void anotherLengthKeepsTheVisibleRange();
    void arrowsGoFromSpanToSpan();
    void aClickSelectsAndEscapeClears();
    void aNumberIsOutlinedOnEveryRow();
    void hoverCardDescribesTheSpan();
    void zoomedOutTheCardShowsFractions();
    void manyRowsScroll();
    void fewAndNoRowsArePainted();
    void rowsDrawnDirectlyIntoTheWindowLookTheSame();
};

void TimelineCanvasTest::coordinatesGoBothWays() {
    const TimeRange range{2, 5};
    for (const double time : {-10.0, 2.0, 3.3, 5.0, 99.0})
        QVERIFY(near(xToTime(timeToX(time, range, 640), range, 640), time, 10));
    QCOMPARE(timeToX(4, TimeRange{3, 3}, 100), 0.0);
    const TimeRange closer = zoomedAbout(range, 3, 4);
    QVERIFY(near(closer.length(), range.length() / 4, 1));
    QVERIFY(near(timeToX(3, closer, 100), timeToX(3, range, 100), 1));
    QCOMPARE(movedInto({-1, 1}, {0, 10}), (TimeRange{0, 2}));
    QCOMPARE(movedInto({9, 11}, {0, 10}), (TimeRange{8, 10}));
    QCOMPARE(movedInto({-9, 11}, {0, 10}), (TimeRange{0, 10}));
}

void TimelineCanvasTest::theWheelKeepsTheTimeUnderThePointer_data() {
    QTest::addColumn<int>("x");
    QTest::addColumn<int>("notches");
    for (const int x : {70, 300, 640, 890})
        for (const int notches : {1, 3, 8})
            QTest::addRow("%d notches at %d", notches, x) << x << notches;
}

void TimelineCanvasTest::theWheelKeepsTheTimeUnderThePointer() {
    QFETCH(int, x);
    QFETCH(int, notches);
    Shown shown;
    const double before = shown.timeAt(x);
    const double length = shown.axis.visible().length();
    for (int i = 0; i < notches; ++i)
        shown.wheel(QPointF(x, 100), {0, 1});
    QVERIFY(near(shown.timeAt(x), before, length));
    QVERIFY(shown.axis.visible().length() < length);
    // Ctrl zooms in fine steps.
    const double middle = shown.axis.visible().length();
    shown.wheel(QPointF(x, 100), {0, 1}, Qt::ControlModifier);
    QVERIFY(near(shown.timeAt(x), before, length));
    QVERIFY(shown.axis.visible().length() > middle * 0.9);
}

void TimelineCanvasTest::aGestureKeepsToItsAxis() {
    Shown shown;
    shown.wheel({400, 100}, {0, 4});
    QTest::qWait(320); // begins a new gesture
    const TimeRange before = shown.axis.visible();
    shown.wheel({400, 100}, {1, 0});
    QVERIFY(near(shown.axis.visible().length(), before.length(), 1));
    QVERIFY(shown.axis.visible().begin < before.begin);
    const TimeRange panned = shown.axis.visible();
    // Vertical movement in the same gesture does not zoom.
    shown.wheel({400, 100}, {0, 2});
    QCOMPARE(shown.axis.visible(), panned);
    QTest::qWait(320);
    shown.wheel({400, 100}, {0, -1}, Qt::ShiftModifier);
    QVERIFY(near(shown.axis.visible().length(), panned.length(), 1));
    QVERIFY(shown.axis.visible().begin > panned.begin);
}

void TimelineCanvasTest::aDragPansAndNeverLeavesTheWhole() {
    Shown shown;
    shown.wheel({450, 100}, {0, 6});
    const double under = shown.timeAt(400);
    shown.drag({400, 100}, {500, 102});
    QVERIFY(near(shown.timeAt(500), under, 1));
    for (int i = 0; i < 30; ++i)
        shown.drag({100, 100}, {850, 100});
    QCOMPARE(shown.axis.visible().begin, shown.axis.whole().begin);
    for (int i = 0; i < 60; ++i)
        shown.drag({850, 100}, {100, 100});
    QCOMPARE(shown.axis.visible().end, shown.axis.whole().end);
}

void TimelineCanvasTest::aDragWithShiftMeasures() {
    Shown shown;
    const double from = shown.timeAt(200);
    const double to = shown.timeAt(500);
    shown.drag({500, 100}, {200, 120}, Qt::ShiftModifier);
    QVERIFY(shown.axis.measured().has_value());
    QVERIFY(near(shown.axis.measured()->begin, from, 1));
    QVERIFY(near(shown.axis.measured()->end, to, 1));
    QVERIFY(shown.axis.showsAll());
    QTest::keyClick(&shown.canvas, Qt::Key_F);
    QVERIFY(shown.axis.visible().begin <= from && shown.axis.visible().end >= to);
    QVERIFY(shown.axis.visible().length() < 1.2 * (to - from));
    QTest::keyClick(&shown.canvas, Qt::Key_Escape);
    QVERIFY(!shown.axis.measured());
    // The measuring tool needs no modifier key.
    shown.canvas.setMeasuring(true);
    shown.drag({200, 100}, {500, 100});
    QVERIFY(shown.axis.measured().has_value());
}

void TimelineCanvasTest::keysZoomAndPan() {
    Shown shown;
    const TimeRange whole = shown.axis.whole();
    QTest::keyClick(&shown.canvas, Qt::Key_W);
    QTest::keyClick(&shown.canvas, Qt::Key_W);
    const TimeRange closer = shown.axis.visible();
    QVERIFY(closer.length() < whole.length() / 2);
    QVERIFY(near((closer.begin + closer.end) / 2, (whole.begin + whole.end) / 2, 1));
    QTest::keyClick(&shown.canvas, Qt::Key_D);
    QVERIFY(shown.axis.visible().begin > closer.begin);
    QTest::keyClick(&shown.canvas, Qt::Key_A);
    QVERIFY(near(shown.axis.visible().begin, closer.begin, 1));
    QTest::keyClick(&shown.canvas, Qt::Key_S);
    QVERIFY(shown.axis.visible().length() > closer.length());
    QTest::keyClick(&shown.canvas, Qt::Key_0);
    QVERIFY(shown.axis.showsAll());
}

void TimelineCanvasTest::fFitsTheSelectionAndZeroFitsAll() {
    Shown shown;
    shown.canvas.setChosenNumber(5);
    const std::optional<TimeRange> range = shown.canvas.chosenRange();
    QVERIFY(range.has_value());
    QTest::keyClick(&shown.canvas, Qt::Key_F);
    QVERIFY(shown.axis.visible().begin <= range->begin && shown.axis.visible().end >= range->end);
    QVERIFY(shown.axis.visible().length() < 1.2 * range->length());
    QTest::keyClick(&shown.canvas, Qt::Key_0);
    QVERIFY(shown.axis.showsAll());
}

void TimelineCanvasTest::anotherLengthKeepsTheVisibleRange() {
    TimelineAxis axis;
    axis.setWhole({0, 10});
    axis.setWhole({0, 12});
    QVERIFY(axis.showsAll());
    axis.show({3, 5});
    axis.setWhole({0, 20});
    QCOMPARE(axis.visible(), (TimeRange{3, 5}));
    axis.setWhole({0, 4}); // clamps the visible range to the new length
    QCOMPARE(axis.visible(), (TimeRange{2, 4}));
    axis.zoomAbout(3, 1e30);
    QVERIFY(axis.visible().length() > 0);
    QVERIFY(axis.visible().contains(3));
}

void TimelineCanvasTest::arrowsGoFromSpanToSpan() {
    Shown shown;
    QTest::keyClick(&shown.canvas, Qt::Key_Right);
    QCOMPARE(shown.canvas.current(), (SpanIndex{0, 0}));
    QTest::keyClick(&shown.canvas, Qt::Key_Right);
    QCOMPARE(shown.canvas.current(), (SpanIndex{0, 1}));
    QTest::keyClick(&shown.canvas, Qt::Key_Left);
    QTest::keyClick(&shown.canvas, Qt::Key_Left);
    QCOMPARE(shown.canvas.current(), (SpanIndex{0, 0}));
    QTest::keyClick(&shown.canvas, Qt::Key_Down);
    QCOMPARE(shown.canvas.current().track, 1);
    // The selected span becomes visible.
    shown.axis.show({0, shown.axis.whole().length() / 20});
    for (int i = 0; i < 12; ++i)
        QTest::keyClick(&shown.canvas, Qt::Key_Right);
    const QRectF rect = shown.canvas.rectOf(shown.canvas.current());
    QVERIFY(rect.left() >= shown.canvas.plot().left() - 1 && rect.right() <= shown.canvas.plot().right() + 1);
    QVERIFY(!shown.canvas.accessibleDescription().isEmpty());
}

void TimelineCanvasTest::aClickSelectsAndEscapeClears() {
    Shown shown;
    QSignalSpy spy(&shown.canvas, &TimelineCanvas::chosen);
    const SpanIndex span = shown.workOn(3);
    QVERIFY(span.isValid());
    const QPoint middle = shown.canvas.rectOf(span).center().toPoint();
    QTest::mouseClick(shown.canvas.viewport(), Qt::LeftButton, Qt::NoModifier, middle);
    QCOMPARE(spy.size(), 1);
    QCOMPARE(spy.first().first().value<SpanIndex>(), span);
    QCOMPARE(shown.canvas.current(), span);
    QTest::keyClick(&shown.canvas, Qt::Key_Escape);
    QCOMPARE(spy.size(), 2);
    QVERIFY(!spy.last().first().value<SpanIndex>().isValid());
    QVERIFY(!shown.canvas.current().isValid());
    QSignalSpy names(&shown.canvas, &TimelineCanvas::trackNameClicked);
    QTest::mouseClick(shown.canvas.viewport(), Qt::LeftButton, Qt::NoModifier, QPoint(30, middle.y()));
    QCOMPARE(names.size(), 1);
    QCOMPARE(names.first().first().toInt(), 3);
}

void TimelineCanvasTest::aNumberIsOutlinedOnEveryRow() {
    Shown shown;
    const SpanIndex span = shown.workOn(2);
    const int number = shown.canvas.model()->tracks[2].look(span.span).number;
    const QImage before = shown.canvas.grab().toImage();
    shown.canvas.setChosenNumber(number);
    const QImage after = shown.canvas.grab().toImage();
    int rows = 0;
    for (int row = 0; row < 16; ++row) {
        bool changed = false;
        const int y = int(shown.canvas.rectOf({row, 0}).top()) + 1;
        for (int x = 0; x < after.width() && !changed; ++x)
            changed = before.pixel(x, y) != after.pixel(x, y);
        const TimelineTrack &track = shown.canvas.model()->tracks[std::size_t(row)];
        bool holds = false;
        for (std::size_t i = 0; i < track.count(); ++i)
            holds = holds || track.look(i).number == number;
        QCOMPARE(changed, holds);
        rows += holds ? 1 : 0;
    }
    QVERIFY(rows > 3);
}

void TimelineCanvasTest::hoverCardDescribesTheSpan() {
    Shown shown;
    const SpanIndex span = shown.workOn(4);
    QTest::mouseMove(shown.canvas.viewport(), shown.canvas.rectOf(span).center().toPoint());
    const auto *card = shown.canvas.window()->findChild<HoverCard *>();
    QVERIFY(card != nullptr && card->isVisible());
    QVERIFY(shown.axis.cursor().has_value());
    shown.wheel(QPointF(300, 100), {0, 1});
    QVERIFY(!card->isVisible()); // the card's span is no longer under the pointer
}

void TimelineCanvasTest::zoomedOutTheCardShowsFractions() {
    Shown shown(unevenTimeline(4, 20'000));
    QTest::mouseMove(shown.canvas.viewport(), QPoint(400, 30));
    const auto *card = shown.canvas.window()->findChild<HoverCard *>();
    QVERIFY(card != nullptr && card->isVisible());
    QVERIFY(card->content().title.contains(QStringLiteral("in ")));
    QCOMPARE(card->content().rows.size(), 3);
    double sum = 0;
    for (const auto &[name, value] : card->content().rows)
        sum += value.chopped(1).toDouble();
    QVERIFY(std::abs(sum - 100) < 0.2);
}

void TimelineCanvasTest::manyRowsScroll() {
    Shown shown(unevenTimeline(200, 10));
    QVERIFY(shown.canvas.verticalScrollBar()->maximum() > 0);
    for (int i = 0; i < 200; ++i)
        QTest::keyClick(&shown.canvas, Qt::Key_Down);
    QCOMPARE(shown.canvas.current().track, 199);
    QVERIFY(shown.canvas.plot().adjusted(0, 0, 0, 1).contains(shown.canvas.rectOf(shown.canvas.current()).center()));
    QCOMPARE(shown.canvas.verticalScrollBar()->value(), shown.canvas.verticalScrollBar()->maximum());
}

void TimelineCanvasTest::fewAndNoRowsArePainted() {
    for (const int rows : {0, 1, 2, 64}) {
        Shown shown(rows > 0 ? unevenTimeline(rows, 5) : std::make_shared<const TimelineModel>());
        QVERIFY(!shown.canvas.grab().isNull());
        for (const int key : {Qt::Key_Right, Qt::Key_Down, Qt::Key_F, Qt::Key_W, Qt::Key_Return, Qt::Key_Escape})
            QTest::keyClick(&shown.canvas, Qt::Key(key));
        QVERIFY(shown.axis.visible().length() > 0);
    }
}

/// Zooming draws directly into the window; the result must equal the cached picture.
void TimelineCanvasTest::rowsDrawnDirectlyIntoTheWindowLookTheSame() {
    Shown shown(unevenTimeline(24, 400));
    for (const double zoom : {1.37, 1.9, 3.1, 9.7, 0.4}) {
        shown.axis.zoomAbout(shown.timeAt(300.3), zoom);
        shown.canvas.viewport()->repaint();
        QPaintDevice *const device = shown.canvas.window()->backingStore()->paintDevice();
        QCOMPARE(device->devType(), int(QInternal::Image));
        const QImage straight = static_cast<QImage *>(device)->convertToFormat(QImage::Format_RGB32);
        const QImage apart = shown.canvas.grab().toImage().convertToFormat(QImage::Format_RGB32);
        QCOMPARE(straight.size(), apart.size());
        QVERIFY(straight == apart);
        shown.canvas.viewport()->repaint(); // the rows are drawn into the cached picture and copied from it
        QVERIFY(static_cast<QImage *>(device)->convertToFormat(QImage::Format_RGB32) == apart);
    }
}

LISTED_TEST(TimelineCanvasTest)
#include "tst_timeline_canvas.moc"

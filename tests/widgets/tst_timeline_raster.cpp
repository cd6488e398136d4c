// SPDX-License-Identifier: GPL-3.0-or-later
#include "listed_test.h"
#include "theme/theme.h"
#include "timeline/timeline_colours.h"
#include "timeline/timeline_raster.h"
#include "timeline_fixture.h"

#include <QApplication>
#include <QImage>
#include <QTest>

using namespace meshwright;

namespace {

/// Reference implementation that visits every span.
StyleSeconds naiveSeconds(const TimelineTrack &track, const TimeRange &range) {
    StyleSeconds seconds;
    for (std::size_t span = 0; span < track.count(); ++span) {
        const TimeRange time = track.time(span);
        const double part = std::min(time.end, range.end) - std::max(time.begin, range.begin);
        if (part <= 0)
            continue;
        seconds.of[track.look(span).style] += part;
        seconds.marked += track.look(span).marked ? part : 0;
    }
    return seconds;
}

/// Mean value of a color channel (0 red, 1 green, 2 blue) in a pixel column.
double shareOf(const QImage &image, int column, int channel) {
    double sum = 0;
    for (int y = 0; y < image.height(); ++y) {
        const QRgb pixel = image.pixel(column, y);
        sum += channel == 0 ? qRed(pixel) : channel == 1 ? qGreen(pixel) : qBlue(pixel);
    }
    return sum / image.height();
}

} // namespace

class TimelineRasterTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::apply(*qApp, ThemeMode::Dark); }
    void gapsAreSpansOfNothing();
    void aSpanIsFoundAtEveryTime();
    void secondsOfARangeMatchItsSpans_data();
    void secondsOfARangeMatchItsSpans();
    void columnsAddUpToTheWholeTrack();
    void aColumnShowsTheFractionOfEachStyle();
    void pannedPictureEqualsARedrawnOne();
    void noIdleTimeIsLostWhenZoomedOut();
    void wideSpansAreColouredAndIdleOnesHatched();
    void labelsAreWrittenWhereTheyFit();
    void aNumberIsWrittenAfterItsLetter();
    void absurdPicturesAreDrawn();
};

void TimelineRasterTest::gapsAreSpansOfNothing() {
    const TimelineTrack track(QStringLiteral("0"),
                              {{{1, 2}, {.number = 7, .style = 1}},
                               {{2, 2}, {.number = 8, .style = 1}}, // empty span, left out
                               {{4, 5}, {.number = 9, .style = 1}},
                               {{4.5, 6}, {.number = 10, .style = 2}}}); // only the part after the previous span counts
    QCOMPARE(track.count(), std::size_t(4));
    QCOMPARE(track.look(1).style, NothingStyle);
    QCOMPARE(track.time(1), (TimeRange{2, 4}));
    QCOMPARE(track.time(3), (TimeRange{5, 6}));
    QCOMPARE(track.extent(), (TimeRange{1, 6}));
}

void TimelineRasterTest::aSpanIsFoundAtEveryTime() {
    const TimelineModelPointer model = unevenTimeline(1, 1000);
    const TimelineTrack &track = model->tracks.front();
    for (std::size_t span = 0; span < track.count(); ++span) {
        const TimeRange time = track.time(span);
        QCOMPARE(track.spanAt(time.begin), span);
        QCOMPARE(track.spanAt((time.begin + time.end) / 2), span);
        QCOMPARE(track.spanFrom(span / 2, time.begin), span);
    }
    QCOMPARE(track.spanAt(-1), std::size_t(0));
    QCOMPARE(track.spanAt(track.extent().end), track.count());
}

void TimelineRasterTest::secondsOfARangeMatchItsSpans_data() {
    QTest::addColumn<int>("spans");
    for (const int spans : {1, 31, 32, 33, 64, 1000, 20'000})
        QTest::addRow("%d spans", spans) << spans;
}

void TimelineRasterTest::secondsOfARangeMatchItsSpans() {
    QFETCH(int, spans);
    const TimelineModelPointer model = unevenTimeline(1, spans, unsigned(spans));
    const TimelineTrack &track = model->tracks.front();
    std::mt19937 random(7);
    for (int i = 0; i < 300; ++i) {
        const double length = model->whole.length();
        double a = (static_cast<double>(random() % 1'200'000) / 1e6 - 0.1) * length;
        double b = (static_cast<double>(random() % 1'200'000) / 1e6 - 0.1) * length;
        if (b < a)
            std::swap(a, b);
        const StyleSeconds fast = track.secondsIn({a, b});
        const StyleSeconds slow = naiveSeconds(track, {a, b});
        for (std::size_t style = 0; style < MaxTimelineStyles; ++style)
            QVERIFY2(std::abs(fast.of[style] - slow.of[style]) < 1e-12 * (1 + spans),
                     qPrintable(QStringLiteral("%1 to %2").arg(a).arg(b)));
        QVERIFY(std::abs(fast.marked - slow.marked) < 1e-12 * (1 + spans));
    }
}

void TimelineRasterTest::columnsAddUpToTheWholeTrack() {
    const TimelineModelPointer model = unevenTimeline(1, 5000);
    const TimelineTrack &track = model->tracks.front();
    const StyleSeconds all = track.secondsIn(model->whole);
    StyleSeconds sum;
    constexpr int Width = 317;
    for (int column = 0; column < Width; ++column) {
        const StyleSeconds part = columnSeconds(track, model->whole, Width, column);
        for (std::size_t style = 0; style < MaxTimelineStyles; ++style)
            sum.of[style] += part.of[style];
    }
    for (std::size_t style = 0; style < MaxTimelineStyles; ++style)
        QVERIFY(std::abs(sum.of[style] - all.of[style]) < 1e-9 * model->whole.length());
}

void TimelineRasterTest::aColumnShowsTheFractionOfEachStyle() {
    const TimelineModelPointer model = unevenTimeline(1, 9000);
    const TimelineRaster raster(*model, Theme::dark(), 1);
    QImage image(300, 16, QImage::Format_RGB32);
    raster.paint(image, {{&model->tracks.front(), {0, 16}}}, model->whole, {});
    for (int column = 0; column < image.width(); ++column) {
        const StyleSeconds seconds = columnSeconds(model->tracks.front(), model->whole, image.width(), column);
        const double whole = model->whole.length() / image.width();
        std::array<double, 3> expected{};
        double rest = 1;
        const auto add = [&](QRgb colour, double share) {
            expected[0] += qRed(colour) * share;
            expected[1] += qGreen(colour) * share;
            expected[2] += qBlue(colour) * share;
        };
        for (std::size_t style = 1; style < model->styles.size(); ++style) {
            add(raster.colours().styles[style].mean, seconds.of[style] / whole);
            rest -= seconds.of[style] / whole;
        }
        add(raster.colours().background, rest);
        // In pixels shared by two styles, three of the sixteen in a column, color channels are truncated to integers.
        for (int channel = 0; channel < 3; ++channel)
            QVERIFY2(std::abs(shareOf(image, column, channel) - expected[static_cast<std::size_t>(channel)]) < 0.5,
                     qPrintable(QString::number(column)));
    }
}

/// A moved picture equals a redrawn one, including marks and rows with blocks.
void TimelineRasterTest::pannedPictureEqualsARedrawnOne() {
    const TimelineModelPointer model = unevenTimeline(2, 9000);
    const TimelineRaster raster(*model, Theme::dark(), 1);
    const GlyphCache glyphs(Theme::dark().font(TypeRole::Caption), 1);
    const RasterDetail detail{.glyphs = &glyphs, .marks = true};
    const std::vector<TrackRow> rows{{&model->tracks[0], {0, 14}}, {&model->tracks[1], {14, 9}}};
    for (const double share : {0.5, 0.02, 0.01, 0.001}) {
        const double length = model->whole.length() * share;
        TimeRange range{model->whole.length() / 4, model->whole.length() / 4 + length};
        QImage moved(300, 23, QImage::Format_RGB32);
        raster.paint(moved, rows, range, detail);
        for (const double columns : {7.0, -12.0, 1.0, 280.0, -299.0, 300.0, 0.5, -3.25}) {
            const TimeRange before = range;
            range.begin += columns * length / moved.width();
            range.end = range.begin + length;
            raster.pan(moved, rows, before, range, detail);
            QImage anew(moved.size(), moved.format());
            raster.paint(anew, rows, range, detail);
            for (int y = 0; y < anew.height(); ++y)
                for (int x = 0; x < anew.width(); ++x)
                    for (const int shift : {0, 8, 16}) { // rounding may differ by one level of a color channel
                        const auto channel = [&](const QImage &image) {
                            return int(image.pixel(x, y) >> shift & 0xffU);
                        };
                        QVERIFY(std::abs(channel(moved) - channel(anew)) <= 1);
                    }
        }
    }
}

void TimelineRasterTest::noIdleTimeIsLostWhenZoomedOut() {
    // Short idle times between long operations tint a pixel in proportion to their fraction of it; drawing only the
    // longest span would hide them.
    std::vector<TimelineSpan> spans;
    for (int i = 0; i < 100'000; ++i) {
        spans.push_back({{i * 1.0, i + 0.9}, {.number = i, .style = 1}});
        spans.push_back({{i + 0.9, i + 1.0}, {.style = 3}});
    }
    auto model = std::make_shared<TimelineModel>(*unevenTimeline(0, 0));
    model->tracks.emplace_back(QStringLiteral("0"), spans);
    const TimelineRaster raster(*model, Theme::dark(), 1);
    QImage image(100, 10, QImage::Format_RGB32);
    raster.paint(image, {{&model->tracks.front(), {0, 10}}}, {0, 100'000}, {});
    for (int column = 0; column < image.width(); ++column) {
        QCOMPARE(image.pixel(column, 8), raster.colours().styles[1].mean);
        QCOMPARE(image.pixel(column, 9), raster.colours().styles[3].mean);
    }
}

void TimelineRasterTest::wideSpansAreColouredAndIdleOnesHatched() {
    auto model = std::make_shared<TimelineModel>(*unevenTimeline(0, 0));
    model->tracks.emplace_back(
        QStringLiteral("0"),
        std::vector<TimelineSpan>{{{0, 50}, {.number = 3, .style = 1, .shade = 2}}, {{50, 100}, {.style = 3}}});
    const TimelineRaster raster(*model, Theme::dark(), 1);
    QImage image(100, 12, QImage::Format_RGB32);
    raster.paint(image, {{&model->tracks.front(), {0, 12}}}, {0, 100}, {});
    for (int x = 0; x < 49; ++x)
        QCOMPARE(image.pixel(x, 5), raster.colours().styles[1].fill[2]);
    int lines = 0;
    for (int x = 50; x < 100; ++x)
        lines += image.pixel(x, 5) != raster.colours().background ? 1 : 0;
    QVERIFY(lines > 10 && lines < 45);
    // The hatch moves one pixel to the left per line.
    for (int x = 51; x < 99; ++x)
        QCOMPARE(image.pixel(x, 5), image.pixel(x - 1, 6));
}

void TimelineRasterTest::labelsAreWrittenWhereTheyFit() {
    auto model = std::make_shared<TimelineModel>(*unevenTimeline(0, 0));
    model->tracks.emplace_back(QStringLiteral("0"),
                               std::vector<TimelineSpan>{{{0, 8}, {.number = 1, .style = 1}},
                                                         {{8, 48}, {.number = 12, .style = 1}},
                                                         {{48, 62}, {.number = 123456, .style = 1}}});
    const GlyphCache glyphs(Theme::dark().font(TypeRole::Caption), 1);
    const TimelineRaster raster(*model, Theme::dark(), 1);
    QImage image(62, 16, QImage::Format_RGB32);
    raster.paint(image, {{&model->tracks.front(), {0, 16}}}, {0, 62}, {.glyphs = &glyphs});
    const auto inked = [&](int left, int right) {
        int pixels = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = left; x < right; ++x)
                pixels += image.pixel(x, y) != raster.colours().styles[1].fill[0] ? 1 : 0;
        return pixels;
    };
    QCOMPARE(inked(0, 7), 0);
    QVERIFY(inked(9, 46) > 20);
    QCOMPARE(inked(49, 60), 0);
}

void TimelineRasterTest::aNumberIsWrittenAfterItsLetter() {
    std::array<char, 16> text{};
    QCOMPARE(QByteArray(text.data(), writeLabel(text.data(), 'F', 1023)), QByteArray("F1023"));
    QCOMPARE(QByteArray(text.data(), writeLabel(text.data(), '\0', 9)), QByteArray("9"));
    QCOMPARE(QByteArray(text.data(), writeLabel(text.data(), 'B', -1)), QByteArray("B"));
}

void TimelineRasterTest::absurdPicturesAreDrawn() {
    const TimelineModelPointer model = unevenTimeline(1, 100);
    const TimelineRaster raster(*model, Theme::light(), 2);
    const GlyphCache glyphs(Theme::light().font(TypeRole::Caption), 2);
    QImage image(40, 20, QImage::Format_RGB32);
    image.fill(Qt::red);
    const RasterDetail detail{&glyphs, true};
    for (const TimeRange range : {TimeRange{0, 0}, TimeRange{-5, -4}, TimeRange{1e9, 2e9}, TimeRange{-1e9, 1e9},
                                  TimeRange{0.001, 0.001 + 1e-12}})
        raster.paint(image, {{&model->tracks.front(), {0, 20}}}, range, detail);
    raster.paint(image, {{&model->tracks.front(), {19, 400}}}, model->whole, detail);
    raster.paint(image, {{&model->tracks.front(), {20, 4}}}, model->whole, detail);
    const TimelineTrack empty(QStringLiteral("empty"), {});
    raster.paint(image, {{&empty, {0, 20}}}, model->whole, detail);
    QCOMPARE(image.pixel(20, 10), raster.colours().background);
}

LISTED_TEST(TimelineRasterTest)
#include "tst_timeline_raster.moc"

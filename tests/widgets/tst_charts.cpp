// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chart_drawing.h"
#include "charts/plot_scene.h"
#include "charts/xy_chart.h"
#include "listed_test.h"
#include "theme/theme.h"

#include <QApplication>
#include <QBuffer>
#include <QImage>
#include <QPainter>
#include <QPdfWriter>
#include <QSignalSpy>
#include <QSvgGenerator>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>

using namespace meshwright;

namespace {

ChartView ringView() {
    ChartView view;
    view.x = {.title = QStringLiteral("Ranks"), .scale = AxisScale::Logarithmic, .low = 2, .high = 1024};
    view.y = {.title = QStringLiteral("Duration"), .unit = {1e-3, QStringLiteral("ms")}};
    ChartSeries ring;
    for (double ranks = 2; ranks <= 1024; ranks *= 2)
        ring.points.append({ranks, 0.08 * (ranks - 1) / ranks});
    spanLinear(view.y, 0.04, 0.08);
    view.series = {ring};
    view.marks = {{.at = {8, 0.07}}};
    return view;
}

QImage pictureOf(const ChartView &view, const Theme &theme, const QSize &size, qreal ratio = 1) {
    QImage image(size * ratio, QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(ratio);
    image.fill(theme.colour(ColourRole::Card));
    QPainter painter(&image);
    XyChart::paint(painter, QRectF(QPointF(), size), view, theme);
    return image;
}

/// Four dots along the diagonal of two logarithmic axes.
ChartView dotsView() {
    ChartView view{.x = {.scale = AxisScale::Logarithmic, .low = 1, .high = 1e4}, .pointing = Pointing::Dots};
    view.y = view.x;
    view.dots = {{.points = {{2, 2}, {30, 30}, {400, 400}, {5000, 5000}}, .things = {0, 1, 2, 3}}};
    view.things = 4;
    view.content = [](int thing) {
        return HoverContent{.title = QStringLiteral("thing %1").arg(thing),
                            .swatch = {},
                            .rows = {{QStringLiteral("value"), QStringLiteral("some")}},
                            .footnote = {}};
    };
    return view;
}

ChartView columnsView() {
    ChartView view = dotsView();
    view.x = {.low = -0.5, .high = 0.5, .unit = {0.01, QStringLiteral("%")}, .unitOnTicks = true};
    view.y = {.low = 0, .high = 10};
    view.dots.clear();
    view.columns = {{.heights = {1, 2, 3, 4}, .ink = Kind::Blue}, {.heights = {0, 5, 0, 6}, .ink = Kind::Red}};
    view.pointing = Pointing::Columns;
    return view;
}

/// Dots spread evenly over two logarithmic axes.
ChartView crowdedView(int points) {
    ChartView view = dotsView();
    view.dots.first().points.clear();
    view.dots.first().things.clear();
    for (int i = 0; i < points; ++i) {
        // Multiples of an irrational number fill an interval evenly.
        constexpr double golden = 0.6180339887498949;
        view.dots.first().points.append({std::pow(1e4, (i + 0.5) / points), std::pow(1e4, std::fmod(i * golden, 1))});
        view.dots.first().things.append(i);
    }
    view.things = points;
    return view;
}

/// CPU time, which does not include waiting for other processes.
template <typename Work>
double secondsOf(const Work &work) {
    const std::clock_t start = std::clock();
    work();
    return double(std::clock() - start) / CLOCKS_PER_SEC;
}

/// Number of pixels of this color in the picture.
int pixelsOf(const QImage &image, const QColor &colour) {
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            count += image.pixelColor(x, y) == colour ? 1 : 0;
    return count;
}

} // namespace

class ChartsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::apply(*qobject_cast<QApplication *>(QCoreApplication::instance()), ThemeMode::Dark); }

    void both_scales_lead_back_to_the_value() {
        const ChartAxis linear{.low = -3, .high = 17};
        const ChartAxis logarithmic{.scale = AxisScale::Logarithmic, .low = 1e-6, .high = 1e12};
        for (const double share : {0.0, 0.1, 0.5, 0.99, 1.0}) {
            QVERIFY(std::abs(linear.shareOf(linear.valueAt(share)) - share) < 1e-12);
            QVERIFY(std::abs(logarithmic.shareOf(logarithmic.valueAt(share)) - share) < 1e-12);
        }
    }

    void ticks_are_round_few_and_within_the_axis() {
        for (double low = 1e-9; low < 1e12; low *= 7.3) {
            for (double factor = 1.5; factor < 1e15; factor *= 11) {
                for (const AxisScale scale : {AxisScale::Linear, AxisScale::Logarithmic}) {
                    const ChartAxis axis{.scale = scale, .low = low, .high = low * factor};
                    const QVector<ChartTick> ticks = ticksOf(axis, 6);
                    QVERIFY(ticks.size() >= 2 && ticks.size() <= 10);
                    for (const ChartTick &tick : ticks)
                        QVERIFY(axis.shareOf(tick.value) >= -1e-8 && axis.shareOf(tick.value) <= 1 + 1e-8);
                }
            }
        }
        QVERIFY(ticksOf({.low = 1, .high = 1}, 5).isEmpty());
        QVERIFY(ticksOf({.scale = AxisScale::Logarithmic, .low = 0, .high = 1}, 5).isEmpty());
        QVERIFY(ticksOf({.low = 0, .high = std::numeric_limits<double>::infinity()}, 5).isEmpty());
    }

    void a_span_holds_its_values_and_its_ends_are_ticks() {
        for (const auto &[low, high] : {std::pair{0.04, 0.08}, {1000.0, 1001.0}, {-5.0, 3.0}, {7.0, 7.0}, {0.0, 0.0}}) {
            ChartAxis axis;
            spanLinear(axis, low, high);
            QVERIFY(axis.low <= low && axis.high >= high && axis.high > axis.low);
        }
        ChartAxis axis;
        spanLinear(axis, 0.04, 0.08);
        QCOMPARE(axis.low, 0.0);
        spanLinear(axis, 1000, 1001);
        QVERIFY(axis.low > 990);
    }

    void a_reading_lies_on_the_drawn_line_and_gaps_have_none() {
        const ChartAxis axis{.low = 0, .high = 10};
        const double gap = std::numeric_limits<double>::quiet_NaN();
        const ChartSeries line{.points = {{0, 0}, {4, 8}, {6, gap}, {8, 1}, {10, 3}}};
        QCOMPARE(valueOf(line, 2, axis), std::optional(4.0));
        QCOMPARE(valueOf(line, 9, axis), std::optional(2.0));
        QCOMPARE(valueOf(line, 4, axis), std::optional(8.0));
        QVERIFY(!valueOf(line, 5, axis));
        QVERIFY(!valueOf(line, 11, axis));
        ChartSeries steps = line;
        steps.stepped = true;
        QCOMPARE(valueOf(steps, 3.9, axis), std::optional(0.0));
    }

    void the_line_is_drawn_through_its_points_in_both_themes() {
        for (const Theme &theme : {Theme::light(), Theme::dark()}) {
            ChartView view = ringView();
            view.marks.clear();
            const QSize size(360, 168);
            const QImage image = pictureOf(view, theme, size, 2);
            const QRectF plot = ChartDrawing(QRectF(QPointF(), size), view, theme).plot();
            const QColor ink = theme.colour(ColourRole::Accent);
            for (const QPointF &point : view.series.first().points) {
                const QPointF at(plot.left() + view.x.shareOf(point.x()) * plot.width(),
                                 plot.bottom() - view.y.shareOf(point.y()) * plot.height());
                const QRect around(qRound(at.x() * 2) - 2, qRound(at.y() * 2) - 2, 5, 5);
                QVERIFY(pixelsOf(image.copy(around & image.rect()), ink) > 0);
            }
        }
    }

    void keys_read_values_off() {
        XyChart chart;
        chart.setView(ringView());
        chart.resize(360, 168);
        chart.show();
        QTest::keyClick(&chart, Qt::Key_Right);
        const QString first = chart.accessibleDescription();
        QVERIFY2(first.contains(QStringLiteral("70")), qPrintable(first));
        QTest::keyClick(&chart, Qt::Key_Right);
        QVERIFY(chart.accessibleDescription() != first);
    }

    void a_value_lies_where_qt_charts_draws_it() {
        for (const ChartView &view : {ringView(), dotsView()}) {
            const QRectF rect(0, 0, 360, 168);
            const ChartDrawing drawing(rect, view, Theme::dark());
            const PlotScene scene(rect, drawing.plot(), view, Theme::dark());
            for (const double share : {0.0, 0.3, 1.0}) {
                const QPointF away =
                    scene.placeOf({share, 1 - share}) - drawing.at({view.x.valueAt(share), view.y.valueAt(1 - share)});
                QVERIFY(away.manhattanLength() < 1e-6);
            }
        }
    }

    void things_are_pointed_at_by_pointer_and_keys_and_chosen() {
        XyChart chart;
        chart.resize(360, 168);
        chart.setView(dotsView());
        chart.show();
        QSignalSpy chosen(&chart, &XyChart::thingChosen);
        QTest::mouseMove(&chart, chart.placeOfThing(2) + QPoint(3, -2));
        QCOMPARE(chart.thing(), 2);
        QVERIFY(chart.accessibleDescription().contains(QStringLiteral("thing 2")));
        QTest::mouseMove(&chart, chart.placeOfThing(2) + QPoint(30, 0));
        QCOMPARE(chart.thing(), -1);
        QTest::keyClick(&chart, Qt::Key_Right);
        QTest::keyClick(&chart, Qt::Key_Right);
        QCOMPARE(chart.thing(), 1);
        QTest::keyClick(&chart, Qt::Key_PageDown);
        QCOMPARE(chart.thing(), 3);
        QTest::keyClick(&chart, Qt::Key_Return);
        QCOMPARE(chosen.takeLast().constFirst().toInt(), 3);
        QTest::mouseClick(&chart, Qt::LeftButton, {}, chart.placeOfThing(0));
        QCOMPARE(chosen.takeLast().constFirst().toInt(), 0);
    }

    void columns_stack_up_to_their_sum_and_are_pointed_at_over_their_whole_height() {
        const ChartView view = columnsView();
        const Theme &theme = Theme::light();
        const QImage image = pictureOf(view, theme, {360, 168});
        const ChartDrawing drawing(QRectF(0, 0, 360, 168), view, theme);
        for (int column = 0; column < 4; ++column) {
            const double lower = view.columns.first().heights.at(column);
            const double upper = view.columns.last().heights.at(column);
            const int x = qRound(drawing.columnAt(column).center().x());
            const auto colourAt = [&](double y) { return image.pixelColor(x, qRound(drawing.at({0, y}).y())); };
            QCOMPARE(colourAt(lower / 2), theme.fill(Kind::Blue));
            if (upper > 0)
                QCOMPARE(colourAt(lower + upper / 2), theme.fill(Kind::Red));
            QCOMPARE(colourAt(lower + upper + 0.4), theme.colour(ColourRole::Card));
        }
        XyChart chart;
        chart.resize(360, 168);
        chart.setView(view);
        chart.show();
        QTest::mouseMove(&chart, QPoint(chart.placeOfThing(3).x(), 20));
        QCOMPARE(chart.thing(), 3);
    }

    void a_rectangle_brushes_the_values_under_it() {
        XyChart chart;
        chart.resize(360, 168);
        chart.setView(dotsView());
        chart.setBrushable(true);
        QSignalSpy brushed(&chart, &XyChart::brushed);
        QTest::mousePress(&chart, Qt::LeftButton, {}, chart.placeOf({10, 1000}));
        QTest::mouseMove(&chart, chart.placeOf({50, 100}));
        QTest::mouseMove(&chart, chart.placeOf({1000, 10}));
        QTest::mouseRelease(&chart, Qt::LeftButton, {}, chart.placeOf({1000, 10}));
        const QRectF values = brushed.takeLast().constFirst().toRectF();
        for (const auto &[value, wanted] : {std::pair(values.left(), 10.0),
                                            {values.right(), 1000.0},
                                            {values.bottom(), 10.0},
                                            {values.top(), 1000.0}})
            QVERIFY2(std::abs(std::log(value / wanted)) < 0.1, qPrintable(QString::number(value)));
    }

    void of_four_thousand_points_a_moving_pointer_draws_only_what_it_changes() {
        XyChart chart;
        chart.resize(640, 360);
        chart.setView(crowdedView(4000));
        chart.setBrushable(true);
        chart.show();
        QVERIFY(QTest::qWaitForWindowExposed(&chart));
        QImage screen(chart.size(), QImage::Format_ARGB32_Premultiplied);
        const auto drawn = [&] { chart.render(&screen); };
        drawn();
        // The minimum of many times, because other processes can only make them longer.
        double whole = 1e9;
        double hover = 1e9;
        double brush = 1e9;
        for (int i = 0; i < 25; ++i) {
            chart.setView(crowdedView(4000));
            whole = std::min(whole, secondsOf(drawn));
            QCoreApplication::processEvents();
            const QPoint place(60 + 20 * i, 40 + 10 * i);
            hover = std::min(hover, secondsOf([&] {
                                 QTest::mouseMove(&chart, place);
                                 drawn();
                             }));
            QVERIFY(chart.thing() >= 0);
            QTest::mousePress(&chart, Qt::LeftButton, {}, {70, 30});
            QTest::mouseMove(&chart, {90, 50});
            brush = std::min(brush, secondsOf([&] {
                                 QTest::mouseMove(&chart, place);
                                 drawn();
                             }));
            QTest::mouseRelease(&chart, Qt::LeftButton, {}, place);
        }
        const QString said =
            QStringLiteral("whole %1 ms, hover %2 ms, brush %3 ms").arg(1e3 * whole).arg(1e3 * hover).arg(1e3 * brush);
        qInfo("%s", qPrintable(said));
        QVERIFY2(hover < whole * 3 / 4, qPrintable(said));
        QVERIFY2(brush < whole * 3 / 4, qPrintable(said));
    }

    void labels_neither_overlap_nor_leave_a_small_chart() {
        for (const ChartView &view : {ringView(), dotsView(), columnsView()})
            for (const QSize size : {QSize(300, 150), QSize(160, 96), QSize(900, 400)}) {
                XyChart chart;
                chart.resize(size);
                chart.setView(view);
                const QImage image = chart.grab().toImage();
                // No text is cut off at the sides.
                for (int y = 0; y < image.height(); ++y)
                    for (const int x : {0, image.width() - 1})
                        QCOMPARE(image.pixelColor(x, y), image.pixelColor(0, 0));
            }
    }

    void pages_and_pictures_hold_lines_and_text_in_place_of_pixels() {
        for (const ChartView &view : {ringView(), dotsView(), columnsView()}) {
            QBuffer svg;
            QSvgGenerator generator;
            generator.setOutputDevice(&svg);
            generator.setViewBox(QRect(0, 0, 360, 168));
            QPainter drawn(&generator);
            XyChart::paint(drawn, QRectF(0, 0, 360, 168), view, Theme::paper());
            drawn.end();
            QVERIFY(svg.data().contains("<text"));
            const char *const shape = !view.series.isEmpty() ? "<path" : !view.dots.isEmpty() ? "<circle" : "<rect";
            QVERIFY2(svg.data().count(shape) >= 4 || !view.series.isEmpty(), svg.data());
            QVERIFY(!svg.data().contains("<image"));
            QBuffer pdf;
            pdf.open(QIODevice::WriteOnly);
            QPdfWriter writer(&pdf);
            QPainter page(&writer);
            XyChart::paint(page, QRectF(0, 0, 360, 168), view, Theme::paper());
            page.end();
            QVERIFY(!pdf.data().contains("/Subtype /Image"));
        }
    }

    void strange_views_are_drawn_without_harm() {
        const double none = std::numeric_limits<double>::quiet_NaN();
        ChartView view = ringView();
        view.series.append(ChartSeries{.name = QStringLiteral("far"), .points = {{1e-300, 1e300}, {1e300, -1e300}}});
        view.series.append(ChartSeries{.name = QStringLiteral("none"), .points = {{none, none}}});
        view.marks.append({.at = {none, none}});
        pictureOf(view, Theme::dark(), {360, 168});
        pictureOf(view, Theme::dark(), {20, 10});
        pictureOf({}, Theme::dark(), {360, 168});
    }
};

LISTED_TEST(ChartsTest)
#include "tst_charts.moc"

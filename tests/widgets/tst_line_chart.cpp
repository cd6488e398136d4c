// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvases/line_chart.h"
#include "theme/theme.h"

#include <QApplication>
#include <QImage>
#include <QPainter>
#include <QTest>

#include <cmath>
#include <limits>

using namespace meshwright;

namespace {

LineChartView ringView() {
    LineChartView view;
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

QImage pictureOf(const LineChartView &view, const Theme &theme, const QSize &size, qreal ratio = 1) {
    QImage image(size * ratio, QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(ratio);
    image.fill(theme.colour(ColourRole::Card));
    QPainter painter(&image);
    LineChart::paint(painter, QRectF(QPointF(), size), view, theme);
    return image;
}

/// So much of the picture is of this colour.
int pixelsOf(const QImage &image, const QColor &colour) {
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            count += image.pixelColor(x, y) == colour ? 1 : 0;
    return count;
}

} // namespace

class LineChartTest : public QObject {
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
        QCOMPARE(LineChart::valueOf(line, 2, axis), std::optional(4.0));
        QCOMPARE(LineChart::valueOf(line, 9, axis), std::optional(2.0));
        QCOMPARE(LineChart::valueOf(line, 4, axis), std::optional(8.0));
        QVERIFY(!LineChart::valueOf(line, 5, axis));
        QVERIFY(!LineChart::valueOf(line, 11, axis));
        ChartSeries steps = line;
        steps.stepped = true;
        QCOMPARE(LineChart::valueOf(steps, 3.9, axis), std::optional(0.0));
    }

    void the_line_is_drawn_through_its_points_in_both_themes() {
        for (const Theme &theme : {Theme::light(), Theme::dark()}) {
            LineChartView view = ringView();
            view.marks.clear();
            const QSize size(360, 168);
            const QImage image = pictureOf(view, theme, size, 2);
            const QRectF plot = LineChart::plotOf(QRectF(QPointF(), size), view, theme);
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
        LineChart chart;
        chart.setView(ringView());
        chart.resize(360, 168);
        chart.show();
        QTest::keyClick(&chart, Qt::Key_Right);
        const QString first = chart.accessibleDescription();
        QVERIFY2(first.contains(QStringLiteral("70")), qPrintable(first));
        QTest::keyClick(&chart, Qt::Key_Right);
        QVERIFY(chart.accessibleDescription() != first);
    }

    void strange_views_are_drawn_without_harm() {
        const double none = std::numeric_limits<double>::quiet_NaN();
        LineChartView view = ringView();
        view.series.append(ChartSeries{.name = QStringLiteral("far"), .points = {{1e-300, 1e300}, {1e300, -1e300}}});
        view.series.append(ChartSeries{.name = QStringLiteral("none"), .points = {{none, none}}});
        view.marks.append({.at = {none, none}});
        view.lines.append({.x = none, .text = QStringLiteral("nowhere")});
        pictureOf(view, Theme::dark(), {360, 168});
        pictureOf(view, Theme::dark(), {20, 10});
        pictureOf({}, Theme::dark(), {360, 168});
    }
};

QTEST_MAIN(LineChartTest)
#include "tst_line_chart.moc"

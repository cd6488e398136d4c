// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/xy_chart.h"
#include "controls/segmented.h"
#include "lessons/lesson_figure.h"
#include "lessons/lesson_page.h"
#include "lessons/lessons_view.h"
#include "listed_test.h"
#include "plots/plot_card.h"
#include "plots/plots_view.h"
#include "view_export.h"
#include "view_pages.h"
#include "window_fixture.h"

#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>

#include <algorithm>
#include <cmath>

using namespace meshwright;

namespace {

const ViewPage &plotPage(const std::string &name) {
    return *std::find_if(viewPages().begin(), viewPages().end(),
                         [&](const ViewPage &page) { return name == page.name; });
}

bool showPlotPage(WindowFixture &fixture, const std::string &name) {
    const ViewPage &page = plotPage(name);
    showPage(fixture.window(), page);
    return fixture.settle() && QTest::qWaitFor([&] { return page.isSettled(fixture.window()); }, patience);
}

/// Counts the points that a chart draws, including marks and bars.
qsizetype drawnPoints(const ChartView &view, std::size_t rows) {
    qsizetype points = view.marks.size();
    for (const ChartSeries &series : view.series)
        points += series.points.size();
    for (const ChartDots &dots : view.dots)
        points += dots.points.size();
    for (const ChartPart &part : view.columns)
        points += part.heights.size() == qsizetype(rows) ? 0 : -qsizetype(rows);
    return view.columns.isEmpty() ? points : points + view.columns.first().heights.size();
}

qsizetype svgShapes(const QByteArray &svg) {
    return svg.count("<path") + svg.count("<ellipse") + svg.count("<circle") + svg.count("<rect")
        + svg.count("<polyline");
}

} // namespace

class PlotsViewTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void each_plot_draws_and_exports_a_point_for_each_row() {
        WindowFixture fixture(QStringLiteral("preset:pretrain-8b"));
        auto *view = fixture.window().view<PlotsView>();
        for (const std::string &name : plot_names()) {
            QVERIFY2(showPlotPage(fixture, name), name.c_str());
            const Plot &plot = *view->card()->plot();
            QCOMPARE(plot.name, name);
            const ViewTable table = plotPage(name).table(fixture.window());
            QCOMPARE(table.rows.size(), qsizetype(plot.rows.size()));
            QCOMPARE(csvOf(table).count('\n'), plot.rows.size() + 1);
            const ChartView &chart = view->card()->chart()->view();
            QCOMPARE(drawnPoints(chart, plot.rows.size()), table.rows.size());
            // The picture has a shape per point, and fewer shapes if the points are hidden.
            const qsizetype whole = svgShapes(svgOf(*view, {}));
            ChartView empty = chart;
            for (ChartDots &dots : empty.dots)
                dots.points.clear();
            for (ChartPart &part : empty.columns)
                part.heights.fill(0);
            view->card()->chart()->setView(empty);
            const qsizetype without = svgShapes(svgOf(*view, {}));
            if (!chart.dots.isEmpty())
                QCOMPARE(whole - without, table.rows.size());
        }
    }

    void numbers_are_those_of_the_table() {
        WindowFixture fixture(QStringLiteral("preset:pretrain-8b"));
        auto *view = fixture.window().view<PlotsView>();
        QVERIFY(showPlotPage(fixture, "best-configuration"));
        const Plot &plot = *view->card()->plot();
        const ChartView &chart = view->card()->chart()->view();
        QCOMPARE(chart.columns.size(), 2);
        for (std::size_t row = 0; row < plot.rows.size(); ++row) {
            const double mfu = plot.number(row, plot.column("mfu"));
            const double drawn = chart.columns.at(0).heights.at(qsizetype(row));
            QVERIFY(std::isnan(mfu) ? std::isnan(drawn) : mfu == drawn);
        }
    }

    void the_arrow_keys_read_each_row_aloud() {
        WindowFixture fixture(QStringLiteral("preset:pretrain-8b"));
        auto *view = fixture.window().view<PlotsView>();
        QVERIFY(showPlotPage(fixture, "compute-by-date"));
        XyChart *chart = view->card()->chart();
        QCOMPARE(chart->accessibleName(), QStringLiteral("Training compute by date"));
        view->takeFocus();
        QTRY_VERIFY(chart->hasFocus());
        QTest::keyClick(chart, Qt::Key_Right);
        QCOMPARE(chart->thing(), 0);
        QVERIFY2(chart->accessibleDescription().contains(QLatin1String("GPT-1")),
                 qPrintable(chart->accessibleDescription()));
        QTest::keyClick(chart, Qt::Key_Right);
        QVERIFY(chart->accessibleDescription().contains(QLatin1String("GPT-2")));
    }

    void a_plot_of_the_plan_follows_the_plan() {
        WindowFixture fixture(QStringLiteral("preset:deepseek-v3")); // the plan has 16 stages
        auto *view = fixture.window().view<PlotsView>();
        QVERIFY(showPlotPage(fixture, "bubble-by-schedule"));
        const std::shared_ptr<const Plot> first = view->card()->plot();
        QCOMPARE(first->number(0, first->column("microbatches")), 16.0);
        QVERIFY(showPlotPage(fixture, "compute-by-date"));
        QVERIFY(view->card()->plot() != first);
    }

    void a_lesson_shows_a_plot_by_its_name() {
        WindowFixture fixture;
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("own.md"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("---\ntitle: Own\nsummary: Short.\nplan: pretrain-8b\n---\n\n");
        for (const std::string &name : plot_names())
            file.write(QByteArray("## ") + name.c_str() + " {#" + name.c_str()
                       + "}\n\nText.\n\n```figure\nkind: " + name.c_str() + "\n```\n\n");
        file.close();
        auto *view = fixture.window().goTo<LessonsView>();
        QCOMPARE(view->openFile(path), QString());
        for (std::size_t i = 0; i < plot_names().size(); ++i) {
            view->openStep(static_cast<int>(view->lessons().size()) - 1, static_cast<int>(i));
            QVERIFY(QTest::qWaitFor([&] { return view->page()->figure()->isSettled(); }, patience));
            const auto charts = view->page()->figure()->findChildren<XyChart *>();
            QVERIFY(std::any_of(charts.cbegin(), charts.cend(), [&](const XyChart *chart) {
                return chart->isVisible() && chart->view().nothing.isEmpty()
                    && chart->accessibleName().toStdString() == title_of_plot(plot_names()[i]);
            }));
        }
    }
};

LISTED_TEST(PlotsViewTest)
#include "tst_plots_view.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/compare_view.h"
#include "listed_test.h"
#include "memory/memory_view.h"
#include "view_export.h"
#include "view_pages.h"
#include "view_rail.h"
#include "window_fixture.h"

#include <QAction>
#include <QClipboard>
#include <QFile>
#include <QGuiApplication>
#include <QImage>
#include <QMimeData>
#include <QSvgRenderer>

#include <algorithm>
#include <cmath>
#include <set>

using namespace meshwright;

namespace {

const ViewPage &pageOf(const char *name) {
    return *std::find_if(viewPages().begin(), viewPages().end(),
                         [&](const ViewPage &page) { return std::string_view(page.name) == name; });
}

class PagesFixture : public WindowFixture {
public:
    using WindowFixture::WindowFixture;

    bool show(const ViewPage &page) {
        showPage(window(), page);
        return settle() && QTest::qWaitFor([&] { return page.isSettled(window()); }, patience);
    }
    ViewTable tableOf(const char *name) {
        const ViewPage &page = pageOf(name);
        return show(page) ? page.table(window()) : ViewTable();
    }
    /// Chooses an entry of the Export menu.
    /// @returns contents of the exported file
    QByteArray exported(const std::string &entry, const QString &name) {
        prompts.path = file(name);
        find<QAction>(("export." + entry).c_str())->trigger();
        QFile written(prompts.path);
        return written.open(QIODevice::ReadOnly) ? written.readAll() : QByteArray();
    }
};

double number(const ViewTable &table, qsizetype row, const char *heading) {
    return table.rows[row][table.headings.indexOf(QLatin1String(heading))].toDouble();
}

double sumOf(const ViewTable &table, qsizetype row, const std::vector<const char *> &headings) {
    double sum = 0;
    for (const char *heading : headings)
        sum += number(table, row, heading);
    return sum;
}

} // namespace

class ViewTablesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void every_view_of_the_rail_is_offered_under_a_name_of_its_own() {
        PagesFixture fixture(QStringLiteral("preset:smollm-135m"));
        std::set<std::string_view> names;
        std::set<QString> views;
        for (const ViewPage &page : viewPages()) {
            names.insert(page.name);
            views.insert(QLatin1String(page.view));
            QVERIFY(fixture.show(page));
            QCOMPARE(currentPage(fixture.window()).name, page.name);
        }
        QCOMPARE(names.size(), viewPages().size());
        for (const View *view : fixture.window().views())
            QVERIFY2(views.count(view->face().name) == 1, qPrintable(view->face().name));
        QCOMPARE(qsizetype(views.size()), fixture.window().views().size());
    }

    void each_page_is_exported_in_every_form_from_the_menu() {
        PagesFixture fixture({}, {1000, 640}); // a plan with several sites
        fixture.window().view<CompareView>()->add(
            {.name = QStringLiteral("B"), .origin = {}, .plan = fixture.session().view().plan});
        for (const ViewPage &page : viewPages()) {
            QVERIFY2(fixture.show(page), page.name);
            const QSize size = fixture.window().rail()->current()->size();
            const QSvgRenderer drawing(fixture.exported("viewSvg", QStringLiteral("a.svg")));
            QVERIFY2(drawing.isValid(), page.name);
            QCOMPARE(drawing.viewBox().size(), size);
            // A larger picture takes seconds to compress.
            for (int scale = 1; scale <= (&page == viewPages().data() ? largestPictureScale : 1); ++scale) {
                const QByteArray png = fixture.exported("viewPng" + std::to_string(scale), QStringLiteral("a.png"));
                QCOMPARE(QImage::fromData(png).size(), size * scale);
            }
            const ViewTable table = page.table(fixture.window());
            const bool hasNone = std::string_view(page.name) == "machine"; // no runs were added
            QVERIFY2(table.isEmpty() == hasNone, page.name);
            for (const QStringList &row : table.rows)
                QCOMPARE(row.size(), table.headings.size());
            QFile::remove(fixture.file(QStringLiteral("a.csv")));
            QCOMPARE(fixture.exported("csv", QStringLiteral("a.csv")), hasNone ? QByteArray() : csvOf(table));
            QGuiApplication::clipboard()->clear();
            fixture.find<QAction>("export.copyTable")->trigger();
            QCOMPARE(QGuiApplication::clipboard()->text(), hasNone ? QString() : tabbedText(table));
        }
    }

    void the_plan_s_table_is_the_result_s_memory() {
        PagesFixture fixture(QStringLiteral("preset:deepseek-v3"));
        const ViewTable table = fixture.tableOf("plan");
        const Memory &memory = fixture.session().view().result->memory;
        QCOMPARE(table.rows.size(), qsizetype(memory.stages.size()));
        for (std::size_t i = 0; i < memory.stages.size(); ++i) {
            QCOMPARE(number(table, qsizetype(i), "total_bytes"), memory.stages[i].total_bytes);
            QCOMPARE(number(table, qsizetype(i), "weights_bytes"), memory.stages[i].weights_bytes);
        }
    }

    /// The columns of a rank add up to the makespan, because at each moment the rank computes or is idle for one
    /// reason.
    void the_pipeline_s_rows_add_up_to_the_makespan() {
        PagesFixture fixture(QStringLiteral("preset:deepseek-v3"));
        const ViewTable table = fixture.tableOf("pipeline");
        QCOMPARE(table.rows.size(), qsizetype(fixture.session().view().plan.parallelism.pipeline));
        double makespan = 0;
        for (qsizetype row = 0; row < table.rows.size(); ++row)
            makespan = std::max(makespan, number(table, row, "end_seconds"));
        for (qsizetype row = 0; row < table.rows.size(); ++row) {
            const double sum = sumOf(table, row,
                                     {"busy_seconds", "idle_warm_up_seconds", "idle_drain_seconds", "idle_send_seconds",
                                      "idle_imbalance_seconds"});
            QVERIFY2(std::abs(sum - makespan) < 1e-9 * makespan, qPrintable(QString::number(sum - makespan)));
        }
    }

    void the_memory_table_reaches_the_peak_of_the_step() {
        // The memory of the second preset changes more often than the table has rows.
        for (const char *preset : {"preset:smollm-135m", "preset:deepseek-v3"}) {
            PagesFixture fixture(QString::fromLatin1(preset));
            const ViewTable table = fixture.tableOf("memory");
            const MemoryTrace &trace = *fixture.window().view<MemoryView>()->run()->trace;
            QCOMPARE(table.rows.size(), qsizetype(std::min<std::size_t>(20'000, trace.memory().points.size())));
            double peak = 0;
            for (qsizetype row = 0; row < table.rows.size(); ++row) {
                const double total = number(table, row, "total_bytes");
                const double sum = sumOf(table, row,
                                         {"runtime_bytes", "weights_bytes", "optimizer_bytes", "gradients_bytes",
                                          "activations_bytes", "logits_bytes", "buffers_bytes"});
                QVERIFY(std::abs(sum - total) < 1);
                peak = std::max(peak, total);
            }
            QCOMPARE(peak, trace.peak().total());
        }
    }

    void sites_have_a_row_each_over_the_same_rounds() {
        PagesFixture fixture;
        const ViewTable table = fixture.tableOf("sites");
        QCOMPARE(table.rows.size(), qsizetype(fixture.session().view().plan.cluster.sites));
        for (qsizetype row = 0; row < table.rows.size(); ++row) {
            QCOMPARE(number(table, row, "site"), double(row));
            QVERIFY(number(table, row, "compute_seconds") > 0);
            QVERIFY(number(table, row, "updates_on_time") > 0);
        }
    }

    void the_explanation_starts_with_its_figure() {
        PagesFixture fixture(QStringLiteral("preset:pretrain-8b"));
        const ViewTable table = fixture.tableOf("explain");
        QCOMPARE(number(table, 0, "depth"), 0.0);
        QCOMPARE(number(table, 0, "value"), fixture.session().view().result->step.seconds);
        QVERIFY(table.rows.size() > 10);
    }

    void cells_with_commas_and_quotes_are_quoted() {
        const ViewTable table{.headings = {QStringLiteral("a"), QStringLiteral("b")},
                              .rows = {{QStringLiteral("1,152"), QStringLiteral("say \"so\"")}}};
        QCOMPARE(csvOf(table), QByteArray("a,b\r\n\"1,152\",\"say \"\"so\"\"\"\r\n"));
        QCOMPARE(tabbedText(table), QStringLiteral("a\tb\n1,152\tsay \"so\"\n"));
    }

    void objects_with_different_keys_share_the_columns() {
        const ViewTable table = tableOfObjects(nlohmann::ordered_json::parse(
            R"([{"a": 0.1, "in": {"b": 2, "c": null}}, {"a": 1e-300, "in": null, "d": [1, "x"]}, {"d": "t\nu"}])"));
        QCOMPARE(table.headings, QStringList({QStringLiteral("a"), QStringLiteral("in.b"), QStringLiteral("d")}));
        QCOMPARE(table.rows[0], QStringList({QStringLiteral("0.1"), QStringLiteral("2"), QString()}));
        QCOMPARE(table.rows[1], QStringList({QStringLiteral("1e-300"), QString(), QStringLiteral("[1,\"x\"]")}));
        QCOMPARE(table.rows[2], QStringList({QString(), QString(), QStringLiteral("t u")}));
    }
};

LISTED_TEST(ViewTablesTest)
#include "tst_view_tables.moc"

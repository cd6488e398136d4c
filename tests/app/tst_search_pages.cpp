// SPDX-License-Identifier: GPL-3.0-or-later
#include "listed_test.h"
#include "window_fixture.h"

#include "controls/integer_box.h"
#include "controls/segmented.h"
#include "figures/figure_sentence.h"
#include "search/advice_page.h"
#include "search/map_chart.h"
#include "search/map_page.h"
#include "search/search_view.h"
#include "view_rail.h"

#include <QElapsedTimer>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QUndoStack>

using namespace meshwright;

namespace {

/// A window whose Search view shows one of its pages.
class PageFixture : public WindowFixture {
public:
    explicit PageFixture(int page, const char *plan = "preset:pretrain-8b")
        : WindowFixture(QLatin1String(plan)) {
        settle();
        window().rail()->show(&view());
        find<Segmented>("searchPages")->setCurrentIndex(page);
    }

    SearchView &view() { return *window().findChild<SearchView *>(); }
    MapPage &map() { return *view().map(); }
    const ConfigurationMap *cells() { return map().chart()->map(); }
    AdvicePage &advice() { return *view().advice(); }
    void type(const char *field, const QString &text) {
        auto *edit = find<QLineEdit>(field);
        edit->setText(text);
        Q_EMIT edit->editingFinished();
    }
    bool mapped() {
        return QTest::qWaitFor([this] { return !map().isBusy() && cells() != nullptr && cells()->complete; }, patience);
    }
    bool advised() {
        return QTest::qWaitFor([this] { return !advice().isBusy() && advice().advice() != nullptr; }, patience);
    }
};

class MapFixture : public PageFixture {
public:
    MapFixture()
        : PageFixture(1) {
        find<QPushButton>("mapPlaybook")->click(); // sets the batch size of the measured runs
        type("mapSizes", QStringLiteral("1.34B, 8.86B"));
        type("mapNodes", QStringLiteral("1, 4"));
    }
};

} // namespace

class SearchPagesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void a_map_fills_and_says_how_well_measured_runs_are_ordered() {
        MapFixture fixture;
        QVERIFY(fixture.mapped());
        QCOMPARE(fixture.cells()->cells.size(), std::size_t{4});
        for (const MapCell &cell : fixture.cells()->cells)
            QVERIFY(cell.done && cell.best && cell.measured);
        QVERIFY(fixture.find<FigureSentence>("mapOrder")->text().contains(QStringLiteral("Spearman")));
    }

    void a_cell_is_selected_by_a_click_and_applied_as_one_edit() {
        MapFixture fixture;
        QVERIFY(fixture.mapped());
        MapChart *chart = fixture.map().chart();
        auto *apply = fixture.find<QPushButton>("mapApply");
        QVERIFY(!apply->isEnabled());
        QTest::mouseClick(chart, Qt::LeftButton, {}, chart->cellRect(0, 1).center().toPoint());
        QVERIFY(chart->chosen() != nullptr);
        const double step = chart->chosen()->best->step_seconds;
        const double before = fixture.session().view().result->step.seconds;
        const int edits = fixture.edits();
        QVERIFY(apply->isEnabled());
        QTest::mouseClick(apply, Qt::LeftButton);
        QVERIFY(fixture.settle());
        QCOMPARE(fixture.edits(), edits + 1);
        QCOMPARE(fixture.session().view().result->step.seconds, step);
        QCOMPARE(fixture.session().view().plan.site_accelerators(), std::int64_t{32});
        fixture.document().undoStack()->undo();
        QVERIFY(fixture.settle());
        QCOMPARE(fixture.session().view().result->step.seconds, before);
    }

    void cells_are_reached_and_applied_by_keys() {
        MapFixture fixture;
        QVERIFY(fixture.mapped());
        MapChart *chart = fixture.map().chart();
        chart->setFocus();
        QTest::keyClick(chart, Qt::Key_Right);
        QTest::keyClick(chart, Qt::Key_Right);
        QVERIFY(chart->chosen() != nullptr);
        QCOMPARE(chart->chosen()->column, std::size_t{1});
        const int edits = fixture.edits();
        QTest::keyClick(chart, Qt::Key_Return);
        QCOMPARE(fixture.edits(), edits + 1);
    }

    void a_map_stops_at_once_and_goes_on_when_asked_to() {
        PageFixture fixture(1, "preset:llama3-405b-16k");
        QVERIFY(fixture.map().isBusy());
        auto *stop = fixture.find<QPushButton>("mapStop");
        QElapsedTimer timer;
        timer.start();
        stop->click();
        QVERIFY(!fixture.map().isBusy());
        QVERIFY(timer.elapsed() < 100);
        fixture.type("mapSizes", QStringLiteral("2B"));
        fixture.type("mapNodes", QStringLiteral("1"));
        QVERIFY(fixture.mapped());
    }

    void an_invalid_list_is_refused_and_the_map_stays() {
        MapFixture fixture;
        QVERIFY(fixture.mapped());
        for (const char *typed : {"", "much", "1B, -3B", "1e99"}) {
            fixture.type("mapSizes", QLatin1String(typed));
            QVERIFY(fixture.find<QLineEdit>("mapSizes")->property("rejected").toBool());
            QCOMPARE(fixture.cells()->question.parameters.size(), std::size_t{2});
        }
    }

    void the_map_starts_around_the_plan_until_others_are_asked_for() {
        PageFixture fixture(1);
        fixture.find<QPushButton>("mapStop")->click();
        const Plan &plan = fixture.session().view().plan;
        const auto texts = [&]() -> QString {
            return fixture.find<QLineEdit>("mapSizes")->text() + QLatin1Char('|')
                + fixture.find<QLineEdit>("mapNodes")->text();
        };
        QVERIFY2(texts().contains(QStringLiteral("8.03B")), qPrintable(texts()));
        QVERIFY2(texts().endsWith(QStringLiteral("1, 2, 4, 8, 16")), qPrintable(texts()));
        QCOMPARE(fixture.find<IntegerBox>("mapSequence")->value(), qint64(plan.batch.sequence_length));
        QCOMPARE(fixture.find<IntegerBox>("mapBatch")->value(), qint64(plan.batch.global_sequences));
        fixture.type("mapNodes", QStringLiteral("3"));
        fixture.document().apply({.subject = QStringLiteral("test"), .patch = R"({"batch":{"sequence_length":4096}})"});
        QVERIFY(fixture.settle());
        QVERIFY(texts().endsWith(QStringLiteral("|3"))); // the typed node count does not change
        fixture.find<QPushButton>("mapOwnBatch")->click();
        QCOMPARE(fixture.find<IntegerBox>("mapSequence")->value(), qint64(4096));
        QVERIFY(texts().endsWith(QStringLiteral("1, 2, 4, 8, 16")));
    }

    void an_edit_that_the_map_does_not_depend_on_starts_no_search() {
        MapFixture fixture;
        QVERIFY(fixture.mapped());
        const ConfigurationMap *before = fixture.cells();
        fixture.document().apply({.field = QStringLiteral("/parallelism/zero_stage"),
                                  .subject = QStringLiteral("ZeRO"),
                                  .patch = R"({"parallelism": {"zero_stage": 2}})"});
        QVERIFY(fixture.settle());
        QVERIFY(!fixture.map().isBusy());
        QCOMPARE(fixture.cells(), before);
    }

    void advice_walks_the_plan_through_three_decisions() {
        PageFixture fixture(2);
        QVERIFY(fixture.advised());
        QCOMPARE(fixture.advice().advice()->steps.size(), std::size_t{3});
        QVERIFY(!fixture.find<FigureSentence>("adviceComparison")->text().isEmpty());
        QVERIFY(fixture.find<QWidget>("sliderSteps")->findChildren<QPushButton *>().size() > 3);
    }

    void a_suggestion_is_applied_as_one_edit_and_gains_what_it_says() {
        PageFixture fixture(2);
        QVERIFY(fixture.advised());
        const Attempt attempt = fixture.advice().advice()->sliders.front().attempt;
        const int edits = fixture.edits();
        fixture.find<QWidget>("sliderSteps")->findChildren<QPushButton *>().constFirst()->click();
        QVERIFY(fixture.settle());
        QCOMPARE(fixture.edits(), edits + 1);
        QVERIFY(std::abs(fixture.session().view().result->step.seconds / attempt.step_seconds - 1) < 1e-9);
        // The advice follows the plan.
        QVERIFY(fixture.advised());
        QTRY_COMPARE_WITH_TIMEOUT(fixture.advice().advice()->step_seconds,
                                  fixture.session().view().result->step.seconds, patience);
    }

    void a_plan_that_is_faster_than_any_candidate_is_not_called_the_best() {
        PageFixture fixture(2, "preset:smollm-135m");
        QVERIFY(fixture.advised());
        // All configurations that leave this much headroom are slower than the plan.
        fixture.document().apply(
            {.subject = QStringLiteral("test"), .patch = R"({"constraints":{"headroom_bytes":7e10}})"});
        QVERIFY(fixture.settle());
        QVERIFY(fixture.advised());
        QTRY_VERIFY_WITH_TIMEOUT(
            fixture.window().findChild<QLabel *>(QStringLiteral("adviceVerdict")) != nullptr
                && fixture.find<QLabel>("adviceVerdict")->text().startsWith(QStringLiteral("The plan is faster")),
            patience);
    }

    void an_invalid_plan_keeps_its_last_advice() {
        PageFixture fixture(2);
        QVERIFY(fixture.advised());
        fixture.document().apply({.field = QStringLiteral("/parallelism/tensor"),
                                  .subject = QStringLiteral("Tensor"),
                                  .patch = R"({"parallelism": {"tensor": 7}})"});
        QVERIFY(fixture.settle());
        QVERIFY(fixture.advice().advice() != nullptr);
        QVERIFY(fixture.find<QLabel>("adviceState")->text().contains(QStringLiteral("last valid plan")));
    }
};

LISTED_TEST(SearchPagesTest)
#include "tst_search_pages.moc"

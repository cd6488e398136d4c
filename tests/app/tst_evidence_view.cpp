// SPDX-License-Identifier: GPL-3.0-or-later
#include "listed_test.h"
#include "window_fixture.h"

#include "charts/xy_chart.h"
#include "controls/notice_strip.h"
#include "evidence/accuracy_strip.h"
#include "evidence/assumption.h"
#include "evidence/assumptions_model.h"
#include "evidence/assumptions_page.h"
#include "evidence/evidence_charts.h"
#include "evidence/evidence_view.h"
#include "evidence/family_legend.h"
#include "evidence/runs_page.h"
#include "plan/plan_page.h"
#include "view_rail.h"

#include <QAbstractButton>
#include <QAction>
#include <QFile>
#include <QLineEdit>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QUndoStack>

#include <numeric>

using namespace meshwright;

namespace {

constexpr auto planName = "preset:llama3-405b-16k";
/// A window whose Evidence view has received its first result.
class EvidenceFixture : public WindowFixture {
public:
    EvidenceFixture()
        : WindowFixture(QLatin1String(planName)) {
        window().rail()->show(&view());
        answered();
    }

    EvidenceView &view() { return *window().view<EvidenceView>(); }
    XyChart &scatter() { return *view().runs()->scatter(); }
    bool answered() {
        return QTest::qWaitFor([this] { return !view().isBusy(); }, patience);
    }
    QString accuracy(int place) { return view().accuracy()->figure(place); }
    /// Cell of a constant in the visible table.
    QModelIndex constant(const char *pointer) {
        return view().assumptions()->model()->index(Assumption::rowOf(QLatin1String(pointer)), AssumptionsModel::Value);
    }
};

} // namespace

class EvidenceViewTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void measured_runs_are_shown_with_the_plan_among_them() {
        EvidenceFixture fixture;
        QCOMPARE(fixture.accuracy(0), QStringLiteral("3,993"));
        QVERIFY(fixture.scatter().view().things > 2000);
        QCOMPARE(fixture.scatter().view().marks.size(), 1);
        QCOMPARE(fixture.scatter().view().marks.first().at.y(), fixture.session().view().result->step.seconds);
        QCOMPARE(fixture.view().runs()->nearest()->table()->model()->rowCount(), 10);
    }

    void names_have_room_in_every_window() {
        EvidenceFixture fixture;
        for (const int width : {1280, 1366, 1440, 1600, 1920, 2560}) {
            fixture.window().resize(width, 800);
            for (QTableView *table : {fixture.view().runs()->nearest()->table(), fixture.view().runs()->sources()}) {
                QTRY_VERIFY(table->columnWidth(0) >= 100);
                QTRY_VERIFY(!table->horizontalScrollBar()->isVisible());
            }
        }
    }

    void a_press_on_a_point_opens_its_run_as_a_plan() {
        EvidenceFixture fixture;
        QTest::mouseClick(&fixture.scatter(), Qt::LeftButton, {}, fixture.scatter().placeOfThing(0));
        QVERIFY(fixture.window().view<PlanPage>()->isVisible());
        QVERIFY(fixture.settle());
        QVERIFY(fixture.session().view().valid);
        QVERIFY(fixture.document().name().contains(QLatin1Char('(')));
    }

    void a_nearest_run_opens_before_the_view_has_its_first_answer() {
        WindowFixture fixture{QLatin1String(planName)};
        QVERIFY(fixture.settle());
        EvidenceView &view = *fixture.window().view<EvidenceView>();
        fixture.showView(QStringLiteral("Evidence"));
        QTableView *nearest = view.runs()->nearest()->table();
        QVERIFY(nearest->model()->rowCount() > 0);
        QVERIFY(view.isBusy());
        QTest::mouseClick(nearest->viewport(), Qt::LeftButton, {},
                          nearest->visualRect(nearest->model()->index(0, 0)).center());
        QVERIFY(fixture.window().view<PlanPage>()->isVisible());
        QVERIFY(fixture.document().name().contains(QLatin1Char('(')));
    }

    void opening_a_run_asks_about_unsaved_edits() {
        EvidenceFixture fixture;
        fixture.document().apply(
            {.field = QStringLiteral("/name"), .subject = QStringLiteral("Name"), .patch = R"({"name": "mine"})"});
        fixture.scatter().setFocus();
        QTest::keyClick(&fixture.scatter(), Qt::Key_Right);
        QTest::keyClick(&fixture.scatter(), Qt::Key_Return);
        QCOMPARE(fixture.prompts.saveQuestions, 1);
        QCOMPARE(fixture.document().name(), QStringLiteral("mine"));
    }

    void rows_are_filtered_by_words_sources_and_nearness() {
        EvidenceFixture fixture;
        const std::size_t all = fixture.view().runs()->shown();
        auto *filter = fixture.find<QLineEdit>("evidenceFilter");
        filter->setText(QStringLiteral("llm-foundry H100"));
        const std::size_t some = fixture.view().runs()->shown();
        QVERIFY(some > 0 && some < all / 4);
        filter->setText(QStringLiteral("no such run anywhere"));
        QCOMPARE(fixture.view().runs()->shown(), std::size_t{0});
        filter->clear();
        QCOMPARE(fixture.view().runs()->shown(), all);
        auto *near = fixture.find<QAbstractButton>("runsLikeMine");
        near->click();
        QVERIFY(fixture.view().runs()->shown() > 0);
        QVERIFY(fixture.view().runs()->shown() <= 60);
        near->click();
        fixture.find<QAbstractButton>("family0")->click();
        QVERIFY(fixture.view().runs()->shown() < all);
    }

    void the_headline_and_the_legend_follow_the_filter() {
        EvidenceFixture fixture;
        const AccuracyStrip &strip = *fixture.view().accuracy();
        const FamilyLegend &legend = *fixture.view().runs()->legend();
        const QString all = strip.headline();
        const QString median = strip.figure(1);
        const QString family = legend.countOf(0);
        QVERIFY2(all.startsWith(QLatin1String("All ")), qPrintable(all));
        auto *near = fixture.find<QAbstractButton>("runsLikeMine");
        near->click();
        const EvidenceSlice &slice = fixture.view().runs()->slice();
        QCOMPARE(slice.rows.size(), std::size_t{60});
        QVERIFY2(strip.headline().startsWith(QLatin1String("60 runs like yours: median error ")),
                 qPrintable(strip.headline()));
        QVERIFY2(strip.headline().contains(QString::number(100 * slice.summary.step.median_absolute, 'f', 1)),
                 qPrintable(strip.headline()));
        QVERIFY2(strip.headline().contains(QStringLiteral("fitted to %1 of them").arg(slice.fitted)),
                 qPrintable(strip.headline()));
        QCOMPARE(strip.figure(0), QStringLiteral("60"));
        QVERIFY(legend.countOf(0) != family);
        near->click();
        QCOMPARE(strip.headline(), all);
        QCOMPARE(strip.figure(1), median);
        QCOMPARE(legend.countOf(0), family);
        fixture.find<QLineEdit>("evidenceFilter")->setText(QStringLiteral("H100"));
        QVERIFY2(strip.headline().contains(QLatin1String("runs matching \"H100\"")), qPrintable(strip.headline()));
        fixture.find<QLineEdit>("evidenceFilter")->setText(QStringLiteral("no such run anywhere"));
        QCOMPARE(strip.headline(), QStringLiteral("No measured run matches the filter."));
    }

    void overriding_a_constant_changes_the_plan_and_the_errors_and_can_be_undone() {
        EvidenceFixture fixture;
        const QString median = fixture.accuracy(1);
        const double step = fixture.session().view().result->step.seconds;
        AssumptionsModel *model = fixture.view().assumptions()->model();
        QVERIFY(model->setData(fixture.constant("/assumptions/matrix-efficiency-hopper"), QStringLiteral("0.5"),
                               Qt::EditRole));
        QVERIFY(fixture.settle() && fixture.answered());
        QVERIFY(fixture.session().view().result->step.seconds > step);
        QTRY_VERIFY_WITH_TIMEOUT(fixture.accuracy(1) != median, patience);
        QCOMPARE(fixture.json()["assumptions"]["matrix-efficiency-hopper"].get<double>(), 0.5);
        fixture.document().undoStack()->undo();
        QVERIFY(fixture.settle());
        QTRY_COMPARE_WITH_TIMEOUT(fixture.accuracy(1), median, patience);
        QCOMPARE(fixture.session().view().result->step.seconds, step);
    }

    void a_software_field_is_overridden_and_reset() {
        EvidenceFixture fixture;
        const double step = fixture.session().view().result->step.seconds;
        const nlohmann::ordered_json before = fixture.json();
        AssumptionsModel *model = fixture.view().assumptions()->model();
        const QModelIndex waits = fixture.constant("/stack/launches_wait");
        QCOMPARE(waits.data().toString(), QStringLiteral("false"));
        QCOMPARE(waits.data(AssumptionsModel::ChoicesRole).toStringList().size(), 2);
        QVERIFY(!model->setData(waits, QStringLiteral("perhaps"), Qt::EditRole));
        QVERIFY(model->setData(waits, QStringLiteral("true"), Qt::EditRole));
        QVERIFY(fixture.settle());
        QVERIFY(fixture.session().view().result->step.seconds > step);
        QVERIFY(fixture.json()["stack"]["launches_wait"].get<bool>());
        QVERIFY(
            model->setData(fixture.constant("/stack/host_seconds_per_layer"), QStringLiteral("3 ms"), Qt::EditRole));
        QVERIFY(fixture.settle());
        QCOMPARE(fixture.json()["stack"]["host_seconds_per_layer"].get<double>(), 3e-3);
        QCOMPARE(model->overridden(), 2);
        QCOMPARE(waits.siblingAtColumn(AssumptionsModel::Origin).data().toString(), QStringLiteral("this plan"));
        model->reset(waits.row());
        QVERIFY(fixture.settle());
        QCOMPARE(model->overridden(), 1);
        model->resetAll();
        QVERIFY(fixture.settle());
        QCOMPARE(fixture.session().view().result->step.seconds, step);
        QCOMPARE(fixture.session().view().plan.stack_id, before.at("stack").get<std::string>());
    }

    void an_edited_constant_stays_although_the_filter_names_its_former_origin() {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("QAbstractItemView")));
        EvidenceFixture fixture;
        auto *table = fixture.find<QTableView>("assumptionTable");
        const auto *rows = qobject_cast<QSortFilterProxyModel *>(table->model());
        const QModelIndex constant = fixture.constant("/assumptions/matrix-efficiency-hopper");
        const QString origin = constant.siblingAtColumn(AssumptionsModel::Origin).data().toString();
        fixture.find<QLineEdit>("assumptionFilter")->setText(origin);
        const int shown = rows->rowCount();
        QVERIFY(shown > 0 && shown < rows->sourceModel()->rowCount());
        table->edit(rows->mapFromSource(constant));
        auto *line = table->findChild<QLineEdit *>();
        QVERIFY(line != nullptr);
        line->setText(QStringLiteral("0.5"));
        QTest::keyClick(line, Qt::Key_Return);
        QTRY_COMPARE(fixture.edits(), 1);
        QTRY_VERIFY(constant.siblingAtColumn(AssumptionsModel::Origin).data().toString() != origin);
        QCOMPARE(rows->rowCount(), shown);
    }

    void a_value_out_of_range_is_rejected_with_a_message() {
        EvidenceFixture fixture;
        AssumptionsModel *model = fixture.view().assumptions()->model();
        const int edits = fixture.edits();
        for (const char *typed : {"7", "-1", "nan", "much", "1e999"}) {
            QVERIFY(
                !model->setData(fixture.constant("/assumptions/link-efficiency"), QLatin1String(typed), Qt::EditRole));
            QVERIFY(fixture.window().notices()->text().contains(QLatin1String(typed)));
        }
        QCOMPARE(fixture.edits(), edits);
    }

    void an_influence_leads_to_its_constant() {
        EvidenceFixture fixture;
        QVERIFY(fixture.view().showConstant(QStringLiteral("/assumptions/network-efficiency")));
        QCOMPARE(fixture.view().assumptions()->table()->currentIndex().data(Qt::EditRole).toDouble(), 0.8);
        QVERIFY(!fixture.view().showConstant(QStringLiteral("/assumptions/nothing")));
    }

    void a_user_table_is_added_and_an_invalid_one_rejected() {
        EvidenceFixture fixture;
        const std::size_t all = fixture.view().runs()->shown();
        QFile good(fixture.file(QStringLiteral("mine.csv")));
        QVERIFY(good.open(QIODevice::WriteOnly));
        good.write("id,model,accelerator,accelerators,global_batch,sequence_length,step_seconds\n"
                   "a,Llama 3.1 8B,h100-sxm-80gb,8,8,8192,1.2\n");
        good.close();
        fixture.prompts.path = good.fileName();
        fixture.find<QAbstractButton>("addEvidence")->click();
        QVERIFY(fixture.answered());
        QTRY_COMPARE_WITH_TIMEOUT(fixture.view().runs()->shown(), all + 1, patience);
        QFile bad(fixture.file(QStringLiteral("bad.csv")));
        QVERIFY(bad.open(QIODevice::WriteOnly));
        bad.write("a,b\n1,\"2\n");
        bad.close();
        fixture.prompts.path = bad.fileName();
        fixture.find<QAbstractButton>("addEvidence")->click();
        QVERIFY(fixture.answered());
        QTRY_VERIFY_WITH_TIMEOUT(fixture.window().notices()->text().contains(QStringLiteral("bad.csv")), patience);
        QCOMPARE(fixture.view().runs()->shown(), all + 1);
    }

    void errors_are_counted_in_histogram_columns() {
        QCOMPARE(columnOfError(-3), 0);
        QCOMPARE(columnOfError(-0.001), errorColumns / 2 - 1);
        QCOMPARE(columnOfError(0.001), errorColumns / 2);
        QCOMPARE(columnOfError(40), errorColumns - 1);
        EvidenceFixture fixture;
        double sum = 0;
        for (const ChartPart &family : fixture.view().runs()->histogram()->view().columns)
            sum = std::accumulate(family.heights.begin(), family.heights.end(), sum);
        QCOMPARE(static_cast<std::size_t>(sum), fixture.view().runs()->shown());
        const HoverContent middle = fixture.view().runs()->histogram()->view().content(errorColumns / 2 - 1);
        QCOMPARE(middle.title, QStringLiteral("\u22122.5% to 0%"));
    }

    void an_invalid_plan_keeps_the_last_runs_and_says_so() {
        EvidenceFixture fixture;
        fixture.document().apply({.field = QStringLiteral("/parallelism/tensor"),
                                  .subject = QStringLiteral("Tensor"),
                                  .patch = R"({"parallelism": {"tensor": 7}})"});
        QTRY_VERIFY_WITH_TIMEOUT(!fixture.session().view().valid, patience);
        QVERIFY(fixture.answered());
        QCOMPARE(fixture.view().runs()->nearest()->table()->model()->rowCount(), 10);
        QVERIFY(fixture.view().runs()->nearest()->isStale());
    }
};

LISTED_TEST(EvidenceViewTest)
#include "tst_evidence_view.moc"

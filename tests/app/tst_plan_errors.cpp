// SPDX-License-Identifier: GPL-3.0-or-later
// For a plan that cannot be evaluated, every view shows the errors, and no view shows figures of another plan.
#include "every_page.h"
#include "listed_test.h"
#include "window_fixture.h"

#include "controls/integer_box.h"
#include "explain/explain_view.h"
#include "figures/figure_sentence.h"
#include "file_controller.h"
#include "gantt/pipeline_toolbar.h"
#include "plan/plan_page.h"
#include "search_controller.h"
#include "sites/sites_view.h"
#include "views/fix_button.h"
#include "views/plan_errors.h"
#include "views/problems_card.h"

#include <QSet>

using namespace meshwright;
using nlohmann::ordered_json;

namespace {

const QStringList &viewsOfThePlan() {
    static const QStringList names{QStringLiteral("Plan"),    QStringLiteral("Pipeline"), QStringLiteral("Memory"),
                                   QStringLiteral("Sites"),   QStringLiteral("Search"),   QStringLiteral("Explain"),
                                   QStringLiteral("Evidence")};
    return names;
}

/// Returns all sentences on the visible cards of problems.
QStringList sentencesInSight(WindowFixture &fixture) {
    QStringList said;
    for (const ProblemsCard *card : fixture.window().findChildren<ProblemsCard *>())
        if (card->isVisible())
            for (const FigureSentence *sentence : card->findChildren<FigureSentence *>())
                if (sentence->isVisible())
                    said << sentence->text();
    return said;
}

/// Returns the numbers of figures that the visible view paints, except those in problems.
QSet<QString> figuresInSight(WindowFixture &fixture) {
    QSet<QString> found;
    readPage(fixture, [&](QWidget *widget, const FigureSource *, const PaintedNumber &number) {
        if (!fixture.window().centralWidget()->isAncestorOf(widget))
            return;
        for (const QWidget *each = widget; each != nullptr; each = each->parentWidget())
            if (qobject_cast<const PlanErrors *>(each) != nullptr
                || qobject_cast<const ProblemsCard *>(each) != nullptr)
                return;
        if (qobject_cast<const PipelineToolbar *>(widget->parentWidget()) != nullptr)
            return; // the toolbar shows settings of the plan, not results
        found.insert(number.number + number.rest.left(3));
    });
    return found;
}

ordered_json brokenPlan() {
    return {{"schema", "meshwright.plan/1"},
            {"name", "Broken"},
            {"cluster", "dgx-h100"},
            {"model", "llama-3.1-8b"},
            {"parallelism", {{"tensor", 3}, {"data", 1}}}};
}

void setTensor(WindowFixture &fixture, int tensor) {
    fixture.document().apply({.field = QStringLiteral("/parallelism/tensor"),
                              .subject = QStringLiteral("Tensor"),
                              .from = {},
                              .to = QString::number(tensor),
                              .patch = ordered_json{{"parallelism", {{"tensor", tensor}}}}.dump(),
                              .pace = EditPace::Settled});
    QVERIFY(fixture.settle());
}

} // namespace

class PlanErrorsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void another_plan_that_is_invalid_leaves_no_figure_of_the_one_before() {
        WindowFixture fixture(QStringLiteral("preset:ten-to-25"));
        for (const QString &view : viewsOfThePlan()) {
            fixture.showView(view);
            QTest::qWait(50);
        }
        QVERIFY(QTest::qWaitFor([&] { return fixture.window().searching()->isSettled(); }, 60000));
        fixture.showView(QStringLiteral("Sites"));
        QVERIFY(QTest::qWaitFor([&] { return fixture.window().view<SitesView>()->isSettled(); }, 60000));
        fixture.write(QStringLiteral("broken.plan"), brokenPlan());
        QVERIFY(fixture.window().files()->openFile(fixture.file(QStringLiteral("broken.plan"))));
        QVERIFY(fixture.settle());
        for (const QString &view : viewsOfThePlan()) {
            fixture.showView(view);
            QTest::qWait(50);
            QVERIFY2(!sentencesInSight(fixture).isEmpty(), qPrintable(view));
            if (view == QStringLiteral("Evidence"))
                continue; // the Evidence view shows measured runs for any plan
            const QSet<QString> figures = figuresInSight(fixture);
            QVERIFY2(
                figures.isEmpty(),
                qPrintable(view + QStringLiteral(": ") + QStringList(figures.cbegin(), figures.cend()).join(u'|')));
        }
    }

    void errors_name_their_field() {
        WindowFixture fixture;
        ordered_json plan = brokenPlan();
        plan["parallelism"] = {{"tensor", 7}, {"tenzor", 2}};
        plan["batch"] = {{"sequence_length", -3}};
        fixture.write(QStringLiteral("broken.plan"), plan);
        QVERIFY(fixture.window().files()->openFile(fixture.file(QStringLiteral("broken.plan"))));
        QVERIFY(fixture.settle());
        fixture.document().apply({.field = {},
                                  .subject = QStringLiteral("Schema"),
                                  .from = {},
                                  .to = {},
                                  .patch = R"({"schema": null})",
                                  .pace = EditPace::Settled});
        QVERIFY(fixture.settle());
        for (const QString &view : viewsOfThePlan()) {
            fixture.showView(view);
            const QString said = sentencesInSight(fixture).join(u'\n');
            QVERIFY2(said.contains(QStringLiteral("schema: missing")), qPrintable(view + u'\n' + said));
            QVERIFY2(said.contains(QStringLiteral("Expected \"meshwright.plan/1\"")), qPrintable(said));
            QVERIFY2(said.contains(QStringLiteral("parallelism.tenzor: unknown field")), qPrintable(said));
            QVERIFY2(said.contains(QStringLiteral("Sequence length: -3 is out of range")), qPrintable(said));
        }
    }

    void a_degree_that_does_not_divide_says_whose() {
        WindowFixture fixture(QStringLiteral("preset:pretrain-8b"));
        setTensor(fixture, 7);
        QVERIFY(!fixture.session().view().valid);
        const QString said = sentencesInSight(fixture).join(u'\n');
        QVERIFY2(said.contains(QStringLiteral("Tensor: ")), qPrintable(said));
    }

    void what_an_edit_made_invalid_stays_marked_and_without_its_verdict() {
        WindowFixture fixture(QStringLiteral("preset:pretrain-8b"));
        auto *memory = fixture.find<QWidget>("memoryFigure");
        QVERIFY(memory->accessibleDescription().contains(QStringLiteral("Fits")));
        setTensor(fixture, 7);
        QVERIFY2(!memory->accessibleDescription().contains(QStringLiteral("Fits")),
                 qPrintable(memory->accessibleDescription()));
        fixture.showView(QStringLiteral("Explain"));
        QVERIFY(fixture.window().view<ExplainView>()->problems()->isVisible());
        QVERIFY(fixture.find<QWidget>("staleExplanation")->isVisible());
        setTensor(fixture, 1);
        QVERIFY(!fixture.window().view<ExplainView>()->problems()->isVisible());
        QVERIFY(memory->accessibleDescription().contains(QStringLiteral("Fits")));
    }

    void a_source_of_a_value_that_was_changed_says_so() {
        WindowFixture fixture;
        fixture.write(QStringLiteral("small.plan"),
                      {{"schema", "meshwright.plan/1"}, {"cluster", "dgx-h100"}, {"model", "llama-3.1-8b"}});
        QVERIFY(fixture.window().files()->openFile(fixture.file(QStringLiteral("small.plan"))));
        QVERIFY(fixture.settle());
        auto *nodes = fixture.find<IntegerBox>("nodes");
        fixture.reveal(nodes);
        nodes->setFocus();
        nodes->selectAll();
        QTest::keyClicks(nodes, QStringLiteral("32"));
        QTest::keyClick(nodes, Qt::Key_Return);
        QVERIFY(fixture.settle());
        const ordered_json &sources = fixture.json().at("cluster").at("sources");
        int marked = 0;
        for (const auto &[path, source] : sources.items()) {
            const bool stale = source.get<std::string>().starts_with("changed by hand");
            QCOMPARE(stale, path == "tiers.infiniband.accelerators");
            marked += stale ? 1 : 0;
        }
        QCOMPARE(marked, 1);
    }

    void after_a_fix_no_other_fix_has_the_focus() {
        WindowFixture fixture(QStringLiteral("preset:pretrain-8b"));
        setTensor(fixture, 7);
        auto *row = fixture.window().view<PlanPage>()->findChild<QWidget *>(QStringLiteral("problem0"));
        auto *button = row->findChild<FixButton *>();
        QVERIFY(button != nullptr && button->isVisible());
        button->setFocus();
        const int edits = fixture.edits();
        QTest::keyClick(button, Qt::Key_Space);
        QVERIFY(fixture.settle());
        QCOMPARE(fixture.edits(), edits + 1);
        QVERIFY(qobject_cast<FixButton *>(fixture.window().focusWidget()) == nullptr);
    }

    void a_fix_says_what_follows_from_it() {
        WindowFixture fixture(QStringLiteral("preset:pretrain-8b"));
        setTensor(fixture, 7);
        for (const FixButton *button : fixture.window().findChildren<FixButton *>()) {
            if (!button->isVisible())
                continue;
            QTest::mouseMove(const_cast<FixButton *>(button));
            QEnterEvent enter(QPointF(2, 2), QPointF(2, 2), button->mapToGlobal(QPointF(2, 2)));
            QApplication::sendEvent(const_cast<FixButton *>(button), &enter);
            QVERIFY2(button->toolTip().contains(QStringLiteral("7 → ")), qPrintable(button->toolTip()));
            return;
        }
        QFAIL("no fix was found");
    }
};

LISTED_TEST(PlanErrorsTest)
#include "tst_plan_errors.moc"

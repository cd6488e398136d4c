// SPDX-License-Identifier: GPL-3.0-or-later
// The start page: its questions, its answers, and the plans that it opens.
#include "calculators/calculators_view.h"
#include "controls/integer_box.h"
#include "controls/notice_strip.h"
#include "controls/optional_quantity_box.h"
#include "controls/searchable_combo.h"
#include "controls/segmented.h"
#include "controls/text_label.h"
#include "evaluate/result.h"
#include "explain/explain_view.h"
#include "listed_test.h"
#include "plan/plan_page.h"
#include "search/search_view.h"
#include "sites/sites_view.h"
#include "start/answer_card.h"
#include "start/gallery.h"
#include "start/goal_tiles.h"
#include "start/plan_tile.h"
#include "start/questions_card.h"
#include "start/recent_plans.h"
#include "start/start_view.h"
#include "view_rail.h"
#include "window_fixture.h"

#include <QAccessible>
#include <QFile>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>

namespace meshwright {

namespace {

StartView &start(WindowFixture &fixture) {
    return *fixture.window().view<StartView>();
}

bool settled(WindowFixture &fixture) {
    return QTest::qWaitFor([&] { return start(fixture).isSettled() && start(fixture).answer()->answer(); }, patience);
}

void type(IntegerBox *box, const QString &text) {
    box->setFocus();
    box->selectAll();
    QTest::keyClicks(box, text);
    QTest::keyClick(box, Qt::Key_Return);
}

/// A request that is small enough for a quick search.
PlanRequest small() {
    return {.accelerators = 16, .model = "llama-3.2-1b", .sequence_length = 2048};
}

} // namespace

class TestStart : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void without_a_file_the_start_page_is_shown() {
        WindowFixture fixture(WindowFixture::startPage);
        QVERIFY(start(fixture).isVisible());
        QCOMPARE(fixture.window().rail()->current(), static_cast<QWidget *>(&start(fixture)));
    }

    void a_plan_that_is_named_is_shown_at_once() {
        WindowFixture fixture(QStringLiteral("preset:smollm-135m"));
        QVERIFY(!start(fixture).isVisible());
        QVERIFY(fixture.window().view<PlanPage>()->isVisible());
    }

    void a_file_that_does_not_open_is_announced_over_the_start_page() {
        WindowFixture fixture(QStringLiteral("/no/such/file.plan"));
        QVERIFY(start(fixture).isVisible());
        QVERIFY(fixture.window().notices()->isVisible());
        QVERIFY(fixture.window().notices()->text().contains(QLatin1String("file.plan")));
    }

    void the_keys_of_the_rail_lead_there_and_back() {
        WindowFixture fixture;
        QVERIFY(!start(fixture).isVisible());
        QTest::keyClick(&fixture.window(), Qt::Key_Home, Qt::AltModifier);
        QVERIFY(start(fixture).isVisible());
        QTest::keyClick(&fixture.window(), Qt::Key_1, Qt::ControlModifier);
        QVERIFY(fixture.window().view<PlanPage>()->isVisible());
    }

    void enter_twice_opens_the_best_plan() {
        WindowFixture fixture(WindowFixture::startPage);
        start(fixture).questions()->showRequest(small());
        auto *count = fixture.find<IntegerBox>("startCount");
        count->setFocus();
        QTest::keyClick(count, Qt::Key_Return);
        QPushButton *open = start(fixture).answer()->openButton();
        QTRY_VERIFY_WITH_TIMEOUT(open->hasFocus(), patience);
        QTest::keyClick(open, Qt::Key_Space);
        QVERIFY(fixture.window().view<PlanPage>()->isVisible());
        QVERIFY(fixture.settle());
        const PlanView &view = fixture.session().view();
        QVERIFY(view.valid && view.result);
        QVERIFY(view.result->verdict.fits);
        QVERIFY(view.result->verdict.headroom_bytes >= 0.05 * view.result->memory.capacity_bytes);
        QCOMPARE(fixture.document().name(), QStringLiteral("Llama 3.2 1B on 16 H100"));
        QVERIFY(fixture.document().path().isEmpty());
    }

    void six_answers_make_the_plan() {
        WindowFixture fixture(WindowFixture::startPage);
        PlanRequest request = small();
        request.accelerator = "a100-sxm-80gb";
        request.tokens = 30e9;
        request.stack = "torchtitan-2024";
        start(fixture).questions()->showRequest(request);
        QCOMPARE(start(fixture).questions()->request(), request);
        fixture.find<QPushButton>("findFirstPlan")->click();
        QVERIFY(settled(fixture));
        start(fixture).answer()->openButton()->click();
        QVERIFY(fixture.settle());
        const Plan &plan = fixture.session().view().plan;
        QCOMPARE(plan.cluster.accelerator_id, std::string("a100-sxm-80gb"));
        QCOMPARE(plan.cluster.accelerators(), 16);
        QCOMPARE(plan.model_id, std::string("llama-3.2-1b"));
        QCOMPARE(plan.run.tokens, 30e9);
        QCOMPARE(plan.batch.sequence_length, 2048);
        QCOMPARE(plan.stack_id, std::string("torchtitan-2024"));
    }

    void the_reasons_are_two_sentences_with_the_results_figures() {
        WindowFixture fixture(WindowFixture::startPage);
        start(fixture).questions()->showRequest(small());
        fixture.find<QPushButton>("findFirstPlan")->click();
        QVERIFY(settled(fixture));
        const QString why = start(fixture).answer()->why();
        QVERIFY2(why.contains(QLatin1String("Compute takes")), qPrintable(why));
        QVERIFY2(why.contains(QLatin1String("The next best")), qPrintable(why));
        QVERIFY2(why.contains(QLatin1String("stay free")), qPrintable(why));
    }

    void nodes_can_be_typed_as_nodes() {
        WindowFixture fixture(WindowFixture::startPage);
        auto *count = fixture.find<IntegerBox>("startCount");
        type(count, QStringLiteral("4 nodes"));
        QCOMPARE(count->value(), 32);
        type(count, QStringLiteral("33"));
        QCOMPARE(count->value(), 40); // whole nodes of 8
        type(count, QStringLiteral("nonsense"));
        QCOMPARE(count->value(), 40);
        QCOMPARE(fieldState(count), FieldState::Rejected);
    }

    void where_nothing_fits_it_says_what_would() {
        WindowFixture fixture(WindowFixture::startPage);
        PlanRequest request{.accelerators = 8, .model = "llama-3.1-70b", .sequence_length = 4096};
        start(fixture).questions()->showRequest(request);
        fixture.find<QPushButton>("findFirstPlan")->click();
        QVERIFY(settled(fixture));
        AnswerCard *answer = start(fixture).answer();
        QVERIFY(!answer->answer()->result);
        QVERIFY(!answer->openButton()->isVisible());
        QVERIFY(answer->remedyButton()->isVisible());
        answer->remedyButton()->click();
        QVERIFY(settled(fixture));
        QVERIFY(answer->answer()->result);
        QVERIFY(fixture.find<IntegerBox>("startCount")->value() > 8);
    }

    void another_answer_is_searched_by_itself() {
        WindowFixture fixture(WindowFixture::startPage);
        start(fixture).questions()->showRequest(small());
        fixture.find<QPushButton>("findFirstPlan")->click();
        QVERIFY(settled(fixture));
        type(fixture.find<IntegerBox>("startCount"), QStringLiteral("32"));
        QVERIFY(start(fixture).answer()->isStale());
        QVERIFY(settled(fixture));
        QCOMPARE(start(fixture).answer()->answer()->request.accelerators, 32);
    }

    void each_goal_opens_its_view() {
        WindowFixture fixture(WindowFixture::startPage);
        const auto open = [&](StartGoal goal) {
            QTest::keyClick(&fixture.window(), Qt::Key_Home, Qt::AltModifier);
            QTest::mouseClick(start(fixture).goals()->tile(goal), Qt::LeftButton);
            start(fixture).questions()->showRequest(small());
            fixture.find<QPushButton>("findFirstPlan")->click();
            QVERIFY(settled(fixture));
            start(fixture).answer()->openButton()->click();
        };
        open(StartGoal::Fit);
        QVERIFY(fixture.window().view<PlanPage>()->isVisible());
        open(StartGoal::Fastest);
        QVERIFY(fixture.window().view<SearchView>()->isVisible());
        open(StartGoal::Sites);
        QVERIFY(fixture.window().view<SitesView>()->isVisible());
        QVERIFY(fixture.settle());
        QCOMPARE(fixture.session().view().plan.cluster.sites, 4);
    }

    void learning_opens_a_run_in_explain_and_the_formulas() {
        WindowFixture fixture(WindowFixture::startPage);
        QTest::mouseClick(start(fixture).goals()->tile(StartGoal::Learn), Qt::LeftButton);
        QVERIFY(!start(fixture).questions()->isVisible());
        QTest::mouseClick(fixture.find<PlanTile>("gallery:smollm-135m"), Qt::LeftButton);
        QVERIFY(fixture.window().view<ExplainView>()->isVisible());
        QTest::keyClick(&fixture.window(), Qt::Key_Home, Qt::AltModifier);
        fixture.find<QPushButton>("startFormulas")->click();
        QVERIFY(fixture.window().view<CalculatorsView>()->isVisible());
    }

    void the_gallery_opens_a_preset() {
        WindowFixture fixture(WindowFixture::startPage);
        auto *tile = fixture.find<PlanTile>("gallery:smollm-135m");
        tile->setFocus();
        QTest::keyClick(tile, Qt::Key_Return);
        QVERIFY(fixture.window().view<PlanPage>()->isVisible());
        QVERIFY(fixture.settle());
        QCOMPARE(fixture.session().view().plan.model_id, std::string("smollm-135m"));
    }

    void every_card_of_the_gallery_is_evaluated_and_says_so() {
        WindowFixture fixture(WindowFixture::startPage);
        QVERIFY(settled(fixture));
        const QVector<PlanTile *> tiles = start(fixture).gallery()->tiles();
        QVERIFY(tiles.size() >= 20);
        for (const PlanTile *tile : tiles) {
            QVERIFY2(tile->isSummarised(), qPrintable(tile->id()));
            QVERIFY2(tile->summary().mfu > 0 && tile->summary().mfu < 1, qPrintable(tile->id()));
            QVERIFY2(!tile->summary().stages.isEmpty(), qPrintable(tile->id()));
            QVERIFY2(tile->accessibleDescription().contains(QLatin1String("MFU")), qPrintable(tile->id()));
        }
    }

    void the_filter_leaves_what_has_its_words() {
        WindowFixture fixture(WindowFixture::startPage);
        Gallery *gallery = start(fixture).gallery();
        gallery->filter()->setFocus();
        QTest::keyClicks(gallery->filter(), QStringLiteral("deepseek"));
        QVERIFY(!gallery->shown().isEmpty());
        for (const PlanTile *tile : gallery->shown())
            QVERIFY(tile->id().contains(QLatin1String("deepseek")));
        QTest::keyClicks(gallery->filter(), QStringLiteral(" nowhere"));
        QVERIFY(gallery->shown().isEmpty());
        gallery->filter()->clear();
        QCOMPARE(gallery->shown().size(), gallery->tiles().size());
    }

    void arrows_go_from_card_to_card() {
        WindowFixture fixture(WindowFixture::startPage);
        const QVector<PlanTile *> tiles = start(fixture).gallery()->shown();
        tiles[0]->setFocus();
        QTest::keyClick(tiles[0], Qt::Key_Right);
        QVERIFY(tiles[1]->hasFocus());
        QTest::keyClick(tiles[1], Qt::Key_Left);
        QVERIFY(tiles[0]->hasFocus());
    }

    void recent_plans_open_and_those_that_are_gone_say_so() {
        WindowFixture fixture(QStringLiteral("preset:smollm-135m"));
        fixture.prompts.path = fixture.file(QStringLiteral("mine.plan"));
        QTest::keyClick(&fixture.window(), Qt::Key_S, Qt::ControlModifier);
        QTest::keyClick(&fixture.window(), Qt::Key_Home, Qt::AltModifier);
        const auto rows = [&] { return start(fixture).recent()->rows(); };
        QTRY_VERIFY_WITH_TIMEOUT(!rows().isEmpty() && rows().constFirst()->isVisible(), patience);
        QVERIFY(rows().constFirst()->plan().exists);
        QVERIFY(rows().constFirst()->accessibleDescription().contains(QLatin1String("SmolLM")));
        QTest::mouseClick(rows().constFirst(), Qt::LeftButton);
        QVERIFY(fixture.window().view<PlanPage>()->isVisible());
        QVERIFY(fixture.document().path().endsWith(QLatin1String("mine.plan")));
        QVERIFY(QFile::remove(fixture.prompts.path));
        QTest::keyClick(&fixture.window(), Qt::Key_Home, Qt::AltModifier);
        QTRY_VERIFY_WITH_TIMEOUT(!rows().constFirst()->plan().exists, patience);
        QVERIFY(rows().constFirst()->accessibleDescription().startsWith(QLatin1String("missing")));
        QTest::mouseClick(rows().constFirst(), Qt::LeftButton);
        QVERIFY(start(fixture).isVisible());
        QVERIFY(fixture.window().notices()->isVisible());
    }

    void a_window_that_gets_smaller_cuts_nothing_off() {
        WindowFixture fixture(WindowFixture::startPage, {1600, 1000});
        QTRY_VERIFY_WITH_TIMEOUT(start(fixture).answer()->openButton()->isVisible(), patience);
        for (const QSize size : {QSize(1280, 720), QSize(1000, 600)}) {
            fixture.window().resize(size);
            QTest::qWait(200);
            const QList<QWidget *> widgets = start(fixture).findChildren<QWidget *>();
            for (const QWidget *widget : widgets)
                if (widget->isVisible() && !widget->objectName().startsWith(QLatin1String("qt_"))) {
                    const int right = widget->mapTo(&start(fixture), QPoint(widget->width(), 0)).x();
                    QVERIFY2(right <= start(fixture).width(),
                             qPrintable(QStringLiteral("%1 %2 reaches to %3 of %4")
                                            .arg(QLatin1String(widget->metaObject()->className()), widget->objectName())
                                            .arg(right)
                                            .arg(start(fixture).width())));
                }
        }
    }

    void everything_has_a_name_and_a_key() {
        WindowFixture fixture(WindowFixture::startPage);
        const QList<QWidget *> widgets = start(fixture).findChildren<QWidget *>();
        for (const QWidget *widget : widgets)
            if (widget->isVisible() && widget->focusPolicy() != Qt::NoFocus
                && !widget->objectName().startsWith(QLatin1String("qt_")))
                if (QAccessibleInterface *accessible =
                        QAccessible::queryAccessibleInterface(const_cast<QWidget *>(widget)))
                    QVERIFY2(!accessible->text(QAccessible::Name).isEmpty(), qPrintable(widget->objectName()));
    }
};

LISTED_TEST(TestStart)

} // namespace meshwright

#include "tst_start.moc"

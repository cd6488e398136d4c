// SPDX-License-Identifier: GPL-3.0-or-later
// While the user drags a slider, all cards, axes and scales keep their place.
#include "listed_test.h"
#include "window_fixture.h"

#include "canvases/memory_bars.h"
#include "canvases/step_bar.h"
#include "controls/card.h"
#include "controls/key_figure.h"
#include "controls/stepped_slider.h"
#include "plan/edit_rest.h"
#include "plan/plan_page.h"
#include "search/found_strip.h"
#include "views/problems_card.h"

#include <QMap>

using namespace meshwright;

namespace {

/// Returns the position of every card in the Plan view, by name or type. The list of problems is the last in its
/// column, so only its top is compared.
QMap<QString, QRect> places(WindowFixture &fixture) {
    QMap<QString, QRect> found;
    QWidget *page = fixture.window().view<PlanPage>();
    const auto note = [&](const QString &name, QWidget *widget) {
        if (!widget->isVisibleTo(page))
            return;
        QRect place(widget->mapTo(page, QPoint(0, 0)), widget->size());
        if (qobject_cast<ProblemsCard *>(widget) != nullptr)
            place.setHeight(0);
        found.insert(name, place);
    };
    for (Card *card : page->findChildren<Card *>())
        if (card->objectName() != QStringLiteral("memoryTableCard"))
            note(card->objectName(), card);
    for (KeyFigure *figure : page->findChildren<KeyFigure *>())
        note(figure->objectName(), figure);
    for (FoundStrip *strip : page->findChildren<FoundStrip *>())
        note(QStringLiteral("found"), strip);
    return found;
}

QString differences(const QMap<QString, QRect> &before, const QMap<QString, QRect> &after) {
    QString said;
    for (const QString &name : (before.keys() + after.keys()))
        if (before.value(name) != after.value(name)) {
            const QRect &a = before[name];
            const QRect b = after.value(name);
            said += QStringLiteral("%1: %2,%3 %4x%5 -> %6,%7 %8x%9\n")
                        .arg(name)
                        .arg(a.x())
                        .arg(a.y())
                        .arg(a.width())
                        .arg(a.height())
                        .arg(b.x())
                        .arg(b.y())
                        .arg(b.width())
                        .arg(b.height());
        }
    return said;
}

/// Leaves the data degree to the planner, so that another degree keeps the plan valid.
void deriveData(WindowFixture &fixture) {
    fixture.document().apply({.field = {},
                              .subject = QStringLiteral("Derive data parallel size"),
                              .from = {},
                              .to = {},
                              .patch = R"({"parallelism": {"data": null}})",
                              .pace = EditPace::Settled});
    QVERIFY(fixture.settle());
}

double reach(const StackedBars *bars) {
    return bars->currentConfiguration().scale.high;
}

} // namespace

class SteadyTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nothing_moves_while_a_slider_does_data() {
        QTest::addColumn<QString>("plan");
        QTest::addColumn<QString>("slider");
        QTest::addColumn<QSize>("size");
        QTest::addColumn<int>("first"); // the direction in which the slider can move
        QTest::newRow("tensor, small window") << QStringLiteral("preset:pretrain-8b") << QStringLiteral("tensorSlider")
                                              << QSize(1280, 720) << int(Qt::Key_Right);
        QTest::newRow("pipeline, usual window")
            << QStringLiteral("preset:pretrain-8b") << QStringLiteral("pipelineSlider") << QSize(1600, 1000)
            << int(Qt::Key_Right);
        QTest::newRow("tensor, large window") << QStringLiteral("preset:ten-to-25") << QStringLiteral("tensorSlider")
                                              << QSize(2560, 1440) << int(Qt::Key_Left);
    }

    void nothing_moves_while_a_slider_does() {
        QFETCH(QString, plan);
        QFETCH(QString, slider);
        QFETCH(QSize, size);
        QFETCH(int, first);
        WindowFixture fixture(plan, size);
        deriveData(fixture);
        const auto away = static_cast<Qt::Key>(first);
        const Qt::Key back = away == Qt::Key_Left ? Qt::Key_Right : Qt::Key_Left;
        auto *moved = fixture.find<SteppedSlider>(qPrintable(slider));
        fixture.reveal(moved);
        moved->setFocus();
        QTest::qWait(EditRest::After + 200);
        const auto *memory = fixture.find<MemoryBars>("memoryBars");
        const auto *step = fixture.find<StepBar>("stepBar");
        // Moving the slider away and back changes headroom, verdict and run time.
        QTest::keyClick(moved, away);
        QVERIFY(fixture.settle());
        const QMap<QString, QRect> before = places(fixture);
        QVERIFY(before.size() > 6);
        double memoryReach = reach(memory);
        double stepReach = reach(step);
        QSet<double> seconds;
        for (const Qt::Key key : {away, away, back, back, back}) {
            QTest::keyClick(moved, key);
            for (int look = 0; look < 4; ++look) {
                QTest::qWait(60);
                const QString different = differences(before, places(fixture));
                QVERIFY2(different.isEmpty(), qPrintable(different));
                QVERIFY2(reach(memory) >= memoryReach, "the memory axis shrank");
                QVERIFY2(reach(step) >= stepReach, "the step's axis shrank");
                memoryReach = reach(memory);
                stepReach = reach(step);
            }
            seconds.insert(fixture.session().view().result->step.seconds);
        }
        QVERIFY2(seconds.size() > 1, "moving the slider did not change the step time");
    }

    void at_rest_the_axis_fits_the_bars_again() {
        WindowFixture fixture(QStringLiteral("preset:ten-to-25"));
        deriveData(fixture);
        QTest::qWait(EditRest::After + 300);
        const auto *memory = fixture.find<MemoryBars>("memoryBars");
        const auto set = [&](int tensor) {
            fixture.document().apply({.field = QStringLiteral("/parallelism/tensor"),
                                      .subject = QStringLiteral("Tensor"),
                                      .from = {},
                                      .to = QString::number(tensor),
                                      .patch = nlohmann::ordered_json{{"parallelism", {{"tensor", tensor}}}}.dump(),
                                      .pace = EditPace::Live});
            QVERIFY(fixture.settle());
        };
        const double before = reach(memory);
        const int tensor = static_cast<int>(fixture.session().view().plan.parallelism.tensor);
        set(4);
        const double during = reach(memory);
        QVERIFY(during > before);
        set(tensor);
        QCOMPARE(reach(memory), during);
        QTest::qWait(EditRest::After + 300);
        QCOMPARE(reach(memory), before);
    }
};

LISTED_TEST(SteadyTest)
#include "tst_steady.moc"

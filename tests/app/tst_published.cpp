// SPDX-License-Identifier: GPL-3.0-or-later
#include "controls/text_label.h"
#include "figures/figure_label.h"
#include "figures/figure_text.h"
#include "listed_test.h"
#include "preset_menu.h"
#include "published/published_card.h"
#include "published/published_dialog.h"
#include "window_fixture.h"

#include <QAction>
#include <QDialog>
#include <QPushButton>
#include <QTableView>
#include <QTest>

using namespace meshwright;

/// Published figures next to predictions: on the plan's page, and for all presets in a table.
class PublishedTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void thePlanShowsItsPublishedFigures();
    void aPlanWithoutReportShowsNoCard();
    void anEditMarksThePlanAsChanged();
    void allPresetsAreInASortableTable();
    void aRowOpensItsPlan();
    void runsWithTooLittleDisclosedHaveACard();
};

namespace {

PublishedDialog *openTable(WindowFixture &fixture) {
    fixture.find<QAction>("publishedRunsAction")->trigger();
    auto *dialog = fixture.window().findChild<PublishedDialog *>();
    return dialog != nullptr && QTest::qWaitFor([dialog] { return dialog->isReady(); }, 60'000) ? dialog : nullptr;
}

} // namespace

void PublishedTest::thePlanShowsItsPublishedFigures() {
    WindowFixture fixture(QStringLiteral("preset:palm-540b"));
    QVERIFY(fixture.settle());
    auto *card = fixture.find<PublishedCard>("publishedCard");
    QVERIFY(card->isVisible());
    QStringList shown;
    for (const FigureLabel *label : card->findChildren<FigureLabel *>())
        if (label->isVisible())
            shown.append(label->text());
    const Result &result = *fixture.session().view().result;
    QVERIFY(result.published.size() >= 5);
    for (const PublishedComparison &figure : result.published) {
        QVERIFY2(shown.contains(publishedText(figure.value, figure.quantity)), figure.figure.c_str());
        QVERIFY2(shown.contains(publishedText(figure.predicted, figure.quantity)), figure.figure.c_str());
        QVERIFY2(shown.contains(publishedDifference(figure)), figure.figure.c_str());
    }
    const auto *note = fixture.find<TextLabel>("publishedNote");
    QVERIFY(note->text().contains(QLatin1String("arXiv 2204.02311")));
}

void PublishedTest::aPlanWithoutReportShowsNoCard() {
    WindowFixture fixture(QStringLiteral("preset:pretrain-8b"));
    QVERIFY(fixture.settle());
    QVERIFY(!fixture.find<PublishedCard>("publishedCard")->isVisible());
}

void PublishedTest::anEditMarksThePlanAsChanged() {
    WindowFixture fixture(QStringLiteral("preset:deepseek-v3"));
    QVERIFY(fixture.settle());
    const auto *card = fixture.find<PublishedCard>("publishedCard");
    QVERIFY(!fixture.session().view().plan.published.plan_changed);
    fixture.document().apply(
        {.subject = QStringLiteral("test"), .patch = R"({"recompute":{"mode":"full","modules":null}})"});
    QVERIFY(fixture.settle());
    QVERIFY(fixture.session().view().plan.published.plan_changed);
    QVERIFY(card->isVisible());
    fixture.document().undoStack()->undo();
    QVERIFY(fixture.settle());
    QVERIFY(!fixture.session().view().plan.published.plan_changed);
}

void PublishedTest::allPresetsAreInASortableTable() {
    WindowFixture fixture(QStringLiteral("preset:smollm-135m"));
    QVERIFY(fixture.settle());
    PublishedDialog *dialog = openTable(fixture);
    QVERIFY(dialog != nullptr);
    QTableView *table = dialog->table();
    QVERIFY(table->model()->rowCount() >= 30);
    for (const int column : {PublishedModel::Size, PublishedModel::MfuPublished, PublishedModel::Difference}) {
        table->sortByColumn(column, Qt::AscendingOrder);
        double last = -std::numeric_limits<double>::infinity();
        for (int row = 0; row < table->model()->rowCount(); ++row) {
            const double value = table->model()->index(row, column).data(PublishedModel::SortRole).toDouble();
            QVERIFY(value >= last);
            last = value;
        }
    }
    dialog->reject();
}

void PublishedTest::aRowOpensItsPlan() {
    WindowFixture fixture(QStringLiteral("preset:smollm-135m"));
    QVERIFY(fixture.settle());
    PublishedDialog *dialog = openTable(fixture);
    QVERIFY(dialog != nullptr);
    const QAbstractItemModel *model = dialog->table()->model();
    for (int row = 0; row < model->rowCount(); ++row)
        if (model->index(row, 0).data(PublishedModel::IdRole) == QStringLiteral("palm-540b"))
            dialog->table()->setCurrentIndex(model->index(row, 0));
    QTest::mouseClick(dialog->findChild<QPushButton *>(QStringLiteral("openPublished")), Qt::LeftButton);
    QVERIFY(fixture.settle());
    QCOMPARE(fixture.json()["id"].get<std::string>(), std::string("palm-540b"));
}

void PublishedTest::runsWithTooLittleDisclosedHaveACard() {
    WindowFixture fixture(QStringLiteral("preset:smollm-135m"));
    QVERIFY(fixture.settle());
    PresetMenu *menu = fixture.window().presetMenu();
    menu->fill();
    for (const char *id : {"palm-2", "gemini-1.0", "gemini-1.5"}) {
        auto *action = menu->findChild<QAction *>(QLatin1String(id));
        QVERIFY2(action != nullptr, id);
        action->trigger();
        auto *dialog = fixture.window().findChild<QDialog *>(QStringLiteral("planCard"));
        QVERIFY2(dialog != nullptr, id);
        QString all;
        for (const TextLabel *label : dialog->findChildren<TextLabel *>())
            all += label->text() + QLatin1Char('\n');
        QVERIFY(all.contains(QLatin1String("Not disclosed")));
        QVERIFY(all.contains(QLatin1String("Parallelism")));
        QVERIFY(all.contains(QLatin1String("TPU v4")));
        delete dialog;
    }
    QCOMPARE(fixture.edits(), 0);
}

LISTED_TEST(PublishedTest)
#include "tst_published.moc"

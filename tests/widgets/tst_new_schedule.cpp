// SPDX-License-Identifier: GPL-3.0-or-later
// A registered schedule must appear in the window's lists under the title of its definition.
#include "gantt/pipeline_toolbar.h"
#include "gantt/schedule_names.h"
#include "listed_test.h"
#include "pipeline/order.h"
#include "theme/theme.h"

#include <QComboBox>
#include <QMenu>
#include <QPushButton>
#include <QTest>

using namespace meshwright;

class NewScheduleTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void standsInTheWindowsLists();
};

void NewScheduleTest::standsInTheWindowsLists() {
    const Schedule added =
        register_schedule({.name = "backwards", .title = "Back to Front", .generate = [](const OrderRequest &) {
                               return OperationOrder{};
                           }});
    QCOMPARE(scheduleText(added), QStringLiteral("Back to Front"));
    const PipelineToolbar toolbar;
    const auto *schedules = toolbar.findChild<QComboBox *>(QStringLiteral("pipelineSchedule"));
    QVERIFY(schedules != nullptr);
    QCOMPARE(schedules->itemText(static_cast<int>(added)), QStringLiteral("Back to Front"));
    const auto *compare = toolbar.findChild<QPushButton *>(QStringLiteral("compareSchedules"));
    QVERIFY(compare != nullptr);
    QCOMPARE(compare->menu()->actions().last()->text(), QStringLiteral("Back to Front"));
}

LISTED_TEST(NewScheduleTest)
#include "tst_new_schedule.moc"

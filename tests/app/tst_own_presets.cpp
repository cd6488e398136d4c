// SPDX-License-Identifier: GPL-3.0-or-later
#include "listed_test.h"
#include "window_fixture.h"

#include "catalog/library.h"
#include "controls/notice_strip.h"
#include "main_window.h"
#include "views/preset_items.h"

#include <QDir>
#include <QFile>
#include <QPushButton>
#include <QTemporaryDir>

#include <algorithm>

using namespace meshwright;

namespace {

const QLatin1String mark("(yours, overrides the built-in preset)");

} // namespace

/// Checks how the window shows the user's own presets. Each process reads the library once, so the files exist before
/// that.
class OwnPresetsTest : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_home;

    void keep(const QString &kind, const QString &id, const QByteArray &content) {
        const QString folder = m_home.filePath(QStringLiteral("meshwright/presets/") + kind);
        QVERIFY(QDir().mkpath(folder));
        QFile file(folder + QLatin1Char('/') + id + QStringLiteral(".json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QVERIFY(file.write(content) == content.size());
    }

private Q_SLOTS:
    void initTestCase() {
        keep(QStringLiteral("accelerators"), QStringLiteral("h100-sxm-80gb"),
             R"({"id": "h100-sxm-80gb", "name": "H100 of mine", "peak_flops_per_second": {"bf16": 1.978e15},
                 "memory_bytes": 85.5e9, "memory_bandwidth_bytes_per_second": 3.35e12})");
        keep(QStringLiteral("models"), QStringLiteral("cut-off"), R"({"id": "cut-off")");
        qputenv("XDG_DATA_HOME", m_home.path().toUtf8());
    }

    void a_preset_that_hides_a_built_in_one_is_marked_where_it_is_chosen() {
        const QVector<ComboItem> items = presetItems(Library::standard(), PresetKind::accelerator);
        const auto marked =
            std::count_if(items.begin(), items.end(), [](const ComboItem &item) { return item.text.contains(mark); });
        QCOMPARE(marked, 1);
        const auto mine = std::find_if(items.begin(), items.end(),
                                       [](const ComboItem &item) { return item.id == QLatin1String("h100-sxm-80gb"); });
        QVERIFY(mine != items.end());
        QCOMPARE(mine->text, QStringLiteral("H100 of mine (yours, overrides the built-in preset)"));
    }

    void the_window_says_what_overrides_and_what_is_invalid_until_it_is_dismissed() {
        WindowFixture fixture(QStringLiteral("preset:smollm-135m"));
        auto *bar = fixture.find<NoticeStrip>("presetBar");
        QVERIFY(bar->isVisible());
        QVERIFY2(bar->text().contains(QStringLiteral("override built-in ones: h100-sxm-80gb")),
                 qPrintable(bar->text()));
        QVERIFY2(bar->text().contains(QStringLiteral("invalid")), qPrintable(bar->text()));
        QVERIFY2(bar->text().contains(QStringLiteral("cut-off.json")), qPrintable(bar->text()));
        const QList<QPushButton *> buttons = bar->findChildren<QPushButton *>();
        const auto dismiss = std::find_if(buttons.begin(), buttons.end(), [](const QPushButton *button) {
            return button->isVisible() && button->text() == QLatin1String("Dismiss");
        });
        QVERIFY(dismiss != buttons.end());
        QTest::mouseClick(*dismiss, Qt::LeftButton);
        QVERIFY(!bar->isVisible());
    }

    void a_plan_that_uses_it_has_a_warning() {
        WindowFixture fixture(QStringLiteral("preset:pretrain-8b"));
        const PlanView &view = fixture.session().view();
        QVERIFY(view.result != nullptr);
        const auto &all = view.result->diagnostics;
        QVERIFY(std::any_of(all.begin(), all.end(), [](const Diagnostic &one) {
            return one.code == "own-preset" && one.fields.front() == "/cluster/accelerator";
        }));
    }
};

LISTED_TEST(OwnPresetsTest)
#include "tst_own_presets.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/library.h"
#include "column_memory.h"
#include "evidence/column_mapping.h"
#include "listed_test.h"
#include "theme_choice.h"
#include "window_fixture.h"

#include <QFile>
#include <QRandomGenerator>
#include <QScreen>
#include <QTest>

using namespace meshwright;

namespace {

constexpr const char *tableText = "name,gpus,tp,step_time_ms\nrun,8,2,400\n";

QByteArray contentOf(const QString &path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void write(const QString &path, const QByteArray &content) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(content);
}

/// Settings file of a used window, in which every setting has a value.
QByteArray usedSettings() {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("settings.ini"));
    {
        Settings settings(path);
        settings.set(Setting::Theme, 2);
        settings.set(Setting::RecentFiles, QStringList{QStringLiteral("/nonexistent/a.plan"), folder.path()});
        settings.set(Setting::LastFolder, folder.path());
        const CsvTable table = read_csv(tableText);
        ColumnMemory(settings).remember(table, guessed_mapping(table));
        ScriptedPrompts prompts;
        MainWindow window(Library::standard(), settings, prompts, folder.filePath(QStringLiteral("autosave")));
        window.openAtStart({});
        window.show();
        settings.set(Setting::Geometry, window.saveGeometry());
        settings.set(Setting::Layout, window.saveState(Settings::LayoutVersion));
        settings.set(Setting::FoldedPanels, QVariantMap{{QStringLiteral("model"), true}});
        settings.set(Setting::FoldedDetails, QVariantMap{{QStringLiteral("run"), false}});
    }
    return contentOf(path);
}

QByteArray changed(QByteArray content, QRandomGenerator &random) {
    static const QList<QByteArray> words{
        "\0", "\\x", "@Variant(\\0\\0\\0\\x7f", "@ByteArray(", "@Invalid()", "999999999999", "-1", ")", "[", "\n", "=",
        ",",  "\xff"};
    for (quint32 left = 1 + random.bounded(8u); left > 0; --left) {
        const auto at = static_cast<qsizetype>(random.bounded(static_cast<quint32>(content.size())));
        switch (random.bounded(5u)) {
        case 0:
            content[at] = static_cast<char>(random.bounded(256u));
            break;
        case 1:
            content.remove(at, 1 + random.bounded(40));
            break;
        case 2:
            content.insert(at, content.mid(at, 1 + random.bounded(200)));
            break;
        case 3:
            content.replace(at, 1, words.at(random.bounded(static_cast<int>(words.size()))));
            break;
        default:
            content.insert(at, words.at(random.bounded(static_cast<int>(words.size()))));
        }
        if (content.isEmpty())
            content = "x";
    }
    return content;
}

void readAll(const QString &path) {
    Settings settings(path);
    (void)ThemeChoice::stored(settings);
    (void)ColumnMemory(settings).mappingOf(read_csv(tableText));
    for (int setting = 0; setting <= static_cast<int>(Setting::Calculators); ++setting) {
        const QVariant value = settings.value(static_cast<Setting>(setting));
        (void)value.toMap();
        (void)value.toStringList();
        (void)value.toByteArray();
    }
}

} // namespace

/// The program starts, no matter what the settings file contains.
class HostileSettingsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        m_used = usedSettings();
        QVERIFY2(m_used.size() > 500 && m_used.contains("column-mappings") && m_used.contains("geometry"),
                 "something to change");
    }

    void are_read_whatever_their_bytes_are() {
        QRandomGenerator random(20261121);
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("settings.ini"));
        for (int i = 0; i < 3000; ++i) {
            write(path, changed(m_used, random));
            readAll(path);
        }
    }

    void open_a_window_whatever_their_bytes_are() {
        QRandomGenerator random(4711);
        const QTemporaryDir folder;
        for (int i = 0; i < 12; ++i) {
            const QString path = folder.filePath(QStringLiteral("settings-%1.ini").arg(i));
            write(path, changed(m_used, random));
            Settings settings(path);
            ScriptedPrompts prompts;
            MainWindow window(Library::standard(), settings, prompts, folder.filePath(QStringLiteral("autosave")));
            window.openAtStart({});
            window.show();
            QVERIFY(QTest::qWaitForWindowExposed(&window));
            const QRect seen = window.geometry().intersected(window.screen()->geometry());
            QVERIFY2(seen.width() >= 300 && seen.height() >= 300,
                     qPrintable(QStringLiteral("%1: the window is %2 x %3 at %4, %5")
                                    .arg(i)
                                    .arg(window.width())
                                    .arg(window.height())
                                    .arg(window.x())
                                    .arg(window.y())));
        }
    }

private:
    QByteArray m_used;
};

LISTED_TEST(HostileSettingsTest)
#include "tst_hostile_settings.moc"

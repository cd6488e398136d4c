// SPDX-License-Identifier: GPL-3.0-or-later
#include "autosave.h"
#include "catalog/library.h"
#include "input/diagnostic.h"
#include "input/json_document.h"
#include "listed_test.h"
#include "plan/plan_json.h"
#include "plan_document.h"
#include "window_fixture.h"

#include <QDir>
#include <QSettings>
#include <QSignalSpy>

using namespace meshwright;
using nlohmann::ordered_json;

namespace {

QString dataFile(const QString &name) {
    return QStringLiteral(MESHWRIGHT_TEST_DATA "/versions/") + name;
}

ordered_json contentOf(const QString &path) {
    return read_json_file(path.toStdString());
}

/// Converts to JSON with sorted keys, because their order does not matter.
nlohmann::json unordered(const ordered_json &document) {
    return nlohmann::json::parse(document.dump());
}

} // namespace

/// Tests files of earlier and later versions: tests/data/versions has one file per schema that was ever written.
class VersionsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void plans_of_every_version_so_far_open_and_are_written_as_they_were_data() {
        QTest::addColumn<QString>("name");
        for (const QString &name : QDir(dataFile({})).entryList({QStringLiteral("plan-1*.plan")}))
            QTest::newRow(qPrintable(name)) << name;
    }

    void plans_of_every_version_so_far_open_and_are_written_as_they_were() {
        QFETCH(const QString, name);
        const QTemporaryDir folder;
        PlanDocument document(Library::standard());
        document.open(dataFile(name));
        const PlanReading reading = read_plan(*document.json(), Library::standard());
        // Fields renamed since the file was written are reported one by one; the plan opens and can be corrected.
        for (const Diagnostic &diagnostic : reading.diagnostics)
            QVERIFY2(diagnostic.severity != Severity::error || diagnostic.message.text.starts_with("unknown field"),
                     diagnostic.message.text.c_str());
        QCOMPARE(reading.valid(), name != QStringLiteral("plan-1-first-llama3-405b-16k.plan"));
        document.save(folder.filePath(name));
        QVERIFY(unordered(contentOf(folder.filePath(name))) == unordered(contentOf(dataFile(name))));
    }

    void a_plan_of_a_newer_version_says_so_and_stays_as_it_is() {
        PlanDocument document(Library::standard());
        try {
            document.open(dataFile(QStringLiteral("plan-2.plan")));
            QFAIL("a plan of a later version must not open");
        } catch (const InputError &error) {
            const std::string message = error.diagnostics().front().message.text;
            QCOMPARE(QString::fromStdString(message),
                     QStringLiteral(
                         "`schema` is \"meshwright.plan/2\", from a newer version of Meshwright; this version reads "
                         "\"meshwright.plan/1\""));
        }
        const PlanReading reading = read_plan(contentOf(dataFile(QStringLiteral("plan-2.plan"))), Library::standard());
        QVERIFY(reading.diagnostics.front().message.text.find("newer version") != std::string::npos);
    }

    void recovery_copies_of_every_version_so_far_are_offered() {
        for (const char *name : {"recovery-first.plan", "recovery-1.plan"}) {
            const LeftBehind left = readCopy(dataFile(QLatin1String(name)));
            QCOMPARE(left.name, QStringLiteral("Kept"));
            QCOMPARE(left.origin.path(), QStringLiteral("/home/user/kept.plan"));
            QCOMPARE(left.document->at("batch").at("sequence_length").get<int>(), 2048);
        }
        QCOMPARE(readCopy(dataFile(QStringLiteral("recovery-1.plan"))).origin.seen(), QByteArray::fromHex("00ff"));
    }

    void a_recovery_copy_of_a_newer_version_is_named_and_left_to_it() {
        const QTemporaryDir folder;
        const QString copy = folder.filePath(QStringLiteral("tomorrow.plan"));
        QVERIFY(QFile::copy(dataFile(QStringLiteral("recovery-2.plan")), copy));
        PlanDocument document(Library::standard());
        Autosave autosave(document, folder.path());
        QSignalSpy unreadable(&autosave, &Autosave::unreadable);
        QVERIFY(!autosave.leftBehind());
        QVERIFY(QFile::exists(copy));
        QVERIFY(!QFile::exists(copy + QStringLiteral(".lock")));
        QCOMPARE(unreadable.size(), 1);
        QVERIFY(unreadable.first().first().toString().contains(QStringLiteral("“From tomorrow”")));
    }

    void what_a_copy_holds_is_read_again_whatever_the_plan_is() {
        // A plan at the limit of depth, the same plan in a snapshot, and one over the limit of size.
        ordered_json deep = 1;
        for (int i = 0; i < deepest_input_nesting - 1; ++i)
            deep = ordered_json{{"a", std::move(deep)}};
        const auto plan =
            std::make_shared<ordered_json>(ordered_json{{"schema", "meshwright.plan/1"}, {"notes", std::move(deep)}});
        const RecoveryCopy copies[] = {
            {.name = {}, .origin = {}, .document = plan, .snapshots = {{.name = {}, .time = {}, .plan = plan}}},
            {.name = {},
             .origin = {},
             .document = std::make_shared<ordered_json>(ordered_json{{"notes", std::string(largest_input_bytes, '"')}}),
             .snapshots = {}}};
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("a.plan"));
        for (const RecoveryCopy &copy : copies) {
            write_file_atomically(file.toStdString(), textOf(copy));
            QVERIFY(*readCopy(file).document == withSnapshots(*copy.document, copy.snapshots));
        }
    }

    void snapshots_of_other_versions_are_kept() {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("a.plan"));
        ordered_json plan = contentOf(dataFile(QStringLiteral("plan-1.plan")));
        plan["snapshots"][0]["time"] = "2026-11-23T10:00:00.250+01:00";
        plan["snapshots"][0]["author"] = "of a version to come";
        plan["snapshots"].push_back({{"branch", 1}});
        PlanDocument document(Library::standard());
        for (const ordered_json &snapshots : {plan["snapshots"], ordered_json{{"tree", 1}}, ordered_json("none")}) {
            plan["snapshots"] = snapshots;
            write_file_atomically(file.toStdString(), plan.dump());
            document.open(file);
            document.save(file);
            const ordered_json saved = contentOf(file).at("snapshots");
            QCOMPARE(saved.size(), snapshots.size());
            for (const ordered_json &each : snapshots.is_array() ? snapshots : ordered_json::array({snapshots}))
                QVERIFY(saved == each || std::find(saved.begin(), saved.end(), each) != saved.end());
            document.addSnapshot(QStringLiteral("mine"));
            document.save(file);
            QCOMPARE(contentOf(file).at("snapshots").back().at("name").get<std::string>(), std::string("mine"));
        }
    }

    void settings_of_another_version_open_the_window_and_stay() {
        for (const char *name : {"settings-1.ini", "settings-2.ini"}) {
            const QTemporaryDir folder;
            const QString file = folder.filePath(QStringLiteral("settings.ini"));
            QVERIFY(QFile::copy(dataFile(QLatin1String(name)), file));
            QVERIFY(QFile::setPermissions(file, QFile::ReadOwner | QFile::WriteOwner));
            ScriptedPrompts prompts;
            {
                Settings settings(file);
                MainWindow window(Library::standard(), settings, prompts, folder.filePath(QStringLiteral("autosave")));
                window.openAtStart({});
                window.show();
                QVERIFY(window.close());
            }
            const QSettings left(file, QSettings::IniFormat);
            QCOMPARE(left.status(), QSettings::NoError);
            if (QLatin1String(name) == QLatin1String("settings-2.ini")) {
                QCOMPARE(left.value(QStringLiteral("pages/shown")).toInt(), 4);
                QCOMPARE(left.value(QStringLiteral("appearance/contrast")).toString(), QStringLiteral("high"));
                QCOMPARE(left.value(QStringLiteral("window/layout-2")).toByteArray(),
                         QByteArray("of a version to come"));
            } else {
                QCOMPARE(left.value(QStringLiteral("files/recent")).toStringList().size(), 2);
                QCOMPARE(left.value(QStringLiteral("appearance/theme")).toInt(), 1);
            }
        }
    }

    void settings_that_do_not_read_are_set_aside_each_time() {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("settings.ini"));
        for (const char *aside : {".unread", ".unread-2"}) {
            QVERIFY(QDir().mkdir(file)); // a folder is as invalid as a pipe
            const Settings settings(file);
            QVERIFY(QFileInfo::exists(file + QLatin1String(aside)));
        }
        QFile torn(file);
        QVERIFY(torn.open(QIODevice::WriteOnly));
        torn.write("[window\nwithout an end = 1");
        torn.close();
        Settings settings(file);
        settings.set(Setting::PanelsShown, false);
        settings.sync();
        QVERIFY(QFileInfo::exists(file + QStringLiteral(".unread-3")));
        QVERIFY(!QSettings(file, QSettings::IniFormat).value(QStringLiteral("window/panels-shown")).toBool());
    }

    void what_killed_programs_left_of_the_settings_is_cleared_away() {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("settings.ini"));
        const QStringList left{QStringLiteral("settings.ini.lock"), QStringLiteral("settings.ini.aBcDeF")};
        const QStringList kept{QStringLiteral("settings.ini.backup"), QStringLiteral("settings.ini.unread")};
        for (const QString &name : left + kept) {
            QFile made(folder.filePath(name));
            QVERIFY(made.open(QIODevice::WriteOnly));
            if (name == left.first()) // a program in a container wrote it, with this process's id
                made.write(QByteArray::number(QCoreApplication::applicationPid()) + "\nmeshwright\nlocalhost\n");
        }
        const Settings settings(file);
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files, QDir::Name), kept);
    }
};

LISTED_TEST(VersionsTest)
#include "tst_versions.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "settings.h"

#include "file_lock.h"
#include "set_aside.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>
#include <QStringList>

#include <algorithm>

namespace meshwright {

namespace {

struct Entry {
    Setting setting;
    const char *name;
    QVariant fallback;
};

const Entry &entryOf(Setting setting) {
    static const Entry table[] = {
        {Setting::Theme, "appearance/theme", 0},
        {Setting::Geometry, "window/geometry", QByteArray()},
        {Setting::Layout, "window/layout", QByteArray()},
        {Setting::PanelsShown, "window/panels-shown", true},
        {Setting::DetailsShown, "window/details-shown", true},
        {Setting::FoldedPanels, "window/folded", QVariantMap()},
        {Setting::FoldedDetails, "window/folded-details", QVariantMap()},
        {Setting::RecentFiles, "files/recent", QStringList()},
        {Setting::LastFolder, "files/folder", QString()},
        {Setting::ColumnMappings, "evidence/column-mappings", QStringList()},
        {Setting::Calculators, "calculators/open",
         QStringList{QStringLiteral(R"({"formula":"ring-all-reduce","result":"seconds"})"),
                     QStringLiteral(R"({"formula":"compute-optimal"})"),
                     QStringLiteral(R"({"formula":"checkpoint-waste","against":"interval_seconds"})")}},
        {Setting::ReportSections, "report/sections", QString()},
        {Setting::ReportPaper, "report/paper", QStringLiteral("a4")},
        {Setting::LessonProgress, "lessons/progress", QByteArray()},
    };
    return table[static_cast<std::size_t>(setting)];
}

/// Whether the letters look like QSaveFile's random suffix ("aBcDef") and not like a word ("backup", "Backup").
bool isDrawn(const QString &letters) {
    constexpr int length = 6;
    const auto isLetter = [](QChar c) { return (c >= u'a' && c <= u'z') || (c >= u'A' && c <= u'Z'); };
    const auto isUpper = [](QChar c) { return c.isUpper(); };
    return letters.size() == length && std::all_of(letters.begin(), letters.end(), isLetter)
        && std::any_of(letters.begin() + 1, letters.end(), isUpper)
        && !std::all_of(letters.begin(), letters.end(), isUpper);
}

/// Removes the lock and temporary files of QSettings that killed processes left behind.
void clearLeft(const QString &file) {
    const QFileInfo info(file);
    // The kernel releases the lock of a dead process. QSettings instead checks the process id, which another process
    // may reuse.
    const std::unique_ptr<FileLock> lock = FileLock::tryToHold(file + QStringLiteral(".lock"));
    if (lock == nullptr)
        return; // another window is writing the settings
    const QDir folder = info.absoluteDir();
    for (const QString &left : folder.entryList({info.fileName() + QStringLiteral(".*")}, QDir::Files))
        if (isDrawn(QFileInfo(left).suffix()))
            QFile::remove(folder.filePath(left));
}

/// Renames the file if it is a pipe (QSettings would block), too large, or not a settings file (QSettings would
/// overwrite it).
QString readable(const QString &file) {
    constexpr qint64 most = 4 << 20;
    const QFileInfo info(file);
    if (!info.exists())
        return file;
    const bool reads =
        info.isFile() && info.size() <= most && QSettings(file, QSettings::IniFormat).status() == QSettings::NoError;
    // If the file cannot be renamed, settings last only for this session.
    return reads || !setAside(file).isEmpty() ? file : file + QStringLiteral(".none");
}

QString prepared(const QString &file) {
    clearLeft(file);
    return readable(file);
}

} // namespace

Settings::Settings()
    : Settings(QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation)
               + QStringLiteral("/meshwright/meshwright.ini")) { }

Settings::Settings(const QString &file)
    : m_store(std::make_unique<QSettings>(prepared(file), QSettings::IniFormat)) { }

QVariant Settings::value(Setting setting) const {
    const Entry &entry = entryOf(setting);
    return m_store->value(QLatin1String(entry.name), entry.fallback);
}

void Settings::set(Setting setting, const QVariant &value) {
    m_store->setValue(QLatin1String(entryOf(setting).name), value);
}

void Settings::remove(Setting setting) {
    m_store->remove(QLatin1String(entryOf(setting).name));
}

void Settings::sync() {
    m_store->sync();
}

} // namespace meshwright

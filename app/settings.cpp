// SPDX-License-Identifier: GPL-3.0-or-later
#include "settings.h"

#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>
#include <QStringList>

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
    };
    return table[static_cast<std::size_t>(setting)];
}

/// A pipe would be waited for, and gigabytes would be read: what is no file of settings is set aside.
const QString &readable(const QString &file) {
    constexpr qint64 most = 4 << 20;
    const QFileInfo info(file);
    if (info.exists() && (!info.isFile() || info.size() > most))
        QFile::rename(file, file + QStringLiteral(".unread"));
    return file;
}

} // namespace

Settings::Settings()
    : Settings(QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation)
               + QStringLiteral("/meshwright/meshwright.ini")) { }

Settings::Settings(const QString &file)
    : m_store(std::make_unique<QSettings>(readable(file), QSettings::IniFormat)) { }

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

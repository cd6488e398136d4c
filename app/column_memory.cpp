// SPDX-License-Identifier: GPL-3.0-or-later
#include "column_memory.h"

#include "settings.h"

#include <QCryptographicHash>
#include <QStringList>

namespace meshwright {

namespace {

constexpr int maxMappings = 40;
constexpr int longestMapping = 100'000; // characters; enough for 1,000 columns

/// Settings key of a table's column mapping: a hash of the column names, so that each table has its own key.
QString keyOf(const CsvTable &table) {
    QCryptographicHash hash(QCryptographicHash::Sha256);
    for (const std::string &name : table.columns) {
        hash.addData(QByteArrayView(name.data(), static_cast<qsizetype>(name.size())));
        hash.addData(QByteArrayView("\n", 1));
    }
    return QString::fromLatin1(hash.result().toHex()) + QLatin1Char(' ');
}

} // namespace

std::optional<ColumnMapping> ColumnMemory::mappingOf(const CsvTable &table) const {
    const QString key = keyOf(table);
    const QStringList kept = m_settings.value(Setting::ColumnMappings).toStringList();
    for (const QString &each : kept) {
        if (!each.startsWith(key))
            continue;
        const std::string text = each.mid(key.size()).toStdString();
        const ColumnMapping mapping = parse_mapping(text, table);
        // Ignores a corrupted entry, because a mapping guessed from it would not be the user's choice.
        return text_of(mapping) == text ? std::optional(mapping) : std::nullopt;
    }
    return std::nullopt;
}

void ColumnMemory::remember(const CsvTable &table, const ColumnMapping &mapping) {
    const QString key = keyOf(table);
    QStringList kept = m_settings.value(Setting::ColumnMappings).toStringList();
    kept.removeIf([&](const QString &each) { return each.startsWith(key); });
    if (const QString text = QString::fromStdString(text_of(mapping)); text.size() <= longestMapping)
        kept.prepend(key + text);
    m_settings.set(Setting::ColumnMappings, QStringList(kept.mid(0, maxMappings)));
}

} // namespace meshwright

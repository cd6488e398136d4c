// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme/fonts.h"

#include <QDir>
#include <QFile>
#include <QFontDatabase>
#include <QStandardPaths>
#include <QStringList>
#include <QtEndian>

#include <optional>

namespace meshwright {
namespace {

constexpr int DirectoryStart = 12;
constexpr int DirectoryEntry = 16;

quint16 word(const QByteArray &data, qsizetype at) {
    return qFromBigEndian<quint16>(data.constData() + at);
}
quint32 longWord(const QByteArray &data, qsizetype at) {
    return qFromBigEndian<quint32>(data.constData() + at);
}

void appendWord(QByteArray &data, quint16 value) {
    char bytes[2];
    qToBigEndian(value, bytes);
    data.append(bytes, 2);
}

struct Table {
    qsizetype entry;
    qsizetype offset;
    qsizetype length;
};

std::optional<Table> findTable(const QByteArray &font, const char *tag) {
    if (font.size() < DirectoryStart)
        return std::nullopt;
    const int count = word(font, 4);
    for (int i = 0; i < count; ++i) {
        const qsizetype entry = DirectoryStart + qsizetype(i) * DirectoryEntry;
        if (entry + DirectoryEntry > font.size())
            return std::nullopt;
        if (font.mid(entry, 4) != tag)
            continue;
        const Table table{entry, qsizetype(longWord(font, entry + 8)), qsizetype(longWord(font, entry + 12))};
        if (table.offset + table.length > font.size() || table.length < 6)
            return std::nullopt;
        return table;
    }
    return std::nullopt;
}

bool renameFeature(QByteArray &font, const QByteArray &from, const QByteArray &to) {
    const std::optional<Table> substitutions = findTable(font, "GSUB");
    if (!substitutions || substitutions->length < 10)
        return false;
    const qsizetype list = substitutions->offset + word(font, substitutions->offset + 6);
    if (list + 2 > font.size())
        return false;
    const int count = word(font, list);
    if (list + 2 + qsizetype(count) * 6 > font.size())
        return false;
    bool found = false;
    for (int i = 0; i < count; ++i) {
        const qsizetype record = list + 2 + qsizetype(i) * 6;
        if (font.mid(record, 4) == to)
            return false;
        found = found || font.mid(record, 4) == from;
    }
    for (int i = 0; i < count; ++i) {
        const qsizetype record = list + 2 + qsizetype(i) * 6;
        if (font.mid(record, 4) == from)
            font.replace(record, 4, to);
    }
    return found;
}

QByteArray nameTable(const QString &family, const QString &subfamily) {
    const auto utf16 = [](const QString &text) {
        QByteArray bytes;
        for (const QChar character : text)
            appendWord(bytes, character.unicode());
        return bytes;
    };
    struct Name {
        quint16 id;
        QByteArray text;
    };
    QString postScript = family + QLatin1Char('-') + subfamily;
    postScript.remove(QLatin1Char(' '));
    const QList<Name> names{
        {1, utf16(family)},     {2, utf16(subfamily)}, {4, utf16(family + QLatin1Char(' ') + subfamily)},
        {6, utf16(postScript)}, {16, utf16(family)},   {17, utf16(subfamily)}};
    QByteArray table;
    QByteArray strings;
    appendWord(table, 0);
    appendWord(table, quint16(names.size()));
    appendWord(table, quint16(6 + names.size() * 12));
    for (const Name &name : names) {
        for (const quint16 value :
             {quint16(3), quint16(1), quint16(0x409), name.id, quint16(name.text.size()), quint16(strings.size())})
            appendWord(table, value);
        strings += name.text;
    }
    return table + strings;
}

QString subfamilyOf(const QByteArray &font) {
    const std::optional<Table> metrics = findTable(font, "OS/2");
    const int weight = metrics ? word(font, metrics->offset + 4) : 400;
    return weight >= 600 ? QStringLiteral("SemiBold")
        : weight >= 500  ? QStringLiteral("Medium")
                         : QStringLiteral("Regular");
}

QString findInter() {
    const QStringList roots = QStandardPaths::standardLocations(QStandardPaths::GenericDataLocation);
    for (const QString &root : roots) {
        for (const QString &folder : {QStringLiteral("/fonts/opentype/inter"), QStringLiteral("/fonts/inter")}) {
            if (QFile::exists(root + folder + QStringLiteral("/Inter-Regular.otf")))
                return root + folder;
        }
    }
    const QString debian = QStringLiteral("/usr/share/fonts/opentype/inter");
    return QFile::exists(debian + QStringLiteral("/Inter-Regular.otf")) ? debian : QString();
}

QString loadInterfaceFamily() {
    const QString family = QStringLiteral("Inter Tabular");
    const QString folder = findInter();
    bool complete = !folder.isEmpty();
    for (const char *file : {"Inter-Regular.otf", "Inter-Medium.otf", "Inter-SemiBold.otf"}) {
        if (!complete)
            break;
        QFile source(folder + QLatin1Char('/') + QLatin1String(file));
        complete = source.open(QIODevice::ReadOnly);
        const QByteArray tabular = complete ? withTabularFigures(source.readAll(), family) : QByteArray();
        complete = !tabular.isEmpty() && QFontDatabase::addApplicationFontFromData(tabular) >= 0;
    }
    if (complete && QFontDatabase::hasFamily(family))
        return family;
    const QString plain = QStringLiteral("Inter");
    return QFontDatabase::hasFamily(plain) ? plain : paperFamily();
}

} // namespace

QByteArray withTabularFigures(const QByteArray &font, const QString &family) {
    QByteArray copy = font;
    const std::optional<Table> names = findTable(copy, "name");
    if (!names || !renameFeature(copy, "tnum", "rlig"))
        return {};
    while (copy.size() % 4 != 0)
        copy.append('\0');
    const QByteArray table = nameTable(family, subfamilyOf(copy));
    char number[4];
    qToBigEndian(quint32(copy.size()), number);
    copy.replace(names->entry + 8, 4, number, 4);
    qToBigEndian(quint32(table.size()), number);
    copy.replace(names->entry + 12, 4, number, 4);
    return copy + table;
}

QString interfaceFamily() {
    static const QString family = loadInterfaceFamily();
    return family;
}

QString paperFamily() {
    return QStringLiteral("DejaVu Sans");
}

} // namespace meshwright

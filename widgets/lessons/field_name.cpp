// SPDX-License-Identifier: GPL-3.0-or-later
#include "lessons/field_name.h"

#include "glossary/glossary.h"

#include <algorithm>

namespace meshwright {

namespace {

/// The words of a key. The first word is spelled as in the glossary ("ZeRO") or capitalized.
QString wordsOf(const QString &key) {
    QString words =
        QString(key).replace(QLatin1Char('_'), QLatin1Char(' ')).replace(QLatin1Char('.'), QLatin1Char(' '));
    const QString first = words.section(QLatin1Char(' '), 0, 0);
    if (const GlossaryTerm *const term = Glossary::standard().find(first.toStdString()))
        if (const QString spelled = QString::fromStdString(term->term);
            spelled.compare(first, Qt::CaseInsensitive) == 0)
            words.replace(0, first.size(), spelled);
    return words.isEmpty() ? words : QString(words.front().toUpper() + words.mid(1));
}

} // namespace

QString fieldName(const std::string &field) {
    const QString path = QString::fromStdString(field);
    const qsizetype dot = path.lastIndexOf(QLatin1Char('.'));
    const QString group = path.left(std::max<qsizetype>(0, dot));
    const QString name = wordsOf(path.mid(dot + 1));
    if (group.isEmpty() || group == QLatin1String("parallelism") || group == QLatin1String("batch"))
        return name;
    return wordsOf(group) + QLatin1String(": ") + name.front().toLower() + name.mid(1);
}

} // namespace meshwright

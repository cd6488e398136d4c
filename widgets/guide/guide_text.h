// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <QVector>

namespace meshwright {

class Glossary;
class Library;

struct GuideText {
    QString id; ///< "pipeline"
    QString part; ///< heading above the page in the table of contents
    QString title;
    QStringList headings; ///< second-level headings
    QString markdown; ///< text of the page, with generated tables and linked terms
    QString words; ///< text for searching, in one line and without links
};

/// Reads all pages. If a page cannot be read, its text is the reason.
QVector<GuideText> guideTexts(const Library &library, const Glossary &glossary);

struct GuideMatch {
    int page = 0;
    int count = 0;
    QString excerpt;
};

/// Pages that contain the text: first those with the text in their title, then by number of occurrences.
QVector<GuideMatch> searchGuide(const QVector<GuideText> &pages, const QString &text);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <QVector>

namespace meshwright {

class Glossary;
class Library;

/// A page of the user guide as the window shows it.
struct GuideText {
    QString id; ///< "pipeline"
    QString part; ///< heading above the page in the table of contents
    QString title;
    QStringList headings; ///< headings of the second level
    QString markdown; ///< text of the page, with generated tables and linked terms
    QString words; ///< text for searching: one line, without links
};

/// Reads all pages. A page that cannot be read has the reason as its text.
QVector<GuideText> guideTexts(const Library &library, const Glossary &glossary);

/// A page that contains the searched text.
struct GuideMatch {
    int page = 0; ///< index into the texts
    int count = 0; ///< occurrences on the page
    QString excerpt; ///< text around the first occurrence
};

/// Pages that contain the text: first the pages with the text in their title, then the pages with the most occurrences.
QVector<GuideMatch> searchGuide(const QVector<GuideText> &pages, const QString &text);

} // namespace meshwright

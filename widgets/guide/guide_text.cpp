// SPDX-License-Identifier: GPL-3.0-or-later
#include "guide/guide_text.h"

#include "catalog/library.h"
#include "glossary/glossary.h"
#include "guide/guide.h"
#include "guide/term_links.h"

#include <QRegularExpression>

#include <algorithm>

namespace meshwright {

namespace {

QStringList headingsOf(const QString &markdown) {
    QStringList headings;
    bool inCode = false;
    for (const QString &line : markdown.split(QLatin1Char('\n'))) {
        if (line.startsWith(QLatin1String("```")))
            inCode = !inCode;
        else if (!inCode && line.startsWith(QLatin1String("## ")))
            headings.append(line.mid(3));
    }
    return headings;
}

/// The text of a page without pictures, link targets and Markdown markup.
QString wordsOf(QString markdown) {
    static const QRegularExpression picture(QStringLiteral(R"(!\[[^\]]*\]\([^)]*\))"));
    static const QRegularExpression link(QStringLiteral(R"(\[([^\]]*)\]\([^)]*\))"));
    static const QRegularExpression marks(QStringLiteral(R"([`*#|\\]|-{3,})"));
    markdown.remove(picture);
    markdown.replace(link, QStringLiteral("\\1"));
    markdown.remove(marks);
    return markdown.simplified();
}

QString excerptAround(const QString &words, qsizetype at, qsizetype length) {
    constexpr qsizetype before = 24;
    constexpr qsizetype after = 64;
    const qsizetype begin = at <= before ? 0 : words.indexOf(QLatin1Char(' '), at - before) + 1;
    const qsizetype cut = words.lastIndexOf(QLatin1Char(' '), at + length + after);
    const qsizetype end = at + length + after >= words.size() ? words.size() : std::max(cut, at + length);
    const QString text = words.mid(begin, end - begin);
    return (begin > 0 ? QStringLiteral("… ") : QString()) + text
        + (end < words.size() ? QStringLiteral(" …") : QString());
}

} // namespace

QVector<GuideText> guideTexts(const Library &library, const Glossary &glossary) {
    QVector<GuideText> texts;
    for (const GuidePage &page : guide_pages()) {
        GuideText text{.id = QString::fromUtf8(page.id.data(), static_cast<qsizetype>(page.id.size())),
                       .part = QString::fromUtf8(page.part.data(), static_cast<qsizetype>(page.part.size()))};
        std::string markdown;
        try {
            markdown = guide_markdown(page.id, library);
        } catch (const std::exception &error) {
            markdown = "# " + std::string(page.id) + "\n\nThis page cannot be read: " + error.what() + "\n";
        }
        text.title = QString::fromStdString(guide_title(markdown));
        text.headings = headingsOf(QString::fromStdString(markdown));
        text.words = wordsOf(QString::fromStdString(markdown));
        text.markdown = QString::fromStdString(with_term_links(markdown, glossary));
        texts.append(std::move(text));
    }
    return texts;
}

QVector<GuideMatch> searchGuide(const QVector<GuideText> &pages, const QString &text) {
    QVector<GuideMatch> matches;
    const QString wanted = text.simplified();
    if (wanted.isEmpty())
        return matches;
    for (int page = 0; page < pages.size(); ++page) {
        const QString &words = pages[page].words;
        const auto count = static_cast<int>(words.count(wanted, Qt::CaseInsensitive));
        if (count > 0)
            matches.append(
                {page, count, excerptAround(words, words.indexOf(wanted, 0, Qt::CaseInsensitive), wanted.size())});
    }
    const auto inTitle = [&](const GuideMatch &match) {
        return pages[match.page].title.contains(wanted, Qt::CaseInsensitive);
    };
    std::stable_sort(matches.begin(), matches.end(), [&](const GuideMatch &a, const GuideMatch &b) {
        return std::pair(!inTitle(a), -a.count) < std::pair(!inTitle(b), -b.count);
    });
    return matches;
}

} // namespace meshwright

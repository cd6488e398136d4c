// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/sentence_text.h"
#include "report/paper_links.h"
#include "report/report_options.h"
#include "theme/theme.h"

#include <QPainter>
#include <QRectF>
#include <QString>
#include <QStringList>

#include <vector>

namespace meshwright {

/// Lengths in logical pixels of 1/96 inch (0.75 points), so that the same code draws at the same size on screen and on
/// paper.
namespace paper {

/// Content width: A4 minus margins of half an inch. It is the same for every paper size, so that a block always has the
/// same height.
inline constexpr qreal ContentWidth = 210 / 25.4 * 96 - 2 * 48;

} // namespace paper

struct PaperFormat {
    qreal width = 0;
    qreal height = 0;

    static PaperFormat of(PaperSize size);
    qreal margin() const { return (width - paper::ContentWidth) / 2; }
    qreal top() const { return 36; }
    qreal bottom() const { return height - 58; } ///< end of the content; the footer is below
    qreal contentHeight() const { return bottom() - top(); }
};

/// Draws on paper with the paper theme: type scale, wrapped text and aligned figures.
class Paper {
public:
    /// @param links  collects the links of the page; may be null
    explicit Paper(QPainter &painter, PageLinks *links = nullptr);

    QPainter &painter() { return m_painter; }
    const Theme &theme() const { return m_theme; }

    /// Draws one line with its top at `y`; `x` is its left end, or its right end if aligned right.
    void text(qreal x, qreal y, const QString &what, TypeRole role, ColourRole colour = ColourRole::Text,
              TextWeight weight = TextWeight::Regular, Qt::Alignment alignment = Qt::AlignLeft);
    void text(qreal x, qreal y, const QString &what, TypeRole role, const QColor &colour,
              TextWeight weight = TextWeight::Regular, Qt::Alignment alignment = Qt::AlignLeft);
    /// Draws lines one below the other. @returns their height
    qreal lines(qreal x, qreal y, const QStringList &lines, TypeRole role, ColourRole colour = ColourRole::Text,
                TextWeight weight = TextWeight::Regular);
    /// Draws one line of a file in codeFont().
    void code(qreal x, qreal y, const QString &line, ColourRole colour);
    void rule(qreal x, qreal y, qreal width, ColourRole colour = ColourRole::Line);

    /// Makes an area a link to a figure; does nothing if the path is empty.
    void link(const QRectF &area, const FigureTarget &figure);
    /// Makes an area a link to the heading of a section.
    void link(const QRectF &area, ReportChapter chapter);
    /// Turns the figures in a line drawn by text() into links.
    void link(qreal x, qreal y, const SentenceText &line, TypeRole role, TextWeight weight = TextWeight::Regular,
              Qt::Alignment alignment = Qt::AlignLeft);
    /// Draws lines one below the other with their figures as links. @returns their height
    qreal say(qreal x, qreal y, const std::vector<SentenceText> &lines, TypeRole role,
              ColourRole colour = ColourRole::Text);
    /// Marks an area whose numbers need no link: plan fields, names, axis scales, and constants that stand next to
    /// their sources.
    void states(const QRectF &area);
    /// Marks the position of a figure's derivation, or of a section's heading.
    void target(qreal y, const PaperTarget &target);

private:
    QPainter &m_painter;
    Theme m_theme;
    PageLinks *m_links;
};

/// A monospaced font, for the text of files.
QFont codeFont();
/// The theme's fonts for paper. They have no ligatures, because text extraction would return these as separate
/// characters.
QFont paperFont(TypeRole role, TextWeight weight = TextWeight::Regular);
qreal paperWidth(const QString &text, TypeRole role, TextWeight weight = TextWeight::Regular);
QStringList paperLines(const QString &text, qreal width, TypeRole role, TextWeight weight = TextWeight::Regular);
/// Breaks text into lines; a figure may continue on the next line.
std::vector<SentenceText> saidLines(const SentenceText &text, qreal width, TypeRole role,
                                    TextWeight weight = TextWeight::Regular);
QString paperElided(const QString &text, qreal width, TypeRole role, TextWeight weight = TextWeight::Regular);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/sentence_text.h"
#include "report/paper_links.h"
#include "theme/theme.h"

#include <QPainter>
#include <QRectF>
#include <QString>
#include <QStringList>

#include <vector>

namespace meshwright {

/// An A4 page in the theme's logical pixels of 1/96 inch, so that what draws on the screen draws on paper at the same
/// size. One is 0.75 typographic points.
namespace paper {

inline constexpr qreal PageWidth = 210 / 25.4 * 96;
inline constexpr qreal PageHeight = 297 / 25.4 * 96;
inline constexpr qreal Margin = 48;
inline constexpr qreal Top = 36;
inline constexpr qreal Bottom = PageHeight - 58; ///< where the content ends; the footer stands below
inline constexpr qreal ContentWidth = PageWidth - 2 * Margin;

} // namespace paper

/// A painter on paper with the paper theme: the type scale, text that wraps, and figures that align.
class Paper {
public:
    /// @param links  of the page that is painted, for what opens on it; may be null
    explicit Paper(QPainter &painter, PageLinks *links = nullptr);

    QPainter &painter() { return m_painter; }
    const Theme &theme() const { return m_theme; }

    /// One line with its top at `y`; `x` is the left end, or the right one where it is aligned to the right.
    void text(qreal x, qreal y, const QString &what, TypeRole role, ColourRole colour = ColourRole::Text,
              TextWeight weight = TextWeight::Regular, Qt::Alignment alignment = Qt::AlignLeft);
    void text(qreal x, qreal y, const QString &what, TypeRole role, const QColor &colour,
              TextWeight weight = TextWeight::Regular, Qt::Alignment alignment = Qt::AlignLeft);
    /// Lines under one another. @returns the height that they took
    qreal lines(qreal x, qreal y, const QStringList &lines, TypeRole role, ColourRole colour = ColourRole::Text,
                TextWeight weight = TextWeight::Regular);
    void rule(qreal x, qreal y, qreal width, ColourRole colour = ColourRole::Line);

    /// What stands there opens a figure; nothing where the path is empty.
    void link(const QRectF &area, const FigureTarget &figure);
    /// One line as text() sets it: its figures open.
    void link(qreal x, qreal y, const SentenceText &line, TypeRole role, TextWeight weight = TextWeight::Regular,
              Qt::Alignment alignment = Qt::AlignLeft);
    /// Lines under one another, whose figures open. @returns the height that they took
    qreal say(qreal x, qreal y, const std::vector<SentenceText> &lines, TypeRole role,
              ColourRole colour = ColourRole::Text);
    /// What stands there is said by the report itself: a field of the plan, a constant beside its source, a scale.
    void states(const QRectF &area);
    /// A figure's derivation stands from here on.
    void target(qreal y, const FigureRef &figure);

private:
    QPainter &m_painter;
    Theme m_theme;
    PageLinks *m_links;
};

/// The theme's fonts for paper. Without ligatures, which text extraction would return as characters of their own.
QFont paperFont(TypeRole role, TextWeight weight = TextWeight::Regular);
qreal paperWidth(const QString &text, TypeRole role, TextWeight weight = TextWeight::Regular);
QStringList paperLines(const QString &text, qreal width, TypeRole role, TextWeight weight = TextWeight::Regular);
/// A figure may go on in the next line.
std::vector<SentenceText> saidLines(const SentenceText &text, qreal width, TypeRole role,
                                    TextWeight weight = TextWeight::Regular);
/// As much of the text as fits, with an ellipsis where words had to go.
QString paperElided(const QString &text, qreal width, TypeRole role, TextWeight weight = TextWeight::Regular);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/paper.h"

#include <QFontMetricsF>
#include <QTextLayout>

namespace meshwright {

QFont paperFont(TypeRole role, TextWeight weight) {
    static const Theme theme = Theme::paper();
    QFont font = theme.font(role, weight);
    // DejaVu joins f and i. Qt leaves letters single where their spacing is set, even to what it is anyway.
    font.setLetterSpacing(QFont::PercentageSpacing, 100);
    return font;
}

qreal paperWidth(const QString &text, TypeRole role, TextWeight weight) {
    return QFontMetricsF(paperFont(role, weight)).horizontalAdvance(text);
}

QStringList paperLines(const QString &text, qreal width, TypeRole role, TextWeight weight) {
    QTextLayout layout(text, paperFont(role, weight));
    QStringList lines;
    layout.beginLayout();
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(width);
        lines.append(text.mid(line.textStart(), line.textLength()).trimmed());
    }
    layout.endLayout();
    return lines;
}

QString paperElided(const QString &text, qreal width, TypeRole role, TextWeight weight) {
    return QFontMetricsF(paperFont(role, weight)).elidedText(text, Qt::ElideRight, width);
}

Paper::Paper(QPainter &painter)
    : m_painter(painter)
    , m_theme(Theme::paper()) { }

void Paper::text(qreal x, qreal y, const QString &what, TypeRole role, const QColor &colour, TextWeight weight,
                 Qt::Alignment alignment) {
    const QFont font = paperFont(role, weight);
    const QFontMetricsF metrics(font);
    const qreal left = alignment & Qt::AlignRight ? x - metrics.horizontalAdvance(what)
        : alignment & Qt::AlignHCenter            ? x - metrics.horizontalAdvance(what) / 2
                                                  : x;
    // The line box is the theme's; the font's own, which differs between families, is centred in it.
    const qreal baseline = y + (Theme::lineHeight(role) - metrics.height()) / 2 + metrics.ascent();
    m_painter.setFont(font);
    m_painter.setPen(colour);
    m_painter.drawText(QPointF(left, baseline), what);
}

void Paper::text(qreal x, qreal y, const QString &what, TypeRole role, ColourRole colour, TextWeight weight,
                 Qt::Alignment alignment) {
    text(x, y, what, role, m_theme.colour(colour), weight, alignment);
}

qreal Paper::lines(qreal x, qreal y, const QStringList &lines, TypeRole role, ColourRole colour, TextWeight weight) {
    const qreal pitch = Theme::lineHeight(role);
    qreal at = y;
    for (const QString &line : lines) {
        text(x, at, line, role, colour, weight);
        at += pitch;
    }
    return at - y;
}

void Paper::rule(qreal x, qreal y, qreal width, ColourRole colour) {
    m_painter.setPen(QPen(m_theme.colour(colour), 0.75));
    m_painter.drawLine(QPointF(x, y), QPointF(x + width, y));
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/paper.h"

#include <QFontMetricsF>
#include <QTextLayout>

#include <algorithm>

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

Paper::Paper(QPainter &painter, PageLinks *links)
    : m_painter(painter)
    , m_theme(Theme::paper())
    , m_links(links) { }

void Paper::link(const QRectF &area, const QString &figure) {
    if (figure.startsWith(QLatin1Char('/'))) // a field, which the report says itself
        states(area);
    else if (m_links != nullptr && !figure.isEmpty())
        m_links->links.push_back({area, figure});
}

std::size_t Paper::link(qreal x, qreal y, const QString &line, const std::vector<FigureInText> &figures, TypeRole role,
                        TextWeight weight, Qt::Alignment alignment) {
    const qreal left = alignment & Qt::AlignRight ? x - paperWidth(line, role, weight) : x;
    return link(left, y, QStringList(line), figures, role, weight);
}

std::size_t Paper::link(qreal x, qreal y, const QStringList &lines, const std::vector<FigureInText> &figures,
                        TypeRole role, TextWeight weight) {
    if (m_links != nullptr)
        for (qsizetype i = 0; i < lines.size(); ++i)
            m_links->sentences.emplace_back(x, y + Theme::lineHeight(role) * static_cast<qreal>(i),
                                            paperWidth(lines[i], role, weight), Theme::lineHeight(role));
    const QString all = lines.join(QLatin1Char(' '));
    qsizetype from = 0;
    std::size_t said = 0;
    for (const FigureInText &figure : figures) {
        const QString text = QString::fromStdString(figure.text);
        const qsizetype at = all.indexOf(text, from);
        if (at < 0)
            break;
        from = at + text.size();
        ++said;
        qsizetype start = 0;
        for (qsizetype i = 0; i < lines.size(); start += lines[i].size() + 1, ++i) {
            const qsizetype first = std::max(at, start) - start;
            const qsizetype last = std::min(from, start + lines[i].size()) - start;
            if (first >= last)
                continue;
            const qreal left = x + paperWidth(lines[i].left(first), role, weight);
            const qreal right = x + paperWidth(lines[i].left(last), role, weight);
            const qreal top = y + Theme::lineHeight(role) * static_cast<qreal>(i);
            link(QRectF(left, top, right - left, Theme::lineHeight(role)), QString::fromStdString(figure.figure));
        }
    }
    return said;
}

void Paper::states(const QRectF &area) {
    if (m_links != nullptr)
        m_links->stated.push_back(area);
}

void Paper::target(qreal y, const QString &figure) {
    if (m_links != nullptr)
        m_links->targets.push_back({figure, y});
}

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

// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/paper.h"

#include <QFontMetricsF>
#include <QTextLayout>
#include <QTextOption>

#include <algorithm>

namespace meshwright {

PaperFormat PaperFormat::of(PaperSize size) {
    constexpr qreal inch = 96;
    constexpr qreal millimetre = inch / 25.4;
    return size == PaperSize::Letter ? PaperFormat{8.5 * inch, 11 * inch}
                                     : PaperFormat{210 * millimetre, 297 * millimetre};
}

QFont codeFont() {
    QFont font(QStringLiteral("DejaVu Sans Mono"));
    constexpr int pixels = 9; // font size: 80 characters take 430 of the page's 698 units
    font.setPixelSize(pixels);
    font.setHintingPreference(QFont::PreferNoHinting);
    font.setLetterSpacing(QFont::PercentageSpacing, 100); // same letter spacing as in paperFont()
    return font;
}

QFont paperFont(TypeRole role, TextWeight weight) {
    static const Theme theme = Theme::paper();
    QFont font = theme.font(role, weight);
    // DejaVu has an fi ligature. Qt disables ligatures if letter spacing is set, even to its default.
    font.setLetterSpacing(QFont::PercentageSpacing, 100);
    return font;
}

qreal paperWidth(const QString &text, TypeRole role, TextWeight weight) {
    return QFontMetricsF(paperFont(role, weight)).horizontalAdvance(text);
}

std::vector<SentenceText> saidLines(const SentenceText &text, qreal width, TypeRole role, TextWeight weight) {
    QTextLayout layout(text.text, paperFont(role, weight));
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    layout.setTextOption(option);
    std::vector<SentenceText> lines;
    layout.beginLayout();
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(width);
        const QString whole = text.text.mid(line.textStart(), line.textLength());
        const qsizetype begin = whole.indexOf(whole.trimmed());
        lines.push_back(partOf(text, line.textStart() + begin, whole.trimmed().size()));
    }
    layout.endLayout();
    return lines;
}

QStringList paperLines(const QString &text, qreal width, TypeRole role, TextWeight weight) {
    QStringList lines;
    for (const SentenceText &line : saidLines(text, width, role, weight))
        lines.append(line.text);
    return lines;
}

QString paperElided(const QString &text, qreal width, TypeRole role, TextWeight weight) {
    return QFontMetricsF(paperFont(role, weight)).elidedText(text, Qt::ElideRight, width);
}

Paper::Paper(QPainter &painter, PageLinks *links)
    : m_painter(painter)
    , m_theme(Theme::paper())
    , m_links(links) { }

void Paper::link(const QRectF &area, const FigureTarget &figure) {
    // Plan fields and terms need no link, because the report shows or defines them.
    if (!std::holds_alternative<FigureRef>(figure))
        states(area);
    else if (m_links != nullptr && opens(figure))
        m_links->links.push_back({area, figureOf(figure)});
}

void Paper::link(qreal x, qreal y, const SentenceText &line, TypeRole role, TextWeight weight,
                 Qt::Alignment alignment) {
    const qreal width = paperWidth(line.text, role, weight);
    const qreal left = alignment & Qt::AlignRight ? x - width : x;
    if (m_links != nullptr)
        m_links->sentences.emplace_back(left, y, width, Theme::lineHeight(role));
    for (const SentenceText::Figure &figure : line.figures) {
        const qreal from = left + paperWidth(line.text.left(figure.begin), role, weight);
        const qreal to = left + paperWidth(line.text.left(figure.begin + figure.length), role, weight);
        link(QRectF(from, y, to - from, Theme::lineHeight(role)), figure.target);
    }
}

qreal Paper::say(qreal x, qreal y, const std::vector<SentenceText> &lines, TypeRole role, ColourRole colour) {
    qreal at = y;
    for (const SentenceText &line : lines) {
        text(x, at, line.text, role, colour);
        link(x, at, line, role);
        at += Theme::lineHeight(role);
    }
    return at - y;
}

void Paper::states(const QRectF &area) {
    if (m_links != nullptr)
        m_links->stated.push_back(area);
}

void Paper::link(const QRectF &area, ReportChapter chapter) {
    if (m_links != nullptr)
        m_links->links.push_back({area, chapter});
}

void Paper::target(qreal y, const PaperTarget &target) {
    if (m_links != nullptr)
        m_links->targets.push_back({target, y});
}

void Paper::text(qreal x, qreal y, const QString &what, TypeRole role, const QColor &colour, TextWeight weight,
                 Qt::Alignment alignment) {
    const QFont font = paperFont(role, weight);
    const QFontMetricsF metrics(font);
    const qreal left = alignment & Qt::AlignRight ? x - metrics.horizontalAdvance(what)
        : alignment & Qt::AlignHCenter            ? x - metrics.horizontalAdvance(what) / 2
                                                  : x;
    // The line height comes from the theme. The text is centered in it, because font families differ in height.
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

void Paper::code(qreal x, qreal y, const QString &line, ColourRole colour) {
    m_painter.setFont(codeFont());
    m_painter.setPen(m_theme.colour(colour));
    m_painter.drawText(QPointF(x, y + QFontMetricsF(codeFont()).ascent()), line);
}

void Paper::rule(qreal x, qreal y, qreal width, ColourRole colour) {
    m_painter.setPen(QPen(m_theme.colour(colour), 0.75));
    m_painter.drawLine(QPointF(x, y), QPointF(x + width, y));
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/paper_blocks.h"
#include "theme/surfaces.h"

#include <algorithm>

namespace meshwright {

// --- Title and banners -----------------------------------------------------------------------------------------------

PaperBlocks blocksOf(const TitlePart &part, qreal width) {
    constexpr qsizetype mostLines = 2;
    qreal asideWidth = 0;
    for (const QString &aside : part.asides)
        asideWidth = std::max(asideWidth, paperWidth(aside, TypeRole::Caption));
    asideWidth = std::min(asideWidth, width / 3);
    const qreal room = width - asideWidth - 24;
    QStringList title = paperLines(part.name, room, TypeRole::Title, TextWeight::SemiBold);
    if (title.size() > mostLines) {
        title = title.mid(0, mostLines);
        title.last().append(QChar(0x2026));
    }
    const qreal titleHeight = static_cast<qreal>(title.size()) * Theme::lineHeight(TypeRole::Title);
    const QString subtitle = paperElided(part.subtitle, room, TypeRole::Body);
    const qreal asides = static_cast<qreal>(part.asides.size()) * Theme::lineHeight(TypeRole::Caption);
    return {{.height = std::max(titleHeight + Theme::lineHeight(TypeRole::Body), asides) + 8,
             .paint =
                 [=](Paper &paper, const QRectF &area) {
                     paper.lines(area.left(), area.top(), title, TypeRole::Title, ColourRole::Text,
                                 TextWeight::SemiBold);
                     paper.text(area.left(), area.top() + titleHeight, subtitle, TypeRole::Body, ColourRole::Text2);
                     qreal y = area.top() + 4;
                     for (const QString &aside : part.asides) {
                         paper.text(area.right(), y, paperElided(aside, asideWidth + 1, TypeRole::Caption),
                                    TypeRole::Caption, ColourRole::Text3, TextWeight::Regular, Qt::AlignRight);
                         y += Theme::lineHeight(TypeRole::Caption);
                     }
                 },
             .staysWithNext = true,
             .states = true}};
}

PaperBlocks blocksOf(const BannerPart &part, qreal width) {
    constexpr qreal padding = 10;
    constexpr qreal above = 6;
    const qreal label = paperWidth(part.label, TypeRole::Body, TextWeight::SemiBold) + padding + 12;
    const std::vector<SentenceText> lines = saidLines(part.text, width - label - padding, TypeRole::Body);
    const qreal height =
        static_cast<qreal>(std::max<std::size_t>(1, lines.size())) * Theme::lineHeight(TypeRole::Body) + 2 * above;
    return {{.height = height + 8,
             .paint =
                 [=](Paper &paper, const QRectF &area) {
                     const Theme &theme = paper.theme();
                     const QRectF strip(area.left(), area.top(), area.width(), height);
                     surfaces::rounded(paper.painter(), strip, 6, theme.softFill(part.tone));
                     const QColor ink =
                         part.tone == Tone::Neutral ? theme.colour(ColourRole::Text) : theme.ink(part.tone);
                     paper.text(strip.left() + padding, strip.top() + above, part.label, TypeRole::Body, ink,
                                TextWeight::SemiBold);
                     paper.say(strip.left() + label, strip.top() + above, lines, TypeRole::Body);
                     if (part.section)
                         paper.link(strip, *part.section);
                 },
             .staysWithNext = true}};
}

// --- Key figures -----------------------------------------------------------------------------------------------------

namespace {

void paintInterval(Paper &paper, const KeyInterval &interval, const QRectF &area) {
    const Theme &theme = paper.theme();
    // The bar extends beyond the interval by a third of the interval's length on either side.
    const double span = interval.high - interval.low;
    const auto place = [&](double value) {
        return area.left() + area.width() * (value - (interval.low - span / 3)) / (span * 5 / 3);
    };
    const qreal middle = area.top() + 3;
    QPainter &painter = paper.painter();
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.colour(ColourRole::Raised));
    painter.drawRoundedRect(QRectF(area.left(), middle - 1.5, area.width(), 3), 1.5, 1.5);
    painter.setBrush(theme.colour(ColourRole::AccentFill));
    painter.drawRect(QRectF(place(interval.low), middle - 1.5, place(interval.high) - place(interval.low), 3));
    painter.setBrush(theme.colour(ColourRole::Text));
    painter.drawRect(QRectF(place(interval.estimate) - 0.75, middle - 4.5, 1.5, 9));
    paper.text(area.left(), middle + 5, interval.lowText.text, TypeRole::Caption, ColourRole::Text3);
    paper.text(area.right(), middle + 5, interval.highText.text, TypeRole::Caption, ColourRole::Text3,
               TextWeight::Regular, Qt::AlignRight);
    paper.link(area.left(), middle + 5, interval.lowText, TypeRole::Caption);
    paper.link(area.right(), middle + 5, interval.highText, TypeRole::Caption, TextWeight::Regular, Qt::AlignRight);
}

void paintFigure(Paper &paper, const ReportKeyFigure &figure, const QRectF &card) {
    constexpr qreal padding = 12;
    const Theme &theme = paper.theme();
    surfaces::rounded(paper.painter(), card, 8, theme.colour(ColourRole::Panel), theme.colour(ColourRole::Line), 0.75);
    const qreal x = card.left() + padding;
    paper.text(x, card.top() + 7, figure.title, TypeRole::Caption, ColourRole::Text2);
    const QColor ink = figure.tone == Tone::Neutral ? theme.colour(ColourRole::Text) : theme.ink(figure.tone);
    paper.text(x, card.top() + 20, figure.figure.figure, TypeRole::Figure, ink, TextWeight::SemiBold);
    const qreal unit = x + paperWidth(figure.figure.figure, TypeRole::Figure, TextWeight::SemiBold) + 5;
    const QString words =
        figure.words.isEmpty() ? figure.figure.unit : figure.figure.unit + QLatin1Char(' ') + figure.words;
    paper.text(unit, card.top() + 34, words, TypeRole::Body, ColourRole::Text2);
    paper.link(QRectF(x, card.top() + 20, unit + paperWidth(words, TypeRole::Body) - x, 32), figure.path);
    paper.text(x, card.top() + 53, paperElided(figure.subline.text, card.width() - 2 * padding, TypeRole::Caption),
               TypeRole::Caption, ColourRole::Text2);
    paper.link(x, card.top() + 53, figure.subline, TypeRole::Caption);
    if (figure.interval)
        paintInterval(paper, *figure.interval, QRectF(x, card.top() + 72, card.width() - 2 * padding, 20));
}

} // namespace

PaperBlocks blocksOf(const KeyFiguresPart &part, qreal width) {
    constexpr qreal gap = 10;
    constexpr qreal height = 95;
    return {{.height = height + 8, .paint = [figures = part.figures, width](Paper &paper, const QRectF &area) {
                 const auto count = static_cast<qreal>(figures.size());
                 const qreal each = (width - gap * (count - 1)) / count;
                 qreal x = area.left();
                 for (const ReportKeyFigure &figure : figures) {
                     paintFigure(paper, figure, QRectF(x, area.top(), each, height));
                     x += each + gap;
                 }
             }}};
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvases/stacked_segment_paint.h"
#include "report/paper_blocks.h"
#include "theme/surfaces.h"

namespace meshwright {
namespace {

constexpr qreal Swatch = 11;
constexpr qreal Pitch = 15;
constexpr qreal CaptionGap = 5;

void paintEntry(Paper &paper, const LegendValue &legend, const QRectF &area) {
    paintSwatch(paper, QRectF(area.left(), area.top() + 1, Swatch, Swatch), legend.entry);
    constexpr qreal textLeft = Swatch + 6;
    qreal right = area.right();
    if (!legend.share.isEmpty()) {
        paper.text(right, area.top(), legend.share, TypeRole::Caption, ColourRole::Text2, TextWeight::Regular,
                   Qt::AlignRight);
        paper.states(QRectF(right - 44, area.top(), 44,
                            Pitch)); // the fraction repeats the value next to it, so its number needs no link
        right -= 48;
    }
    const qreal value = paperWidth(legend.value.text, TypeRole::Caption, TextWeight::SemiBold);
    paper.text(area.left() + textLeft, area.top(),
               paperElided(legend.entry.name, right - value - 6 - area.left() - textLeft, TypeRole::Caption),
               TypeRole::Caption, ColourRole::Text2);
    paper.text(right, area.top(), legend.value.text, TypeRole::Caption, ColourRole::Text, TextWeight::SemiBold,
               Qt::AlignRight);
    paper.link(right, area.top(), legend.value, TypeRole::Caption, TextWeight::SemiBold, Qt::AlignRight);
}

} // namespace

void paintSwatch(Paper &paper, const QRectF &area, const LegendEntry &entry) {
    const Theme &theme = paper.theme();
    QPainter &painter = paper.painter();
    if (entry.fill == SegmentFill::Hatched) {
        const QColor ink = entry.kind == Kind::Grey ? theme.colour(ColourRole::LineStrong) : theme.fill(entry.kind);
        surfaces::hatch(painter, area, mixed(theme.colour(ColourRole::Card), ink, 0.75),
                        theme.colour(ColourRole::Card));
        return;
    }
    const StackedSegment sample{entry.name, 1, entry.kind, entry.fill, entry.letter};
    segments::fill(painter, area, sample, theme.fill(entry.kind), theme);
    if (entry.letter.isEmpty() || entry.fill != SegmentFill::Solid)
        return;
    QFont font = paperFont(TypeRole::Caption, TextWeight::SemiBold);
    constexpr int letterPixels = 8;
    font.setPixelSize(letterPixels);
    const QFontMetricsF metrics(font);
    painter.setFont(font);
    painter.setPen(theme.label(entry.kind));
    painter.drawText(QPointF(area.center().x() - metrics.horizontalAdvance(entry.letter) / 2,
                             area.center().y() + (metrics.ascent() - metrics.descent()) / 2),
                     entry.letter);
}

ReportBlock legendBlock(const std::vector<LegendValue> &legend, int columns, qreal width) {
    constexpr qreal gap = 20;
    const int rows = (static_cast<int>(legend.size()) + columns - 1) / columns;
    return {.height = rows * Pitch, .paint = [legend, columns, rows, width](Paper &paper, const QRectF &area) {
                const qreal each = (width - gap * (columns - 1)) / columns;
                for (int i = 0; i < static_cast<int>(legend.size()); ++i)
                    paintEntry(
                        paper, legend[static_cast<std::size_t>(i)],
                        QRectF(area.left() + i / rows * (each + gap), area.top() + i % rows * Pitch, each, Pitch));
            }};
}

PaperBlocks blocksOf(const PicturePart &part, qreal width) {
    const ReportBlock legend = legendBlock(part.legend, part.legendColumns, width);
    const qreal legendGap = part.legend.empty() ? 0 : 4;
    const QString number = part.number > 0 ? QStringLiteral("Figure %1. ").arg(part.number) : QString();
    const std::vector<SentenceText> caption = part.caption.empty()
        ? std::vector<SentenceText>()
        : saidLines(SentenceText(number) + part.caption, width, TypeRole::Caption);
    const qreal line = Theme::lineHeight(TypeRole::Caption);
    const qreal captionHeight = caption.empty() ? 0 : static_cast<qreal>(caption.size()) * line + CaptionGap + 12;
    const qreal under = legendGap + legend.height + captionHeight;
    return {{.height = part.minHeight + under,
             .stretch = part.maxHeight - part.minHeight,
             .paint = [=, paint = part.paint](Paper &paper, const QRectF &area) {
                 const qreal height = area.height() - under;
                 const QRectF picture(area.left(), area.top(), area.width(), height);
                 paint(paper, picture);
                 if (!part.legend.empty())
                     legend.paint(paper,
                                  QRectF(area.left(), picture.bottom() + legendGap, area.width(), legend.height));
                 paper.say(area.left(), picture.bottom() + legendGap + legend.height + CaptionGap, caption,
                           TypeRole::Caption, ColourRole::Text2);
             }}};
}

} // namespace meshwright
